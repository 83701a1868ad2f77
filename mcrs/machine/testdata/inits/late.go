// An initialiser that starts a goroutine is part of each execution; one of another package, which comes first, is not.
package main

import "github.com/heddle-go/heddle/mcrs/machine/testdata/inits/early"

var late int

func init() {
	done, never := make(chan bool), make(chan bool)
	go func() {
		late = early.Sum
		close(done)
	}()
	select { // INIT1
	case <-done:
	case <-never:
	}
}

func main() {
	if early.Runs != 1 || early.Sum != 4_999_950_000 || late != early.Sum {
		panic("the initialisers have not run, or more than once")
	}
	early.Runs++ // each execution begins anew
}
