module merging

go 1.26
