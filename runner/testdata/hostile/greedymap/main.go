// A map without end.
//
// Want: exit 1
// Want: incomplete: memory limit of 256 MiB reached
package main

func main() {
	m := map[int]int{}
	for i := 0; ; i++ {
		m[i] = i
	}
}
