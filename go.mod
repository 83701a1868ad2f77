module github.com/heddle-go/heddle

go 1.26.0
