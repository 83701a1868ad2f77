package litmus

import (
	"slices"

	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Address spaces of the objects. Variables are 8 bytes apart.
const (
	varBase uint64 = (iota + 1) << 32
	mapBase
	lockBase
	chanBase
	groupBase
	onceBase
	condBase
)

func at(base uint64, x int) event.Location { return event.Location{Addr: base + 8*uint64(x)} }
func cell(x int) event.Location            { return event.Location{Addr: varBase + 8*uint64(x), Size: 8} }

// The values of thread.half. An operation starts at 0.
const (
	halfSecond   = 1 + iota // second event of an operation of several
	halfPanic               // about to panic
	halfPrologue            // starting the other goroutines, before the first operation
	halfOnceEnd             // third event of a OnceDo
)

// A thread is a goroutine of an execution.
type thread struct {
	prog  int // index in Program.Threads
	pc    int
	half  int // which event of the operation comes next
	start int // prologue: the next goroutine to start
	reg   uint64
	kept  uint64
	tick  int64 // ticket of a CondWait
	kids  int
	seq   int32
	ended bool
	op    event.Op
	why   string // half 2: the text of the panic
}

type lock struct {
	held, announced bool
	readers         int
}

type channel struct {
	cap         int
	buf         []uint64
	sent, recvd int64
	closed      bool
}

type cond struct{ next, notified int64 }

// A run is one execution.
type run struct {
	p       *Program
	tr      *trace.Trace
	threads []*thread
	vars    map[int]uint64
	maps    map[[2]int]uint64
	mapLen  map[int]int
	locks   map[int]*lock
	chans   map[int]*channel
	groups  map[int]int64
	onces   map[int]int // 0 new, 1 somebody is inside, 2 done
	conds   map[int]*cond
	over    bool
}

func get[T any](m map[int]*T, x int) *T {
	if m[x] == nil {
		m[x] = new(T)
	}
	return m[x]
}

func (r *run) channel(x int) *channel {
	c := get(r.chans, x)
	if x < len(r.p.Caps) {
		c.cap = r.p.Caps[x]
	}
	r.tr.Caps[at(chanBase, x).Addr] = c.cap
	return c
}

// code returns the operation a thread stands at, nil at its end.
func (r *run) code(t *thread) *Op {
	if ops := r.p.Threads[t.prog]; t.pc < len(ops) {
		return &ops[t.pc]
	}
	return nil
}

// site numbers the operations of the program; 0 is no site.
func (r *run) site(t *thread) event.Site { return event.Site(t.prog*1000 + t.pc + 1) }

// settle moves a thread over invisible operations and computes its next visible one.
func (r *run) settle(t *thread) {
	for {
		c := r.code(t)
		if t.half == 0 && c != nil && c.Code == Unless {
			t.pc++
			if t.reg != uint64(c.V) {
				t.pc += c.W
			}
			continue
		}
		if t.half == 0 && c != nil && c.Code == Again {
			if t.pc++; t.reg != uint64(c.V) {
				t.pc -= 1 + c.W
			}
			continue
		}
		if t.half == 0 && c != nil && (c.Code == Keep || c.Code == Sum) {
			t.pc++
			if c.Code == Keep {
				t.kept = t.reg
			} else {
				t.reg += t.kept
			}
			continue
		}
		if t.half == 0 && c != nil && c.Code == Assert {
			if t.reg == uint64(c.V) {
				t.pc++
				continue
			}
			t.half, t.why = halfPanic, fmt.Sprintf("panic: got %d, want %d", t.reg, c.V)
		}
		t.op = r.visible(t, c)
		return
	}
}

// visible returns the operation a settled thread is about to do.
func (r *run) visible(t *thread, c *Op) event.Op {
	op := event.Op{Site: r.site(t)}
	set := func(k event.Kind, l event.Location) event.Op {
		op.Kind, op.Loc = k, l
		return op
	}
	switch {
	case t.half == halfPrologue:
		return set(event.Spawn, event.Location{})
	case t.half == halfPanic:
		return set(event.Panic, event.Location{})
	case c == nil:
		return set(event.End, event.Location{})
	}
	switch c.Code {
	case Read:
		return set(event.Read, cell(c.X))
	case Write, Put:
		return set(event.Write, cell(c.X))
	case Load:
		return set(event.AtomicLoad, cell(c.X))
	case Store:
		return set(event.AtomicStore, cell(c.X))
	case Add, CAS:
		return set(event.AtomicRMW, cell(c.X))
	case Tally:
		op.Key, op.Adds = uint64(c.V), true
		return set(event.AtomicRMW, cell(c.X))
	case MapGet:
		op.Key = uint64(c.V)
		return set(event.MapRead, at(mapBase, c.X))
	case MapSet:
		op.Key = uint64(c.V)
		return set(event.MapWrite, at(mapBase, c.X))
	case Lock:
		return set(event.Lock, at(lockBase, c.X))
	case Unlock, WUnlock:
		return set(event.Unlock, at(lockBase, c.X))
	case TryLock:
		return set(event.TryLock, at(lockBase, c.X))
	case WLock:
		if t.half == 0 {
			return set(event.LockAnnounce, at(lockBase, c.X))
		}
		return set(event.Lock, at(lockBase, c.X))
	case RLock:
		return set(event.RLock, at(lockBase, c.X))
	case RUnlock:
		return set(event.RUnlock, at(lockBase, c.X))
	case Send, SendR:
		return set(event.ChanSend, at(chanBase, c.X))
	case Recv:
		return set(event.ChanRecv, at(chanBase, c.X))
	case Close:
		return set(event.ChanClose, at(chanBase, c.X))
	case Len:
		return set(event.ChanLen, at(chanBase, c.X))
	case Select:
		op.Cases, op.HasDefault = make([]event.Case, len(c.Cases)), c.Default
		for i, k := range c.Cases {
			op.Cases[i] = event.Case{Kind: event.ChanRecv, Chan: at(chanBase, k.Chan).Addr}
			if k.Send {
				op.Cases[i].Kind = event.ChanSend
			}
		}
		return op
	case WgAdd:
		op.Key = uint64(int64(c.V))
		return set(event.WaitGroupAdd, at(groupBase, c.X))
	case WgWait:
		return set(event.WaitGroupWait, at(groupBase, c.X))
	case OnceDo:
		switch t.half {
		case 0:
			return set(event.OnceBegin, at(onceBase, c.X))
		case halfSecond:
			return set(event.Write, cell(c.V))
		}
		return set(event.OnceEnd, at(onceBase, c.X))
	case CondWait:
		if t.half == 0 {
			return set(event.CondAdd, at(condBase, c.X))
		}
		return set(event.CondWait, at(condBase, c.X))
	case CondSignal:
		return set(event.CondSignal, at(condBase, c.X))
	case CondAll:
		return set(event.CondBroadcast, at(condBase, c.X))
	case Panic:
		return set(event.Panic, event.Location{})
	case Exit:
		return set(event.Exit, event.Location{})
	case Go:
		return set(event.Spawn, event.Location{})
	case Gosched:
		return set(event.Yield, event.Location{})
	}
	panic("litmus: no such operation: " + c.Code.String())
}

// comms lists the communications a thread offers: case number, kind, channel.
type comm struct {
	num  int16 // -1 for a plain operation
	kind event.Kind
	ch   int
	val  uint64
}

func (r *run) comms(t *thread) []comm {
	c := r.code(t)
	if t.ended || t.half != 0 || c == nil {
		return nil
	}
	switch c.Code {
	case Send:
		return []comm{{-1, event.ChanSend, c.X, uint64(c.V)}}
	case SendR:
		return []comm{{-1, event.ChanSend, c.X, t.reg}}
	case Recv:
		return []comm{{-1, event.ChanRecv, c.X, 0}}
	case Select:
		var cs []comm
		for i, k := range c.Cases {
			m := comm{int16(i), event.ChanRecv, k.Chan, 0}
			if k.Send {
				m.kind, m.val = event.ChanSend, uint64(k.V)
			}
			cs = append(cs, m)
		}
		return cs
	}
	return nil
}

// enabled lists the transitions of a state, by thread, case and partner.
func (r *run) enabled() []sched.Transition {
	var out []sched.Transition
	for i, t := range r.threads {
		if t.ended {
			continue
		}
		plain := sched.Transition{Thread: int32(i), Case: -1, Partner: -1, PartnerCase: -1}
		comms := r.comms(t)
		if comms == nil && !t.op.IsSelect() {
			if r.canRun(t) {
				out = append(out, plain)
			}
			continue
		}
		ready := false
		for _, m := range comms {
			tr := plain
			tr.Case = m.num
			c := r.channel(m.ch)
			if c.closed || m.kind == event.ChanSend && len(c.buf) < c.cap || m.kind == event.ChanRecv && len(c.buf) > 0 {
				out, ready = append(out, tr), true
				continue
			}
			for j, u := range r.threads {
				for _, n := range r.comms(u) {
					if c.cap > 0 || j == i || n.ch != m.ch || n.kind == m.kind || r.elsewhere(t, comms) && r.elsewhere(u, r.comms(u)) {
						continue
					}
					if m.kind == event.ChanSend { // not ready: a partner may not have arrived yet (CHAN5 of the Go machine)
						tr.Partner, tr.PartnerCase = int32(j), n.num
						out = append(out, tr)
					}
				}
			}
		}
		if t.op.HasDefault && !ready {
			plain.Case = int16(len(comms))
			out = append(out, plain)
		}
	}
	return out
}

// elsewhere reports whether a thread stands at a select that has something to do without a partner (CHAN7 of the Go
// machine).
func (r *run) elsewhere(t *thread, comms []comm) bool {
	return t.op.IsSelect() && (t.op.HasDefault || slices.ContainsFunc(comms, func(m comm) bool {
		c := r.channel(m.ch)
		return c.closed || m.kind == event.ChanSend && len(c.buf) < c.cap || m.kind == event.ChanRecv && len(c.buf) > 0
	}))
}

// canRun reports whether an operation that is no communication is enabled.
func (r *run) canRun(t *thread) bool {
	c := r.code(t)
	switch t.op.Kind {
	case event.Lock:
		l := get(r.locks, c.X)
		if t.half == halfSecond {
			return l.readers == 0
		}
		return !l.held && l.readers == 0
	case event.LockAnnounce:
		l := get(r.locks, c.X)
		return !l.held && !l.announced
	case event.RLock:
		l := get(r.locks, c.X)
		return !l.held && !l.announced
	case event.WaitGroupWait:
		return r.groups[c.X] == 0
	case event.OnceBegin:
		return r.onces[c.X] != 1
	case event.CondWait:
		return t.tick < get(r.conds, c.X).notified
	}
	return true
}

// local names a thread's own state: where it stands, and its registers while they are used again. (The ticket of a
// CondWait is state of all threads.)
func (r *run) local(i int) sched.Local {
	t := r.threads[i]
	reg, kept := t.reg, t.kept
	if !r.used(t, uses) {
		reg = 0
	}
	if !r.used(t, usesKept) {
		kept = 0
	}
	return sched.Local{Digest: digest(uint64(t.prog), uint64(t.pc), uint64(t.half), uint64(t.start), uint64(t.kids), reg, kept), Known: t.half != halfPanic}
}

// used reports whether a register is read before it is set.
func (r *run) used(t *thread, how func(c Code) (reads, sets bool)) bool {
	jumps := false // some of what comes may be left out
	for i, c := range r.p.Threads[t.prog][min(t.pc, len(r.p.Threads[t.prog])):] {
		if i == 0 && t.half != 0 && t.half != halfPrologue {
			continue // its first event was made
		}
		reads, sets := how(c.Code)
		if reads || c.Code == Again {
			return true
		}
		if sets && !jumps {
			return false
		}
		jumps = jumps || c.Code == Unless
	}
	return false
}

func uses(c Code) (reads, sets bool) {
	switch c {
	case Put, SendR, Unless, Again, Assert, Keep, Sum:
		return true, false
	case Read, Load, Add, CAS, MapGet, TryLock, Recv, Len, Select, OnceDo:
		return false, true
	}
	return false, false
}

func usesKept(c Code) (reads, sets bool) { return c == Sum, c == Keep }

func digest(ws ...uint64) uint64 {
	h := uint64(1)
	for _, w := range ws {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// hash names the whole state, without what the threads have been told.
func (r *run) hash() uint64 {
	var ws []uint64
	for _, t := range r.threads {
		ws = append(ws, uint64(t.prog), uint64(t.pc), uint64(t.half), uint64(t.start), t.reg, t.kept, uint64(t.tick), uint64(t.kids), b2w(t.ended))
	}
	table := func(n int, f func(i int)) {
		ws = append(ws, ^uint64(0))
		for i := range n {
			f(i)
		}
	}
	table(8, func(i int) { ws = append(ws, r.vars[i], uint64(r.mapLen[i]), uint64(r.groups[i]), uint64(r.onces[i])) })
	table(64, func(i int) { ws = append(ws, r.maps[[2]int{i / 8, i % 8}]) })
	table(8, func(i int) {
		l, d := get(r.locks, i), get(r.conds, i)
		ws = append(ws, b2w(l.held), b2w(l.announced), uint64(l.readers), uint64(d.next), uint64(d.notified))
	})
	table(8, func(i int) {
		c := get(r.chans, i)
		ws = append(append(ws, b2w(c.closed), uint64(len(c.buf))), c.buf...)
	})
	return digest(ws...)
}

func b2w(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
