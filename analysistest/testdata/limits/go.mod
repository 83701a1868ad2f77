module limits

go 1.26
