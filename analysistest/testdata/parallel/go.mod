module parallel

go 1.26
