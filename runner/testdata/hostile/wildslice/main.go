// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error: fault
package main

import "unsafe"

func main() {
	s := unsafe.Slice((*byte)(unsafe.Pointer(new(byte))), 1<<40)
	for i := range s {
		s[i] = 1
	}
}
