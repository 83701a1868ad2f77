package main

import (
	"fmt"
)

type text string

func main() {
	defer func() { panic(text("second\nline")) }()
	panic(fmt.Errorf("first"))
}
