// Package early has an initialiser that takes long, and starts no goroutine.
package early

// Runs is how often the initialiser of this package has run, and Sum is what it has computed.
var Runs, Sum int

func init() {
	Runs++
	for i := range 100_000 {
		Sum += i
	}
}
