package constraint

import (
	"math"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines the lower-bound filter: for each node, how much of each goroutine comes before it in every prefix
// that has it. A candidate for a read that the bounds rule out needs no literal, and a question without candidates no
// solver.
//
// The bound of a node is the least vector with
//
//	LOW1  what the nodes before it need, it needs (MHB1, OBS1, OBS2), and what it needs needs;
//	LOW2  a free read needs what all its candidates need (VAL1, VAL2);
//	LOW3  a Lock that needs the Lock of a section elsewhere needs its Unlock (QLOCK1, QLOCK2),
//
// where a write is no candidate for a read if it needs the read, or cannot be in, or if the read needs another write
// that needs the first (VAL3). Each rule only drops what no prefix has, so that it is sound to stop at any time.
//
// About a read r that is about to run, the same holds with r, and all that needs it, out of the prefix (NEW1): fewer
// candidates, higher bounds. That does not depend on the value asked for.

// bounds are lower bounds, and which events cannot be in.
type bounds struct {
	*model
	rf      [][]source
	needs   [][]int32 // by node: the reads that keep their value if it is in; nil: each read keeps its own
	threads int
	nodesOf [][]int32 // by thread, by Seq
	locks   [][]int32 // by lock and thread: the free Lock nodes
	lockOf  []int32   // by node: the lock of a free Lock or Unlock, else -1
	low     []int32   // by node and thread
	// dead holds by thread the Seq of the first event that cannot be in.
	dead  []int32
	round []int32 // by node: when its bound rose last
	least []int32 // scratch
	one   [1]int32
	off   bool // MHB1, OBS1 and OBS2 alone: for comparisons
}

const nobody = math.MaxInt32

// newBounds computes the bounds that hold of the whole trace, and drops candidates from rf.
func newBounds(m *model, rf [][]source, needs [][]int32, off bool) *bounds {
	b := &bounds{off: off, model: m, rf: rf, needs: needs, threads: len(m.t.Threads), nodesOf: make([][]int32, len(m.t.Threads)), least: make([]int32, len(m.t.Threads))}
	for i := range m.t.Events {
		th := m.t.Events[i].Thread
		b.nodesOf[th] = append(b.nodesOf[th], m.of[i])
	}
	b.low = make([]int32, len(m.nodes)*b.threads)
	for n := range m.nodes {
		copy(b.low[n*b.threads:], m.nodes[n].clock)
	}
	b.dead = make([]int32, b.threads)
	for th := range b.dead {
		b.dead[th] = nobody
	}
	b.indexLocks()
	b.run(true)
	for r := range rf {
		rf[r] = slices.DeleteFunc(rf[r], func(s source) bool { return !b.candidate(int32(r), s.write, b.need(int32(r))) })
	}
	return b
}

func (b *bounds) indexLocks() {
	b.lockOf = make([]int32, len(b.nodes))
	fill(b.lockOf, -1)
	byLoc := make(map[event.Location]int32)
	for n := range b.nodes {
		s, ok := b.sections[int32(n)]
		if !ok {
			continue
		}
		e := b.at(s.lock)
		k, ok := byLoc[e.Loc]
		if !ok {
			k = int32(len(b.locks) / b.threads)
			byLoc[e.Loc] = k
			b.locks = append(b.locks, make([][]int32, b.threads)...)
		}
		b.lockOf[n] = k
		if s.unlock >= 0 {
			b.lockOf[s.unlock] = k
		}
		l := &b.locks[int(k)*b.threads+int(e.Thread)]
		*l = append(*l, int32(n))
	}
}

// of32 is the bound of n.
func (b *bounds) need(n int32) []int32 {
	return b.low[int(n)*b.threads : (int(n)+1)*b.threads]
}

// covers reports whether bound has the event of node n.
func (b *bounds) covers(bound []int32, n int32) bool {
	x := &b.nodes[n]
	return bound[x.thread] > x.seq
}

// out reports whether n cannot be in.
func (b *bounds) out(n int32) bool {
	x := &b.nodes[n]
	if x.seq >= b.dead[x.thread] {
		return true
	}
	if x.partner >= 0 {
		e := &b.t.Events[x.partner]
		return e.Seq >= b.dead[e.Thread]
	}
	return false
}

// run raises bounds until nothing changes; with all, every node is looked at at least once.
func (b *bounds) run(all bool) {
	if b.off {
		return
	}
	const settled = 2 // rounds without a change around a node
	b.round = slices.Grow(b.round[:0], len(b.nodes))[:len(b.nodes)]
	clear(b.round)
	for round, more := int32(settled), true; more; round++ {
		more = false
		for n := range int32(len(b.nodes)) {
			if b.out(n) {
				continue
			}
			if (all && round == settled || b.stirred(n, round)) && b.raise(n) {
				b.round[n] = round
				more = true
			}
		}
	}
}

// stirred reports whether something that the bound of n depends on has changed since n was looked at last.
func (b *bounds) stirred(n, round int32) bool {
	for _, d := range b.nodes[n].before {
		if b.round[d] >= round-1 {
			return true
		}
	}
	for _, r := range b.keptBy(n) {
		for _, s := range b.rf[r] {
			if s.write != initially && (b.round[s.write] >= round-1 || b.out(s.write)) {
				return true
			}
		}
	}
	for th, k := range b.need(n) {
		if k > b.dead[th] || k > 0 && b.round[b.nodesOf[th][k-1]] >= round-1 {
			return true
		}
	}
	return false
}

// raise applies the rules to n, and reports whether that changed its bound, or put it out.
func (b *bounds) raise(n int32) bool {
	x, low := &b.nodes[n], b.need(n)
	rose := false
	join := func(d int32) {
		for th, k := range b.need(d) {
			if k > low[th] {
				low[th], rose = k, true
			}
		}
	}
	for _, d := range x.before { // LOW1
		join(d)
	}
	if x.chain >= 0 {
		join(x.chain)
	}
	for _, r := range b.keptBy(n) { // LOW2
		if !b.joinCandidates(r, low, &rose) {
			b.putOut(n)
			return true
		}
	}
	if k := b.lockOf[n]; k >= 0 && b.at(n).Kind == event.Lock && !b.joinSections(n, k, low, &rose) { // LOW3
		b.putOut(n)
		return true
	}
	for again := true; again; { // LOW1, of what it needs
		again = false
		for th := range low {
			k := low[th]
			if k > b.dead[th] {
				b.putOut(n)
				return true
			}
			if k == 0 || int32(th) == x.thread {
				continue
			}
			d := b.nodesOf[th][k-1]
			if d == n {
				continue
			}
			was := rose
			rose = false
			join(d)
			again = again || rose
			rose = rose || was
		}
	}
	if low[x.thread] > x.seq+1 { // it needs what comes after it
		b.putOut(n)
		return true
	}
	return rose
}

func (b *bounds) putOut(n int32) {
	e := b.at(n)
	b.dead[e.Thread] = min(b.dead[e.Thread], e.Seq)
	if p := b.nodes[n].partner; p >= 0 {
		e = &b.t.Events[p]
		b.dead[e.Thread] = min(b.dead[e.Thread], e.Seq)
	}
}

// keptBy returns the reads that keep their value if n is in, but for those that do so because of others that are then
// in.
func (b *bounds) keptBy(n int32) []int32 {
	if b.needs != nil {
		return b.needs[n]
	}
	if b.rf[n] != nil {
		b.one[0] = n
		return b.one[:]
	}
	return nil
}

// joinCandidates adds what all candidates of the read n need to low, the bound of n or of what n keeps its value for;
// false if there is no candidate.
func (b *bounds) joinCandidates(n int32, low []int32, rose *bool) bool {
	some := false
	for th := range b.least {
		b.least[th] = nobody
	}
	for _, s := range b.rf[n] {
		if !b.candidate(n, s.write, b.need(n)) {
			continue
		}
		some = true
		if s.write == initially || s.write == b.own[n] {
			clear(b.least)
			continue
		}
		for th, k := range b.need(s.write) {
			b.least[th] = min(b.least[th], k)
		}
	}
	if !some {
		return false
	}
	for th, k := range b.least {
		if k > low[th] {
			low[th], *rose = k, true
		}
	}
	return true
}

// candidate reports whether a read of n's location that needs low may read from w. The read
// is n, or n about to run.
func (b *bounds) candidate(n, w int32, low []int32) bool {
	if ok, sure := b.ownCandidate(n, w); sure {
		return ok
	}
	if w != initially && (b.out(w) || b.covers(b.need(w), n)) {
		return false
	}
	v := &b.vars[b.varOf[n]]
	for th, k := range low {
		h := v.lastWrite(b.model, th, k)
		if h >= 0 && h != w && (w == initially || b.covers(b.need(h), w)) {
			return false
		}
	}
	return true
}

// lastWrite returns the last write among the first k events of a thread, -1 if there is none.
func (v *variable) lastWrite(m *model, thread int, k int32) int32 {
	if v.byThread == nil {
		return -1
	}
	of := v.byThread[thread]
	i := sort.Search(len(of), func(i int) bool { return m.nodes[of[i]].seq >= k })
	if i == 0 {
		return -1
	}
	return of[i-1]
}

// joinSections adds the ends of sections that begin before the Lock n; false if one has no end.
func (b *bounds) joinSections(n, lock int32, low []int32, rose *bool) bool {
	for th := range low {
		of := b.locks[int(lock)*b.threads+th]
		i := sort.Search(len(of), func(i int) bool { return b.nodes[of[i]].seq >= low[th] })
		if i == 0 || of[i-1] == n {
			continue
		}
		u := b.sections[of[i-1]].unlock
		if u == n {
			continue
		}
		if u < 0 {
			return false
		}
		if k := b.nodes[u].seq + 1; k > low[th] {
			low[th], *rose = k, true
		}
	}
	return true
}

// about returns the bounds of the prefixes in which the read r is about to run (NEW1), and
// those of r then; nil if there is no such prefix. Both are valid until the next call.
func (b *bounds) about(r int32, into *bounds) (low []int32) {
	into.model, into.rf, into.needs, into.threads, into.nodesOf, into.locks, into.lockOf = b.model, b.rf, b.needs, b.threads, b.nodesOf, b.locks, b.lockOf
	into.low = append(into.low[:0], b.low...)
	into.dead = append(into.dead[:0], b.dead...)
	into.least, into.off = append(into.least[:0], b.least...), b.off
	if !b.off {
		into.putOut(r)
	}
	into.run(false)
	low = make([]int32, b.threads)
	for _, d := range b.nodes[r].before {
		if into.out(d) {
			return nil
		}
		for th, k := range into.need(d) {
			low[th] = max(low[th], k)
		}
	}
	return low
}
