//go:build !cgo

package cgo

// One is 1.
func One() int { return 1 }
