package main

import (
	"fmt"
)

func endless(n int) int { return endless(n+1) + n }

func main() {
	fmt.Println(endless(1))
}
