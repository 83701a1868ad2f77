// An initialiser without end.
//
// Long: runs to the limit of instructions
// Want: exit 1
// Want: package initialisation: limit of instructions reached
package main

var x = func() int {
	n := 0
	for {
		n++
	}
}()

func main() { println(x) }
