// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error|panic: runtime error
package main

import "unsafe"

func main() {
	x := new([64]byte)
	m := *(*map[string]int)(unsafe.Pointer(&x))
	m["x"] = 1
	println(len(m))
}
