module outcomes

go 1.26
