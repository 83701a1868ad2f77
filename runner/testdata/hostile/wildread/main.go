// A pointer that was made up.
//
// Want: exit 1
// Want: unsupported access to address 0x[0-9a-f]+, where nothing was ever allocated
package main

import "unsafe"

func main() {
	p := (*int)(unsafe.Pointer(uintptr(0xc000012345)))
	println(*p)
}
