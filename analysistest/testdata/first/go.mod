module first

go 1.26
