package known

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the knowledge base: for each goroutine name a graph of what it was seen to do.

// UnknownKey stands for what an operation meets where that is not known.
func UnknownKey(kind event.Kind) Key { return Key{Kind: kind, Case: -2} }

// A Node is a goroutine before an operation: its state, or its history so far where the state has no name.
type Node struct {
	Thread int32
	depth  int32   // edges that do not lead back lead deeper
	Parent int32   // node, -1 of a root
	Via    int32   // the first edge that led here
	Others []int32 // the other edges that do
	Known  bool    // the operation was seen
	*Operation
	Edges []int32
	Hist  uint64 // hash that names it: of the replies that led here, or of its state
	past  uint64 // names what the goroutine has done in silence (sched.Local)
	Locks []Held // what it holds, sorted by object
	// Spawners are, of a root, the edges at which a goroutine starts it.
	Spawners []int32

	Prospect
}

// milestone is how many operations lie between two of a goroutine's milestones.
const milestone = 256

// IsMilestone reports whether a sweep gives a state its name where the goroutine goes on from this node, though it does
// so alone. Else thousands of operations behind the last choice would be gone through again from each state before it.
func (n *Node) IsMilestone() bool { return n.depth > 0 && n.depth%milestone == 0 }

// A Prospect is what may come from a node on, as far as it is known (rules RED1 and RED10 of package reduce).
type Prospect struct {
	Future Bits
	// Drops holds for a wait group the most that this goroutine and those it starts may yet take from its counter, and
	// for a channel how often they may yet receive and send (RED17).
	Drops []Drop
	// Relied is the number of the last sweep that left out something because this future lacks something.
	Relied int32
	Class  uint64 // what is known of this future, as a hash
	Alone  bool   // its class is its own: see Reducer.Raise
	Round  bool   // and until the next sweep begins: see Reducer.classOf
	Head   uint64 // what of that is the node's own
	Sum    uint64 // and the sum of what its edges say
	Named  int32  // number of the last sweep that has the node in the name of a state
}

// An Operation is what nodes stand at: many histories lead to one.
type Operation struct {
	Op   event.Op
	Site int32 // number of its site
	Race int32 // number among those that may race, 0 if it cannot

	version int32 // of the layout for which act holds
	Act     Act
}

// An operationKey tells operations apart.
type operationKey struct {
	kind       event.Kind
	hasDefault bool
	adds       bool
	site       event.Site
	loc        event.Location
	key        uint64
	after      int64
	deadline   int64
}

// OperationOf returns the operation of an Op. A select has its own for each node. So has what is done to a timer:
// whether that has a channel is not in the Op.
func (k *Knowledge) OperationOf(op event.Op) *Operation {
	own := op.IsSelect() || SpaceOf(op.Kind) == SpaceTimer
	ok := operationKey{op.Kind, op.HasDefault, op.Adds, op.Site, op.Loc, op.Key, op.After, op.Deadline}
	if !own {
		if known := k.operations[ok]; known != nil {
			return known
		}
	}
	x := &Operation{Op: op, Site: k.numberOf(op.Site), version: -1}
	if own {
		return x
	}
	k.operations[ok] = x
	if mayRace(&op) {
		x.Race = int32(len(k.Settled))
		k.Settled = append(k.Settled, nil)
	}
	return x
}

// A Held is a lock in the hands of a goroutine.
type Held struct {
	Object int32
	Mode   uint8
}

// Modes of a held lock.
const (
	heldRead      = 1 + iota // once for each RLock
	HeldWrite                // exclusive; also a Once whose function runs
	HeldAnnounced            // RWMutex: new readers are shut out
)

// A Drop is the most that may be taken from a counter.
type Drop struct {
	Object int32
	Max    int64
}

// DropOf is the most that may yet be taken from a counter.
func (x *Node) DropOf(obj int32) int64 {
	for i := range x.Drops {
		if x.Drops[i].Object == obj {
			return x.Drops[i].Max
		}
	}
	return 0
}

// A Key is what an operation met: with the node it determines what the goroutine does next and what it does to others.
type Key struct {
	Kind  event.Kind // of the event; of a read-modify-write AtomicRMW, also if it wrote nothing
	Case  int16
	Now   int32 // number of the time (rule UTIME4)
	Flag  bool  // the operation failed: closed channel, negative counter, lock not held
	Value uint64
}

// An Edge is an operation that was performed.
type Edge struct {
	From, To int32
	Key      Key
	Kind     event.Kind // of the event
	Order    event.Order
	Reply    trace.Reply
	Told     uint64 // names the reply and contents that it leads to (UMEM2), 0 where the reply alone says it
	Flag     bool   // of the reply, as key.flag; a map's key that is absent
	Raw      []byte // the bytes in memory after a write
	Delta    int64  // WaitGroupAdd
	Send     uint64 // ChanSend: digest of the element; of a sync.Map or Pool: Other, without MapUsed; MapWrite: what it did, 0 if that is not known
	Child    int32  // Spawn, TimerFire: root of the goroutine, else -1
	Rest     *Rest  // nil if there is none

	Weight uint64 // in the sum of its node
	Back   bool   // it closed a cycle when it was added: each cycle of a graph has such an edge

	version int32
	effects []effect
}

// A Rest is what few edges have.
type Rest struct {
	Starts []Starting    // timers
	Pubs   []Publication // memory
	Stores []int32       // of a Store: the nodes of a buffer that holds one of its stores alone
	Oldest int32         // of the write of a buffer's thread: the node of a buffer that holds that store alone
	Fails  int32         // how the goroutine fails its test: spec.Failed, spec.SaysWhy
}

// Starts returns the timers that an operation starts.
func (x *Edge) Starts() []Starting {
	if x.Rest == nil {
		return nil
	}
	return x.Rest.Starts
}

// Fails says whether the goroutine fails its test, and how.
func (x *Edge) Fails() int32 {
	if x.Rest == nil {
		return 0
	}
	return x.Rest.Fails
}

func (x *Edge) pubs() []Publication {
	if x.Rest == nil {
		return nil
	}
	return x.Rest.Pubs
}

// A Starting is the start of a timer by an edge.
type Starting struct {
	Timer, By     int32 // in Rules.timers, and who starts it
	Kids          int32 // goroutines that By has started before
	After, Period int64
	Sent          uint64 // digest of the time that its channel receives, if it fires at once
	Rests         bool   // trace.TimerStart.Rests
}

// A Publication is memory that became shared by an operation.
type Publication struct {
	Addr uint64
	Data []byte
}

// An effect sets a slot of the state to a value.
type effect struct {
	Object int32
	Value  int32
}

// Knowledge is the union of all executions absorbed.
type Knowledge struct {
	Graphs
	Memory
	Racing
	Counting
	Buffers
	Bubbling

	Changed Changes // nodes that have changed
	Epoch   int32   // numbers what is known
	// Grown says that what a reduction relies on has changed since the sweep began: it must begin again to be exact.
	Grown bool
	// Stale says that states have another shape now: the sweep must begin again at once.
	Stale bool
}

// Graphs are what goroutines were seen to do.
type Graphs struct {
	Threads    map[event.ThreadID]int32
	IDs        []event.ThreadID
	roots      map[rootKey]int32
	Nodes      []Node
	Edges      []Edge
	index      map[EdgeKey]int32 // edges of nodes that have many
	unknown    *Operation        // of nodes whose operation was not seen
	operations map[operationKey]*Operation
	Complete   map[DoneKey]int32 // node

	// ByHistory says that nodes are histories: states of a goroutine that are equal are told apart.
	ByHistory bool
	states    map[stateKey]int32 // nodes by state
	Joined    map[int32]bool     // goroutines of which several histories have led to one node
	joins     []int32            // those of them whose memory has no slots yet
	Loops     map[int32]bool     // goroutines whose graphs have cycles
	Looped    []int32            // those of them that are new
	Arrivals  []EdgeKey          // new edges since a sweep last looked
}

// Memory is what they touch, and what that holds.
type Memory struct {
	Layout   Layout
	Objects  []Object
	ObjectAt map[ObjectKey]int32
	holders  []int32 // maps and other objects that are no memory, by address
	Values   Values
	counted  int // channels

	Ranges    Addresses           // accessed as memory
	accessed  map[Interval]bool   // likewise, of operations not yet performed as well
	order     []Interval          // the same, in order
	Words     Addresses           // of locks and their like
	Unsized   map[uint64]bool     // channels whose elements have no bytes, by address
	Renews    map[int32][]int32   // nodes that write to all of a Once → these Onces (RENEW1 of package learn)
	Unused    map[uint64]bool     // sync.Maps that nobody had used when others could reach them, by address
	Unordered map[uint64]bool     // objects whose operations order nothing, by address
	Channels  map[uint64][]int32  // address of channels → their sorts, numbered from 0 on (UCHAN2)
	Contents  map[uint64][]uint64 // address of what is read without events → hashes of what was met there, numbered from 0 on
}

// Racing is which pairs of operations race.
type Racing struct {
	Raced   map[[2]event.Site]bool // pairs of sites that race
	Races   []Bits                 // the same, by the numbers of the first and of the second
	Settled []Bits                 // by numbers of operations: pairs that race, or never do
	sites   map[event.Site]int32   // numbers, from 1
}

// Counting is how many goroutines there are (UGO2).
type Counting struct {
	CountSlot int32  // the object that stands for their number, 0 if nobody asks for it
	CountBase uint64 // how many more there are than those of a state, once an answer has shown it
	CountSeen bool
	// Looked says that somebody asks for the stacks of all goroutines.
	Looked bool
	// Stacks says that somebody was seen to ask for the stacks of all goroutines while there were others (UGO4).
	Stacks bool
}

type rootKey struct {
	thread int32
	start  uint64
}

// An EdgeKey names an edge.
type EdgeKey struct {
	Node int32
	Key  Key
}

// A DoneKey names a complete history.
type DoneKey struct {
	Thread int32
	Hist   uint64
}

// NewKnowledge returns the knowledge of no execution.
func NewKnowledge() Knowledge {
	k := Knowledge{
		Graphs: Graphs{
			Threads: make(map[event.ThreadID]int32), roots: make(map[rootKey]int32), index: make(map[EdgeKey]int32),
			unknown: &Operation{version: -1}, operations: make(map[operationKey]*Operation), Complete: make(map[DoneKey]int32),
			states: make(map[stateKey]int32), Joined: make(map[int32]bool), Loops: make(map[int32]bool),
		},
		Memory: Memory{
			ObjectAt: make(map[ObjectKey]int32), Contents: make(map[uint64][]uint64), Channels: make(map[uint64][]int32), Unsized: make(map[uint64]bool), Unused: make(map[uint64]bool),
			Ranges: make(Addresses), accessed: make(map[Interval]bool), Words: make(Addresses),
		},
		Bubbling: Bubbling{Border: make(map[uint64]int32), Users: make(map[int32]int32)},
		Racing:   Racing{Raced: make(map[[2]event.Site]bool), Races: make([]Bits, 1), Settled: make([]Bits, 1), sites: make(map[event.Site]int32)},
	}
	k.Values.init()
	k.Layout.Initial = make(map[uint64]byte)
	k.Nodes = append(k.Nodes, Node{Operation: k.unknown})                                                         // 0 is no node
	k.Objects = append(k.Objects, Object{Space: SpaceEnd}, Object{Space: SpaceClock}, Object{Space: SpaceFailed}) // the program's end, the clock, whether the test has failed
	return k
}

// Thread numbers a goroutine.
func (k *Knowledge) Thread(id event.ThreadID) int32 {
	t, ok := k.Threads[id]
	if !ok {
		t = int32(len(k.IDs))
		k.Threads[id] = t
		k.IDs = append(k.IDs, id)
	}
	return t
}

// Root returns the root of a goroutine that was started in a certain way.
func (k *Knowledge) Root(thread int32, start uint64) int32 {
	rk := rootKey{thread, start}
	n, ok := k.roots[rk]
	if !ok {
		n = k.newNode(Node{Thread: thread, Parent: -1, Hist: Mix(HashBytes([]byte(k.IDs[thread])), 1)})
		k.roots[rk] = n
	}
	return n
}

// numberOf numbers a site.
func (k *Knowledge) numberOf(site event.Site) int32 {
	n, ok := k.sites[site]
	if !ok {
		n = int32(len(k.Races))
		k.sites[site] = n
		k.Races = append(k.Races, nil)
		for p := range k.Raced {
			if p[0] == site || p[1] == site {
				k.NoteRace(p)
			}
		}
	}
	return n
}

// NoteRace notes that a pair of sites races.
func (k *Knowledge) NoteRace(p [2]event.Site) {
	k.Raced[p] = true
	k.Epoch++
	a, b := k.sites[p[0]], k.sites[p[1]]
	if a > 0 && b > 0 {
		k.Races[a].Set(b)
		k.Races[b].Set(a)
	}
}

func (k *Knowledge) newNode(n Node) int32 {
	n.Operation = k.unknown
	k.Nodes = append(k.Nodes, n)
	return int32(len(k.Nodes) - 1)
}

// manyEdges is the number of edges of a node above which they are looked up in an index.
const manyEdges = 8

// EdgeOf returns the edge of node n for what its operation met, -1 if no execution has shown it.
func (k *Knowledge) EdgeOf(n int32, x Key) int32 {
	es := k.Nodes[n].Edges
	if len(es) > manyEdges {
		if e, ok := k.index[EdgeKey{n, x}]; ok {
			return e
		}
		return -1
	}
	for _, e := range es {
		if k.Edges[e].Key == x {
			return e
		}
	}
	return -1
}

// AddEdge adds an edge. Edges with the same reply lead to the same node: the goroutine cannot tell in what they differ.
// So do edges that lead to the same state.
func (k *Knowledge) AddEdge(x Edge, state sched.Local) int32 {
	id := int32(len(k.Edges))
	from := &k.Nodes[x.From]
	x.To, x.version = -1, -1
	if x.Key.Kind == event.AtomicRMW || x.Key.Kind == event.MapRead && from.Op.Key != 0 {
		for _, o := range from.Edges {
			if y := &k.Edges[o]; y.Reply == x.Reply && y.Told == x.Told && y.Flag == x.Flag && y.Key.Now == x.Key.Now {
				x.To = y.To
			}
		}
	}
	if x.To < 0 {
		r := x.Reply
		h := Mix(from.Hist, Mix(OneIf(r.Wrong)<<32|uint64(r.Kind)<<16|uint64(uint16(r.Case)), r.Value))
		if x.Told != 0 {
			h = Mix(h, x.Told)
		}
		x.To = k.nodeAfter(&x, h, state, Node{Thread: from.Thread, depth: from.depth + 1, Parent: x.From, Via: id, Hist: h, past: from.past})
		if r.Kind.EndsThread() {
			k.Complete[DoneKey{k.Nodes[x.From].Thread, h}] = x.To
		}
	}
	y := &k.Nodes[x.To]
	if y.Via != id {
		y.Others = append(y.Others, id)
	}
	if x.Back = !k.deepen(x.From, x.To); x.Back {
		if k.Grown = true; !k.Loops[y.Thread] {
			k.Loops[y.Thread] = true
			k.Looped = append(k.Looped, y.Thread)
		}
	}
	es := append(k.Nodes[x.From].Edges, id)
	k.Nodes[x.From].Edges = es
	k.Edges = append(k.Edges, x)
	switch {
	case len(es) == manyEdges+1:
		for _, e := range es {
			k.index[EdgeKey{x.From, k.Edges[e].Key}] = e
		}
	case len(es) > manyEdges:
		k.index[EdgeKey{x.From, x.Key}] = id
	}
	k.Arrivals = append(k.Arrivals, EdgeKey{x.From, x.Key}, EdgeKey{x.From, UnknownKey(x.Key.Kind)})
	if now := x.Key.Now; now != 0 { // who waits may not have known that the time matters
		x.Key.Now = 0
		k.Arrivals = append(k.Arrivals, EdgeKey{x.From, x.Key})
	}
	return id
}

// locksAfter returns what the goroutine holds after an edge.
func (k *Knowledge) locksAfter(n int32, x *Edge) []Held {
	before := k.Nodes[n].Locks
	add := func(mode uint8) []Held {
		out := make([]Held, 0, len(before)+1)
		h := Held{k.Object(spaceLock, k.Nodes[n].Op.Loc.Addr), mode}
		i := 0
		for ; i < len(before) && before[i].Object <= h.Object; i++ {
			out = append(out, before[i])
		}
		return append(append(out, h), before[i:]...)
	}
	remove := func(modes ...uint8) []Held {
		obj := k.Object(spaceLock, k.Nodes[n].Op.Loc.Addr)
		for _, mode := range modes {
			for i, h := range before {
				if h.Object == obj && h.Mode == mode {
					return append(append([]Held(nil), before[:i]...), before[i+1:]...)
				}
			}
		}
		if o := &k.Objects[obj]; !o.Foreign {
			o.Foreign, k.Grown = true, true
		}
		return before
	}
	switch x.Kind {
	case event.Lock:
		for _, h := range before {
			if h.Mode == HeldAnnounced && h.Object == k.Object(spaceLock, k.Nodes[n].Op.Loc.Addr) {
				before = remove(HeldAnnounced)
				break
			}
		}
		return add(HeldWrite)
	case event.LockAnnounce:
		return add(HeldAnnounced)
	case event.RLock:
		return add(heldRead)
	case event.TryLock:
		if x.Reply.Value == 1 {
			return add(HeldWrite)
		}
	case event.TryRLock:
		if x.Reply.Value == 1 {
			return add(heldRead)
		}
	case event.OnceBegin:
		if x.Reply.Value == 1 {
			obj := k.Object(SpaceOnce, k.Nodes[n].Op.Loc.Addr)
			return append(append([]Held(nil), before...), Held{obj, HeldWrite})
		}
	case event.OnceEnd:
		obj := k.Object(SpaceOnce, k.Nodes[n].Op.Loc.Addr)
		for i, h := range before {
			if h.Object == obj {
				return append(append([]Held(nil), before[:i]...), before[i+1:]...)
			}
		}
	case event.Unlock:
		if !x.Key.Flag {
			return remove(HeldWrite)
		}
	case event.RUnlock:
		if !x.Key.Flag {
			return remove(heldRead)
		}
	}
	return before
}

// Holds returns the mode in which a goroutine at node n holds an object, 0 if it does not.
func (n *Node) Holds(obj int32) (mode uint8) {
	for _, h := range n.Locks {
		if h.Object == obj {
			mode = max(mode, h.Mode)
		}
	}
	return mode
}

// Histories calls f for each complete history of a goroutine: what its operations returned, in order. Nodes must be
// histories (ByHistory).
func (k *Knowledge) Histories(f func(id event.ThreadID, replies []trace.Reply)) {
	for d, n := range k.Complete {
		var rs []trace.Reply
		for ; k.Nodes[n].Parent > 0; n = k.Nodes[n].Parent {
			rs = append(rs, k.Edges[k.Nodes[n].Via].Reply)
		}
		slices.Reverse(rs)
		f(k.IDs[d.Thread], rs)
	}
}

// reads reports whether a goroutine at node n has a read lock of an object.
func (n *Node) reads(obj int32) bool { return slices.Contains(n.Locks, Held{obj, heldRead}) }

// mayRace reports whether an operation can race.
func mayRace(op *event.Op) bool {
	return op.Order.Races() && op.Kind.CanRace() || op.Kind == event.WaitGroupAdd && int64(op.Key) > 0 || op.Kind == event.WaitGroupWait
}
