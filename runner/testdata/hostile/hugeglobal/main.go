// One very large package variable.
//
// Want: exit 1
// Want: package variables
package main

var x [1 << 40]byte

func main() { x[5] = 1 }
