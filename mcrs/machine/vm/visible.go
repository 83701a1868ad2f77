package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines visible operations: how a goroutine waits for the scheduler, how an event is logged, and how
// objects become shared.

// A Record is the trace of an execution, and where the transition at hand stands in it.
type Record struct {
	Trace     *trace.Trace
	Began     int           // number of events before the transition being performed
	LastEvent int           // index of the event that the current operation logged, -1 if none
	Newly     []*mem.Object // published since the last Store began, with partial store order
}

// Silent reports whether accesses of the innermost function make no events. The packages of the primitives act for
// their callers.
func (g *G) Silent() bool {
	if g.Outputs > 0 && g.makesOutput() {
		return true
	}
	i := len(g.Frames) - 1
	for i > 0 && (g.Frames[i].Func.Intrinsic != nil || g.Frames[i].Func.Sync && !g.Frames[i].Func.Silent || g.runsOnce(i)) {
		i--
	}
	if g.Frames[i].Func.Silent {
		g.Secret = true
		return true
	}
	return false
}

// runsOnce reports whether frame i is that of a Once which runs its function. The literals of sync.OnceFunc and its
// kin are such functions: what these write is told to later callers.
func (g *G) runsOnce(i int) bool {
	return i < len(g.Frames)-1 && g.Frames[i+1].Func.Intrinsic == nil && g.Frames[i].Func.Name == "(*sync.Once).Do"
}

// Visible announces an access. It returns false if the goroutine must wait; the caller then returns yield, and is
// called again when the scheduler has chosen this goroutine. Each attempt must announce the same operations in the
// same order.
func (m *Machine) Visible(g *G, k event.Kind, addr uint64, size uint32, key uint64) bool {
	return m.VisibleOp(g, event.Op{Kind: k, Loc: event.Location{Addr: addr, Size: size}, Key: key})
}

// VisibleOp is Visible for an operation of which there is more to say.
func (m *Machine) VisibleOp(g *G, o event.Op) bool {
	if m.Direct || g.Silent() {
		m.LastEvent = -1
		return !m.Relaxed() || m.Drained(g)
	}
	return m.Announce(g, o)
}

// Announce is visible for operations that are never silent.
func (m *Machine) Announce(g *G, o event.Op) bool {
	if g.Cursor < g.Stage {
		g.Cursor++
		m.LastEvent = -1
		return true
	}
	if !g.Permit {
		if m.Mode == Running && m.Direct && !m.Inits && m.uncontended(o) {
			g.Stage++
			g.Cursor++
			m.LastEvent, m.Worked = -1, true
			return true
		}
		o.Site = g.Site()
		m.Stand(g, o)
		return false
	}
	g.Permit, g.Waiting = false, false
	if g.Stage == 0 {
		g.Heard, g.Kept = 0, nil
	}
	g.Stage++
	g.Cursor++
	e := Plain(o.Kind, o.Loc.Addr, g.Op.Site)
	e.Loc.Size, e.Key, e.Order = o.Loc.Size, o.Key, o.Order
	m.LastEvent = m.Log(g, e)
	return true
}

// uncontended reports whether an operation on a lock can be performed at once. Exec lets the goroutine go on then, as
// its scheduler would; time slices are fair to the others.
func (m *Machine) uncontended(o event.Op) bool {
	switch o.Kind {
	case event.Unlock, event.RUnlock, event.WaitGroupAdd:
		return true
	}
	return o.Kind.WaitsForLock() && m.Library.LockFree(m, &o)
}

// Log appends an event of g, whose other fields are all set, and returns its index.
func (m *Machine) Log(g *G, e event.Event) int {
	if e.Thread, e.Seq = g.Index, g.Seq; e.Order == event.ByKind {
		e.Order = g.order()
	}
	g.Seq++
	if m.Relaxed() && !e.Kind.Tries() && m.Trace.Drained(&e) { // who tries is told later: see Tried
		fenced(m, g)
	}
	if m.Inits {
		return -1
	}
	if len(m.Views) > 0 && e.Kind.IsWrite() {
		written(m, g, &e)
	}
	m.Trace.Events = append(m.Trace.Events, e)
	if m.Flows != nil {
		m.Flows.Event(g.Following(), len(m.Trace.Events)-1)
	}
	if m.Options.Stacks {
		m.Trace.Stacks = append(m.Trace.Stacks, g.StackFrames())
		m.mean(g, &e)
	}
	return len(m.Trace.Events) - 1
}

// Plain is an event that is neither a select's nor half of a rendezvous.
func Plain(k event.Kind, addr uint64, site event.Site) event.Event {
	return event.Event{Kind: k, Loc: event.Location{Addr: addr}, Case: -1, Cases: -1, Partner: -1, Site: site}
}

// Logged completes the event that the last visible operation made, if it made one.
func (m *Record) Logged(g *G, value uint64, other int64) {
	if i := m.LastEvent; i >= 0 && i < len(m.Trace.Events) {
		m.Trace.Events[i].Value, m.Trace.Events[i].Other = value, other
		m.LastEvent = -1
	}
}

// Tried is Logged for a TryLock or TryRLock.
func Tried(m *Machine, g *G, ok bool) {
	if i := m.LastEvent; i >= 0 && i < len(m.Trace.Events) && m.Relaxed() {
		e := &m.Trace.Events[i]
		if e.Value = Word(ok); m.Trace.Drained(e) {
			fenced(m, g)
		}
	}
	m.Logged(g, Word(ok), 0)
}

// Accessed completes the event of an access to memory.
func (m *Execution) Accessed(g *G, b []byte) {
	if i := m.LastEvent; i < 0 || i >= len(m.Trace.Events) { // it made none: a digest of many bytes takes its time
		return
	}
	other := int64(0)
	if len(b) > 8 && m.Mode == Exploring {
		other = int64(len(m.Trace.Bytes))
		m.Trace.Bytes = append(m.Trace.Bytes, b...)
	}
	d := Digest(b)
	if m.LastEvent >= 0 { // not met again
		g.Heard = HashMix(g.Heard, d)
	}
	m.Logged(g, d, other)
}

// Site returns the innermost site of g outside the packages of the primitives; of an operation on a socket that of
// the call in package net or os.
func (g *GoStack) Site() event.Site {
	last, socket := event.Site(0), false
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if s := g.FrameSite(i); s != 0 {
			last = s
			f := g.Frames[i].Func
			socket = socket || f.Inet
			if !f.Sync && !(socket && f.Silent) && !f.Inet {
				return s
			}
		}
	}
	return last
}

// FrameSite returns the site at which frame i stands: of the innermost frame the current instruction, else the call.
func (g *GoStack) FrameSite(i int) event.Site {
	fr := &g.Frames[i]
	pc := fr.PC
	if i < len(g.Frames)-1 && g.Frames[i+1].Kind == CallFrame {
		pc--
	}
	if pc < 0 || int(pc) >= len(fr.Func.Sites) {
		return 0
	}
	return fr.Func.Sites[pc]
}

// StackFrames returns the frames of g; what waits at a socket stands in package net or os.
func (g *GoStack) StackFrames() []trace.Frame {
	var st []trace.Frame
	socket := false
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := g.Frames[i].Func
		if socket = f.Inet || socket && f.Silent; socket {
			continue
		}
		if s := g.FrameSite(i); s != 0 && !f.Wrapper {
			st = append(st, trace.Frame{Func: f.Name, Site: s})
		}
	}
	return st
}

// mean notes what an event means that is made in the overlay of package inet.
func (m *Machine) mean(g *G, e *event.Event) {
	last := len(g.Frames) - 1
	if last < 1 || !g.Frames[last].Func.Inet {
		return
	}
	meaning, told := inet.Step(g.Frames[last].Func.Name, g.Frames[last-1].Func.Name, e.Kind.String(), int(e.Case))
	if told {
		m.Trace.Mean(len(m.Trace.Events)-1, meaning)
	}
}

// Means notes in words what the operation means that was just performed.
func (r *Record) Means(words string) {
	if r.LastEvent >= 0 {
		r.Trace.Mean(r.LastEvent, words)
	}
}

// order is what the operation orders that g performs, or stands at.
func (g *GoStack) order() event.Order {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Intrinsic == nil {
			return f.Order
		}
	}
	return event.ByKind
}

// NetworkWait says what g waits for if it stands in the overlay of package inet, else "".
func (g *GoStack) NetworkWait() string {
	if len(g.Frames) == 0 || !g.Frames[len(g.Frames)-1].Func.Inet {
		return ""
	}
	return inet.Waits
}

// Publish makes the object at addr, and all it reaches, shared, but for output of tests (SILENT6).
func (m *Machine) Publish(addr uint64) {
	m.spreading = m.spreading[:0]
	share(m, addr)
	for len(m.spreading) > 0 {
		last := len(m.spreading) - 1
		o := m.spreading[last]
		m.spreading = m.spreading[:last]
		Pointers(o, m.sharing)
	}
}

// share makes one object shared. What it reaches is to follow.
func share(m *Machine, addr uint64) {
	if addr == 0 {
		return
	}
	o := m.Mem.Object(addr)
	if o == nil || o.Flags&(mem.Shared|mem.Output) != 0 {
		return
	}
	o.Flags |= mem.Shared
	m.published(o)
	if o.Ptrs != nil || o.Aux != nil {
		m.spreading = append(m.spreading, o)
	}
}

// published notes what others will find in an object.
func (m *Machine) published(o *mem.Object) {
	if m.Options.Memory == event.PSO {
		m.Newly = append(m.Newly, o)
	}
	if m.Direct || m.Inits || m.Mode == Running || o.Flags&mem.ReadOnly != 0 {
		return
	}
	if m.Flows != nil && m.Began < len(m.Trace.Events) {
		m.Flows.Published(m.Threads[m.Trace.Events[m.Began].Thread].Flows, o, m.Began)
	}
	at := int64(len(m.Trace.Bytes))
	m.Trace.Bytes = append(m.Trace.Bytes, o.Bytes()...)
	m.Trace.Published = append(m.Trace.Published, trace.Publication{Event: int32(m.Began), Addr: o.Base, Offset: at, Size: int64(o.Size), Unlogged: o.Flags&mem.Unlogged != 0})
}

// Pointers calls visit for each address that o holds.
func Pointers(o *mem.Object, visit func(uint64)) { scan(o, visit, false) }

// Words does so, and for what may be an address: a uintptr.
func Words(o *mem.Object, visit func(uint64)) { scan(o, visit, true) }

func scan(o *mem.Object, visit func(uint64), maybe bool) {
	if o.Ptrs != nil {
		o.Ptrs.Scan(o.Data(), o.Size, visit, maybe)
	}
	if o.Aux != nil {
		o.Aux.Scan(visit, maybe)
	}
}

// PublishAt publishes the pointers in n bytes at p.
func (m *Machine) PublishAt(p unsafe.Pointer, n uint64, pm *mem.PtrMap) {
	if pm == nil {
		return
	}
	pm.Scan(p, n, m.Publish, false)
}

// SharedBytes reports whether accesses to an object are visible.
func SharedBytes(o *mem.Object) bool { return o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared }

// Pseudo-objects of the host, at addresses that are never allocated.
const (
	KernelObject  = event.Kernel
	EnvironObject = event.Environ
	StdoutObject  = event.Stdout
	ClockObject   = event.Clock // in the second regime of time
	TestsObject   = 5           // whether tests are run (rule EXIT3)

	ReadingsObject = 8 // how often the clock was read (rule TIME11), a word

	ParallelObject = 6 // which tests run in parallel, or must not
)

// HostObject announces an access to a pseudo-object of the host. It returns false if g must wait.
func (m *Machine) HostObject(g *G, object, key uint64, write bool) bool {
	if m.Direct {
		return true
	}
	k := event.ObjectRead
	if write {
		k = event.ObjectWrite
	}
	return m.Announce(g, event.Op{Kind: k, Loc: event.Location{Addr: object}, Key: key})
}

// CourseOf names how far a goroutine has come with a call on files.
func CourseOf(g *G) uint64 {
	if g.Course == nil {
		return 0
	}
	return g.Course.Reached()
}

// SeesOthers announces an operation on what goroutines see of each other.
func (m *Machine) SeesOthers(g *G, what uint64) bool {
	return m.Direct || m.Announce(g, event.Op{Kind: event.Goroutines, Key: what})
}

// Silently notes in the trace an operation that synchronises and makes no event. What the first goroutine does while
// it is alone all others know.
func (m *Machine) Silently(g *G, k event.Kind, addr, key, value uint64) {
	m.SilentlyAt(int32(len(m.Trace.Events)), g, k, addr, key, value)
}

// SilentlyAt is silently for an operation that comes before an event that is logged already.
func (m *Machine) SilentlyAt(at int32, g *G, k event.Kind, addr, key, value uint64) {
	if m.Direct || m.Inits || m.Mode == Running || len(m.Threads) < 2 && k != event.TimerStart {
		return
	}
	m.Mem.Meet(addr)
	op := Plain(k, addr, 0)
	op.Thread, op.Key, op.Value = g.Index, key, value
	m.Trace.Silent = append(m.Trace.Silent, trace.Silent{At: at, Op: op})
}
