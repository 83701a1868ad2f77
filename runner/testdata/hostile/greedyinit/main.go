// An initialiser that keeps all it allocates.
//
// Want: exit 1
// Want: package initialisation: memory limit
package main

var x [][]byte

func init() {
	for {
		x = append(x, make([]byte, 1<<20))
	}
}

func main() {}
