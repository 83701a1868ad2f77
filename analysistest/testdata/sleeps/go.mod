module sleeps

go 1.26
