module example.com/datarace

go 1.26
