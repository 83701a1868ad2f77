// One very large variable on the heap.
//
// Want: exit 1
// Want: incomplete: memory limit of 256 MiB reached
package main

type big [1 << 40]byte

func main() {
	p := new(big)
	p[1<<39] = 1
	println(p[1])
}
