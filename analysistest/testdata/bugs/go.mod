module bugs

go 1.26
