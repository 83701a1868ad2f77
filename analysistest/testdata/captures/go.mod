module example.com/captures

go 1.26
