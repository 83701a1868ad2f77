module oldtimers

go 1.22
