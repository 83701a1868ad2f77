package constraint

import (
	"fmt"
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the definition that the encoding is compared with: an executor of
// prefixes, which knows no rules, and a search through all that it can do.

// A world is a state of the executor: what ran, memory as the last write of each location (-1 for none), and holders
// of locks.
type world struct {
	t     *trace.Trace
	fixed []bool // by event; see fixedEvents
	done  []bool
	mem   map[event.Location]int
	held  map[event.Location]bool
	*queues
}

func newWorld(t *trace.Trace) *world {
	return &world{t: t, fixed: fixedEvents(t), done: make([]bool, len(t.Events)),
		mem: map[event.Location]int{}, held: map[event.Location]bool{}, queues: queuesOf(t)}
}

func (w *world) clone() *world {
	c := *w
	c.done = append([]bool(nil), w.done...)
	c.mem, c.held = map[event.Location]int{}, map[event.Location]bool{}
	for k, v := range w.mem {
		c.mem[k] = v
	}
	for k, v := range w.held {
		c.held[k] = v
	}
	return &c
}

func (w *world) key() string { return fmt.Sprint(w.done, w.mem, w.held) }

// A content is what a read returns: a value, or unknown for a first value that nobody read.
type content struct {
	value   uint64
	unknown bool
}

func (w *world) content(i int) content {
	if own, _ := w.own(i); own >= 0 {
		return content{value: w.t.Events[own].Value}
	}
	l := w.t.Events[i].Loc
	if at, ok := w.mem[l]; ok {
		return content{value: w.t.Events[at].Value}
	}
	for i, e := range w.t.Events {
		if e.Loc == l && e.Kind.IsAccess() && !w.forwarded[i] {
			if e.Kind.IsWrite() {
				break
			}
			return content{value: e.Value}
		}
	}
	return content{unknown: true}
}

// next reports whether event i is the next of its goroutine, and no barrier forbids it.
func (w *world) next(i int) bool {
	e := &w.t.Events[i]
	if w.done[i] || !w.ready(i) {
		return false
	}
	if s := w.t.Threads[e.Thread].Spawn; s >= 0 && !w.done[s] {
		return false
	}
	for j := range w.t.Events[:i] {
		o := &w.t.Events[j]
		if !w.done[j] && (o.Thread == e.Thread || isBarrier(o.Kind) || isBarrier(e.Kind)) {
			return false
		}
	}
	return true
}

// can reports whether event i can run as observed.
func (w *world) can(i int) bool {
	e := &w.t.Events[i]
	if !w.next(i) {
		return false
	}
	if w.fixed[i] {
		for j := range i {
			if w.fixed[j] && !w.done[j] && int32(j) != e.Partner {
				return false
			}
		}
		return e.Partner < 0 || w.next(int(e.Partner))
	}
	switch e.Kind {
	case event.Read, event.AtomicLoad:
		return w.content(i) == content{value: e.Value}
	case event.Lock:
		return !w.held[e.Loc]
	}
	return true
}

func (w *world) run(i int) {
	e := &w.t.Events[i]
	w.done[i] = true
	if e.Partner >= 0 {
		w.done[e.Partner] = true
	}
	switch e.Kind {
	case event.Write, event.AtomicStore:
		w.mem[e.Loc] = i
	case event.Lock:
		w.held[e.Loc] = true
	case event.Unlock:
		w.held[e.Loc] = false
	}
}

// fixedEvents is the definition of what keeps its observed order, by the fixpoint of its description.
func fixedEvents(t *trace.Trace) []bool {
	fixed := make([]bool, len(t.Events))
	lock := func(k event.Kind) bool { return k >= event.Lock && k <= event.TryRLock }
	for i, e := range t.Events {
		switch e.Kind {
		case event.Read, event.Write, event.AtomicLoad, event.AtomicStore, event.Lock, event.Spawn, event.End, event.Yield, event.Store, event.Fence:
		case event.Unlock:
			holder := int32(-1)
			for _, l := range t.Events[:i] {
				if l.Loc == e.Loc && l.Kind == event.Lock {
					holder = l.Thread
				}
			}
			fixed[i] = holder != e.Thread
		default:
			fixed[i] = true
		}
	}
	for again := true; again; {
		again = false
		for i, a := range t.Events {
			for j, b := range t.Events {
				if fixed[i] || i == j {
					continue
				}
				access := a.Kind.IsAccess() && (b.Kind.IsAccess() || b.Kind == event.Store) && a.Loc.Overlaps(b.Loc) && (fixed[j] || a.Loc != b.Loc)
				if access || lock(a.Kind) && lock(b.Kind) && a.Loc == b.Loc && fixed[j] {
					fixed[i], again = true, true
				}
			}
		}
	}
	return fixed
}

// Facts are all that prefixes of a trace can lead to.
type facts struct {
	returns  map[int]map[content]bool // by free read; the first value is there under first, too
	first    map[int]bool
	adjacent map[[2]int]bool
	stand    map[[3]int]bool // of two goroutines the last is -1; in ascending order else
	states   int
}

func enumerate(t *trace.Trace) *facts {
	f := &facts{map[int]map[content]bool{}, map[int]bool{}, map[[2]int]bool{}, map[[3]int]bool{}, 0}
	seen := map[string]bool{}
	var visit func(w *world)
	visit = func(w *world) {
		if seen[w.key()] {
			return
		}
		seen[w.key()] = true
		w.standing(f.stand)
		f.states++
		for i := range t.Events {
			e := &t.Events[i]
			if !w.next(i) {
				continue
			}
			if !w.fixed[i] && (e.Kind == event.Read || e.Kind == event.AtomicLoad) {
				if f.returns[i] == nil {
					f.returns[i] = map[content]bool{}
				}
				f.returns[i][w.content(i)] = true
				if w.first(i) {
					f.first[i] = true
				}
			}
			for j := range i {
				if e.Kind.IsAccess() && t.Events[j].Kind.IsAccess() && t.Events[j].Thread != e.Thread && w.next(j) {
					f.adjacent[[2]int{j, i}] = true
				}
			}
			if w.can(i) {
				c := w.clone()
				c.run(i)
				visit(c)
			}
		}
	}
	visit(newWorld(t))
	return f
}

// follow executes all but the last n steps of s, which it returns as events that are next.
func follow(t *trace.Trace, s seed.Seed, n int) (w *world, tail []int, err error) {
	w = newWorld(t)
	for k, step := range s {
		at := -1
		for i, e := range t.Events {
			if t.Threads[e.Thread].ID == step.Thread && w.next(i) {
				at = i
				break
			}
		}
		if at < 0 {
			return w, nil, fmt.Errorf("step %d: %s has no next event", k, step.Thread)
		}
		e := &t.Events[at]
		partner := event.ThreadID("")
		if e.Partner >= 0 {
			partner = t.Threads[t.Events[e.Partner].Thread].ID
		}
		if step.Case != e.Case || step.Partner != partner {
			return w, nil, fmt.Errorf("step %d: %+v does not name event %d", k, step, at)
		}
		if k >= len(s)-n {
			tail = append(tail, at)
			continue
		}
		if !w.can(at) {
			return w, nil, fmt.Errorf("step %d: event %d of %s cannot run as observed", k, at, step.Thread)
		}
		w.run(at)
	}
	return w, tail, nil
}

// A recorder makes a random legal trace.
type recorder struct {
	r       *rand.Rand
	t       *trace.Trace
	mem     map[event.Location]uint64
	holder  map[event.Location]int32
	allowed int // kinds of operations: see operate
}

func loc(addr uint64, size uint32) event.Location { return event.Location{Addr: addr, Size: size} }

func (c *recorder) event(th int32, k event.Kind, l event.Location, v uint64) *event.Event {
	seq := int32(0)
	for _, e := range c.t.Events {
		if e.Thread == th {
			seq++
		}
	}
	c.t.Events = append(c.t.Events, event.Event{Thread: th, Seq: seq, Kind: k, Case: -1, Loc: l, Value: v, Partner: -1, Cases: -1})
	return &c.t.Events[len(c.t.Events)-1]
}

// randomTrace has n events, give or take a few, of at most four goroutines. With mixed, some are of kinds that stay
// fixed.
func randomTrace(r *rand.Rand, n int, mixed bool) *trace.Trace {
	c := &recorder{r: r, t: &trace.Trace{Diverged: -1}, mem: map[event.Location]uint64{}, holder: map[event.Location]int32{}}
	c.t.Threads = []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1, Holder: -1}}
	c.allowed = 10
	if mixed {
		c.allowed = 18
	}
	c.spawn(0)
	if r.IntN(2) == 0 {
		c.spawn(0)
	}
	for len(c.t.Events) < n {
		c.operate(int32(r.IntN(len(c.t.Threads))))
	}
	return c.t
}

func (c *recorder) spawn(th int32) {
	if len(c.t.Threads) == 4 {
		return
	}
	child := int32(len(c.t.Threads))
	c.event(th, event.Spawn, event.Location{}, 0).Other = int64(child)
	c.t.Threads = append(c.t.Threads, trace.Thread{ID: event.ThreadID(fmt.Sprintf("G1.%d", child)), Parent: th, Spawn: int32(len(c.t.Events) - 1), Holder: -1})
}

func (c *recorder) operate(th int32) {
	x := loc(uint64(8+8*c.r.IntN(2)), 8)
	l := loc(uint64(100+c.r.IntN(2)), 0)
	v := uint64(c.r.IntN(3))
	switch op := c.r.IntN(c.allowed); op {
	case 0, 1, 2:
		c.event(th, event.Read, x, c.mem[x])
	case 3, 4, 5:
		c.event(th, event.Write, x, v)
		c.mem[x] = v
	case 6:
		c.event(th, event.AtomicStore, x, v)
		c.mem[x] = v
	case 7, 8:
		if h, held := c.holder[l]; !held {
			c.event(th, event.Lock, l, 0)
			c.holder[l] = th
		} else if h == th || op == 8 && c.allowed > 10 && c.r.IntN(3) == 0 {
			c.event(th, event.Unlock, l, 0) // now and then another goroutine's
			delete(c.holder, l)
		}
	case 9:
		if c.r.IntN(2) == 0 {
			c.spawn(th)
		}
	case 10, 11:
		c.event(th, event.ChanSend, loc(200, 0), v)
	case 12:
		if p := int32(c.r.IntN(len(c.t.Threads))); p != th {
			at := int32(len(c.t.Events))
			c.event(th, event.ChanSend, loc(201, 0), v).Partner = at + 1
			r := c.event(p, event.ChanRecv, loc(201, 0), v)
			r.Partner, r.Case = at, 2
		}
	case 13:
		y := loc(32, 8)
		c.event(th, event.AtomicRMW, y, c.mem[y])
		c.mem[y]++
	case 14:
		y := loc(32, 8)
		c.event(th, event.AtomicLoad, y, c.mem[y])
	case 15:
		c.event(th, event.Write, loc(40, uint32(4+4*c.r.IntN(2))), v)
	case 16:
		c.event(th, event.TryLock, loc(101, 0), 0)
	case 17:
		if c.r.IntN(2) == 0 {
			c.event(th, event.Sleep, event.Location{}, 0)
		}
	}
}

// standing notes which two and three goroutines stand at their next events. A rendezvous is left out: it is of two.
func (w *world) standing(stand map[[3]int]bool) {
	var at []int
	for i := range w.t.Events {
		if w.t.Events[i].Partner < 0 && w.next(i) {
			at = append(at, i)
		}
	}
	for c := range at {
		for b := range c {
			stand[[3]int{at[b], at[c], -1}] = true
			for a := range b {
				stand[[3]int{at[a], at[b], at[c]}] = true
			}
		}
	}
}
