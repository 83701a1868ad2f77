package main

import (
	"fmt"
)

func main() {
	defer func() { panic(recover()) }()
	panic(fmt.Sprint("same"))
}
