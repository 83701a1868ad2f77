// A map without end.
//
// Flags: -limit.memory=32
// Want: exit 1
// Want: incomplete: memory limit of 32 MiB reached
package main

func main() {
	m := map[int]int{}
	for i := 0; ; i++ {
		m[i] = i
	}
}
