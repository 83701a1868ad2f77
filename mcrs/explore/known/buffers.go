package known

import (
	"encoding/binary"
	"iter"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file keeps what store buffers can hold (rules UBUF of package spec). The thread of a buffer has nodes like a
// goroutine: each is what is on its way to memory, oldest store first. From each leads one edge, the write of the
// oldest, to the node of the rest, or to 0 where that is nothing.

// Buffers are the store buffers of goroutines.
type Buffers struct {
	Model event.MemoryModel // of the executions
	// MayBuffer says that there may be a model with store buffers.
	MayBuffer bool
	owners    []int32          // by thread: 1 + whose buffer it is, 0 if it is none
	own       [][]int32        // by goroutine: the threads of its buffer
	ones      map[string]int32 // nodes of one store, by what it is
	queues    map[queueKey]int32
	later     map[laterKey]int32
	// Queued is called for each new node of a buffer.
	Queued func(n int32)
}

// Relaxed reports whether there are store buffers.
func (k *Buffers) Relaxed() bool { return k.Model != event.SC }

// A queueKey names what a buffer holds: the node of its oldest store alone, and that of the others.
type queueKey struct{ oldest, rest int32 }

// A laterKey names a store that is behind others that it overlaps: the node of a buffer that holds it alone, and how
// far behind it is.
type laterKey struct{ one, place int32 }

// NoteBuffer notes that a thread empties a goroutine's buffer.
func (k *Knowledge) NoteBuffer(buffer, owner int32) {
	for int(max(buffer, owner)) >= len(k.owners) {
		k.owners, k.own = append(k.owners, 0), append(k.own, nil)
	}
	if k.owners[buffer] == 0 {
		k.owners[buffer] = owner + 1
		k.own[owner] = append(k.own[owner], buffer)
	}
}

// Owner returns whose buffer a thread is, or the thread itself.
func (k *Buffers) Owner(t int32) int32 {
	if k.IsBuffer(t) {
		return k.owners[t] - 1
	}
	return t
}

// IsBuffer reports whether a thread is a store buffer's.
func (k *Buffers) IsBuffer(t int32) bool { return int(t) < len(k.owners) && k.owners[t] != 0 }

// BuffersOf returns the threads of a goroutine's buffer.
func (k *Buffers) BuffersOf(t int32) []int32 {
	if int(t) >= len(k.own) {
		return nil
	}
	return k.own[t]
}

// A Stored is a store, and which buffer's thread brings it to memory.
type Stored struct {
	Buffer int32
	Op     event.Op // the write
	Raw    []byte
	Reply  trace.Reply
	Locks  []Held // what the goroutine holds until then
}

// key names a store.
func (x *Stored) key() string {
	b := binary.LittleEndian.AppendUint64(nil, uint64(x.Buffer))
	b = binary.LittleEndian.AppendUint64(b, x.Op.Loc.Addr)
	b = binary.LittleEndian.AppendUint64(b, uint64(x.Op.Loc.Size)<<32|uint64(x.Op.Site))
	for _, l := range x.Locks {
		b = binary.LittleEndian.AppendUint64(b, uint64(l.Object)<<8|uint64(l.Mode))
	}
	return string(append(append(b, '|'), x.Raw...))
}

// One returns the node of a buffer that holds one store, and whether it is new.
func (k *Knowledge) One(x Stored) (n int32, isNew bool) {
	key := x.key()
	if n, ok := k.ones[key]; ok {
		return n, false
	}
	if k.ones == nil {
		k.ones, k.queues, k.later = make(map[string]int32), make(map[queueKey]int32), make(map[laterKey]int32)
	}
	k.Values.MustAdd()
	n = int32(len(k.Nodes))
	k.ones[key] = n
	k.addQueue(queueKey{n, 0}, Node{Thread: x.Buffer, Locks: x.Locks}, k.OperationOf(x.Op), Edge{Raw: x.Raw, Reply: x.Reply})
	return n, true
}

// Later returns the node of a buffer that holds a store alone, of which one is the node, with a place among the stores
// of its goroutine that overlap it (rule UBUF6). A store in another queue that was made later, and overlaps it, has a
// larger place.
func Later(k *Knowledge, one, place int32) int32 {
	if place == 0 {
		return one
	}
	key := laterKey{one, place}
	if n, ok := k.later[key]; ok {
		return n
	}
	k.Values.MustAdd()
	n := int32(len(k.Nodes))
	k.later[key] = n
	addHead(k, queueKey{n, 0}, one, int64(place))
	return n
}

// PlaceOf returns the place of a store, of which one is the node.
func PlaceOf(k *Knowledge, one int32) int32 { return int32(k.Edges[k.Nodes[one].Edges[0]].Key.Value) }

// StoresIn lists the stores of a buffer at node q, oldest first: of each the node with it alone.
func StoresIn(k *Knowledge, q int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for ; q != 0; q = k.Edges[k.Nodes[q].Edges[0]].To {
			if !yield(k.Edges[k.Nodes[q].Edges[0]].Rest.Oldest) {
				return
			}
		}
	}
}

// After returns the node of a buffer that holds what it holds at node q, 0 for nothing, and then a store, of which
// one is the node.
func (k *Knowledge) After(q, one int32) int32 {
	if q == 0 {
		return one
	}
	head := &k.Edges[k.Nodes[q].Edges[0]]
	key := queueKey{head.Rest.Oldest, k.After(head.To, one)}
	if n, ok := k.queues[key]; ok {
		return n
	}
	k.Values.MustAdd()
	n := int32(len(k.Nodes))
	k.queues[key] = n
	addHead(k, key, key.oldest, int64(PlaceOf(k, key.oldest)))
	return n
}

// addHead adds the node of what a buffer holds, of which the oldest store is that of the node one, at a place.
func addHead(k *Knowledge, key queueKey, one int32, place int64) {
	x := &k.Nodes[one]
	y := &k.Edges[x.Edges[0]]
	k.addQueue(key, Node{Thread: x.Thread, Locks: x.Locks}, x.Operation, Edge{Raw: y.Raw, Reply: y.Reply, Key: Key{Value: uint64(place)}})
}

// addQueue adds the node of what a buffer holds, and its edge.
func (k *Knowledge) addQueue(key queueKey, n Node, op *Operation, x Edge) {
	n.Parent, n.Hist = -1, Mix(Mix(uint64(key.oldest), uint64(key.rest)), 31)
	at, id := k.newNode(n), int32(len(k.Edges))
	k.Nodes[at].Known, k.Nodes[at].Operation, k.Nodes[at].Edges = true, op, []int32{id}
	x.From, x.To, x.Key, x.Kind, x.Child, x.version = at, key.rest, Key{Kind: event.Write, Case: -1, Value: x.Key.Value}, event.Write, -1, -1
	x.Rest = &Rest{Oldest: key.oldest}
	k.Edges = append(k.Edges, x)
	if key.rest > 0 {
		y := &k.Nodes[key.rest]
		y.Others = append(y.Others, id)
	}
	k.Changed.Add(at)
	if k.Queued != nil {
		k.Queued(at)
	}
}

// Newest returns the bytes of a range that the newest store of a buffer at node q has that overlaps it, and the place
// of that, -1 if there is none. If it has not all of them, they are nil.
func (k *Knowledge) Newest(q int32, loc event.Location) (b []byte, place int32) {
	place = -1
	for one := range StoresIn(k, q) {
		at := k.Nodes[one].Op.Loc
		if !at.Overlaps(loc) {
			continue
		}
		b, place = nil, PlaceOf(k, one)
		if from := loc.Addr - at.Addr; loc.Addr >= at.Addr && from+uint64(loc.Size) <= uint64(at.Size) {
			b = k.Edges[k.Nodes[one].Edges[0]].Raw[from:][:loc.Size]
		}
	}
	return b, place
}

// Stores returns the stores that an operation puts into a buffer: of each the node of a buffer with it alone.
func (x *Edge) Stores() []int32 {
	if x.Rest == nil {
		return nil
	}
	return x.Rest.Stores
}

// SameStores reports whether two edges put the same stores into a buffer.
func SameStores(x, y *Edge) bool { return slices.Equal(x.Stores(), y.Stores()) }
