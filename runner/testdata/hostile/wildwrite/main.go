// A pointer that was made up.
//
// Want: exit 1
// Want: unsupported access to address 0x[0-9a-f]+, where nothing was ever allocated
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
