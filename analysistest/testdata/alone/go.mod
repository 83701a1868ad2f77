module alone

go 1.26
