module sequential

go 1.26
