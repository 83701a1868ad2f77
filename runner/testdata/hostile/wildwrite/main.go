// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error: fault
package main

import "unsafe"

func main() {
	for a := uintptr(1) << 12; a != 0; a *= 2 {
		func() {
			defer func() { recover() }()
			*(*uintptr)(unsafe.Pointer(a)) = a
		}()
	}
}
