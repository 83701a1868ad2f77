module mains

go 1.26
