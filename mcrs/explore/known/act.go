package known

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// An Act is an operation of a node, in terms of the slots of a state.
type Act struct {
	Object int32   // of an operation on an object
	Chan   int32   // of an operation on a timer: its channel, 0 if it has none
	Cells  []int32 // of an access; nil if it is local
	Comms  []Comm  // of a communication
}

// A Comm is a communication that a goroutine stands at.
type Comm struct {
	Case   int16 // -1 of a plain operation
	Send   bool
	Object int32 // 0 for a nil channel
}

// spaces has the space of each sort of object. Memory is cut into cells, and goroutines are counted.
var spaces = func() (s [event.NumObjects]Space) {
	for o := range s {
		s[o] = spaceOther
	}
	s[event.NoObject], s[event.Memory], s[event.Threads] = SpaceEnd, SpaceEnd, SpaceEnd
	s[event.Whole], s[event.Map], s[event.Inode], s[event.Mutex], s[event.WaitGroup] = SpaceObject, SpaceMap, SpaceMap, spaceLock, SpaceGroup
	s[event.Once], s[event.Cond], s[event.Channel], s[event.Timer] = SpaceOnce, spaceCond, SpaceChan, SpaceTimer
	return s
}()

// SpaceOf returns the space of the object of an operation, SpaceEnd if it has none.
func SpaceOf(kind event.Kind) Space { return spaces[kind.Object()] }

// ActOf returns the act of a node whose operation is known.
func (k *Knowledge) ActOf(n int32) *Act {
	x := &k.Nodes[n]
	if x.version == k.Layout.Version {
		return &x.Act
	}
	k.Values.MustAdd()
	x.version = k.Layout.Version
	x.Act = Act{}
	op := &x.Op
	switch {
	case !x.Known:
	case op.IsSelect():
		x.Act.Comms = make([]Comm, len(op.Cases))
		for i, c := range op.Cases {
			x.Act.Comms[i] = Comm{Case: int16(i), Send: c.Kind == event.ChanSend}
			if c.Chan != 0 {
				x.Act.Comms[i].Object = k.Object(SpaceChan, c.Chan)
			}
		}
	case op.Kind.IsComm():
		x.Act.Comms = []Comm{{Case: -1, Send: op.Kind == event.ChanSend}}
		if op.Loc.Addr != 0 {
			x.Act.Comms[0].Object = k.Object(SpaceChan, op.Loc.Addr)
		}
	case op.Kind.Object() == event.Threads:
		x.Act.Object = k.CountSlot
	case op.Kind.IsAccess():
		if op.Loc.Size == 0 {
			break
		}
		for _, i := range k.cellsIn(op.Loc.Addr, op.Loc.Addr+uint64(op.Loc.Size)) {
			if c := &k.Layout.cells[i]; c.obj != 0 {
				x.Act.Cells = append(x.Act.Cells, c.obj)
			}
		}
	default:
		if s := SpaceOf(op.Kind); s != SpaceEnd {
			x.Act.Object = k.Object(s, op.Loc.Addr)
			if ch, ok := k.ObjectAt[ObjectKey{SpaceChan, op.Loc.Addr}]; ok && s == SpaceTimer && k.Objects[ch].Timer {
				x.Act.Chan = ch
			}
		}
	}
	return &k.Nodes[n].Act
}

// EffectsOf returns what an edge does to memory.
func (k *Knowledge) EffectsOf(id int32) []effect {
	x := &k.Edges[id]
	if x.version == k.Layout.Version {
		return x.effects
	}
	k.Values.MustAdd()
	x.version = k.Layout.Version
	x.effects = nil
	if len(x.Raw) > 0 {
		k.put(x, k.Nodes[x.From].Op.Loc.Addr, x.Raw)
	}
	for _, p := range x.pubs() {
		k.put(x, p.Addr, p.Data)
		for _, i := range k.holdersIn(p.Addr, p.Addr+uint64(len(p.Data))) { // they were filled before they were published
			name := Mix(k.Nodes[x.From].Hist, 5)
			v := k.Values.OfWords('o', name)
			if k.Objects[i].Space == SpaceMap {
				v = k.Values.OfWords('m', name, Mix(name, 6))
			}
			x.effects = append(x.effects, effect{i, v})
		}
	}
	return x.effects
}

// put adds the effects of writing bytes to the cells that lie within them.
func (k *Knowledge) put(x *Edge, addr uint64, b []byte) {
	hi := addr + uint64(len(b))
	for i := k.Layout.find(addr); i < len(k.Layout.cells) && k.Layout.cells[i].lo < hi; i++ {
		if c := &k.Layout.cells[i]; c.obj != 0 && c.lo >= addr && c.hi <= hi {
			x.effects = append(x.effects, effect{c.obj, k.Values.Of(b[c.lo-addr : c.hi-addr])})
		}
	}
}
