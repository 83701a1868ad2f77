module stacks

go 1.26
