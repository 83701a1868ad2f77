module repaired

go 1.26
