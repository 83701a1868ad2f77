module skipped

go 1.26
