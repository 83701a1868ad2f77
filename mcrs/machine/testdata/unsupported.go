package main

import "runtime/debug"

func main() {
	var s debug.GCStats
	debug.ReadGCStats(&s)
	println("not reached")
}
