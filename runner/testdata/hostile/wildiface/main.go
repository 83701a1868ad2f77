// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error|panic: runtime error
package main

import "unsafe"

func main() {
	h := [2]uintptr{1 << 40, 1 << 40}
	e := *(*any)(unsafe.Pointer(&h))
	_, ok := e.(error)
	println(ok)
}
