module files

go 1.26
