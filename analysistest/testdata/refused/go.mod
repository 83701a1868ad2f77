module refused

go 1.26
