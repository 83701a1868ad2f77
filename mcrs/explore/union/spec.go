package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file is the serial specification of the primitives: what a state of the objects enables, what an operation
// meets in it, and what it changes. The rules carry the numbers of the package doc.

// A state is a node for each goroutine and a value for each object. Slots beyond the end hold what they hold at the start.
type state struct {
	nodes []int32 // by thread, 0 if it was not started
	objs  []int32
}

// size is the memory that a state takes, in units of four bytes.
func (s *state) size() int { return cap(s.nodes) + cap(s.objs) + 16 }

// copyTo makes d equal to s, in the memory of d.
func (s *state) copyTo(d *state) {
	d.nodes = append(d.nodes[:0], s.nodes...)
	d.objs = append(d.objs[:0], s.objs...)
}

func (k *rules) get(s *state, o int32) int32 {
	if int(o) < len(s.objs) {
		return s.objs[o]
	}
	return k.objects[o].start
}

func (k *rules) set(s *state, o, v int32) {
	for len(s.objs) <= int(o) {
		s.objs = append(s.objs, k.objects[len(s.objs)].start)
	}
	s.objs[o] = v
}

func (s *state) node(t int32) int32 {
	if int(t) < len(s.nodes) {
		return s.nodes[t]
	}
	return 0
}

func (s *state) setNode(t, n int32) {
	for len(s.nodes) <= int(t) {
		s.nodes = append(s.nodes, 0)
	}
	s.nodes[t] = n
}

// others counts the goroutines but t that are left.
func (s *state) others(t int32) (n int) {
	for u, x := range s.nodes {
		if x != 0 && int32(u) != t {
			n++
		}
	}
	return n
}

// Rules are the specification: how one state follows another, on what is known.
type rules struct {
	knowledge
	clockwork
	strict   bool    // a select's default needs that no partner stands at the other side
	compared int     // goroutines looked at when executions were compared with the specification
	led      []int32 // memory for leads
}

// newRules returns the specification of a program that is not known yet.
func newRules() rules {
	return rules{knowledge: newKnowledge(), clockwork: clockwork{timerAt: make(map[timerKey]int32), instants: make(map[int64]int32), clocks: make(map[int32]*clock)}}
}

// A move is a transition of a state.
type move struct {
	thread, partner int32 // partner is the receiver of a rendezvous, -1 if there is none
	kase, pcase     int16
}

// A lock's value: bits, and the number of readers above them.
const (
	lockHeld      = 1
	lockAnnounced = 2
	lockReader    = 4
)

// A queue is the decoded value of a channel: what is in it. Its value is 0 while it is open and empty.
type queue struct {
	closed bool
	buf    []uint64
}

func (k *rules) queueAt(s *state, o int32) queue {
	ws := k.values.words(k.get(s, o))
	if ws == nil {
		return queue{}
	}
	return queue{ws[0] == 1, ws[1:]}
}

func (k *rules) setQueue(s *state, o int32, q queue) {
	if !q.closed && len(q.buf) == 0 {
		k.set(s, o, 0)
		return
	}
	ws := []uint64{0}
	if q.closed {
		ws[0] = 1
	}
	k.set(s, o, k.values.ofWords('q', append(ws, q.buf...)...))
}

// comms lists the communications of a node.
func (k *rules) comms(n int32) []comm { return k.actOf(n).comms }

// enabled appends the moves of a goroutine.
func (k *rules) enabled(s *state, t int32, out []move) []move {
	n := s.node(t)
	if n == 0 || k.nodes[n].op.Kind == event.Invalid && !k.nodes[n].known {
		return out
	}
	x := &k.nodes[n]
	one := move{t, -1, -1, -1}
	a := k.actOf(n)
	if a.comms != nil || x.op.IsSelect() {
		return k.enabledComms(s, t, a, out)
	}
	ok := true
	switch x.op.Kind {
	case event.Lock:
		l := k.get(s, a.obj)
		if x.holds(a.obj) == heldAnnounced { // ULOCK3
			ok = l < lockReader
		} else { // ULOCK1
			ok = l&lockHeld == 0 && l < lockReader
		}
	case event.LockAnnounce, event.RLock: // ULOCK2
		ok = k.get(s, a.obj)&(lockHeld|lockAnnounced) == 0
	case event.WaitGroupWait: // UWG2
		ok = k.get(s, a.obj) == 0
	case event.OnceBegin: // UONCE1
		ok = k.get(s, a.obj) != 1
	case event.Sleep, event.TimerFire: // UTIME1, UTIME2
		ok = !k.dormant(s, t)
	case event.CondWait: // UCOND2
		ok = !slices.Contains(k.values.words(k.get(s, a.obj)), uint64(t))
	}
	if ok {
		out = append(out, one)
	}
	return out
}

// elsewhere reports whether a goroutine stands at a select that has something to do without a partner (CHAN7).
func (k *rules) elsewhere(s *state, t int32) bool {
	x := &k.nodes[s.nodes[t]]
	if !x.op.IsSelect() {
		return false
	}
	return x.op.HasDefault || slices.ContainsFunc(k.comms(s.nodes[t]), func(c comm) bool {
		if c.obj == 0 {
			return false
		}
		q := k.queueAt(s, c.obj)
		return q.closed || c.send && len(q.buf) < k.objects[c.obj].cap || !c.send && len(q.buf) > 0
	})
}

// enabledComms appends the moves of a goroutine at a channel operation (CHAN1 to CHAN5, CHAN7).
func (k *rules) enabledComms(s *state, t int32, a *act, out []move) []move {
	ready := false
	for _, c := range a.comms {
		if c.obj == 0 {
			continue
		}
		one := move{t, -1, c.kase, -1}
		q := k.queueAt(s, c.obj)
		size := k.objects[c.obj].cap
		switch {
		case q.closed, c.send && len(q.buf) < size, !c.send && len(q.buf) > 0:
			out, ready = append(out, one), true
		case c.send && size == 0:
			for u := range s.nodes {
				if int32(u) == t || s.nodes[u] == 0 {
					continue
				}
				for _, d := range k.comms(s.nodes[u]) {
					if d.obj == c.obj && !d.send && !(k.elsewhere(s, t) && k.elsewhere(s, int32(u))) {
						out = append(out, move{t, int32(u), c.kase, d.kase})
						if k.strict || k.parked(s, int32(u)) {
							ready = true
						}
					}
				}
			}
		case size == 0:
			for u := range s.nodes {
				if int32(u) != t && s.nodes[u] != 0 && (k.strict || k.parked(s, int32(u))) && slices.ContainsFunc(k.comms(s.nodes[u]), func(d comm) bool { return d.obj == c.obj && d.send }) {
					ready = true
				}
			}
		}
	}
	if k.nodes[s.nodes[t]].op.HasDefault && !ready {
		out = append(out, move{t, -1, int16(len(a.comms)), -1})
	}
	return out
}

// meets returns what the operation of a goroutine meets in a state. ok is false if that is not known: a cell
// whose content at the start no execution has shown.
func (k *rules) meets(s *state, m move) (x key, ok bool) {
	n := s.node(m.thread)
	op := &k.nodes[n].op
	a := k.actOf(n)
	x = key{kind: op.Kind, kase: -1, now: k.clockOf(s).name}
	if a.comms != nil || op.IsSelect() {
		return k.meetsComm(s, m, a), true
	}
	switch op.Kind {
	case event.Read, event.AtomicLoad, event.AtomicRMW: // UMEM1
		if len(a.cells) == 0 { // local: there is one answer
			for _, e := range k.nodes[n].edges {
				if k.edges[e].key.now == x.now {
					return k.edges[e].key, true
				}
			}
			return x, false
		}
		if len(a.cells) == 1 {
			v := k.get(s, a.cells[0])
			x.val = k.values.hash[v]
			return x, v != 0
		}
		var b []byte
		for _, c := range a.cells {
			v := k.get(s, c)
			if v == 0 {
				return x, false
			}
			b = append(b, k.values.raw[v]...)
		}
		x.val = hashBytes(b)
	case event.MapRead, event.MapWrite: // UMAP1
		if op.Kind == event.MapRead {
			x.val = k.mapSees(s, a.obj, op.Key)
		}
	case event.ObjectRead, event.ObjectWrite: // UOBJ1
		x.val = k.values.hash[k.get(s, a.obj)]
	case event.Unlock: // ULOCK4
		x.flag = k.get(s, a.obj)&lockHeld == 0
	case event.RUnlock:
		x.flag = k.get(s, a.obj) < lockReader
	case event.TryLock:
		x.val = b2w(k.get(s, a.obj) == 0)
	case event.TryRLock:
		x.val = b2w(k.get(s, a.obj)&(lockHeld|lockAnnounced) == 0)
	case event.WaitGroupAdd: // UWG1
		x.flag = int64(k.get(s, a.obj))+int64(op.Key) < 0
	case event.OnceBegin:
		x.val = b2w(k.get(s, a.obj) == 0)
	case event.ChanClose: // CHAN6
		x.flag = k.queueAt(s, a.obj).closed
	case event.TimerStop, event.TimerStart: // UTIME5
		x.val = b2w(k.isActive(s, a.obj, a.ch))
	case event.ChanLen:
		x.val = uint64(len(k.queueAt(s, a.obj).buf))
	case event.Goroutines: // UGO2
		if op.Key == 0 {
			x.val = k.countOf(s) + k.countBase
		}
	}
	return x, true
}

// meetsComm is meets for the mover of a communication.
func (k *rules) meetsComm(s *state, m move, a *act) key {
	now := k.clockOf(s).name
	if int(m.kase) == len(a.comms) {
		return key{kind: event.SelectDefault, kase: m.kase, now: now}
	}
	c := a.comms[max(m.kase, 0)]
	q := k.queueAt(s, c.obj)
	if c.send {
		return key{kind: event.ChanSend, kase: m.kase, now: now, flag: q.closed}
	}
	x := key{kind: event.ChanRecv, kase: m.kase, now: now}
	if len(q.buf) > 0 {
		x.val = q.buf[0]
	} else {
		x.flag = true
	}
	return x
}

// apply performs a move whose edges are known: e is the mover's, p that of its partner, -1 if there is none.
func (k *rules) apply(s *state, m move, e, p int32) {
	n := s.node(m.thread)
	a := k.actOf(n)
	x := &k.edges[e]
	if a.comms != nil {
		k.communicate(s, m, a, x)
	} else {
		k.change(s, m.thread, n, a, x)
	}
	for _, f := range k.effectsOf(e) {
		k.set(s, f.obj, f.value)
	}
	if x.kind.EndsThread() {
		s.setNode(m.thread, 0)
	} else {
		s.setNode(m.thread, x.to)
	}
	if x.child > 0 {
		s.setNode(k.nodes[x.child].thread, x.child)
	}
	k.unpark(s, m.thread)
	k.startTimers(s, x.starts())
	if p >= 0 {
		k.unpark(s, m.partner)
		k.startTimers(s, k.edges[p].starts())
		for _, f := range k.effectsOf(p) {
			k.set(s, f.obj, f.value)
		}
		s.setNode(m.partner, k.edges[p].to)
	}
}

func (k *rules) communicate(s *state, m move, a *act, x *edge) {
	if int(m.kase) == len(a.comms) || m.partner >= 0 {
		return
	}
	c := a.comms[max(m.kase, 0)]
	q := k.queueAt(s, c.obj)
	switch {
	case c.send && !q.closed:
		q.buf = append(slices.Clone(q.buf), x.send)
	case !c.send && len(q.buf) > 0:
		q.buf = q.buf[1:]
	default:
		return
	}
	k.setQueue(s, c.obj, q)
}

// change performs an operation that is no communication. What it writes to memory is among the effects of the edge.
func (k *rules) change(s *state, t, n int32, a *act, x *edge) {
	o := a.obj
	switch x.kind {
	case event.MapWrite:
		k.mapWrite(s, o, k.nodes[n].op.Key, k.nodes[n].hist)
	case event.ObjectWrite:
		k.set(s, o, k.values.ofWords('o', k.values.hash[k.get(s, o)], k.nodes[n].hist))
	case event.Lock:
		k.set(s, o, k.get(s, o)|lockHeld)
	case event.LockAnnounce:
		k.set(s, o, k.get(s, o)|lockAnnounced)
	case event.Unlock:
		if !x.key.flag {
			k.set(s, o, k.get(s, o)&^(lockHeld|lockAnnounced))
		}
	case event.RLock:
		k.set(s, o, k.get(s, o)+lockReader)
	case event.RUnlock:
		if !x.key.flag {
			k.set(s, o, k.get(s, o)-lockReader)
		}
	case event.TryLock:
		if x.key.val == 1 {
			k.set(s, o, lockHeld)
		}
	case event.TryRLock:
		if x.key.val == 1 {
			k.set(s, o, k.get(s, o)+lockReader)
		}
	case event.WaitGroupAdd:
		k.set(s, o, k.get(s, o)+int32(x.delta))
	case event.OnceBegin:
		if x.key.val == 1 {
			k.set(s, o, 1)
		}
	case event.OnceEnd:
		k.set(s, o, 2)
	case event.CondAdd: // UCOND1
		k.set(s, o, k.values.ofWords('c', append(k.values.words(k.get(s, o)), uint64(t))...))
	case event.CondSignal:
		if ws := k.values.words(k.get(s, o)); len(ws) > 1 {
			k.set(s, o, k.values.ofWords('c', ws[1:]...))
		} else {
			k.set(s, o, 0)
		}
	case event.CondBroadcast:
		k.set(s, o, 0)
	case event.TimerStop, event.TimerStart: // what starts is among starts
		k.stopTimer(s, o, a.ch)
	case event.TimerFire:
		k.fire(s, t, x.send)
	case event.ChanClose:
		q := k.queueAt(s, o)
		q.closed = true
		k.setQueue(s, o, q)
	case event.Panic, event.Exit:
		k.set(s, 0, 1)
	}
}

// A map's value is a list: what it was when it was published, or at the start (where the whole map is read: all
// that happened to it since, in order), and then (key, write) for each key written since.

// mapSees returns a name for what an operation on a key, or on the whole map, sees.
func (k *rules) mapSees(s *state, o int32, mapKey uint64) uint64 {
	ws := k.values.words(k.get(s, o))
	if mapKey == 0 {
		if len(ws) > 0 {
			return mix(ws[0], 2)
		}
		return 0
	}
	for i := 2; i < len(ws); i += 2 {
		if ws[i] == mapKey {
			return mix(ws[i+1], 3)
		}
	}
	if len(ws) > 0 {
		return mix(ws[1], 4)
	}
	return 1
}

// mapWrite notes that a write, by its name, wrote a key, or cleared the map.
func (k *rules) mapWrite(s *state, o int32, mapKey, write uint64) {
	ws := k.values.words(k.get(s, o))
	if ws == nil {
		ws = []uint64{0, 0}
	}
	if k.objects[o].whole {
		ws[0] = mix(ws[0], write)
	}
	if mapKey == 0 {
		k.set(s, o, k.values.ofWords('m', ws[0], ^uint64(0)))
		return
	}
	for i := 2; i < len(ws); i += 2 {
		if ws[i] == mapKey {
			ws[i+1] = write
			k.set(s, o, k.values.ofWords('m', ws...))
			return
		}
	}
	at := 2
	for at < len(ws) && ws[at] < mapKey {
		at += 2
	}
	k.set(s, o, k.values.ofWords('m', slices.Insert(ws, at, mapKey, write)...))
}

// start returns the state at the start of an execution.
func (k *rules) start() state {
	s := state{}
	s.setNode(k.thread("G1"), k.root(k.thread("G1"), 0))
	k.startTimers(&s, k.early)
	return s
}

// edgesFor returns the edges of a move, or which one no execution has shown.
func (k *rules) edgesFor(s *state, m move) (id, pid int32, missing edgeKey) {
	n := s.node(m.thread)
	x, ok := k.meets(s, m)
	if !ok {
		return -1, -1, edgeKey{n, unknownKey(x.kind)}
	}
	if id = k.edgeOf(n, x); id < 0 {
		return id, -1, edgeKey{n, x}
	}
	pid = -1
	if m.partner >= 0 {
		pn := s.node(m.partner)
		y := key{kind: event.ChanRecv, kase: m.pcase, now: x.now, val: k.edges[id].send}
		if pid = k.edgeOf(pn, y); pid < 0 {
			return id, pid, edgeKey{pn, y}
		}
	}
	return id, pid, edgeKey{}
}

// endsAll reports whether an edge ends the program.
func (k *rules) endsAll(id int32) bool {
	return k.edges[id].kind.EndsProgram()
}

// leads returns the nodes where goroutines go on after an edge. The result is good until the next call.
func (k *rules) leads(e int32) []int32 {
	y := &k.edges[e]
	k.led = append(k.led[:0], y.to)
	if y.child > 0 {
		k.led = append(k.led, y.child)
	}
	for _, z := range y.starts() {
		k.led = append(k.led, k.timers[z.timer].root)
	}
	return k.led
}
