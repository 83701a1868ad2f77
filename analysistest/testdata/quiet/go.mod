module quiet

go 1.26
