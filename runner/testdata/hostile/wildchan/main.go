// A pointer that was made up.
//
// Want: exit 1
// Want: unsupported access to address 0x4000000000000, where nothing was ever allocated
package main

import "unsafe"

func main() {
	h := uintptr(1 << 50)
	c := *(*chan int)(unsafe.Pointer(&h))
	c <- 1
}
