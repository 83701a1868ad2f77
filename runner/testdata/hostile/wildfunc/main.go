// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error|panic: runtime error
package main

import "unsafe"

func main() {
	f := uintptr(0x401000)
	p := &f
	g := *(*func())(unsafe.Pointer(&p))
	g()
}
