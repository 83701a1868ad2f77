// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error: fault|panic: runtime error: invalid memory address
package main

import "unsafe"

func main() {
	p := (*int)(unsafe.Pointer(uintptr(0xc000012345)))
	println(*p)
}
