package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the knowledge base: for each goroutine name a graph of what it was seen to do.

// unknownKey stands for what an operation meets where that is not known.
func unknownKey(kind event.Kind) key { return key{kind: kind, kase: -2} }

// A node is a goroutine before an operation: its state, or its history so far where the state has no name.
type node struct {
	thread int32
	depth  int32   // edges that do not lead back lead deeper
	parent int32   // node, -1 of a root
	via    int32   // the first edge that led here
	others []int32 // the other edges that do
	known  bool    // the operation was seen
	*operation
	edges []int32
	hist  uint64 // hash that names it: of the replies that led here, or of its state
	past  uint64 // names what the goroutine has done in silence (sched.Local)
	locks []held // what it holds, sorted by object
	// spawners are, of a root, the edges at which a goroutine starts it.
	spawners []int32

	prospect
}

// A prospect is what may come from a node on, as far as it is known (rules RED1 and RED10 of package reduce).
type prospect struct {
	future bits
	// drops holds for a wait group the most that this goroutine and those it starts may yet take from its counter.
	drops []drop
	// relied is the number of the last sweep that left out something because this future lacks something.
	relied int32
	class  uint64 // what is known of this future, as a hash
	head   uint64 // what of that is the node's own
	sum    uint64 // and the sum of what its edges say
	named  int32  // number of the last sweep that has the node in the name of a state
}

// An operation is what nodes stand at: many histories lead to one.
type operation struct {
	op   event.Op
	site int32 // number of its site
	race int32 // number among those that may race, 0 if it cannot

	version int32 // of the layout for which act holds
	act     act
}

// An operationKey tells operations apart.
type operationKey struct {
	kind       event.Kind
	hasDefault bool
	site       event.Site
	loc        event.Location
	key        uint64
	deadline   int64
}

// operationOf returns the operation of an Op. A select has its own for each node, and so has what is done to a timer: whether that has a channel
// is not in the Op.
func (k *knowledge) operationOf(op event.Op) *operation {
	x := &operation{op: op, site: k.numberOf(op.Site), version: -1}
	if s := spaceOf(op.Kind); op.IsSelect() || s == spaceTimer {
		return x
	}
	ok := operationKey{op.Kind, op.HasDefault, op.Site, op.Loc, op.Key, op.Deadline}
	if known := k.operations[ok]; known != nil {
		return known
	}
	k.operations[ok] = x
	if mayRace(&op) {
		x.race = int32(len(k.settled))
		k.settled = append(k.settled, nil)
	}
	return x
}

// A held is a lock in the hands of a goroutine.
type held struct {
	obj  int32
	mode uint8
}

// Modes of a held lock.
const (
	heldRead      = 1 + iota // once for each RLock
	heldWrite                // exclusive; also a Once whose function runs
	heldAnnounced            // RWMutex: new readers are shut out
)

type drop struct {
	obj int32
	max int64
}

// dropOf is the most that may yet be taken from a counter.
func (x *node) dropOf(obj int32) int64 {
	for i := range x.drops {
		if x.drops[i].obj == obj {
			return x.drops[i].max
		}
	}
	return 0
}

// A key is what an operation met: with the node it determines what the goroutine does next and what it does to others.
type key struct {
	kind event.Kind // of the event; of a read-modify-write AtomicRMW, also if it wrote nothing
	kase int16
	now  int32 // number of the time (rule UTIME4)
	flag bool  // the operation failed: closed channel, negative counter, lock not held
	val  uint64
}

// An edge is an operation that was performed.
type edge struct {
	from, to int32
	key      key
	kind     event.Kind // of the event
	reply    trace.Reply
	flag     bool   // of the reply, as key.flag; a map's key that is absent
	raw      []byte // the bytes in memory after a write
	delta    int64  // WaitGroupAdd
	send     uint64 // ChanSend: digest of the element
	child    int32  // Spawn, TimerFire: root of the goroutine, else -1
	rest     *rest  // nil if there is none

	weight uint64 // in the sum of its node
	back   bool   // it closed a cycle when it was added: each cycle of a graph has such an edge

	version int32
	effects []effect
}

// A rest is what few edges have.
type rest struct {
	starts []starting    // timers
	pubs   []publication // memory
}

func (x *edge) starts() []starting {
	if x.rest == nil {
		return nil
	}
	return x.rest.starts
}

func (x *edge) pubs() []publication {
	if x.rest == nil {
		return nil
	}
	return x.rest.pubs
}

// A starting is the start of a timer by an edge.
type starting struct {
	timer         int32 // in Rules.timers
	after, period int64
}

// A publication is memory that became shared by an operation.
type publication struct {
	addr uint64
	data []byte
}

// An effect sets a slot of the state to a value.
type effect struct {
	obj   int32
	value int32
}

// Knowledge is the union of all executions absorbed.
type knowledge struct {
	graphs
	memory
	racing
	counting

	queue nodeQueue // nodes that have changed
	epoch int32     // numbers what is known
	// grown says that what a reduction relies on has changed since the sweep began: it must begin again to be exact.
	grown bool
	// stale says that states have another shape now: the sweep must begin again at once.
	stale bool
}

// graphs are what goroutines were seen to do.
type graphs struct {
	threads    map[event.ThreadID]int32
	ids        []event.ThreadID
	roots      map[rootKey]int32
	nodes      []node
	edges      []edge
	index      map[edgeKey]int32 // edges of nodes that have many
	unknown    *operation        // of nodes whose operation was not seen
	operations map[operationKey]*operation
	complete   map[doneKey]int32 // node

	// histories says that nodes are histories: states of a goroutine that are equal are told apart.
	histories bool
	states    map[stateKey]int32 // nodes by state
	joined    map[int32]bool     // goroutines of which several histories have led to one node
	joins     []int32            // those of them whose memory has no slots yet
	loops     map[int32]bool     // goroutines whose graphs have cycles
	looped    []int32            // those of them that are new
	arrivals  []edgeKey          // new edges since a sweep last looked
}

// memory is what they touch, and what that holds.
type memory struct {
	lay      layout
	objects  []object
	objectAt map[objectKey]int32
	values   values

	ranges   map[interval]bool       // accessed as memory
	accessed map[interval]bool       // likewise, of operations not yet performed as well
	order    []interval              // the same, in order
	words    map[event.Location]bool // of locks and their like
	unsized  map[uint64]bool         // channels whose elements have no bytes, by address
	unlogged map[uint64]uint64       // address of what is read without events → hash of its content
}

// racing is which pairs of operations race.
type racing struct {
	raced   map[[2]event.Site]bool // pairs of sites that race
	races   []bits                 // the same, by the numbers of the first and of the second
	settled []bits                 // by numbers of operations: pairs that race, or never do
	sites   map[event.Site]int32   // numbers, from 1
}

// counting is how many goroutines there are (GO2).
type counting struct {
	countSlot  int32  // the object that stands for their number, 0 if nobody asks for it
	countBase  uint64 // how many more there are than those of a state, once an answer has shown it
	countSeen  bool
	coroutines bool // some goroutine has made or ended one
}

type rootKey struct {
	thread int32
	start  uint64
}

type edgeKey struct {
	node int32
	key  key
}

type doneKey struct {
	thread int32
	hist   uint64
}

// newKnowledge returns the knowledge of no execution.
func newKnowledge() knowledge {
	k := knowledge{
		graphs: graphs{
			threads: make(map[event.ThreadID]int32), roots: make(map[rootKey]int32), index: make(map[edgeKey]int32),
			unknown: &operation{version: -1}, operations: make(map[operationKey]*operation), complete: make(map[doneKey]int32),
			states: make(map[stateKey]int32), joined: make(map[int32]bool), loops: make(map[int32]bool),
		},
		memory: memory{
			objectAt: make(map[objectKey]int32), unlogged: make(map[uint64]uint64), unsized: make(map[uint64]bool),
			ranges: make(map[interval]bool), accessed: make(map[interval]bool), words: make(map[event.Location]bool),
		},
		racing: racing{raced: make(map[[2]event.Site]bool), races: make([]bits, 1), settled: make([]bits, 1), sites: make(map[event.Site]int32)},
	}
	k.values.init()
	k.lay.initial = make(map[uint64]byte)
	k.nodes = append(k.nodes, node{operation: k.unknown})                             // 0 is no node
	k.objects = append(k.objects, object{space: spaceEnd}, object{space: spaceClock}) // the program's end, the clock
	return k
}

func (k *knowledge) thread(id event.ThreadID) int32 {
	t, ok := k.threads[id]
	if !ok {
		t = int32(len(k.ids))
		k.threads[id] = t
		k.ids = append(k.ids, id)
	}
	return t
}

// root returns the root of a goroutine that was started in a certain way.
func (k *knowledge) root(thread int32, start uint64) int32 {
	rk := rootKey{thread, start}
	n, ok := k.roots[rk]
	if !ok {
		n = k.newNode(node{thread: thread, parent: -1, hist: mix(hashBytes([]byte(k.ids[thread])), 1)})
		k.roots[rk] = n
	}
	return n
}

// numberOf numbers a site.
func (k *knowledge) numberOf(site event.Site) int32 {
	n, ok := k.sites[site]
	if !ok {
		n = int32(len(k.races))
		k.sites[site] = n
		k.races = append(k.races, nil)
		for p := range k.raced {
			if p[0] == site || p[1] == site {
				k.noteRace(p)
			}
		}
	}
	return n
}

// noteRace notes that a pair of sites races.
func (k *knowledge) noteRace(p [2]event.Site) {
	k.raced[p] = true
	k.epoch++
	a, b := k.sites[p[0]], k.sites[p[1]]
	if a > 0 && b > 0 {
		k.races[a].set(b)
		k.races[b].set(a)
	}
}

func (k *knowledge) newNode(n node) int32 {
	n.operation = k.unknown
	k.nodes = append(k.nodes, n)
	return int32(len(k.nodes) - 1)
}

// manyEdges is the number of edges of a node above which they are looked up in an index.
const manyEdges = 8

// edgeOf returns the edge of node n for what its operation met, -1 if no execution has shown it.
func (k *knowledge) edgeOf(n int32, x key) int32 {
	es := k.nodes[n].edges
	if len(es) > manyEdges {
		if e, ok := k.index[edgeKey{n, x}]; ok {
			return e
		}
		return -1
	}
	for _, e := range es {
		if k.edges[e].key == x {
			return e
		}
	}
	return -1
}

// addEdge adds an edge. Edges with the same reply lead to the same node: what differs the goroutine cannot tell. So do edges that lead to the same
// state.
func (k *knowledge) addEdge(x edge, state sched.Local) int32 {
	id := int32(len(k.edges))
	from := &k.nodes[x.from]
	x.to, x.version = -1, -1
	if x.key.kind == event.AtomicRMW || x.key.kind == event.MapRead && from.op.Key != 0 {
		for _, o := range from.edges {
			if y := &k.edges[o]; y.reply == x.reply && y.flag == x.flag && y.key.now == x.key.now {
				x.to = y.to
			}
		}
	}
	if x.to < 0 {
		r := x.reply
		h := mix(from.hist, mix(b2w(r.Wrong)<<32|uint64(r.Kind)<<16|uint64(uint16(r.Case)), r.Value))
		x.to = k.nodeAfter(&x, h, state, node{thread: from.thread, depth: from.depth + 1, parent: x.from, via: id, hist: h, past: from.past})
		if r.Kind.EndsThread() {
			k.complete[doneKey{k.nodes[x.from].thread, h}] = x.to
		}
	}
	y := &k.nodes[x.to]
	if y.via != id {
		y.others = append(y.others, id)
	}
	if x.back = !k.deepen(x.from, x.to); x.back {
		if k.grown = true; !k.loops[y.thread] {
			k.loops[y.thread] = true
			k.looped = append(k.looped, y.thread)
		}
	}
	es := append(k.nodes[x.from].edges, id)
	k.nodes[x.from].edges = es
	k.edges = append(k.edges, x)
	switch {
	case len(es) == manyEdges+1:
		for _, e := range es {
			k.index[edgeKey{x.from, k.edges[e].key}] = e
		}
	case len(es) > manyEdges:
		k.index[edgeKey{x.from, x.key}] = id
	}
	k.arrivals = append(k.arrivals, edgeKey{x.from, x.key}, edgeKey{x.from, unknownKey(x.key.kind)})
	return id
}

// locksAfter returns what the goroutine holds after an edge.
func (k *knowledge) locksAfter(n int32, x *edge) []held {
	before := k.nodes[n].locks
	add := func(mode uint8) []held {
		out := make([]held, 0, len(before)+1)
		h := held{k.object(spaceLock, k.nodes[n].op.Loc.Addr), mode}
		i := 0
		for ; i < len(before) && before[i].obj <= h.obj; i++ {
			out = append(out, before[i])
		}
		return append(append(out, h), before[i:]...)
	}
	remove := func(modes ...uint8) []held {
		obj := k.object(spaceLock, k.nodes[n].op.Loc.Addr)
		for _, mode := range modes {
			for i, h := range before {
				if h.obj == obj && h.mode == mode {
					return append(append([]held(nil), before[:i]...), before[i+1:]...)
				}
			}
		}
		if o := &k.objects[obj]; !o.foreign {
			o.foreign, k.grown = true, true
		}
		return before
	}
	switch x.kind {
	case event.Lock:
		for _, h := range before {
			if h.mode == heldAnnounced && h.obj == k.object(spaceLock, k.nodes[n].op.Loc.Addr) {
				before = remove(heldAnnounced)
				break
			}
		}
		return add(heldWrite)
	case event.LockAnnounce:
		return add(heldAnnounced)
	case event.RLock:
		return add(heldRead)
	case event.TryLock:
		if x.reply.Value == 1 {
			return add(heldWrite)
		}
	case event.TryRLock:
		if x.reply.Value == 1 {
			return add(heldRead)
		}
	case event.OnceBegin:
		if x.reply.Value == 1 {
			obj := k.object(spaceOnce, k.nodes[n].op.Loc.Addr)
			return append(append([]held(nil), before...), held{obj, heldWrite})
		}
	case event.OnceEnd:
		obj := k.object(spaceOnce, k.nodes[n].op.Loc.Addr)
		for i, h := range before {
			if h.obj == obj {
				return append(append([]held(nil), before[:i]...), before[i+1:]...)
			}
		}
	case event.Unlock:
		if !x.key.flag {
			return remove(heldWrite)
		}
	case event.RUnlock:
		if !x.key.flag {
			return remove(heldRead)
		}
	}
	return before
}

// holds returns the mode in which a goroutine at node n holds an object, 0 if it does not.
func (n *node) holds(obj int32) (mode uint8) {
	for _, h := range n.locks {
		if h.obj == obj {
			mode = max(mode, h.mode)
		}
	}
	return mode
}

// Histories calls f for each complete history of a goroutine: what its operations returned, in order. Nodes must be histories (histories).
func (k *knowledge) Histories(f func(id event.ThreadID, replies []trace.Reply)) {
	for d, n := range k.complete {
		var rs []trace.Reply
		for ; k.nodes[n].parent > 0; n = k.nodes[n].parent {
			rs = append(rs, k.edges[k.nodes[n].via].reply)
		}
		slices.Reverse(rs)
		f(k.ids[d.thread], rs)
	}
}

// reads reports whether a goroutine at node n has a read lock of an object.
func (n *node) reads(obj int32) bool { return slices.Contains(n.locks, held{obj, heldRead}) }

// mayRace reports whether an operation can race.
func mayRace(op *event.Op) bool {
	return op.Kind.CanRace() || op.Kind == event.WaitGroupAdd && int64(op.Key) > 0 || op.Kind == event.WaitGroupWait
}
