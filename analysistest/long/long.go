// Package long tells the tests of this repository how long they may take.
//
// go test ./... has to be done in two minutes of processor time (CONTRIBUTING.md, "How long tests take"). So tests that
// compare with brute force take a sample by default. make test-long, which continuous integration runs too, sets
// HEDDLE_LONG=1 and makes them take a larger one, or all.
package long

import (
	"os"
	"testing"
)

// Variable is the environment variable that asks for the long tests. Tests must ask within a test. What a package reads
// while it is initialized the go command does not see. It then takes the cached answer of a short run for that of a
// long one.
const Variable = "HEDDLE_LONG"

// On reports whether the long tests were asked for.
func On() bool { return os.Getenv(Variable) == "1" }

// Pick returns the one or the other size of a test.
func Pick[T any](short, long T) T {
	if On() {
		return long
	}
	return short
}

// Step is how far apart the members of a list are that a test goes through: one with the long tests, n without.
func Step(n int) int { return Pick(n, 1) }

// Only skips a test that is a long one as a whole; why says what takes long.
func Only(t testing.TB, why string) {
	t.Helper()
	if !On() {
		t.Skipf("%s: run with %s=1 (make test-long)", why, Variable)
	}
}
