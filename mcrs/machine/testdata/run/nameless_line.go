package main

import (
	"fmt"
	"runtime"
)

func at() {
	_, file, line, ok := runtime.Caller(1)
	fmt.Println(file, line, ok)
}

func main() {
//line :7
	at()
//line a.go:9
	at()
	/*line :11*/ at()
	/*line :12:3*/ at()
}
