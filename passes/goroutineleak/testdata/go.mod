module example.com/goroutineleak

go 1.26
