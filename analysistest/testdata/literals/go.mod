module literals

go 1.26
