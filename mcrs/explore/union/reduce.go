package union

import (
	"container/heap"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines the reduction of the sweep: from a state only the moves of some goroutines are followed, because
// what the others may do until one of these moves cannot concern it (rules RED1 to RED9).

// bits is a set of small numbers: what may be touched, and how.
type bits []uint64

func (b *bits) set(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

func (b bits) has(i int32) bool { return i > 0 && int(i>>6) < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

// add makes b the union with c, and reports whether it grew.
func (b *bits) add(c bits) (grew bool) {
	for len(*b) < len(c) {
		*b = append(*b, 0)
	}
	for i, w := range c {
		grew = grew || w&^(*b)[i] != 0
		(*b)[i] |= w
	}
	return grew
}

// Ways to touch an object. Of a cell, a write of one of the first values has a bit of its own.
const (
	wayRead = iota // cells, maps, objects
	wayWrite
	wayLock = iota - 2 // Lock, LockAnnounce
	wayRLock
	wayUnlock
	wayTry
	waySend = iota - 6 // channels
	wayRecv
	wayClose
	wayPoll             // len; a select with a default
	wayAdd  = iota - 10 // wait groups
	wayWait
	wayTicket = iota - 12 // condition variables
	wayWoken
	wayNotify
	wayBegin = iota - 15 // Once
	wayDone
	ways = 4
)

// reduction is what is known of an object's use.
type reduction struct {
	way     [ways]int32     // bit of each way, 0 if nobody does it
	writes  bits            // of a cell: the bits of all ways to write it
	byValue map[int32]int32 // of a cell: the bit of writing a value
	sites   map[int32][]siteUse
	// guards are, of a cell, the locks that every access holds (of a write exclusively).
	guards   []int32
	accessed bool
}

type siteUse struct {
	site   event.Site
	atomic bool
}

// valueBits bounds the values of a cell that have bits of their own.
const valueBits = 16

func (k *knowledge) bit(o int32, way int) int32 {
	r := &k.objects[o].reduction
	if r.way[way] == 0 {
		r.way[way] = k.bits
		k.bits++
		if k.objects[o].space == spaceCell && way == wayWrite {
			r.writes.set(r.way[way])
		}
	}
	return r.way[way]
}

// writeBit is the bit of writing a value to a cell.
func (k *knowledge) writeBit(o, value int32) int32 {
	r := &k.objects[o].reduction
	if b, ok := r.byValue[value]; ok {
		return b
	}
	if len(r.byValue) >= valueBits {
		return k.bit(o, wayWrite)
	}
	if r.byValue == nil {
		r.byValue = make(map[int32]int32)
	}
	b := k.bits
	k.bits++
	r.byValue[value] = b
	r.writes.set(b)
	return b
}

// touches returns what the operation of a node may touch, whatever it meets.
func (k *knowledge) touches(n int32) (b bits) {
	x := &k.nodes[n]
	if !x.known {
		return nil
	}
	a := k.actOf(n)
	for _, c := range a.comms {
		if c.obj == 0 {
			continue
		}
		way := wayRecv
		if c.send {
			way = waySend
		}
		b.set(k.bit(c.obj, way))
		if x.op.HasDefault {
			b.set(k.bit(c.obj, wayPoll))
		}
	}
	switch x.op.Kind {
	case event.Read, event.AtomicLoad:
		for _, c := range a.cells {
			b.set(k.bit(c, wayRead))
		}
	case event.Write, event.AtomicStore, event.AtomicRMW:
		for _, c := range a.cells {
			if x.op.Kind == event.AtomicRMW {
				b.set(k.bit(c, wayRead))
			}
			if x.op.Kind == event.AtomicRMW || len(x.edges) == 0 {
				b.set(k.bit(c, wayWrite))
				k.site(c, k.bit(c, wayWrite), n)
			}
		}
		if x.op.Kind != event.AtomicRMW {
			for _, e := range x.edges {
				for _, f := range k.effectsOf(e) {
					if slices.Contains(a.cells, f.obj) {
						bit := k.writeBit(f.obj, f.value)
						b.set(bit)
						k.site(f.obj, bit, n)
					}
				}
			}
		}
	case event.MapRead, event.ObjectRead:
		b.set(k.bit(a.obj, wayRead))
	case event.MapWrite, event.ObjectWrite:
		b.set(k.bit(a.obj, wayWrite))
	case event.Lock, event.LockAnnounce:
		b.set(k.bit(a.obj, wayLock))
	case event.RLock:
		b.set(k.bit(a.obj, wayRLock))
	case event.Unlock, event.RUnlock:
		b.set(k.bit(a.obj, wayUnlock))
	case event.TryLock, event.TryRLock:
		b.set(k.bit(a.obj, wayTry))
	case event.ChanClose:
		b.set(k.bit(a.obj, wayClose))
	case event.ChanLen:
		b.set(k.bit(a.obj, wayPoll))
	case event.WaitGroupAdd:
		b.set(k.bit(a.obj, wayAdd))
	case event.WaitGroupWait:
		b.set(k.bit(a.obj, wayWait))
	case event.CondAdd:
		b.set(k.bit(a.obj, wayTicket))
	case event.CondWait:
		b.set(k.bit(a.obj, wayWoken))
	case event.CondSignal, event.CondBroadcast:
		b.set(k.bit(a.obj, wayNotify))
	case event.OnceBegin:
		b.set(k.bit(a.obj, wayBegin))
	case event.OnceEnd:
		b.set(k.bit(a.obj, wayDone))
	}
	return b
}

// site notes that a node writes a cell by way of a bit.
func (k *knowledge) site(o, bit, n int32) {
	r := &k.objects[o].reduction
	u := siteUse{k.nodes[n].op.Site, k.nodes[n].op.Kind.IsAtomic()}
	if !slices.Contains(r.sites[bit], u) {
		if r.sites == nil {
			r.sites = make(map[int32][]siteUse)
		}
		r.sites[bit] = append(r.sites[bit], u)
	}
}

// register notes under which locks a node accesses cells.
func (k *knowledge) register(n int32) {
	x := &k.nodes[n]
	if x.op.Kind == event.MapRead && x.op.Key == 0 {
		if o := &k.objects[k.actOf(n).obj]; !o.whole {
			o.whole, k.stale = true, true
		}
	}
	if x.op.Kind == event.Unlock && x.holds(k.actOf(n).obj) != heldWrite || x.op.Kind == event.RUnlock && !x.reads(k.actOf(n).obj) {
		if o := &k.objects[k.actOf(n).obj]; !o.foreign {
			o.foreign, k.grown = true, true
		}
	}
	if !x.op.Kind.IsAccess() {
		return
	}
	for _, c := range k.actOf(n).cells {
		k.guard(c, n)
	}
}

func (k *knowledge) guard(c, n int32) {
	x := &k.nodes[n]
	r := &k.objects[c].reduction
	guards := func(o int32) bool {
		mode := x.holds(o)
		return k.objects[o].space == spaceLock && (mode == heldWrite || mode == heldRead && !x.op.Kind.IsWrite())
	}
	if !r.accessed {
		r.accessed = true
		for _, h := range x.locks {
			if guards(h.obj) && !slices.Contains(r.guards, h.obj) {
				r.guards = append(r.guards, h.obj)
			}
		}
		return
	}
	for i := 0; i < len(r.guards); {
		if guards(r.guards[i]) {
			i++
			continue
		}
		r.guards = append(r.guards[:i:i], r.guards[i+1:]...)
		k.grown = true
	}
}

// guarded reports whether a goroutine at node n keeps others away from a cell (RED3).
func (k *knowledge) guarded(c, n int32) bool {
	for _, g := range k.objects[c].guards {
		if !k.objects[g].foreign && k.nodes[n].holds(g) > 0 {
			return true
		}
	}
	return false
}

// raise brings the futures of nodes up to date after some got a new operation or edge. Nodes below old are not new.
func (k *knowledge) raise(news map[int32]bool, old int32) {
	q := &nodeQueue{queued: make(map[int32]bool)}
	for n := range news {
		q.add(n)
	}
	for q.Len() > 0 {
		n := heap.Pop(q).(int32)
		q.queued[n] = false
		x := &k.nodes[n]
		b := k.touches(n)
		x = &k.nodes[n]
		drops := k.ownDrops(n)
		for _, e := range x.edges {
			y := &k.edges[e]
			b.add(k.nodes[y.to].future)
			if y.child > 0 {
				b.add(k.nodes[y.child].future)
			}
		}
		grew := x.future.add(b)
		for _, d := range drops {
			grew = x.raiseDrop(d) || grew
		}
		if !grew {
			continue
		}
		if n < old && x.relied == k.sweeps {
			k.grown = true
		}
		if x.parent > 0 {
			q.add(x.parent)
		}
		for _, p := range x.spawners {
			q.add(p)
		}
	}
}

func (x *node) raiseDrop(d drop) bool {
	for i := range x.drops {
		if x.drops[i].obj == d.obj {
			if x.drops[i].max < d.max {
				x.drops[i].max = d.max
				return true
			}
			return false
		}
	}
	x.drops = append(x.drops, d)
	return d.max > 0
}

func (x *node) dropOf(obj int32) int64 {
	for i := range x.drops {
		if x.drops[i].obj == obj {
			return x.drops[i].max
		}
	}
	return 0
}

// ownDrops is the most that is taken from each counter from node n on (RED6).
func (k *knowledge) ownDrops(n int32) (out []drop) {
	x := &k.nodes[n]
	at := func(obj int32) *drop {
		for i := range out {
			if out[i].obj == obj {
				return &out[i]
			}
		}
		out = append(out, drop{obj: obj})
		return &out[len(out)-1]
	}
	for _, e := range x.edges {
		y := &k.edges[e]
		sum := map[int32]int64{}
		for _, d := range k.nodes[y.to].drops {
			sum[d.obj] += d.max
		}
		if y.child > 0 {
			for _, d := range k.nodes[y.child].drops {
				sum[d.obj] += d.max
			}
		}
		if y.delta < 0 {
			sum[k.actOf(n).obj] -= y.delta
		}
		for o, v := range sum {
			if d := at(o); d.max < v {
				d.max = v
			}
		}
	}
	if x.known && x.op.Kind == event.WaitGroupAdd && len(x.edges) == 0 && int64(x.op.Key) < 0 {
		at(k.actOf(n).obj).max = -int64(x.op.Key)
	}
	return out
}

// A nodeQueue gives the largest number first: children before parents.
type nodeQueue struct {
	ns     []int32
	queued map[int32]bool
}

func (q *nodeQueue) add(n int32) {
	if !q.queued[n] {
		q.queued[n] = true
		heap.Push(q, n)
	}
}
func (q *nodeQueue) Len() int           { return len(q.ns) }
func (q *nodeQueue) Less(i, j int) bool { return q.ns[i] > q.ns[j] }
func (q *nodeQueue) Swap(i, j int)      { q.ns[i], q.ns[j] = q.ns[j], q.ns[i] }
func (q *nodeQueue) Push(x any)         { q.ns = append(q.ns, x.(int32)) }
func (q *nodeQueue) Pop() any {
	n := q.ns[len(q.ns)-1]
	q.ns = q.ns[:len(q.ns)-1]
	return n
}

// rely notes that something was left out because of what the goroutines of a state cannot do, as far as is known.
func (k *knowledge) rely(s *state) {
	for _, n := range s.nodes {
		k.nodes[n].relied = k.sweeps
	}
}

// concerns reports whether what goroutine u may yet do, before t moves, could be dependent with the move of t, or enable it.
func (k *knowledge) concerns(s *state, t, u int32) bool {
	if k.mayConcern(s, t, u) {
		return true
	}
	k.nodes[s.nodes[u]].relied = k.sweeps
	return false
}

func (k *knowledge) mayConcern(s *state, t, u int32) bool {
	n, f := s.nodes[t], k.nodes[s.nodes[u]].future
	x, a := &k.nodes[n], k.actOf(n)
	way := func(ws ...int) bool {
		for _, w := range ws {
			if f.has(k.objects[a.obj].way[w]) {
				return true
			}
		}
		return false
	}
	for _, c := range a.comms {
		if k.concernsComm(s, x, c, f) {
			return true
		}
	}
	switch x.op.Kind {
	case event.Read, event.AtomicLoad:
		for _, c := range a.cells {
			if k.concernsCell(s, n, c, -1, f) {
				return true
			}
		}
	case event.Write, event.AtomicStore:
		for _, c := range a.cells {
			value := int32(-2)
			for _, e := range x.edges {
				for _, y := range k.effectsOf(e) {
					if y.obj == c {
						value = y.value
					}
				}
			}
			if k.concernsCell(s, n, c, value, f) {
				return true
			}
		}
	case event.AtomicRMW:
		for _, c := range a.cells {
			if k.concernsCell(s, n, c, -2, f) {
				return true
			}
		}
	case event.MapRead, event.ObjectRead:
		return way(wayWrite)
	case event.MapWrite, event.ObjectWrite:
		return way(wayRead, wayWrite)
	case event.Lock, event.LockAnnounce, event.RLock, event.Unlock, event.RUnlock, event.TryLock, event.TryRLock:
		return k.concernsLock(s, t, u)
	case event.ChanClose:
		return way(waySend, wayRecv, wayClose, wayPoll)
	case event.ChanLen:
		return way(waySend, wayRecv)
	case event.WaitGroupAdd:
		return k.concernsAdd(s, t, u, a.obj)
	case event.WaitGroupWait:
		return way(wayAdd)
	case event.CondAdd, event.CondSignal, event.CondBroadcast:
		return way(wayTicket, wayNotify, wayWoken)
	case event.CondWait:
		return way(wayNotify)
	case event.OnceBegin:
		return k.get(s, a.obj) != 2 && way(wayBegin, wayDone) // RED5
	}
	return false
}

// concernsCell is concerns for an access. value is what is written, -1 of a read, -2 if it is not known.
func (k *knowledge) concernsCell(s *state, n, c, value int32, f bits) bool {
	r := &k.objects[c].reduction
	if k.guarded(c, n) {
		return false
	}
	now := k.get(s, c)
	x := &k.nodes[n]
	spared := func(v int32) int32 { // RED4: writing what is there, or what this operation writes, matters only to races
		b := r.byValue[v]
		if !f.has(b) {
			return 0
		}
		for _, u := range r.sites[b] {
			if !(u.atomic && x.op.Kind.IsAtomic()) && !k.raced[pairOf(u.site, x.op.Site)] {
				return 0
			}
		}
		return b
	}
	keep := int32(0)
	switch {
	case value == -2:
	case value == -1 || value == now:
		keep = spared(now)
		if value == now && f.has(r.way[wayRead]) && !k.readsRaced(c, x) {
			return true
		}
	default:
		keep = spared(value)
	}
	if value != -1 && value != now && f.has(r.way[wayRead]) {
		return true
	}
	for i, w := range r.writes {
		if i >= len(f) {
			break
		}
		w &= f[i]
		if keep>>6 == int32(i) && keep != 0 {
			w &^= 1 << (keep & 63)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// readsRaced reports whether a write races, as is known, with all that read the cell. It is not tried.
func (k *knowledge) readsRaced(int32, *node) bool { return false }

func pairOf(a, b event.Site) [2]event.Site { return [2]event.Site{min(a, b), max(a, b)} }

func (k *knowledge) concernsLock(s *state, t, u int32) bool {
	n := s.nodes[t]
	x, a := &k.nodes[n], k.actOf(n)
	o := &k.objects[a.obj]
	f := k.nodes[s.nodes[u]].future
	v := k.get(s, a.obj)
	others := f.has(o.way[wayLock]) || f.has(o.way[wayRLock]) || f.has(o.way[wayUnlock]) || f.has(o.way[wayTry])
	if o.foreign || !others {
		return others
	}
	holder := k.nodes[s.nodes[u]].holds(a.obj) > 0
	switch x.op.Kind {
	case event.Unlock, event.RUnlock: // RED2: those who want the lock wait, unless they only try
		return f.has(o.way[wayTry]) || x.holds(a.obj) == 0
	case event.Lock:
		if x.holds(a.obj) == heldAnnounced {
			return v >= lockReader && holder // readers are shut out; those inside must leave
		}
		if v != 0 {
			return holder
		}
	case event.LockAnnounce:
		if v&(lockHeld|lockAnnounced) != 0 {
			return holder
		}
	case event.RLock:
		if v&(lockHeld|lockAnnounced) != 0 {
			return holder
		}
		return f.has(o.way[wayLock]) || f.has(o.way[wayTry])
	}
	return true
}

// concernsComm is concerns for a communication (RED7).
func (k *knowledge) concernsComm(s *state, x *node, c comm, f bits) bool {
	if c.obj == 0 {
		return false
	}
	o := &k.objects[c.obj]
	way := func(ws ...int) bool {
		for _, w := range ws {
			if f.has(o.way[w]) {
				return true
			}
		}
		return false
	}
	q := k.queueAt(s, c.obj)
	switch {
	case q.closed && (c.send || len(q.buf) == 0):
		return false
	case o.cap <= 0 || x.op.HasDefault:
		return way(waySend, wayRecv, wayClose, wayPoll)
	case c.send && len(q.buf) < o.cap:
		return way(waySend, wayClose, wayPoll)
	case !c.send && len(q.buf) > 0:
		return way(wayRecv, wayPoll)
	case c.send:
		return way(wayRecv, wayClose, waySend, wayPoll)
	}
	return way(waySend, wayClose, wayRecv, wayPoll)
}

// concernsAdd is concerns for an Add (RED6): adds commute while the counter cannot become negative, and nobody's Wait can go on
// before this one while what the others may take away leaves the counter positive.
func (k *knowledge) concernsAdd(s *state, t, u, o int32) bool {
	f := k.nodes[s.nodes[u]].future
	add, wait := f.has(k.objects[o].way[wayAdd]), f.has(k.objects[o].way[wayWait])
	if !add && !wait {
		return false
	}
	left := int64(k.get(s, o)) - k.dropsOf(s, o, t)
	if left < 0 || left+int64(k.nodes[s.nodes[t]].op.Key) < 0 {
		return true
	}
	if wait && left < 1 {
		return true
	}
	k.rely(s)
	return false
}

// dropsOf sums what all goroutines but one may take from a counter.
func (k *knowledge) dropsOf(s *state, o, but int32) (sum int64) {
	k.work += len(s.nodes) / 8
	for u, n := range s.nodes {
		if int32(u) != but && n != 0 {
			sum += k.nodes[n].dropOf(o)
		}
	}
	return sum
}

// choose returns a set of goroutines whose moves are enough to follow from a state (a persistent set: RED1), by
// thread; all is the list of all moves. The result is good until the next call.
func (k *knowledge) choose(s *state, all []move) (best []bool) {
	fewest := len(all) + 1
	tried := int32(-1)
	for _, m := range all {
		if m.thread == tried {
			continue
		}
		tried = m.thread
		set := k.closure(s, m.thread, k.spare)
		count := 0
		for _, x := range all {
			if set[x.thread] {
				count++
			}
		}
		if count < fewest {
			best, fewest = set, count
			k.spare, k.chosen = k.chosen, set
		} else {
			k.spare = set
		}
		if fewest == 1 {
			break
		}
	}
	return best
}

// closure returns the smallest set with thread t that is closed under concerns, in the memory of in.
func (k *knowledge) closure(s *state, t int32, in []bool) []bool {
	in = append(in[:0], make([]bool, len(s.nodes))...)
	in[t] = true
	work := append(k.todo[:0], t)
	defer func() { k.todo = work }()
	for len(work) > 0 {
		k.work += len(s.nodes)
		t := work[len(work)-1]
		work = work[:len(work)-1]
		add := func(u int32) {
			if !in[u] {
				in[u] = true
				work = append(work, u)
			}
		}
		if one := k.waitsForAdd(s, t, in); one >= 0 { // RED8
			add(one)
			continue
		}
		for u, n := range s.nodes {
			if n != 0 && !in[u] && int32(u) != t && k.concerns(s, t, int32(u)) {
				add(int32(u))
			}
		}
	}
	return in
}

// waitsForAdd returns for a goroutine blocked at a Wait another one without whose Add it stays blocked, one of the set
// where there is a choice; -1 if there is none.
func (k *knowledge) waitsForAdd(s *state, t int32, in []bool) int32 {
	n := s.nodes[t]
	if k.nodes[n].op.Kind != event.WaitGroupWait {
		return -1
	}
	o := k.actOf(n).obj
	c := int64(k.get(s, o))
	if c <= 0 {
		return -1
	}
	total := k.dropsOf(s, o, -1)
	one := int32(-1)
	for u, n := range s.nodes {
		if n != 0 && int32(u) != t && c-(total-k.nodes[n].dropOf(o)) >= 1 && k.nodes[n].dropOf(o) > 0 {
			k.rely(s)
			if in[u] {
				return int32(u)
			}
			if one < 0 {
				one = int32(u)
			}
		}
	}
	return one
}
