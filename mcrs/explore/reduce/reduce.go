package reduce

import (
	"errors"

	mathbits "math/bits"
	"slices"
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file defines the reduction of the sweep: from a state only the moves of some goroutines are followed, because
// what the others may do until one of these moves cannot concern it (rules RED1 to RED9).

// A Reducer says which moves of a state need not be followed, which states need not be told apart, and which pairs of
// accesses need not be looked at.
type Reducer struct {
	spec.Rules
	// Distinct says that goroutines with equal futures are told apart in the names of states.
	Distinct bool
	Merging  bool         // this sweep does not tell them apart
	Exact    bool         // RED4 is left out
	Eager    bool         // the table of RED18 is always of all that is known: for tests
	Absolute bool         // RED14 is left out
	Roomy    bool         // no bound of time was met yet: else RED24 is left out
	Groups   known.Bits   // wait groups: in which order goroutines add to them matters (RED23)
	Sweeps   int32        // beginnings
	Work     int          // comparisons of a goroutine with those of one future
	bits     int32        // numbers given to what operations touch; 0 is none
	held     int          // words of memory in the futures of nodes
	raised   int32        // nodes there were at the last call of raise
	began    int32        // nodes there were when the sweep began
	sums     []known.Drop // memory for ownDrops
	most     []known.Drop
	Foreseen
	order   order
	cycles  cycles
	Scratch Scratch
}

// Scratch is the memory of one who looks at states. Several may do so side by side, each with its own.
type Scratch struct {
	choice
	alive known.Bits // memory of fingerprint
	over  Threads    // memory of over
	// buffers is memory of concernedByBuffer.
	buffers []int32
	views   *views
}

// NewReducer returns a reducer of a program that is not known yet.
func NewReducer() *Reducer {
	k := &Reducer{Rules: spec.NewRules(), bits: 1, Foreseen: Foreseen{TriedRaces: make(map[[2]event.Site]int), triedPairs: make(map[uint64]bool)}}
	k.Queued = func(n int32) { raiseQueue(k, n) }
	return k
}

// rely notes that something was left out because of what the goroutines of a state cannot do, as far as is known.
func (k *Reducer) rely(s *spec.State) {
	for _, n := range s.Nodes {
		relyOn(&k.Nodes[n], k.Sweeps)
	}
}

// relyOn notes that something was left out in a sweep because the node's future lacks it. Hands do so side by side.
func relyOn(x *known.Node, sweep int32) {
	if atomic.LoadInt32(&x.Relied) != sweep {
		atomic.StoreInt32(&x.Relied, sweep)
	}
}

// relyOnce is rely, once in a call of choose.
func (k *Reducer) relyOnce(s *spec.State) {
	if !k.Scratch.relied {
		k.Scratch.relied = true
		k.rely(s)
	}
}

// Choose returns a set of goroutines whose moves are enough to follow from a state (a persistent set: RED1). all is the
// list of all moves, by thread, and first the goroutine to begin with. The result is good until the next call.
//
// The set is closed: it has all goroutines that the operation of one of its own concerns. Of the smallest closed sets
// with a goroutine that can move it is the first with fewest moves.
func (k *Reducer) Choose(s *spec.State, all []spec.Move, first int32) Threads {
	c := &k.Scratch.choice
	c.Reset(len(s.Nodes))
	var over Threads
	if k.Timing {
		if over = k.over(s); slices.ContainsFunc(over, func(w uint64) bool { return w != 0 }) {
			k.relyOnce(s)
		}
	}
	for t, n := range s.Nodes {
		if n != 0 {
			c.alive.set(int32(t))
			if k.Dormant(s, int32(t)) || k.Timing && over.Has(int32(t)) {
				c.asleep.set(int32(t))
			} else {
				c.add(int32(t), k.Nodes[n].Future)
			}
		}
	}
	for _, m := range all {
		c.moves[m.Thread]++
	}
	c.timeless = timeless(k, s)
	defer func() { c.timeless = timed }()
	c.fewest = len(all) + 1
	if int(first) < len(s.Nodes) && first >= 0 && c.moves[first] > 0 {
		k.close(s, first)
	}
	for _, m := range all {
		if c.fewest == 1 {
			break
		}
		if !c.tried.Has(m.Thread) {
			k.close(s, m.Thread)
		}
	}
	if c.scanned.meets(c.best) { // for what those outside cannot do, as far as is known
		for i, w := range c.alive {
			for w &^= c.asleep[i] | c.best[i]; w != 0; w &= w - 1 {
				relyOn(&k.Nodes[s.Nodes[i<<6|mathbits.TrailingZeros64(w)]], k.Sweeps)
			}
		}
	}
	return c.best
}

// close looks for the smallest closed set with a goroutine that can move, and notes it if it is better than those found
// before. A set with a goroutine that was tried contains the set of that one, so it is not better.
func (k *Reducer) close(s *spec.State, t int32) {
	c := &k.Scratch.choice
	c.tried.set(t)
	for i := range c.set {
		c.set[i], c.todo[i] = 0, 0
	}
	c.set.set(t)
	c.todo.set(t)
	moves := int(c.moves[t])
	for i := 0; i < len(c.todo); {
		if c.todo[i] == 0 {
			i++
			continue
		}
		u := int32(i<<6 | mathbits.TrailingZeros64(c.todo[i]))
		c.todo[i] &= c.todo[i] - 1
		whole := true
		for j, w := range k.concerned(s, u) {
			w &^= c.set[j]
			if w&c.tried[j] != 0 {
				return
			}
			c.set[j] |= w
			c.todo[j] |= w
			whole = whole && c.set[j] == c.alive[j]
			for ; w != 0; w &= w - 1 {
				moves += int(c.moves[j<<6|mathbits.TrailingZeros64(w)])
			}
			if c.todo[j] != 0 {
				i = min(i, j)
			}
		}
		if moves >= c.fewest {
			return
		}
		if whole {
			break
		}
	}
	c.fewest = moves
	copy(c.best, c.set)
}

// concerned returns the goroutines that the operation of a goroutine concerns: what they may yet do, before it moves,
// could be dependent with it, or enable it.
func (k *Reducer) concerned(s *spec.State, t int32) Threads {
	c := &k.Scratch.choice
	row := Threads(c.rows[int(t)*len(c.alive):][:len(c.alive)])
	if c.looked.Has(t) {
		return row
	}
	c.looked.set(t)
	clear(row)
	k.Work += 1 + len(c.groups)
	if concernedByBuffer(k, s, t, row) { // RBUF2
		return row
	}
	mask, known := k.recall(s, s.Nodes[t])
	ofLock := false
	if !known {
		if c.asleep.Has(t) || k.TouchesNothing(s.Nodes[t]) {
			return row // it needs nothing but, if it is dormant, that all that can move does
		}
		if one := k.waitsForAdd(s, t); one >= 0 { // RED8
			row.set(one)
			return row
		}
		mask, ofLock = k.ConflictsOf(s, t)
	}
	c.scanned.set(t)
	for i := range c.groups { // not who is dormant: the clock does not move while another can
		g := &c.groups[i]
		if g.future.Meets(mask) {
			row[g.word] |= g.members
		} else if ofLock {
			for w := g.members; w != 0; w &= w - 1 {
				if u := int32(g.word<<6 | mathbits.TrailingZeros64(w)); u != t && k.concernsLock(s, t, u) {
					row.set(u)
				}
			}
		}
	}
	leaveOut(k, s, t, mask, ofLock, row)
	return row
}

// Threads is a set of goroutines.
type Threads []uint64

func (x Threads) set(t int32) { x[t>>6] |= 1 << (t & 63) }

// Has reports whether a goroutine is in the set.
func (x Threads) Has(t int32) bool { return x[t>>6]&(1<<(t&63)) != 0 }

func (x Threads) meets(y Threads) bool {
	for i, w := range x {
		if w&y[i] != 0 {
			return true
		}
	}
	return false
}

// A group is some goroutines, one after the other, that have the same future.
type group struct {
	future  known.Bits
	word    int // of a set of threads
	members uint64
}

// add adds a goroutine to those whom an operation may concern.
func (c *choice) add(t int32, future known.Bits) {
	word, bit := int(t>>6), uint64(1)<<(t&63)
	if n := len(c.groups); n > 0 {
		if g := &c.groups[n-1]; g.word == word && slices.Equal(g.future, future) {
			g.members |= bit
			return
		}
	}
	c.groups = append(c.groups, group{future, word, bit})
}

// choice is the memory of choose.
type choice struct {
	moves  []int32      // by thread
	masks  []known.Bits // likewise, memory for ConflictsOf
	groups []group
	rows   []uint64   // what concerned says of each
	known  []conflict // what ConflictsOf said: see remember

	fresh   Threads // the memory of the next five
	alive   Threads
	asleep  Threads // dormant
	looked  Threads // their rows are there
	scanned Threads // they have looked at the futures of the others
	tried   Threads
	set     Threads // of close
	todo    Threads // those of set that were not looked at
	best    Threads
	fewest  int

	counter int32 // a wait group
	drops   int64 // what may be taken from it
	relied  bool  // rely was called for the state

	timeless int // what RED24 says of the state
}

// Reset begins anew, for a state of n goroutines.
func (c *choice) Reset(n int) {
	if len(c.moves) < n {
		c.moves, c.masks = make([]int32, n), make([]known.Bits, n)
	}
	words := (n + 63) / 64
	if len(c.alive) != words {
		c.fresh = make(Threads, 5*words)
		for i, x := range []*Threads{&c.alive, &c.asleep, &c.looked, &c.scanned, &c.tried} {
			*x = c.fresh[i*words:][:words]
		}
		c.set, c.todo, c.best = make(Threads, words), make(Threads, words), make(Threads, words)
	}
	if len(c.rows) < n*words {
		c.rows = make([]uint64, n*words)
	}
	clear(c.moves)
	clear(c.fresh)
	c.groups = c.groups[:0]
	c.counter, c.relied = -1, false
}

// TouchesNothing reports whether nobody else can tell when the operation of a node is performed.
func (k *Reducer) TouchesNothing(n int32) bool {
	a, x := k.ActOf(n), &k.Nodes[n]
	if !x.Known || k.Stacks || a.Object != 0 || a.Cells != nil || a.Comms != nil || x.Op.Kind == event.Sleep {
		return false
	}
	return !k.Timing || !x.Op.Kind.EndsProgram() && !k.looksAtClock(n) && !saysWhy(k, n)
}

// waitsForAdd is for a goroutine blocked at a Wait. It returns another one without whose Add it stays blocked, -1 if
// there is none. Where there is a choice, it returns one that was visited.
func (k *Reducer) waitsForAdd(s *spec.State, t int32) int32 {
	n := s.Nodes[t]
	if k.Nodes[n].Op.Kind != event.WaitGroupWait {
		return -1
	}
	o := k.ActOf(n).Object
	c := int64(k.Get(s, o))
	if c <= 0 {
		return -1
	}
	total := k.dropsOf(s, o, t) // it takes nothing itself while it waits
	one := int32(-1)
	for u, n := range s.Nodes {
		if n != 0 && int32(u) != t && c-(total-k.Nodes[n].DropOf(o)) >= 1 && k.Nodes[n].DropOf(o) > 0 {
			k.relyOnce(s)
			if k.Scratch.looked.Has(int32(u)) {
				return int32(u)
			}
			if one < 0 {
				one = int32(u)
			}
		}
	}
	return one
}

// ErrCrowded says that the futures of nodes take too much memory.
var ErrCrowded = errors.New("its goroutines may yet touch too many things to keep that for each of their states")

// What may be done for each state of a budget, taken together.
const (
	WorkPerState = 100 // comparisons by the reduction
	HeldPerState = 80  // size of the states that wait, in units of four bytes
)
