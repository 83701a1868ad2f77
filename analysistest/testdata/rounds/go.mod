module rounds

go 1.26
