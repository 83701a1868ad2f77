module memory

go 1.26
