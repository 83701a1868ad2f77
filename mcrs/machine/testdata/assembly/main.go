// Variables whose values are in assembly. That of text is not understood, and code stands for a function.
package main

import (
	"fmt"
	"os"
	"unsafe"
)

var (
	number   uint64
	table    [4]uint32
	bytes    [11]byte
	float    float64
	small    float32
	constant [2]int16
	mixed    struct {
		a int8
		b uint16
		c float32
	}
	zero  int
	large [1 << 12]byte
	text  string

	code   byte
	codeAt = uintptr(unsafe.Pointer(&code))
)

func main() {
	fmt.Println(number, table, string(bytes[:]), float, small, constant, mixed, zero, large[0], large[4095], large[7])
	number++
	table[2] += 5
	fmt.Println(number, table)
	fmt.Println(codeAt != 0, codeAt == uintptr(unsafe.Pointer(&code)))
	if len(os.Args) > 1 {
		fmt.Println(*(*byte)(unsafe.Pointer(codeAt)) != 0)
	}
	printText()
}

func printText() { fmt.Println(text) }
