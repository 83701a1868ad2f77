package learn

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file adds an execution to the knowledge. It performs the execution in the specification, and compares: what the
// specification does not foresee ends the use of this explorer, and nothing is concluded from it.

// absorption is the state of one call of Absorb.
type absorption struct {
	*spec.Rules
	t       *trace.Trace
	w       *Watch
	slot    []int32 // by thread of the trace
	index   []int32 // its inverse
	moves   []spec.Move
	crowd   spec.Crowd
	s       spec.State
	written known.Addresses // bytes written in this execution
	pubs    map[int32][]known.Publication
	starts  []known.Starting  // by Trace.Started
	fails   map[int32]int32   // by event: how it fails the test
	clocked map[int32]bool    // events behind which a goroutine reads the clock
	ticks   map[uint64]uint64 // what timers have sent: names of the times
	refused error             // why a store has no rule
	output  bool              // what an example has written is not what it should
	now     int64             // of the event last looked at
	moved   int               // moves of the clock before it
	passed  int               // entries of Trace.Passed of which the rounds were made
	next    int               // the event after the transition that was performed last
	contents
}

// Absorb adds an execution that ran under w. An error says that the execution is not one of the specification's.
func Absorb(k *spec.Rules, t *trace.Trace, w *Watch) error {
	for i := range t.Events { // before any work is done
		if e := &t.Events[i]; !spec.Supported(e.Kind) {
			return fmt.Errorf("no rule for %v at site %d", e.Kind, e.Site)
		}
	}
	for i := range t.Threads {
		if t.Threads[i].Bubble > 0 && !k.Regimes {
			return fmt.Errorf("no rule for bubbles of testing/synctest")
		}
		if op := t.Threads[i].Pending; op != nil && !spec.Supported(op.Kind) {
			return fmt.Errorf("no rule for %v at site %d", op.Kind, op.Site)
		}
	}
	if t.Timing && !k.Regimes {
		return errors.New("no rule for the second regime of time")
	}
	k.Timing, k.EarlyMost = t.Timing, int64(t.EarlyMost)
	if len(t.Passed) > 0 && !k.Passes {
		k.Passes, k.Stale = true, true
	}
	k.Layout.Now++
	k.Epoch++
	a := &absorption{Rules: k, t: t, w: w, pubs: make(map[int32][]known.Publication), written: known.Addresses{}, ticks: make(map[uint64]uint64)}
	channels, err := tellChannelsApart(a)
	if err != nil {
		return err
	}
	t = a.t
	version := k.Layout.Version
	a.slot = make([]int32, len(t.Threads))
	count := make([]int32, len(t.Threads))
	for i := range t.Events {
		count[t.Events[i].Thread]++
	}
	met := int32(len(k.IDs))
	for i := range t.Threads {
		a.slot[i] = k.Thread(t.Threads[i].ID)
	}
	if err := noteBubbles(a, met); err != nil {
		return err
	}
	if k.Layout.Now == 1 {
		spec.Begin(k, t.Start)
	}
	a.now = t.Start
	if err := a.noteBuffers(); err != nil {
		return err
	}
	a.contents = contentsOf(&k.Memory, t, channels)
	if err := a.noteTimers(); err != nil {
		return err
	}
	a.noteTold()
	if err := a.noteFailures(); err != nil {
		return err
	}
	a.index = make([]int32, len(k.IDs))
	for i := range a.index {
		a.index[i] = -1
	}
	for i := range t.Threads {
		a.index[a.slot[i]] = int32(i)
		if t.Threads[i].Pending != nil { // an execution may end before the scheduler sees it
			w.saw(i, int(count[i]), t.Threads[i].Pending)
		}
	}
	if early := a.startedBy(-1, true, nil, -1); k.Layout.Now == 1 {
		k.Early = early
	} else if !slices.Equal(early, k.Early) {
		return fmt.Errorf("the entry does not start the same timers in every execution")
	}
	if err := a.shape(); err != nil {
		return err
	}
	ownObjects(a)
	if err := cmp.Or(a.perform(), a.refused); err != nil {
		return err
	}
	k.End = spec.State{}
	a.s.CopyTo(&k.End)
	if err := a.dropped(); err != nil {
		return err
	}
	if len(a.clocked) > 0 {
		return errors.New("no rule for the way in which a goroutine reads the clock")
	}
	k.Disclose()
	if version != k.Layout.Version { // operations known before touch other slots now
		for n := range k.Nodes {
			if k.Nodes[n].Known {
				k.Changed.Add(int32(n))
			}
		}
		for i := range k.Objects {
			k.Objects[i].Guards, k.Objects[i].Accessed = nil, false
		}
		for n := range k.Nodes {
			if k.Nodes[n].Known {
				k.Register(int32(n))
			}
		}
	}
	for n := range k.Nodes {
		if len(k.Looped) > 0 && slices.Contains(k.Looped, k.Nodes[n].Thread) {
			k.Changed.Add(int32(n))
		}
	}
	k.Looped = k.Looped[:0]
	return nil
}

// shape gives the execution's memory a layout.
func (a *absorption) shape() error {
	objects := len(a.Objects)
	for _, p := range a.t.Published {
		th := a.t.Events[p.Event].Thread
		a.Publish(p.Addr, p.Addr+uint64(p.Size), a.slot[th])
		data := a.t.Unpublished(&p)
		a.pubs[p.Event] = append(a.pubs[p.Event], known.Publication{Addr: p.Addr, Data: a.bytes(p.Addr, data)})
	}
	for i := range a.t.Threads {
		for seq := int32(0); ; seq++ {
			op := a.w.op(int32(i), seq)
			if op == nil {
				break
			}
			if touchesMemory(op) {
				if op.Key == event.HostKey && op.Kind != event.AtomicRMW && op.Blind == 0 {
					return fmt.Errorf("goroutine %s lets the host read memory at site %d", a.t.Threads[i].ID, op.Site)
				}
				a.Access(op.Loc, a.owner(i))
			}
			a.noteCount(op)
			if s := known.SpaceOf(op.Kind); s == known.SpaceMap || s == known.SpaceObject {
				before := len(a.Objects)
				o := a.Object(s, op.Loc.Addr)
				if op.Kind == event.MapRead && op.Key == 0 && !a.Objects[o].Whole { // before what anyone meets has a name
					a.Objects[o].Whole, a.Stale = true, true
				}
				if th, born := a.Layout.Publisher(op.Loc.Addr); before != len(a.Objects) && th != known.Nobody && born < a.Layout.Now {
					a.Rebuild() // what published it has an effect on it
				}
			}
		}
	}
	if objects != len(a.Objects) {
		a.Even()
	}
	a.Unordered = a.t.Unordered
	counters := make(map[uint64]bool)
	for i := range a.t.Events { // a counter may have been changed by package initialisation
		if e := &a.t.Events[i]; e.Kind == event.WaitGroupAdd && !counters[e.Loc.Addr] {
			counters[e.Loc.Addr] = true
			if o := &a.Objects[a.Object(known.SpaceGroup, e.Loc.Addr)]; o.Start != int32(e.Other-int64(e.Value)) {
				o.Start, a.Stale = int32(e.Other-int64(e.Value)), true
			}
		}
	}
	for _, addr := range slices.Sorted(maps.Keys(a.t.Caps)) {
		o := &a.Objects[a.Object(known.SpaceChan, addr)]
		if o.Timer {
			continue
		}
		o.Cap = a.t.Caps[addr]
		f, filled := a.t.Filled[addr]
		if filled { // UCHAN1
			o.Cap = f.Cap
		}
		a.Count(a.ObjectAt[known.ObjectKey{Space: known.SpaceChan, Addr: addr}])
		if a.t.Unsized[addr] {
			a.Unsized[addr] = true
		}
		if (a.t.Closed[addr] || filled) && o.Start == 0 {
			o.Start = a.Values.OfQueue(a.t.Closed[addr], f.Elements)
			a.Stale = a.Stale || o.Start != 0
		}
	}
	return nil
}

func (a *absorption) fail(i int, format string, args ...any) error {
	e := &a.t.Events[i]
	return fmt.Errorf("event %d, %v of %s at site %d: %s", i, e.Kind, a.t.Threads[e.Thread].ID, e.Site, fmt.Sprintf(format, args...))
}

// perform follows the execution, and adds what is new.
func (a *absorption) perform() error {
	a.s = a.Start()
	a.noteSent(-1)
	if err := a.stand(0, 0); err != nil {
		return err
	}
	step := 0
	seq := make([]int32, len(a.t.Threads))
	for i := range a.t.Events {
		e := &a.t.Events[i]
		st, ok := sched.StepAt(a.t, i)
		if !ok {
			continue
		}
		m := spec.Move{Thread: a.slot[e.Thread], Partner: -1, Case: st.Case, PartnerCase: -1}
		var p *event.Event
		if e.Partner >= 0 {
			p = &a.t.Events[e.Partner]
			m.Partner, m.PartnerCase = a.slot[p.Thread], st.PartnerCase
		}
		if err := a.compare(i, step, m); err != nil {
			return err
		}
		step++
		if a.next = i + 1; p != nil {
			a.next = max(i, int(e.Partner)) + 1
		}
		if err := a.step(i, m, e, p); err != nil {
			return err
		}
		seq[e.Thread]++
		if err := a.stand(e.Thread, seq[e.Thread]); err != nil {
			return err
		}
		if p != nil {
			seq[p.Thread]++
			if err := a.stand(p.Thread, seq[p.Thread]); err != nil {
				return err
			}
		}
		child := int32(-1)
		switch e.Kind {
		case event.Spawn:
			child = int32(e.Other)
		case event.TimerFire:
			child = firedBy(a.t, i)
		}
		if child >= 0 {
			if err := a.stand(child, 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// stand notes the operation at which a goroutine stands now.
func (a *absorption) stand(thread, seq int32) error {
	seen := a.w.op(thread, seq)
	if seen == nil || a.IsBuffer(a.slot[thread]) { // see flushed
		return nil
	}
	op := *seen
	if op.Kind == event.CondWait || op.Kind == event.Sleep {
		op.Key = 0 // the ticket is part of the state, and so is how many sleeps have ended
	}
	if a.In(a.slot[thread]) == 0 {
		op.Deadline = 0 // so is when a sleep ends
	}
	n := a.s.Node(a.slot[thread])
	x := &a.Nodes[n]
	if !x.Known {
		x.Known, x.Operation = true, a.OperationOf(op)
		a.Changed.Add(n)
		a.Register(n)
		spec.Arrive(a.Rules, &a.s, a.slot[thread])
		if err := a.sleeps(thread, seen); err != nil {
			return err
		}
		return a.rule(n)
	}
	if x.Op.Kind == event.AtomicRMW && !op.Adds {
		op.Key = x.Op.Key
	}
	if !sameOp(&x.Op, &op) {
		return fmt.Errorf("goroutine %s is not a function of what its operations returned: %v at site %d on %x, and %v at site %d on %x",
			a.t.Threads[thread].ID, x.Op.Kind, x.Op.Site, x.Op.Loc, op.Kind, op.Site, op.Loc)
	}
	return a.sleeps(thread, seen)
}

// rule reports what the specification has no rule for.
func (a *absorption) rule(n int32) error {
	x := &a.Nodes[n]
	if !spec.Supported(x.Op.Kind) {
		return fmt.Errorf("no rule for %v at site %d", x.Op.Kind, x.Op.Site)
	}
	if err := border(a, n); err != nil {
		return err
	}
	for _, c := range a.ActOf(n).Comms {
		if c.Object != 0 && a.Objects[c.Object].Cap < 0 {
			return fmt.Errorf("no rule for a channel that holds elements when an execution begins, at site %d", x.Op.Site)
		}
	}
	if lo := x.Op.Loc.Addr; x.Op.Kind.IsAccess() {
		hi := lo + uint64(x.Op.Loc.Size)
		if a.Ranges.Add(lo, hi); a.Words.Meets(lo, hi) {
			return asMemory(a, n)
		}
		return nil
	}
	w := event.Bytes(x.Op.Kind, x.Op.Loc, x.Op.Key)
	hi := w.Addr + uint64(w.Size)
	if a.Words.Add(w.Addr, hi); a.Ranges.Meets(w.Addr, hi) {
		return asMemory(a, n)
	}
	return nil
}

func sameOp(a, b *event.Op) bool {
	if a.Kind != b.Kind || a.After != b.After || a.Deadline != b.Deadline || a.Blind != b.Blind || a.Adds != b.Adds || a.Loc != b.Loc || a.Key != b.Key || a.Site != b.Site || a.HasDefault != b.HasDefault || len(a.Cases) != len(b.Cases) {
		return false
	}
	for i := range a.Cases {
		if a.Cases[i] != b.Cases[i] {
			return false
		}
	}
	return true
}

// maxCompared bounds what compare does over all executions: goroutines times steps.
const maxCompared = 1_000_000_000

// compare checks that the specification enables what the machine does.
func (a *absorption) compare(i, step int, m spec.Move) error {
	if step >= len(a.w.enabled) {
		return a.fail(i, "no decision was taken for it")
	}
	if a.Compared += len(a.s.Nodes); a.Compared > maxCompared {
		return errors.New("executions are too large to be performed in the specification as well")
	}
	spec.Settle(a.Rules, &a.s) // where goroutines stand was not known when they came there
	if err := goRound(a, i); err != nil {
		return err
	}
	mine := spec.EnabledOfAll(a.Rules, &a.s, a.moves[:0], &a.crowd)
	if len(mine) == 0 && a.Tick(&a.s) {
		mine = spec.EnabledOfAll(a.Rules, &a.s, mine, &a.crowd)
	}
	a.moves = mine
	if now, is := a.Face(&a.s, m.Thread).At(m.Thread), a.timeAt(i); now != is && a.In(m.Thread) == 0 {
		return a.fail(i, "it is %d, the specification says %d", a.now, now)
	}
	var c choices
	for _, m := range mine {
		p := int32(-1)
		if m.Partner >= 0 {
			p = a.index[m.Partner]
		}
		c.add(a.index[m.Thread], m.Case, p, m.PartnerCase)
	}
	theirs := a.w.enabled[step]
	if c != theirs {
		return a.fail(i, "before it the machine enables %d transitions, the specification %d", theirs.count, c.count)
	}
	return nil
}

// step performs a transition, and adds its edges.
func (a *absorption) step(i int, m spec.Move, e, p *event.Event) error {
	n := a.s.Node(m.Thread)
	x, sure := a.Meets(&a.s, m)
	if err := a.agree(i, e, n, &x, sure); err != nil {
		return err
	}
	if err := a.toldBehind(i, n, &x); err != nil {
		return err
	}
	id := a.EdgeOf(n, x)
	if a.IsBuffer(m.Thread) {
		if err := a.flushed(i, e, n, id); err != nil {
			return err
		}
	} else if id < 0 {
		id = a.add(a.edgeFrom(int32(i), e, n, x), e)
	} else if err := a.same(i, e, id); err != nil {
		return err
	}
	pid := int32(-1)
	if p != nil {
		pn := a.s.Node(m.Partner)
		px := known.Key{Kind: event.ChanRecv, Case: m.PartnerCase, Value: a.Edges[id].Send}
		if err := a.toldBehind(int(e.Partner), pn, &px); err != nil {
			return err
		}
		if pid = a.EdgeOf(pn, px); pid < 0 {
			pid = a.add(a.edgeFrom(e.Partner, p, pn, px), p)
		} else if err := a.same(int(e.Partner), p, pid); err != nil {
			return err
		}
	}
	if e.Kind == event.TimerFire {
		a.fires(a.Edges[id].To, e.Loc.Addr)
		if tick, ok := a.Face(&a.s, m.Thread).Ticks(m.Thread); ok {
			a.ticks[e.Key] = tick
		}
	}
	a.Last = id
	a.Apply(&a.s, m, id, pid)
	a.noteSent(int32(i))
	if err := a.after(i, e, n); err != nil {
		return err
	}
	if raw := a.Edges[id].Raw; raw != nil {
		if err := isNew(a, n, raw); err != nil {
			return err
		}
		if _, ok := a.Layout.Initial[e.Loc.Addr]; !ok {
			a.store(e.Loc.Addr, raw)
		}
	}
	return nil
}

// add adds the edge of an event.
func (a *absorption) add(x known.Edge, e *event.Event) int32 {
	a.Changed.Add(x.From)
	if x.Fails() != 0 || a.Timing && len(x.Starts()) > 0 && !spec.ReadsClock(&a.Nodes[x.From].Op) { // it is no local operation then, though it may have seemed one
		a.Grown = true
	}
	if x.Kind == event.ChanSend {
		if c := a.ActOf(x.From).Comms[max(x.Key.Case, 0)]; c.Object != 0 {
			known.NoteSent(&a.Knowledge, c.Object, x.Send)
		}
	}
	id := a.AddEdge(x, a.stateAfter(e))
	for _, to := range a.Leads(id)[1:] {
		r := &a.Nodes[to]
		r.Spawners = append(r.Spawners, id)
	}
	return id
}

// agree compares what the operation met with what the event says, and learns what was there at the start.
func (a *absorption) agree(i int, e *event.Event, n int32, x *known.Key, sure bool) error {
	op := &a.Nodes[n].Op
	wrong := func(want uint64) error { return a.fail(i, "returned %d, the specification says %d", e.Value, want) }
	switch op.Kind {
	case event.Read, event.AtomicLoad:
		if e.Loc.Size == 0 || op.Blind != 0 { // UMEM4
			return nil
		}
		if own, err := a.forwarded(i, e, x); own {
			return err
		}
		return a.found(i, e, n, x, sure, a.bytesOf(e))
	case event.AtomicRMW:
		if e.Loc.Size > 8 {
			return a.found(i, e, n, x, sure, a.bytesOf(e))
		}
		if op.Adds {
			return adds(a, i, e, n)
		}
		return a.found(i, e, n, x, sure, a.bytes(e.Loc.Addr, word(e.Key, e.Loc.Size)))
	case event.TryLock, event.TryRLock, event.ChanLen:
		if e.Value != x.Value {
			return wrong(x.Value)
		}
	case event.OnceBegin:
		if e.Value != x.Value {
			if o := &a.Objects[a.ActOf(n).Object]; x.Value == 1 && o.Start == 0 { // it was done before
				o.Start, a.Stale = 2, true
				x.Value = 0
				return nil
			}
			return wrong(x.Value)
		}
	case event.TimerStop, event.TimerStart, event.Quiesce:
		if e.Value != x.Value {
			return wrong(x.Value)
		}
	case event.Goroutines:
		switch {
		case op.Key == event.SeesStacks:
			return stacks(a, e, op)
		case op.Key == event.SeesCount && !a.counted(e, x):
			return wrong(x.Value)
		}
	}
	if e.Kind == event.ChanRecv && e.Partner < 0 && (a.received(e, n) != x.Value || e.Other < 0 != x.Flag) {
		return wrong(x.Value)
	}
	return nil
}

// after compares counters.
func (a *absorption) after(i int, e *event.Event, n int32) error {
	if e.Kind != event.WaitGroupAdd {
		return nil
	}
	o := a.ActOf(n).Object
	if have := a.Get(&a.s, o); int64(have) != e.Other {
		return a.fail(i, "the counter is %d, the specification says %d", e.Other, have)
	}
	return nil
}

// bytesOf returns the bytes of an access.
func (a *absorption) bytesOf(e *event.Event) []byte {
	if e.Loc.Size > 8 {
		if end := e.Other + int64(e.Loc.Size); e.Other >= 0 && end <= int64(len(a.t.Bytes)) {
			return a.bytes(e.Loc.Addr, a.t.Bytes[e.Other:end])
		}
	}
	return a.bytes(e.Loc.Addr, word(e.Value, e.Loc.Size))
}

func word(v uint64, size uint32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, v)
	for len(b) < int(size) {
		b = append(b, 0)
	}
	return b[:size]
}

// found compares the bytes that an access found with what the specification says, or learns them. The key of its edge
// is what it found, whether the cells are local or not: that may change.
func (a *absorption) found(i int, e *event.Event, n int32, x *known.Key, sure bool, b []byte) error {
	local := len(a.ActOf(n).Cells) == 0
	if sure && x.Value != known.HashBytes(b) && !(local && a.Joined[a.Nodes[n].Thread]) {
		return a.fail(i, "found %x, which is not what the specification says", b)
	}
	x.Value = known.HashBytes(b)
	if local {
		a.local(e.Loc.Addr, b)
	} else if !sure {
		return a.learnRest(i, n, e.Loc.Addr, b)
	}
	return nil
}

// local notes what was in memory that only one goroutine touches, if nobody has written or published it.
func (a *absorption) local(addr uint64, b []byte) {
	if th, _ := a.Layout.Publisher(addr); th != known.Nobody {
		return
	}
	for i := range b {
		at := addr + uint64(i)
		if _, ok := a.Layout.Initial[at]; !ok && !a.written.Meets(at, at+1) {
			a.Layout.Initial[at] = b[i]
		}
	}
}

// learnRest learns the cells of an access whose content at the start is not known, and sets them.
func (a *absorption) learnRest(i int, n int32, addr uint64, b []byte) error {
	at := 0
	for _, c := range a.ActOf(n).Cells {
		part := b[at : at+int(a.Objects[c].Size)]
		if v := a.Get(&a.s, c); v == 0 {
			a.Learn(a.Objects[c].Addr, part)
			a.Set(&a.s, c, a.Values.Of(part))
		} else if a.Values.Raw[v] != string(part) {
			return a.fail(i, "read %x, the specification says %x", part, a.Values.Raw[v])
		}
		at += len(part)
	}
	return nil
}

func (a *absorption) store(addr uint64, b []byte) {
	a.written.Add(addr, addr+uint64(len(b)))
}

// edgeFrom makes the edge of an event.
func (a *absorption) edgeFrom(i int32, e *event.Event, n int32, x known.Key) known.Edge {
	out := known.Edge{From: n, Key: x, Kind: e.Kind, Order: e.Order, Reply: trace.ReplyOf(e), Told: a.tells(e), Child: -1}
	switch e.Kind {
	case event.Write, event.AtomicStore:
		out.Raw = a.bytesOf(e)
	case event.AtomicRMW:
		if a.Nodes[n].Op.Adds { // UMEM3
			break
		}
		if out.Raw = word(uint64(e.Other), e.Loc.Size); e.Loc.Size > 8 {
			out.Raw = a.t.Bytes[e.Other+int64(e.Loc.Size):][:e.Loc.Size]
		}
		out.Raw = a.bytes(e.Loc.Addr, out.Raw)
	case event.MapRead:
		out.Flag = e.Other < 0
	case event.MapWrite:
		out.Send = wroteOf(a, e)
	case event.WaitGroupAdd:
		out.Delta = int64(e.Value)
	case event.ObjectRead, event.ObjectWrite:
		if event.OfMap(e) {
			out.Send = uint64(e.Other &^ event.MapUsed)
			if e.Other&event.MapUsed != 0 {
				a.Unused[e.Loc.Addr] = true
			}
		} else if event.OfPool(e) {
			out.Send = uint64(e.Other)
		}
	case event.ChanSend:
		out.Send = a.told(e.Value)
	case event.Spawn:
		child := a.slot[e.Other]
		out.Child = a.Root(child, a.from(a.told(e.Value), x.Now))
	case event.TimerFire:
		if a.In(a.slot[e.Thread]) > 0 {
			out.Send = e.Key
		}
		if child := firedBy(a.t, int(i)); child >= 0 {
			out.Child = a.Root(a.slot[child], a.from(known.Mix(known.Mix(uint64(n), 13), x.Value), x.Now)) // UTIME16
		}
	}
	var stores []int32
	if e.Kind == event.Store {
		stores = a.storesOf(i, e, n)
	}
	if fails := a.fails[i]; len(a.starts) > 0 || a.pubs[i] != nil || fails != 0 || stores != nil {
		var starts []known.Starting
		switch {
		case e.Partner < 0:
			starts = a.startedBy(i, true, e, -1)
		case e.Kind == event.ChanRecv:
			starts = a.startedBy(e.Partner, false, e, -1)
		default:
			starts = a.startedBy(i, true, e, a.t.Events[e.Partner].Thread)
		}
		if pubs := a.pubs[i]; len(starts)+len(pubs)+len(stores) > 0 || fails != 0 {
			out.Rest = &known.Rest{Starts: starts, Pubs: pubs, Fails: fails, Stores: stores}
		}
	}
	return out
}

// wroteOf names what a write to a map did (UMAP2), 0 if that is not known.
func wroteOf(a *absorption, e *event.Event) uint64 {
	switch {
	case e.Key == 0:
		return known.Mix(1, 35)
	case e.Other == 0:
		return 0
	}
	return known.Mix(known.Mix(a.told(e.Value), a.told(uint64(e.Other))), e.Key)
}

// from names how a goroutine starts, and when.
func (a *absorption) from(start uint64, now int32) uint64 {
	if now == 0 {
		return start
	}
	return known.Mix(start, uint64(now))
}

// same checks that a known edge does what it did before.
func (a *absorption) same(i int, e *event.Event, id int32) error {
	y := a.edgeFrom(int32(i), e, a.Edges[id].From, a.Edges[id].Key)
	x := &a.Edges[id]
	if x.Child != y.Child || !known.SameStores(x, &y) || !slices.Equal(x.Starts(), y.Starts()) || x.Fails() != y.Fails() || x.Kind != y.Kind || x.Reply != y.Reply || x.Told != y.Told || x.Flag != y.Flag || string(x.Raw) != string(y.Raw) || x.Delta != y.Delta || x.Send != y.Send {
		return a.fail(i, "is not a function of what the goroutine's operations returned: value %x, and %x", x.Reply.Value, y.Reply.Value)
	}
	return nil
}
