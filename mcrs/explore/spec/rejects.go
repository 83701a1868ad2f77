package spec

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is about executions that count for nothing because the program itself rejects them (explore.ownTimeout). In
// the second regime of time a state says whether the test has failed.
//
//	UREJECT1  Once a test has failed and said why, the execution is dropped, however it ends. Nothing is to be asked
//	          of such a state.
//	UREJECT2  If the test has failed without a word, the execution is dropped unless a run-time error ends it. Whether
//	          the output of an example is as it should be is a function of what was written, in order.
//	UREJECT3  A panic that the program calls drops it. Whether a run-time error counts depends on whether a test has
//	          said why before: the two are dependent.

// FailedSlot is the slot that says whether the test has failed.
const FailedSlot = 2

// What is in it, as bits. PanicCalled is of an edge that ends the program, and in no state.
const (
	Failed      = 1 << iota // the test has failed
	SaysWhy                 // and has said why
	PanicCalled             // by a call of panic
)

// fails notes that an operation fails the test.
func (k *Rules) fails(s *State, x *known.Edge) {
	if f := x.Fails() & (Failed | SaysWhy); f != 0 {
		k.Set(s, FailedSlot, k.Get(s, FailedSlot)|f)
	}
}

// Rejected reports whether all executions that lead through a state are dropped (UREJECT1).
func (k *Rules) Rejected(s *State) bool {
	return k.Get(s, FailedSlot)&SaysWhy != 0
}

// Fails reports whether the test has failed in a state in which nothing can move (UREJECT2).
func (k *Rules) Fails(s *State) bool {
	return k.Get(s, FailedSlot)&Failed != 0 || k.Outputs[k.Output(s)]
}

// Output names what was written to the standard output until a state.
func (k *Rules) Output(s *State) int32 {
	if o, ok := k.ObjectAt[known.ObjectKey{Space: known.SpaceObject, Addr: event.Stdout}]; ok {
		return k.Get(s, o)
	}
	return 0
}

// DropsAt reports whether an execution is dropped if an edge that ends the program is made in a state (UREJECT3).
func (k *Rules) DropsAt(s *State, edge int32) bool {
	x := &k.Edges[edge]
	if x.Kind == event.Panic {
		return x.Fails()&PanicCalled != 0 || k.Rejected(s)
	}
	return x.Fails() != 0 || k.Fails(s)
}
