package cgo

// int one(void) { return 1; }
import "C"

// One is 1.
func One() int { return int(C.one()) }
