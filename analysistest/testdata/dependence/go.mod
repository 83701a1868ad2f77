module dependence

go 1.26
