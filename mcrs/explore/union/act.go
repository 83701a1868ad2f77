package union

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// An act is an operation of a node, in terms of the slots of a state.
type act struct {
	obj   int32   // of an operation on an object
	ch    int32   // of an operation on a timer: its channel, 0 if it has none
	cells []int32 // of an access; nil if it is local
	comms []comm  // of a communication
}

// spaces has the space of each sort of object that the specification knows. Memory is cut into cells, and goroutines are counted.
var spaces = [event.NumObjects]space{
	event.Whole: spaceObject, event.Map: spaceMap, event.Mutex: spaceLock, event.WaitGroup: spaceGroup, event.Once: spaceOnce, event.Cond: spaceCond,
	event.Channel: spaceChan, event.Timer: spaceTimer,
}

// spaceOf returns the space of the object of an operation, spaceEnd if it has none.
// A comm is a communication that a goroutine stands at.
type comm struct {
	kase int16 // -1 of a plain operation
	send bool
	obj  int32 // 0 for a nil channel
}

func spaceOf(kind event.Kind) space { return spaces[kind.Object()] }

// supported reports whether the specification has rules for a kind of event.
func supported(kind event.Kind) bool {
	switch o := kind.Object(); o {
	case event.NoObject, event.Memory, event.Threads:
		return true
	default:
		return spaces[o] != spaceEnd
	}
}

// actOf returns the act of a node whose operation is known.
func (k *knowledge) actOf(n int32) *act {
	x := &k.nodes[n]
	if x.version == k.lay.version {
		return &x.act
	}
	k.values.mustAdd()
	x.version = k.lay.version
	x.act = act{}
	op := &x.op
	switch {
	case !x.known:
	case op.IsSelect():
		x.act.comms = make([]comm, len(op.Cases))
		for i, c := range op.Cases {
			x.act.comms[i] = comm{kase: int16(i), send: c.Kind == event.ChanSend}
			if c.Chan != 0 {
				x.act.comms[i].obj = k.object(spaceChan, c.Chan)
			}
		}
	case op.Kind.IsComm():
		x.act.comms = []comm{{kase: -1, send: op.Kind == event.ChanSend}}
		if op.Loc.Addr != 0 {
			x.act.comms[0].obj = k.object(spaceChan, op.Loc.Addr)
		}
	case op.Kind.Object() == event.Threads:
		x.act.obj = k.countSlot
	case op.Kind.IsAccess():
		if op.Loc.Size == 0 {
			break
		}
		for _, i := range k.cellsIn(op.Loc.Addr, op.Loc.Addr+uint64(op.Loc.Size)) {
			if c := &k.lay.cells[i]; c.obj != 0 {
				x.act.cells = append(x.act.cells, c.obj)
			}
		}
	default:
		if s := spaceOf(op.Kind); s != spaceEnd {
			x.act.obj = k.object(s, op.Loc.Addr)
			if ch, ok := k.objectAt[objectKey{spaceChan, op.Loc.Addr}]; ok && s == spaceTimer && k.objects[ch].timer {
				x.act.ch = ch
			}
		}
	}
	return &k.nodes[n].act
}

// effectsOf returns what an edge does to memory.
func (k *knowledge) effectsOf(id int32) []effect {
	x := &k.edges[id]
	if x.version == k.lay.version {
		return x.effects
	}
	k.values.mustAdd()
	x.version = k.lay.version
	x.effects = nil
	if len(x.raw) > 0 {
		k.put(x, k.nodes[x.from].op.Loc.Addr, x.raw)
	}
	for _, p := range x.pubs() {
		k.put(x, p.addr, p.data)
		for i := range k.objects { // maps and other objects that were filled before they were published
			o := &k.objects[i]
			if (o.space == spaceMap || o.space == spaceObject) && p.addr <= o.addr && o.addr < p.addr+uint64(len(p.data)) {
				name := mix(k.nodes[x.from].hist, 5)
				v := k.values.ofWords('o', name)
				if o.space == spaceMap {
					v = k.values.ofWords('m', name, mix(name, 6))
				}
				x.effects = append(x.effects, effect{int32(i), v})
			}
		}
	}
	return x.effects
}

// put adds the effects of writing bytes to the cells that lie within them.
func (k *knowledge) put(x *edge, addr uint64, b []byte) {
	hi := addr + uint64(len(b))
	for i := k.lay.find(addr); i < len(k.lay.cells) && k.lay.cells[i].lo < hi; i++ {
		if c := &k.lay.cells[i]; c.obj != 0 && c.lo >= addr && c.hi <= hi {
			x.effects = append(x.effects, effect{c.obj, k.values.of(b[c.lo-addr : c.hi-addr])})
		}
	}
}
