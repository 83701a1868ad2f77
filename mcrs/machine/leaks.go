package machine

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines which goroutines can never go on.
//
//	LEAK1  A goroutine is alive if it can go on, sleeps, or waits for an object that what is alive reaches. Alive are, to begin with, package variables and timers; of a
//	       goroutine that is alive all is that its stack reaches. That is the rule of Go's own goroutine leak profile (runtime/mgc.go, "goroutine leak detection").
//	       All others are blocked for ever, for nothing that could wake them is in anybody's hands.
//	LEAK2  A goroutine that waits for a lock, or for a Once, is alive only if those who hold it are, whoever reaches it: so a cycle of goroutines that wait for one another is not.
//	       If a holder has ended, or is blocked for ever itself, somebody alive must have an Unlock in his code that could be of this lock (unlocks.go).
//	LEAK3  With sched.Options.AllLeaks package variables are not alive: then what waits for an object that only they reach is blocked for ever too, unless it is the standard library's own.
//
// They are looked for when nothing can happen any more, and where the entry's own goroutine has waited for long while others went on (STUCK1).
//
//	STUCK1 After stuckMoves moves of the clock without an event of the entry's goroutine, and each time that these have quadrupled, it is asked whether that one is alive. If not it never will be;
//	       what still runs does so on behalf of nobody, as after the entry's return (TIME3), and then the execution ends as a deadlock.

// An aftermath is what becomes of an execution when its entry has returned.
type aftermath struct {
	entryDone bool
	until     int64 // how far the clock moves from then on (TIME3)
	mainStuck bool  // the entry's goroutine is blocked for ever (STUCK1)
	stillAt   int32 // its number of events
	still     int   // moves of the clock since the last of them
	lookAt    int   // how many it takes for the next look
	cutOff    bool  // the clock could have moved on, after afterReturn moves
	quietness       // see repeat.go
	gone      bool  // os.Exit was called while a test was run: whoever is blocked then has not leaked, for its process is gone
	fires     int   // moves of the clock since the entry returned
}

// stuckMoves is that of rule STUCK1.
const stuckMoves = 4

// quiescent ends an execution in which nothing can go on.
func (m *Machine) quiescent() {
	m.tr.Status = trace.Returned
	if !m.entryDone {
		m.tr.Status = trace.Deadlocked
		if m.mainStuck {
			m.markAlive(false)
		}
	} else {
		m.findLeaks()
	}
	if m.cutOff && !m.repeats() {
		m.unseen(m.leftBehind(), afterReturnReason)
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

// leftBehind returns a goroutine that still runs after the entry's end: one that sleeps, or waits for a timer to fire.
func (m *goroutines) leftBehind() *G {
	for _, kind := range []event.Kind{event.Sleep, event.ChanRecv, event.Invalid} {
		for _, g := range m.gs {
			if g.waiting && g.op.Kind == kind && g != m.main {
				return g
			}
		}
	}
	return m.main
}

// findLeaks marks the goroutines that are blocked for ever.
func (m *Machine) findLeaks() {
	if m.gone {
		return
	}
	for _, g := range m.stuck(!m.opts.AllLeaks, false) {
		m.tr.Threads[g.idx].Leaked = !m.opts.AllLeaks || m.ofUser(g)
	}
}

// markAlive marks the goroutines that are not part of a deadlock, since they still could go on.
func (m *Machine) markAlive(polling bool) {
	stuck := m.stuck(!polling, polling)
	for _, g := range m.gs {
		m.tr.Threads[g.idx].Alive = !g.ended && !slices.Contains(stuck, g)
	}
}

// ofUser reports whether a goroutine has code of the user's on its stack, or was started by such code.
func (m *Machine) ofUser(g *G) bool {
	for i := range g.frames {
		if f := g.frames[i].f; !f.std && f.intrinsic == nil {
			return true
		}
	}
	at := m.tr.Threads[g.idx].Site
	return at != 0 && !m.siteTable[at].f.std
}

// lookStuck is rule STUCK1. Nothing is enabled but what the clock may let go on.
func (m *Machine) lookStuck() {
	if m.entryDone || m.mainStuck || m.main == nil || !m.main.waiting || len(m.bubbles) > 0 || m.mode == running {
		return
	}
	if m.stillAt != m.main.seq {
		m.stillAt, m.still, m.lookAt = m.main.seq, 0, stuckMoves
	}
	if m.still++; m.still < m.lookAt || m.main.op.Kind == event.Sleep {
		return
	}
	m.lookAt *= 4
	if slices.Contains(m.stuck(true, false), m.main) {
		m.mainStuck, m.until = true, m.goneAfter()
	}
}

// stuck returns the goroutines that are not alive: LEAK1 and LEAK2. globals says that package variables are, and polling that goroutines which poll are.
func (m *Machine) stuck(globals, polling bool) (dead []*G) {
	if !slices.ContainsFunc(m.gs, func(g *G) bool { return !g.ended && g.waiting && !g.pseudo() }) {
		return nil // to go through all that is reachable takes long
	}
	r := &reach{m: m, seen: map[*mem.Object]bool{}, live: map[*G]bool{}}
	if globals {
		for v, a := range m.globals {
			if !inet.Weak(v.Name()) {
				r.visit(a)
			}
		}
	}
	for _, t := range m.pending() {
		r.visit(t.addr)
		r.visit(t.arg)
		r.visit(t.arg2)
	}
	r.flush()
	enabled := map[int32]bool{}
	for _, t := range m.state.Enabled {
		enabled[t.Thread] = true
		enabled[t.Partner] = true
	}
	for again := true; again; {
		again = false
		for _, g := range m.gs {
			if g.ended || r.live[g] || g.pseudo() || g.waiting && !enabled[g.idx] && !(polling && m.waitsToPoll(g)) && !m.wakeable(g, r) {
				continue
			}
			r.live[g], again = true, true
			g.words(r.visit)
			r.flush()
		}
	}
	for _, g := range m.gs {
		if !g.ended && g.waiting && !g.pseudo() && !r.live[g] {
			dead = append(dead, g)
		}
	}
	return dead
}

// A reach is what is alive.
type reach struct {
	m    *Machine
	seen map[*mem.Object]bool
	live map[*G]bool
	work []*mem.Object
}

func (r *reach) visit(a uint64) {
	if a == 0 {
		return
	}
	if o := r.m.mem.Object(a); o != nil && o.Flags&mem.ReadOnly == 0 && !r.seen[o] {
		r.seen[o] = true
		r.work = append(r.work, o)
	}
}

func (r *reach) flush() {
	for len(r.work) > 0 {
		o := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		r.m.pointers(o, r.visit)
	}
}

func (r *reach) has(a uint64) bool {
	o := r.m.mem.Object(a)
	return o != nil && r.seen[o]
}

// wakeable reports whether something alive could let g go on.
func (m *Machine) wakeable(g *G, r *reach) bool {
	switch {
	case g.op.Kind == event.Sleep, g.op.Kind == event.Quiesce, g.ending, g.dying:
		return true
	case g.sel != nil:
		return slices.ContainsFunc(g.sel, func(c selCase) bool { return c.ch != 0 && r.has(c.ch) })
	}
	if !(g.op.Kind == event.ObjectRead && g.op.Loc.Addr <= event.Clock || r.has(g.op.Loc.Addr)) {
		return false
	}
	return m.waitsToPoll(g) || m.released(g, r) // who polls could take the lock
}

// released reports whether a lock that g waits for could be unlocked (LEAK2). It is true if g waits for no lock.
func (m *Machine) released(g *G, r *reach) bool {
	for _, h := range m.holders(&g.op) {
		switch {
		case h >= 0 && !m.gs[h].ended && r.live[m.gs[h]]:
		case g.op.Kind == event.OnceBegin: // only who runs its function ends it
			return false
		case !m.othersUnlock(&g.op, r):
			return false
		}
	}
	return true
}

// holders returns the goroutines without whom an operation on a lock cannot go on, -1 for one that is not known.
func (m *Machine) holders(o *event.Op) []int32 {
	switch {
	case !o.Kind.CanWait() || !o.Kind.Holds():
		return nil
	case o.Kind == event.Lock && isRW(o):
		return m.readers(o)
	}
	return []int32{m.taker(o.Loc.Addr)}
}

// readers returns the goroutines that hold an RWMutex for reading: those of whom the trace has more RLocks than RUnlocks. If these are fewer than the lock
// says, package initialisation has locked it, or somebody unlocks for others: then one more is not known.
func (m *Machine) readers(o *event.Op) (hs []int32) {
	a, lock := o.Loc.Addr, o.Loc.Addr
	if o.Key == event.ReadersKey {
		lock -= rwReaders
	}
	count := make([]int, len(m.gs))
	for i := range m.tr.Events {
		e := &m.tr.Events[i]
		switch {
		case e.Loc.Addr != a:
		case e.Kind == event.RLock, e.Kind == event.TryRLock && e.Value != 0:
			count[e.Thread]++
		case e.Kind == event.RUnlock:
			count[e.Thread]--
		}
	}
	sum := 0
	for i, n := range count {
		if n > 0 {
			hs = append(hs, int32(i))
			sum += n
		}
		if n < 0 {
			sum = -1 << 30
		}
	}
	if sum != int(m.readersOf(lock)) {
		hs = append(hs, -1)
	}
	return hs
}

// words calls f for each word of g's stack.
func (g *goStack) words(f func(uint64)) {
	for i := range g.frames {
		fr := &g.frames[i]
		for off := int32(0); off < fr.f.Frame; off += 8 {
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
