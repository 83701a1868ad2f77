// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error|panic: runtime error
package main

import "unsafe"

func main() {
	h := uintptr(1 << 50)
	c := *(*chan int)(unsafe.Pointer(&h))
	c <- 1
}
