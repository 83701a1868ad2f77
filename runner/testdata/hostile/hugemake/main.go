// Memory that no computer has.
//
// Want: exit 1
// Want: incomplete: memory limit of 256 MiB reached
package main

import "fmt"

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

var n = 1 << 46

func main() {
	try(func() { _ = make([]byte, n<<10) })
	try(func() { _ = make([]int64, -n) })
	try(func() { _ = make(chan [1 << 10]byte, n) })
	try(func() { _ = make(map[int]int, n); fmt.Println("a hint is a hint") })
	b := make([]byte, n)
	b[n-1] = 1
}
