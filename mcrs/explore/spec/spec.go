package spec

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of the primitives: what a state of the objects enables, what an operation
// meets in it, and what it changes. The rules carry the numbers of the package doc.

// objects lists the sorts of objects that the specification has rules for.
var objects = [event.NumObjects]bool{
	event.NoObject: true, event.Memory: true, event.Whole: true, event.Map: true, event.Inode: true, event.Mutex: true, event.WaitGroup: true, event.Once: true,
	event.Cond: true, event.Channel: true, event.Timer: true, event.Threads: true, event.Bubble: true,
}

// Supported reports whether the specification has rules for a kind of event.
func Supported(kind event.Kind) bool { return objects[kind.Object()] }

// A State is a node for each goroutine and a value for each object. Slots beyond the end hold what they hold at the
// start.
type State struct {
	Nodes   []int32 // by thread, 0 if it was not started
	Objects []int32
}

// Size is the memory that a state takes, in units of four bytes.
func (s *State) Size() int { return cap(s.Nodes) + cap(s.Objects) + 16 }

// CopyTo makes d equal to s, in the memory of d.
func (s *State) CopyTo(d *State) {
	d.Nodes = append(d.Nodes[:0], s.Nodes...)
	d.Objects = append(d.Objects[:0], s.Objects...)
}

// Get returns the value of an object.
func (k *Rules) Get(s *State, o int32) int32 {
	if int(o) < len(s.Objects) {
		return s.Objects[o]
	}
	return k.Objects[o].Start
}

// Set sets the value of an object.
func (k *Rules) Set(s *State, o, v int32) {
	for len(s.Objects) <= int(o) {
		s.Objects = append(s.Objects, k.Objects[len(s.Objects)].Start)
	}
	s.Objects[o] = v
}

// Node returns where a goroutine is, 0 if it was not started, or has ended.
func (s *State) Node(t int32) int32 {
	if int(t) < len(s.Nodes) {
		return s.Nodes[t]
	}
	return 0
}

// SetNode says where a goroutine is.
func (s *State) SetNode(t, n int32) {
	for len(s.Nodes) <= int(t) {
		s.Nodes = append(s.Nodes, 0)
	}
	s.Nodes[t] = n
}

// Others counts the goroutines but t that are left.
func (s *State) Others(t int32) (n int) {
	for u, x := range s.Nodes {
		if x != 0 && int32(u) != t {
			n++
		}
	}
	return n
}

// Rules are the specification: how one state follows another, on what is known.
type Rules struct {
	known.Knowledge
	Clockwork
	Last     int32          // the edge of the last step of the execution that was learned last
	End      State          // the state in which that ended
	Outputs  map[int32]bool // by what was written: whether an example fails for it (UREJECT2)
	Compared int            // goroutines looked at when executions were compared with the specification
	led      []int32        // memory for leads
}

// NewRules returns the specification of a program that is not known yet.
func NewRules() Rules {
	return Rules{Knowledge: known.NewKnowledge(), Clockwork: Clockwork{TimerAt: make(map[TimerKey]int32), instants: make(map[int64]int32), clocks: make(map[int32]*Clock), Told: make(map[known.EdgeKey]bool)}}
}

// A Move is a transition of a state.
type Move struct {
	Thread, Partner   int32 // partner is the receiver of a rendezvous, -1 if there is none
	Case, PartnerCase int16
}

// A lock's value: bits, and the number of readers above them.
const (
	LockHeld      = 1
	LockAnnounced = 2
	LockReader    = 4
)

// QueueAt returns what is in a channel.
func (k *Rules) QueueAt(s *State, o int32) known.Queue { return k.Values.Queue(k.Get(s, o)) }

// comms lists the communications of a node.
func (k *Rules) comms(n int32) []known.Comm { return k.ActOf(n).Comms }

// A Crowd is memory of EnabledOfAll: who receives at the channel that was asked about last. Else thousands of senders
// would look through as many goroutines each.
type Crowd struct {
	channel   int32 // 0 is none
	receivers []int32
}

// at returns the goroutines that stand at a receive from a channel.
func (x *Crowd) at(k *Rules, s *State, ch int32) []int32 {
	if x.channel != ch {
		x.channel, x.receivers = ch, x.receivers[:0]
		for u, n := range s.Nodes {
			if n != 0 && stands(k, n, ch, false) {
				x.receivers = append(x.receivers, int32(u))
			}
		}
	}
	return x.receivers
}

// EnabledOfAll appends the moves of all goroutines, one after the other.
func EnabledOfAll(k *Rules, s *State, out []Move, crowd *Crowd) []Move {
	crowd.channel = 0
	for t := range s.Nodes {
		out = k.enabled(s, int32(t), out, crowd)
	}
	return out
}

// Enabled appends the moves of a goroutine.
func (k *Rules) Enabled(s *State, t int32, out []Move) []Move { return k.enabled(s, t, out, nil) }

func (k *Rules) enabled(s *State, t int32, out []Move, crowd *Crowd) []Move {
	n := s.Node(t)
	if n == 0 || k.Nodes[n].Op.Kind == event.Invalid && !k.Nodes[n].Known {
		return out
	}
	x := &k.Nodes[n]
	one := Move{t, -1, -1, -1}
	a := k.ActOf(n)
	if b := BufferingIn(k, s); k.Relaxed() && (b.mustWait(t) || b.Behind(t) >= 0) { // UBUF4, UBUF6
		return out
	}
	if a.Comms != nil || x.Op.IsSelect() {
		return BufferingIn(k, s).undrained(t, enabledComms(k, s, t, a, out, crowd), len(out))
	}
	ok := true
	switch x.Op.Kind {
	case event.Lock:
		l := k.Get(s, a.Object)
		if x.Holds(a.Object) == known.HeldAnnounced { // ULOCK3
			ok = l < LockReader
		} else { // ULOCK1
			ok = l&LockHeld == 0 && l < LockReader
		}
	case event.LockAnnounce, event.RLock: // ULOCK2
		ok = k.Get(s, a.Object)&(LockHeld|LockAnnounced) == 0
	case event.WaitGroupWait: // UWG2
		ok = k.Get(s, a.Object) == 0
	case event.OnceBegin: // UONCE1
		ok = k.Get(s, a.Object) != 1
	case event.Sleep, event.TimerFire: // UTIME1, UTIME2
		ok = k.Face(s, t).wakes(t)
	case event.Quiesce: // UBUBBLE1, UBUBBLE3
		ok = atRest(k, s, t)
	case event.ChanClose, event.ChanLen: // UBUBBLE5
		ok = !assigned(k, s, t, a.Object)
	case event.TimerStart, event.TimerStop:
		ok = !assigned(k, s, t, a.Chan)
	case event.CondWait: // UCOND2
		ok = !slices.Contains(k.Values.Words(k.Get(s, a.Object)), uint64(t))
	}
	if ok {
		out = append(out, one)
	}
	return out
}

// elsewhere reports whether a goroutine stands at a select that has something to do without a partner (CHAN7).
func (k *Rules) elsewhere(s *State, t int32) bool {
	x := &k.Nodes[s.Nodes[t]]
	if !x.Op.IsSelect() {
		return false
	}
	return x.Op.HasDefault || slices.ContainsFunc(k.comms(s.Nodes[t]), func(c known.Comm) bool {
		if c.Object == 0 {
			return false
		}
		q := k.QueueAt(s, c.Object)
		return q.Closed || c.Send && q.Len < k.Objects[c.Object].Cap || !c.Send && q.Len > 0
	})
}

// enabledComms appends the moves of a goroutine at a channel operation (CHAN1 to CHAN5, CHAN7).
func enabledComms(k *Rules, s *State, t int32, a *known.Act, out []Move, crowd *Crowd) []Move {
	ready, hasDefault := false, k.Nodes[s.Nodes[t]].Op.HasDefault
	for _, c := range a.Comms {
		if c.Object == 0 {
			continue
		}
		one := Move{t, -1, c.Case, -1}
		q := k.QueueAt(s, c.Object)
		size := k.Objects[c.Object].Cap
		switch {
		case assigned(k, s, t, c.Object):
			ready = true
		case q.Closed, c.Send && q.Len < size, !c.Send && q.Len > 0:
			out, ready = append(out, one), true
		case c.Send && size == 0 && Queued(k, s, t) && served(k, s, t):
		case c.Send && size == 0:
			if crowd == nil {
				crowd = new(Crowd)
			}
			for _, u := range crowd.at(k, s, c.Object) {
				if u == t || servedBefore(k, s, t, u, c) > 0 || Queued(k, s, u) && served(k, s, u) {
					continue
				}
				for _, d := range k.comms(s.Nodes[u]) {
					if d.Object == c.Object && !d.Send && servedBefore(k, s, u, t, d) == 0 && !(k.elsewhere(s, t) && k.elsewhere(s, u)) {
						out = append(out, Move{t, u, c.Case, d.Case})
						if k.Parked(s, u) {
							ready = true
						}
					}
				}
			}
		case size == 0 && hasDefault && !ready:
			for u := range s.Nodes {
				if int32(u) != t && s.Nodes[u] != 0 && k.Parked(s, int32(u)) && slices.ContainsFunc(k.comms(s.Nodes[u]), func(d known.Comm) bool { return d.Object == c.Object && d.Send }) {
					ready = true
				}
			}
		}
	}
	if hasDefault && !ready {
		out = append(out, Move{t, -1, int16(len(a.Comms)), -1})
	}
	return out
}

// Meets returns what the operation of a goroutine meets in a state. ok is false if that is not known: a cell
// whose content at the start no execution has shown.
func (k *Rules) Meets(s *State, m Move) (x known.Key, ok bool) {
	n := s.Node(m.Thread)
	op := &k.Nodes[n].Op
	a := k.ActOf(n)
	if k.IsBuffer(m.Thread) { // UBUF2
		return k.Edges[k.Nodes[n].Edges[0]].Key, true
	}
	x = known.Key{Kind: op.Kind, Case: -1}
	if a.Comms != nil || op.IsSelect() {
		return k.meetsComm(s, m, a), true
	}
	switch op.Kind {
	case event.Read, event.AtomicLoad, event.AtomicRMW: // UMEM1
		if own, _, ok := BufferingIn(k, s).Own(m.Thread, op.Loc); ok { // UBUF3
			x.Value = known.HashBytes(own)
			return x, true
		}
		if op.Blind != 0 { // UMEM4
			return x, true
		}
		if op.Adds { // UMEM3
			return x, !slices.ContainsFunc(a.Cells, func(c int32) bool { return k.Get(s, c) == 0 })
		}
		if len(a.Cells) == 0 { // local: there is one answer
			for _, e := range k.Nodes[n].Edges {
				x = k.Edges[e].Key
				x.Now = 0
				return x, true
			}
			return x, false
		}
		if len(a.Cells) == 1 {
			v := k.Get(s, a.Cells[0])
			x.Value = k.Values.Hash[v]
			return x, v != 0
		}
		var b []byte
		for _, c := range a.Cells {
			v := k.Get(s, c)
			if v == 0 {
				return x, false
			}
			b = append(b, k.Values.Raw[v]...)
		}
		x.Value = known.HashBytes(b)
	case event.MapRead, event.MapWrite: // UMAP1
		if op.Kind == event.MapRead {
			x.Value = k.mapSees(s, a.Object, op.Key)
		}
	case event.FileRead, event.FileWrite: // UFILE1
		x.Value = fileSees(k, s, a.Object, op.Key)
	case event.ObjectRead, event.ObjectWrite: // UOBJ1
		x.Value = k.Values.Hash[k.Get(s, a.Object)]
	case event.Unlock: // ULOCK4
		l := k.Get(s, a.Object)
		x.Flag = l&LockHeld == 0 && l != LockAnnounced
		x.Value = known.OneIf(x.Flag && l&LockAnnounced != 0) // ULOCK5
	case event.RUnlock:
		x.Flag = k.Get(s, a.Object) < LockReader
	case event.TryLock:
		x.Value = known.OneIf(k.Get(s, a.Object) == 0)
	case event.TryRLock:
		x.Value = known.OneIf(k.Get(s, a.Object)&(LockHeld|LockAnnounced) == 0)
	case event.WaitGroupAdd: // UWG1
		x.Flag = int64(k.Get(s, a.Object))+int64(op.Key) < 0
	case event.OnceBegin:
		x.Value = known.OneIf(k.Get(s, a.Object) == 0)
	case event.ChanClose: // CHAN6
		x.Flag = k.QueueAt(s, a.Object).Closed
	case event.TimerStop, event.TimerStart: // UTIME5
		x.Value = known.OneIf(k.isActive(s, a.Object, a.Chan))
		if op.Kind == event.TimerStart && a.Chan == 0 { // UBUBBLE4
			x.Value |= uint64(k.Get(s, a.Object)) << 1
		} else if op.Kind == event.TimerStart && restsInHeap(k, s, n, a.Object) { // UBUBBLE9
			x.Value |= 2
		}
	case event.TimerFire: // what it sends depends on how it was started last
		for t := range activeTimers(k, s) {
			if k.Timers[t.Timer].Thread == m.Thread {
				x.Value = uint64(t.Timer) + 1
			}
		}
	case event.Quiesce:
		x.Value = findsAtRest(k, s, m.Thread)
	case event.ChanLen:
		x.Value = uint64(k.QueueAt(s, a.Object).Len)
	case event.Goroutines: // UGO2, UGO3, UGO4
		switch op.Key {
		case event.SeesCount:
			x.Value = k.countOf(s) + k.CountBase
		case event.SeesStacks:
			x.Value = stacksOf(k, s, m.Thread)
		}
	}
	return x, true
}

// meetsComm is meets for the mover of a communication.
func (k *Rules) meetsComm(s *State, m Move, a *known.Act) known.Key {
	if int(m.Case) == len(a.Comms) {
		return known.Key{Kind: event.SelectDefault, Case: m.Case}
	}
	c := a.Comms[max(m.Case, 0)]
	q := k.QueueAt(s, c.Object)
	if c.Send {
		return known.Key{Kind: event.ChanSend, Case: m.Case, Flag: q.Closed}
	}
	x := known.Key{Kind: event.ChanRecv, Case: m.Case}
	if q.Len > 0 {
		if !Blind(k, s.Node(m.Thread), m.Case) {
			x.Value = q.First
		}
	} else {
		x.Flag = true
	}
	return x
}

// Apply performs a move whose edges are known: e is the mover's, p that of its partner, -1 if there is none.
func (k *Rules) Apply(s *State, m Move, e, p int32) {
	n := s.Node(m.Thread)
	a := k.ActOf(n)
	x := &k.Edges[e]
	if a.Comms != nil {
		k.Communicate(s, m, a, x)
	} else {
		k.Change(s, m.Thread, n, a, x)
	}
	for _, f := range k.EffectsOf(e) {
		k.Set(s, f.Object, f.Value)
	}
	if x.Kind.EndsThread() {
		s.SetNode(m.Thread, 0)
		sleepsNoMore(k, s, m.Thread)
		if m.Thread == 0 {
			c := *k.ClockOf(s)
			c.ended = c.Now
			k.setClock(s, 0, c)
		}
	} else {
		s.SetNode(m.Thread, x.To)
		Arrive(k, s, m.Thread)
	}
	if x.Child > 0 {
		s.SetNode(k.Nodes[x.Child].Thread, x.Child)
		Arrive(k, s, k.Nodes[x.Child].Thread)
	}
	k.fails(s, x)
	BufferingIn(k, s).store(x)
	k.unpark(s, m.Thread)
	k.startTimers(s, x.Starts())
	if len(x.Starts()) > 0 {
		comesTo(k, s, m.Thread) // after it has started them
	}
	if p >= 0 {
		k.fails(s, &k.Edges[p])
		k.unpark(s, m.Partner)
		k.startTimers(s, k.Edges[p].Starts())
		for _, f := range k.EffectsOf(p) {
			k.Set(s, f.Object, f.Value)
		}
		s.SetNode(m.Partner, k.Edges[p].To)
		Arrive(k, s, m.Partner)
	}
	Settle(k, s)
}

// Blind reports whether a goroutine does not look at what it receives (UTIME10).
func Blind(k *Rules, n int32, kase int16) bool {
	return k.Nodes[n].Op.Blind>>max(kase, 0)&1 != 0 && k.Objects[k.ActOf(n).Comms[max(kase, 0)].Object].Timer
}

// Communicate performs the sender's or the receiver's part of a communication that is no rendezvous.
func (k *Rules) Communicate(s *State, m Move, a *known.Act, x *known.Edge) {
	if int(m.Case) == len(a.Comms) || m.Partner >= 0 {
		return
	}
	c := a.Comms[max(m.Case, 0)]
	q := k.QueueAt(s, c.Object)
	switch {
	case c.Send && !q.Closed:
		k.Set(s, c.Object, k.Values.Push(q, x.Send))
	case !c.Send && q.Len > 0:
		k.Set(s, c.Object, k.Values.Pop(q))
	}
}

// Change performs an operation that is no communication. What it writes to memory is among the effects of the edge.
func (k *Rules) Change(s *State, t, n int32, a *known.Act, x *known.Edge) {
	o := a.Object
	switch x.Kind {
	case event.Write:
		for _, o := range k.Renews[n] { // RENEW1
			k.Set(s, o, 0)
		}
	case event.MapWrite:
		k.mapWrite(s, o, k.Nodes[n].Op.Key, cmp.Or(x.Send, k.Nodes[n].Hist))
	case event.FileWrite:
		fileWrite(k, s, o, k.Nodes[n].Op.Key, known.Mix(k.Nodes[n].Hist, known.Mix(x.Key.Value, uint64(x.Key.Now))))
	case event.ObjectWrite:
		k.Set(s, o, k.Values.OfWords('o', k.Values.Hash[k.Get(s, o)], k.Nodes[n].Hist, uint64(x.Key.Now)))
	case event.AtomicRMW:
		if op := &k.Nodes[n].Op; op.Adds {
			sum(k, s, a.Cells, op.Key)
		}
	case event.Lock:
		if l := k.Get(s, o); l&LockAnnounced != 0 || k.Nodes[n].Holds(o) != known.HeldAnnounced { // else it was taken from him (ULOCK5)
			k.Set(s, o, l|LockHeld)
		}
	case event.LockAnnounce:
		k.Set(s, o, k.Get(s, o)|LockAnnounced)
	case event.Unlock:
		if !x.Key.Flag {
			k.Set(s, o, k.Get(s, o)&^(LockHeld|LockAnnounced))
		}
	case event.RLock:
		k.Set(s, o, k.Get(s, o)+LockReader)
	case event.RUnlock:
		if !x.Key.Flag {
			k.Set(s, o, k.Get(s, o)-LockReader)
		}
	case event.TryLock:
		if x.Key.Value == 1 {
			k.Set(s, o, LockHeld)
		}
	case event.TryRLock:
		if x.Key.Value == 1 {
			k.Set(s, o, k.Get(s, o)+LockReader)
		}
	case event.WaitGroupAdd:
		k.Set(s, o, k.Get(s, o)+int32(x.Delta))
	case event.OnceBegin:
		if x.Key.Value == 1 {
			k.Set(s, o, 1)
		}
	case event.Goroutines: // UGO2
		k.Set(s, o, k.Get(s, o)+moved(k.Nodes[x.From].Op.Key))
	case event.OnceEnd:
		k.Set(s, o, 2)
	case event.CondAdd: // UCOND1
		k.Set(s, o, k.Values.OfWords('c', append(k.Values.Words(k.Get(s, o)), uint64(t))...))
	case event.CondSignal:
		if ws := k.Values.Words(k.Get(s, o)); len(ws) > 1 {
			k.Set(s, o, k.Values.OfWords('c', ws[1:]...))
		} else {
			k.Set(s, o, 0)
		}
	case event.CondBroadcast:
		k.Set(s, o, 0)
	case event.TimerStop:
		k.stopTimer(s, o, a.Chan)
	case event.TimerStart: // what starts is among starts
		k.stopTimer(s, o, a.Chan)
		if a.Chan == 0 {
			k.Set(s, o, 0)
		}
	case event.TimerFire:
		k.fire(s, t, x.Send)
	case event.Sleep:
		k.endSleep(s, t)
	case event.Quiesce:
		leaveRest(k, s, t)
	case event.ChanClose:
		k.Set(s, o, k.Values.Close(k.QueueAt(s, o)))
	case event.Panic, event.Exit:
		leave(k, s, t, x.From)
		endBubble(k, s, t)
	}
}

// A map's value is what it was when it was published, or at the start (where the whole map is read: all that happened
// to it since, in order), what was the last that was done to all keys, and then the write of each key written since.

// mapSees returns a name for what an operation on a key, or on the whole map, sees.
func (k *Rules) mapSees(s *State, o int32, mapKey uint64) uint64 {
	m, touched := k.Values.Map(k.Get(s, o))
	if mapKey == 0 {
		if touched {
			return known.Mix(m.Whole[0], 2)
		}
		return 0
	}
	if write, ok := k.Values.Written(m, mapKey); ok {
		return known.Mix(write, 3)
	}
	if touched {
		return known.Mix(m.Whole[1], 4)
	}
	return 1
}

// mapWrite notes that a write, by its name, wrote a key, or cleared the map.
func (k *Rules) mapWrite(s *State, o int32, mapKey, write uint64) {
	m, _ := k.Values.Map(k.Get(s, o))
	if k.Objects[o].Whole {
		m.Whole[0] = known.Mix(m.Whole[0], write)
	}
	if mapKey == 0 {
		m = known.MapValue{Whole: [2]uint64{m.Whole[0], ^uint64(0)}}
	} else {
		m = k.Values.WithKey(m, mapKey, write)
	}
	k.Set(s, o, k.Values.OfMap(m))
}

// Start returns the state at the start of an execution.
func (k *Rules) Start() State {
	s := State{}
	s.SetNode(k.Thread("G1"), k.Root(k.Thread("G1"), 0))
	k.startTimers(&s, k.Early)
	Arrive(k, &s, k.Thread("G1"))
	return s
}

// EdgesFor returns the edges of a move, or which one no execution has shown.
func (k *Rules) EdgesFor(s *State, m Move) (id, pid int32, missing known.EdgeKey) {
	n := s.Node(m.Thread)
	x, ok := k.Meets(s, m)
	if !ok {
		return -1, -1, known.EdgeKey{Node: n, Key: known.UnknownKey(x.Kind)}
	}
	x.Now = ToldAt(k, s, n, x)
	if id = k.EdgeOf(n, x); id < 0 {
		return id, -1, known.EdgeKey{Node: n, Key: x}
	}
	pid = -1
	if m.Partner >= 0 {
		pn := s.Node(m.Partner)
		y := known.Key{Kind: event.ChanRecv, Case: m.PartnerCase, Value: k.Edges[id].Send}
		y.Now = ToldAt(k, s, pn, y)
		if pid = k.EdgeOf(pn, y); pid < 0 {
			return id, pid, known.EdgeKey{Node: pn, Key: y}
		}
	}
	return id, pid, known.EdgeKey{}
}

// EndsAll reports whether an edge ends the program.
func (k *Rules) EndsAll(id int32) bool {
	return k.Edges[id].Kind.EndsProgram()
}

// Leads returns the nodes where goroutines go on after an edge. The result is good until the next call.
func (k *Rules) Leads(e int32) []int32 {
	y := &k.Edges[e]
	k.led = append(k.led[:0], y.To)
	if y.Child > 0 {
		k.led = append(k.led, y.Child)
	}
	for _, z := range y.Starts() {
		k.led = append(k.led, k.Timers[z.Timer].Root)
	}
	k.led = append(k.led, y.Stores()...)
	return k.led
}
