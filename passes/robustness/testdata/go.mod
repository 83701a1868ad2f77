module example.com/robustness

go 1.26
