// Package quiet starts no goroutine.
package quiet

func Two() int { return 2 }
