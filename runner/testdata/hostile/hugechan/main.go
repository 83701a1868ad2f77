// A channel with room for more than there is.
//
// Want: exit 1
// Want: incomplete: memory limit of 256 MiB reached
package main

func main() { _ = make(chan [1 << 10]byte, 1<<24) }
