package clock

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file is about the deadlines of contexts (TOLD5).

// Deadlines is the name, in vm.Machine.Mentions, of what AsksDeadlines says.
const Deadlines = "deadlines"

// AsksDeadlines reports whether the program could ask a context for its deadline: whether code outside the standard
// library names a method of that name, or has it of an embedded field (package context asks such a context), or package
// net, which asks, is part of the program.
func AsksDeadlines(p *program.Program) bool {
	for _, pkg := range p.Init {
		if pkg.Path == "net" {
			return true
		}
		if pkg.Std || pkg.Info == nil {
			continue
		}
		for _, o := range pkg.Info.Uses {
			if isDeadline(o) {
				return true
			}
		}
		for _, o := range pkg.Info.Defs {
			if v, ok := o.(*types.Var); ok && v.Embedded() {
				if m, _, _ := types.LookupFieldOrMethod(v.Type(), true, v.Pkg(), "Deadline"); isDeadline(m) {
					return true
				}
			}
		}
	}
	return false
}

// isDeadline reports whether an object is a method of that name.
func isDeadline(o types.Object) bool {
	f, ok := o.(*types.Func)
	return ok && f.Name() == "Deadline" && f.Signature().Recv() != nil
}

// Promises reports whether WithTimeout tells no time. In a bubble only the bubble's own clock is told.
//
//	heddlePromises() bool
func Promises(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[0] = vm.Word(m.Mode == vm.Exploring && !m.Inits && !m.Options.Clocks && g.Bubble == nil && !m.Mentions[Deadlines])
	return vm.Done
}

// Promise keeps the deadline of a context: what a reading of the clock by its goroutine would give, and the timeout. It
// is none of the goroutine's readings (TIME5).
//
//	heddlePromise(c *timerCtx, timeout time.Duration)
func Promise(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Promised == nil {
		m.Promised = map[uint64]int64{}
	}
	m.Promised[w[0]] = later(m.Now+m.Gain(m.Now)+ticked(m, g.Ticks+1), w[1])
	return vm.Done
}

// Sooner reads the clock, and reports whether such a deadline, of a context that was promised after so much time, comes
// before the end of timeout. That is all that becomes of it. When the context was made is not in what the goroutine was
// told. So it is unsure, unless the other way round is impossible: the context was made before, and no sooner than the
// execution began. What readings run ahead by (TIME5) is less than closeDeadlines while the clock has not moved.
//
//	heddleSooner(c *timerCtx, promised, timeout time.Duration) (sooner, unsure bool)
func Sooner(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !ReadClock(m, g) {
		return vm.Yield
	}
	sooner := m.Promised[w[0]] < later(Reading(m, g), w[2])
	longer := int64(w[2] - w[1])
	sure := longer >= closeDeadlines || m.Now == vm.Epoch && longer <= -closeDeadlines
	w[3], w[4] = vm.Word(sooner), vm.Word(!sure)
	return vm.Done
}

// closeDeadlines is how many nanoseconds may be between deadlines of which it is not known which comes first.
const closeDeadlines = 1000

// UnsureSooner says that Sooner was unsure, so the entry cannot be exhausted.
//
//	heddleUnsure()
func UnsureSooner(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	unseenOutside(m, g, "a context with a timeout is made within another one, and which is over first may depend on when that was made")
	return vm.Done
}

// AskedDeadline returns such a deadline. When the context was made is in no name of a state, so the entry cannot be
// exhausted.
//
//	heddleAsked(c *timerCtx) time.Duration
func AskedDeadline(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	unseenOutside(m, g, "the deadline of a context is asked for, by reflection or for its text")
	w[1] = uint64(m.Promised[w[0]] - (m.Now + m.Gain(m.Now) + ticked(m, g.Ticks)))
	return vm.Done
}

// unseenOutside is m.Unseen at the last call outside of the standard library.
func unseenOutside(m *vm.Machine, g *vm.G, reason string) {
	if m.Trace.Unseen != "" {
		return
	}
	i := len(g.Frames) - 1
	for i > 0 && g.Frames[i].Func.Std {
		i--
	}
	m.Unseen(g, reason)
	m.Trace.UnseenSite = g.FrameSite(i)
}
