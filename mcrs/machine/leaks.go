package machine

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines which goroutines are left behind at the end of an entry.

// quiescent ends an execution in which nothing can go on.
func (m *Machine) quiescent() {
	m.tr.Status = trace.Returned
	if !m.entryDone {
		m.tr.Status = trace.Deadlocked
	} else {
		m.findLeaks()
	}
	if m.finalizer == "" || m.measured != m.finalizer {
		return
	}
	// What is blocked may wait for a finalizer.
	if m.tr.Status == trace.Deadlocked || slices.ContainsFunc(m.tr.Threads, func(t trace.Thread) bool { return t.Leaked }) {
		m.tr.Status = trace.Unsupported
		m.tr.Reason = "unsupported function " + m.finalizer + ": no finalizer is run, and a goroutine is blocked after a call of runtime.GC"
	}
}

// findLeaks marks the goroutines blocked on objects that nothing alive reaches: the rule of Go's goroutine leak
// profile (runtime/mgc.go, "goroutine leak detection"). Roots are package variables and timers; what a reachable
// object lets go on is reachable with its stack.
func (m *Machine) findLeaks() {
	var blocked []*G
	for _, g := range m.gs {
		if !g.ended && g.waiting {
			blocked = append(blocked, g)
		}
	}
	if len(blocked) == 0 {
		return
	}
	seen := map[*mem.Object]bool{}
	var work []*mem.Object
	visit := func(a uint64) {
		if a == 0 {
			return
		}
		if o := m.mem.Object(a); o != nil && o.Flags&mem.ReadOnly == 0 && !seen[o] {
			seen[o] = true
			work = append(work, o)
		}
	}
	flush := func() {
		for len(work) > 0 {
			o := work[len(work)-1]
			work = work[:len(work)-1]
			m.pointers(o, visit)
		}
	}
	for _, a := range m.globals {
		visit(a)
	}
	for _, t := range m.pending() {
		visit(t.addr)
		visit(t.arg)
		visit(t.arg2)
	}
	flush()
	live := map[*G]bool{}
	for again := true; again; {
		again = false
		for _, g := range blocked {
			if live[g] || !m.wakeable(g, seen) {
				continue
			}
			live[g], again = true, true
			g.words(func(w uint64) { visit(w) })
			flush()
		}
	}
	for _, g := range blocked {
		m.tr.Threads[g.idx].Leaked = !live[g]
	}
}

// wakeable reports whether something reachable could let g go on.
func (m *Machine) wakeable(g *G, seen map[*mem.Object]bool) bool {
	reached := func(a uint64) bool { o := m.mem.Object(a); return o != nil && seen[o] }
	switch {
	case g.op.Kind == event.Sleep, g.op.Kind == event.Quiesce:
		return true
	case g.sel != nil:
		for _, c := range g.sel {
			if c.ch != 0 && reached(c.ch) {
				return true
			}
		}
		return false
	}
	return reached(g.op.Loc.Addr)
}

// words calls f for each word of g's stack.
func (g *G) words(f func(uint64)) {
	for i := range g.frames {
		fr := &g.frames[i]
		for off := int32(0); off < fr.f.frame; off += 8 {
			f(ld(fr.fp, off))
		}
		for _, d := range fr.defers {
			f(d.ctx)
			for _, a := range d.args {
				f(a)
			}
		}
	}
}
