package z3

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/solver"
)

// TestSignal: Z3 leaves SIGINT to the program. Its own handler, and what it puts back after it, have no stack of their
// own: a Go program crashes when the
// signal comes while a goroutine runs.
func TestSignal(t *testing.T) {
	if onStack := interruptFlags(t)&saOnStack != 0; !onStack {
		t.Fatal("the runtime's handler has no stack of its own")
	}
	s := newOrSkip(t)
	s.AddClause(s.NewVar())
	if st := s.Solve(solver.Options{}); st != solver.Sat {
		t.Fatal(st)
	}
	if interruptFlags(t)&saOnStack == 0 {
		t.Error("Solve has changed what happens at SIGINT")
	}
	if _, err := Eval("(declare-const x Int)(assert (< x 3))(check-sat)"); err != nil {
		t.Fatal(err)
	}
	if interruptFlags(t)&saOnStack == 0 {
		t.Error("Eval has changed what happens at SIGINT")
	}
}

const saOnStack = 0x08000000

// interruptFlags are the flags of the action at SIGINT .
func interruptFlags(t *testing.T) uint64 {
	t.Helper()
	var action [4]uint64
	if !rtSigaction(nil, &action) {
		t.Fatal("rt_sigaction failed")
	}
	return action[1]
}
