module code

go 1.26
