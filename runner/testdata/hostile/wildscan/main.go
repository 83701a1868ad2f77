// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error: fault
package main

import "unsafe"

func main() {
	x := 1
	for i := uintptr(0); ; i += 8 {
		*(*uintptr)(unsafe.Add(unsafe.Pointer(&x), i)) = ^uintptr(0)
	}
}
