module dropped

go 1.26
