// Functions of the runtime, pulled in by name.
//
// Always: the other way round the boundary
// Want: exit 1
// Want: unsupported function|incomplete|linkname
package main

import _ "unsafe"

//go:linkname exit runtime.exit
func exit(code int32)

//go:linkname write1 runtime.write1
func write1(fd uintptr, p *byte, n int32) int32

func main() {
	b := []byte("out of the machine\n")
	write1(2, &b[0], int32(len(b)))
	exit(7)
}
