module looks

go 1.26
