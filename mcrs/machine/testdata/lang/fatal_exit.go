package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("not printed")
	os.Exit(3)
}
