package loop

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/prim"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines which goroutines can never go on.
//
//	LEAK1  A goroutine is alive if it can go on, sleeps, or waits for an object that what is alive reaches. Package
//	       variables and timers are alive to begin with. If a goroutine is alive, so is all that its stack reaches.
//	       That is the rule of Go's own goroutine leak profile (runtime/mgc.go, "goroutine leak detection"). All
//	       others are blocked for ever, for nothing that could wake them is in anybody's hands. A timer that is
//	       stopped is not alive by itself, but reaches what it would use if it were started again.
//	LEAK2  A goroutine that waits for a lock, or for a Once, is alive only if those who hold it are, whoever reaches
//	       it. So a cycle of goroutines that wait for one another is not. If a holder has ended, or is blocked for
//	       ever itself, a goroutine that is alive must have an Unlock in its code that could be of this lock
//	       (unlocks.go).
//	LEAK3  With sched.Options.AllLeaks package variables are not alive. Then what waits for an object that only they
//	       reach is blocked for ever too, unless it is the standard library's own.
//	LEAK4  Nobody can use an os.File or a connection any more that no goroutine and no package variable reaches. If it
//	       is open, a finalizer of package os or net closes it after the next collection. Who waits at its other end
//	       then reads the end of the stream, or fails to write. No program may count on a collection, so such a
//	       goroutine is blocked for ever. But what it would do after one is not explored, and the entry says so.
//	LEAK5  A stack reaches what the words lead to that its functions can still read (naming.Reads). A variable that
//	       is not used again reaches nothing, and no more does a closure whose function has taken out what it
//	       captured: nobody can wake another one by what he will not read.
//	LEAK6  A goroutine that polls waits for what its round looks at: for all that tells it a value, as a select waits
//	       for all its channels. What a Lock has taken tells nothing. A lock that it tries and does not get counts as
//	       one that it waits for (LEAK2). What belongs to the whole process (files, the environment, how many
//	       goroutines there are) somebody can change as long as there is a process. Which of the operations of its
//	       round it stands at is the same to it; but if that is a lock which another one holds, it waits for that.
//	LEAK7  A goroutine that waits for a connection at a port that the program has chosen by its number is alive, after
//	       the entry's end: whoever knows the number can connect, another test as well. Not so with
//	       sched.Options.AllLeaks (accepting).
//	LEAK8  A finalizer or cleanup of the program's that no goroutine reaches, not even one that is blocked, and no
//	       package variable, runs after some collection. So it is alive, with its object. Other than with the standard
//	       library's own (LEAK4), that is what the program says is to end its goroutine.
//
// They are looked for when nothing can happen any more, and where the entry's own goroutine has waited for long while
// others went on (STUCK1).
//
//	STUCK1 After stuckMoves moves of the clock without an event of the entry's goroutine, and each time that these
//	       have quadrupled, it is asked whether that one is alive. If not, it never will be. What still runs does so
//	       on behalf of nobody, as after the entry's return (TIME3), and then the execution ends as a deadlock.
//	STUCK2 A main program whose main stands at `select {}`, or has ended by runtime.Goexit, is to go on for ever, and
//	       that is no deadlock, while somebody else can go on or a timer is pending. (With nobody left the runtime
//	       ends it: all goroutines are asleep, or there are none.)
//	STUCK3 A main program may wait for other processes: for a connection or a datagram at a socket of its own, or for
//	       a signal (outside.go). None comes here, and that is no deadlock.

// stuckMoves is that of rule STUCK1.
const stuckMoves = 4

// quiescent ends an execution in which nothing can go on.
func quiescent(m *vm.Machine) {
	m.Trace.Status = trace.Returned
	if !m.EntryDone {
		m.Trace.Status = trace.Deadlocked
		noteDropped(m, m.Threads)
		switch {
		case m.MainStuck && serves(m), awaitsOthers(m):
			m.Trace.Status = trace.Returned
		case m.MainStuck:
			markAlive(m, false)
		}
	} else {
		findLeaks(m)
	}
	if m.CutOff && !naming.Repeats(m) {
		m.Trace.GoesOn = m.Trace.Unseen == ""
		m.Unseen(leftBehind(m), clock.AfterReturnReason)
	}
	if m.Finalizer == "" {
		return
	}
	// What is blocked may wait for a finalizer.
	deadlock := m.Trace.Status == trace.Deadlocked
	switch {
	case m.Measured == m.Finalizer && (deadlock || slices.ContainsFunc(m.Trace.Threads, func(t trace.Thread) bool { return t.Leaked })):
		m.Trace.Status = trace.Unsupported
		m.Trace.Reason = "unsupported function " + m.Finalizer + ": no finalizer is run, and a goroutine is blocked after a call of runtime.GC"
	case deadlock && (m.Entry == nil || m.Entry.Kind != program.Main) && len(finalizers(m)) > 0 && !slices.Contains(stuck(m, true, false), m.Main):
		m.Trace.Status = trace.Unsupported
		m.Trace.Reason = "unsupported function " + m.Finalizer + ": no finalizer is run, and a goroutine waits for what one may do"
	}
}

// idles reports whether main stands at `select {}` of a main program, or has ended by runtime.Goexit.
func idles(m *vm.Machine) bool {
	if m.Entry == nil || m.Entry.Kind != program.Main || m.EntryDone {
		return false
	}
	return m.Main.Ended || m.Main.Waiting && m.Main.Op.IsSelect() && len(m.Main.Op.Cases) == 0
}

// serves reports whether rule STUCK2 holds.
func serves(m *vm.Machine) bool {
	if !idles(m) || len(m.Timeline.Timers) > 0 {
		return idles(m)
	}
	dead := stuck(m, true, false)
	return slices.ContainsFunc(m.Threads, func(g *vm.G) bool { return !g.Ended && !g.Pseudo() && !slices.Contains(dead, g) })
}

// leftBehind returns a goroutine that still runs after the entry's end: one that sleeps, or waits for a timer to fire.
func leftBehind(m *vm.Machine) *vm.G {
	for _, kind := range []event.Kind{event.Sleep, event.ChanRecv, event.Invalid} {
		for _, g := range m.Threads {
			if g.Waiting && g.Op.Kind == kind && g != m.Main {
				return g
			}
		}
	}
	return m.Main
}

// findLeaks marks the goroutines that are blocked for ever.
func findLeaks(m *vm.Machine) {
	if m.Gone {
		return
	}
	for _, g := range stuck(m, !m.Options.AllLeaks, false) {
		m.Trace.Threads[g.Index].Leaked = !m.Options.AllLeaks || ofUser(m, g)
	}
}

// markAlive marks the goroutines that are not part of a deadlock, since they still could go on.
func markAlive(m *vm.Machine, polling bool) {
	stuck := stuck(m, !polling, polling)
	for _, g := range m.Threads {
		m.Trace.Threads[g.Index].Alive = !g.Ended && !slices.Contains(stuck, g)
	}
}

// ofUser reports whether a goroutine has code of the user's on its stack, or was started by such code.
func ofUser(m *vm.Machine, g *vm.G) bool {
	for i := range g.Frames {
		if f := g.Frames[i].Func; !f.Std && f.Intrinsic == nil {
			return true
		}
	}
	at := m.Trace.Threads[g.Index].Site
	return at != 0 && !m.SiteTable[at].Func.Std
}

// lookStuck is rule STUCK1. Nothing is enabled but what the clock may let go on.
func lookStuck(m *vm.Machine) {
	if m.EntryDone || m.MainStuck || m.Main == nil || !m.Main.Waiting && !idles(m) || len(m.Bubbles) > 0 || m.Mode == vm.Running {
		return
	}
	if m.StillAt != m.Main.Seq {
		m.StillAt, m.Still, m.LookAt = m.Main.Seq, 0, stuckMoves
	}
	if m.Still++; m.Still < m.LookAt || m.Main.Op.Kind == event.Sleep {
		return
	}
	m.LookAt *= 4
	if m.Main.Ended || slices.Contains(stuck(m, true, false), m.Main) || awaitsOthers(m) && slices.Contains(stuck(m, false, false), m.Main) {
		m.MainStuck, m.Until = true, goroutine.GoneAfter(m)
	}
}

// stuck returns the goroutines that are not alive: LEAK1 and LEAK2. globals says that package variables are, and
// polling that goroutines which poll are.
func stuck(m *vm.Machine, globals, polling bool) (dead []*vm.G) {
	if !slices.ContainsFunc(m.Threads, func(g *vm.G) bool { return !g.Ended && g.Waiting && !g.Pseudo() }) {
		return nil // to go through all that is reachable takes long
	}
	dead = stuckBy(m, &reach{m: m}, globals, polling)
	if slices.ContainsFunc(dead, awaitsNetwork) {
		r := &reach{m: m, numbers: true}
		if globals && m.EntryDone {
			r.outside = accepting(m) // LEAK7
		}
		dead = stuckBy(m, r, globals, polling)
		noteDropped(m, dead)
	}
	return dead
}

// stuckBy is stuck for a reach that has reached nothing yet.
func stuckBy(m *vm.Machine, r *reach, globals, polling bool) (dead []*vm.G) {
	r.seen, r.live = map[*mem.Object]bool{}, map[*vm.G]bool{}
	if globals {
		r.globals()
	}
	r.timers()
	for _, f := range finalizers(m) {
		for _, a := range f.Uses {
			r.visit(a)
		}
	}
	if r.signals != 0 {
		r.visit(r.signals)
	}
	r.flush()
	enabled := map[int32]bool{}
	for _, t := range m.State.Enabled {
		enabled[t.Thread] = true
		enabled[t.Partner] = true
	}
	for again := true; again; {
		again = false
		for _, g := range m.Threads {
			if g.Ended || r.live[g] || g.Pseudo() || g.Waiting && !enabled[g.Index] && !(polling && goesRoundIdly(m, g)) && !wakeable(m, g, r) && !slices.Contains(r.outside, g) {
				continue
			}
			r.live[g], again = true, true
			naming.Reads(m, g, r.visit)
			r.flush()
		}
	}
	for _, g := range m.Threads {
		if !g.Ended && g.Waiting && !g.Pseudo() && !r.live[g] {
			dead = append(dead, g)
		}
	}
	return dead
}

// A reach is what is alive.
type reach struct {
	m       *vm.Machine
	seen    map[*mem.Object]bool
	live    map[*vm.G]bool
	work    []*mem.Object
	numbers bool    // so is what a uintptr has the address of: a descriptor has what it waits by as one. Other words may be anything
	outside []*vm.G // alive as well: other processes may let them go on
	signals uint64  // alive as well, if it is not 0
}

// everything reaches what anybody may use: package variables, timers, and all goroutines, also those that are blocked.
func everything(m *vm.Machine, numbers bool) *reach {
	r := &reach{m: m, seen: map[*mem.Object]bool{}, numbers: numbers}
	r.globals()
	r.timers()
	for _, g := range m.Threads {
		if !g.Ended {
			naming.Reads(m, g, r.visit)
		}
	}
	r.flush()
	return r
}

func (r *reach) globals() {
	for v, a := range r.m.Globals {
		if !inet.Weak(v.Name()) {
			r.visit(a)
		}
	}
}

func (r *reach) timers() {
	for _, t := range r.m.Pending() {
		r.visit(t.Addr)
		t.Roots(r.visit)
	}
}

// finalizers are those of the program's that may run: nobody holds their object (LEAK8).
func finalizers(m *vm.Machine) (all []vm.Finalizer) {
	if len(m.Finalizers) == 0 {
		return nil
	}
	held := everything(m, false)
	for _, f := range m.Finalizers {
		if !held.has(f.Object) {
			all = append(all, f)
		}
	}
	return all
}

func (r *reach) visit(a uint64) {
	if a == 0 {
		return
	}
	if o := r.m.Mem.Object(a); o != nil && o.Flags&mem.ReadOnly == 0 && !r.seen[o] {
		r.seen[o] = true
		r.work = append(r.work, o)
	}
}

func (r *reach) flush() {
	for len(r.work) > 0 {
		o := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		if r.numbers {
			vm.Words(o, r.visit)
		} else {
			vm.Pointers(o, r.visit)
		}
		if t := r.m.Records[o.Base]; t != nil {
			t.Roots(r.visit)
		}
	}
}

func (r *reach) has(a uint64) bool {
	o := r.m.Mem.Object(a)
	return o != nil && r.seen[o]
}

// wakeable reports whether something alive could let g go on.
func wakeable(m *vm.Machine, g *vm.G, r *reach) bool {
	switch {
	case g.Op.Kind == event.Sleep, g.Op.Kind == event.Quiesce, g.Ending, g.Dying:
		return true
	case goesRoundIdly(m, g):
		return r.reachesRound(g)
	case g.Sel != nil:
		return slices.ContainsFunc(g.Sel, func(c vm.SelCase) bool { return c.Chan != 0 && r.has(c.Chan) })
	}
	return r.has(g.Op.Loc.Addr) && released(m, &g.Op, r)
}

// reachesRound reports whether what is alive reaches something that g looks at in its round: rule LEAK6. g polls.
func (r *reach) reachesRound(g *vm.G) bool {
	t := r.m.Trace
	for i, n := len(t.Events)-1, g.Steps; i >= 0 && n > 0; i-- {
		e := &t.Events[i]
		if e.Thread != g.Index {
			continue
		}
		n--
		switch {
		case e.Kind == event.SelectDefault:
			for _, c := range t.Cases[e.Cases] {
				if c.Chan != 0 && r.has(c.Chan) {
					return true
				}
			}
		case !e.Kind.TellsValue(), e.Key == event.WritersKey && e.Value != 0: // rule RW5: it goes on to the readers
		case e.Kind == event.Goroutines, e.Kind == event.FileRead, e.Loc.Addr != 0 && e.Loc.Addr <= event.Clock:
			return true
		case !r.has(e.Loc.Addr):
		case e.Kind.Tries() && e.Value == 0:
			o := event.Op{Kind: event.Lock, Loc: e.Loc, Key: e.Key}
			if e.Kind == event.TryRLock {
				o.Kind = event.RLock
			}
			if released(r.m, &o, r) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// released reports whether the lock that an operation waits for could be unlocked (LEAK2). It is true of an operation
// that waits for no lock.
func released(m *vm.Machine, o *event.Op, r *reach) bool {
	for _, h := range holders(m, o) {
		switch {
		case h >= 0 && !m.Threads[h].Ended && r.live[m.Threads[h]]:
		case o.Kind == event.OnceBegin: // only who runs its function ends it
			return false
		case !othersUnlock(m, o, r):
			return false
		}
	}
	return true
}

// holders returns the goroutines without whom an operation on a lock cannot go on, -1 for one that is not known.
func holders(m *vm.Machine, o *event.Op) []int32 {
	switch {
	case !o.Kind.CanWait() || !o.Kind.Holds():
		return nil
	case o.Kind == event.Lock && vm.IsRW(o):
		return readers(m, o)
	}
	return []int32{m.Taker(o.Loc.Addr)}
}

// readers returns the goroutines that hold an RWMutex for reading: those of whom the trace has more RLocks than
// RUnlocks. If these are fewer than the lock says, package initialisation has locked it, or somebody unlocks for
// others: then one more is not known.
func readers(m *vm.Machine, o *event.Op) (hs []int32) {
	a, lock := o.Loc.Addr, o.Loc.Addr
	if o.Key == event.ReadersKey {
		lock -= prim.RWReaders
	}
	count := make([]int, len(m.Threads))
	for i := range m.Trace.Events {
		e := &m.Trace.Events[i]
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
	if sum != int(prim.ReadersOf(m, lock)) {
		hs = append(hs, -1)
	}
	return hs
}
