// A pointer that was made up.
//
// Want: exit 1
// Want: unsupported access to address 0x[0-9a-f]+, where nothing was ever allocated
package main

import "unsafe"

func main() {
	h := [4]uintptr{1 << 40, 1 << 40, 1 << 40, 1}
	s := *(*[]string)(unsafe.Pointer(&h))
	m := *(*map[string]int)(unsafe.Pointer(&h))
	defer func() { recover(); println(m["x"]) }()
	println(s[3])
}
