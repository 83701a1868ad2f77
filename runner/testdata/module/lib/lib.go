// Package lib has nothing to run.
package lib

// Zero is 0.
func Zero() int { return 0 }
