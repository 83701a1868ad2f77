module testingt

go 1.26
