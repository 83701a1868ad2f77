// A pointer that was made up.
//
// Want: exit 2
// Want: fatal error|panic: runtime error
package main

import "unsafe"

func main() {
	h := [4]uintptr{1 << 40, 1 << 40, 1 << 40, 1}
	s := *(*[]string)(unsafe.Pointer(&h))
	m := *(*map[string]int)(unsafe.Pointer(&h))
	defer func() { recover(); println(m["x"]) }()
	println(s[3])
}
