module given

go 1.26
