module network

go 1.26
