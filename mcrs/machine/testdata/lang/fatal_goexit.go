package main

import (
	"fmt"
	"runtime"
)

func main() {
	defer fmt.Println("deferred")
	runtime.Goexit()
}
