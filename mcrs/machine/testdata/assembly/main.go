// Variables whose values are in assembly. The last one's is not understood.
package main

import "fmt"

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
)

func main() {
	fmt.Println(number, table, string(bytes[:]), float, small, constant, mixed, zero, large[0], large[4095], large[7])
	number++
	table[2] += 5
	fmt.Println(number, table)
	printText()
}

func printText() { fmt.Println(text) }
