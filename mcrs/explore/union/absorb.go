package union

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file adds an execution to the knowledge. It performs the execution in the specification, and compares: what the
// specification does not foresee ends the use of this explorer, and nothing is concluded from it.

// absorption is the state of one call of Absorb.
type absorption struct {
	*rules
	t       *trace.Trace
	w       *Watch
	slot    []int32 // by thread of the trace
	index   []int32 // its inverse
	moves   []move
	s       state
	written map[uint64]bool // bytes written in this execution
	pubs    map[int32][]publication
	starts  []starting // by Trace.Started
	now     int64      // of the event last looked at
	moved   int        // moves of the clock before it
}

// Absorb adds an execution that ran under w. An error says that the execution is not one of the specification's.
func absorb(k *rules, t *trace.Trace, w *Watch) error {
	for i := range t.Events { // before any work is done
		if e := &t.Events[i]; !supported(e.Kind) {
			return fmt.Errorf("no rule for %v at site %d", e.Kind, e.Site)
		}
	}
	for i := range t.Threads {
		if t.Threads[i].Alive {
			return fmt.Errorf("no rule for goroutines that go on beside a deadlock")
		}
		if t.Threads[i].Bubble > 0 {
			return fmt.Errorf("no rule for bubbles of testing/synctest")
		}
		if op := t.Threads[i].Pending; op != nil && !supported(op.Kind) {
			return fmt.Errorf("no rule for %v at site %d", op.Kind, op.Site)
		}
	}
	k.lay.now++
	k.epoch++
	a := &absorption{rules: k, t: t, w: w, pubs: make(map[int32][]publication), written: make(map[uint64]bool)}
	version := k.lay.version
	a.slot = make([]int32, len(t.Threads))
	count := make([]int32, len(t.Threads))
	for i := range t.Events {
		count[t.Events[i].Thread]++
	}
	for i := range t.Threads {
		a.slot[i] = k.thread(t.Threads[i].ID)
	}
	if k.lay.now == 1 {
		k.began.now = t.Start
	}
	a.now = t.Start
	a.noteTimers()
	a.index = make([]int32, len(k.ids))
	for i := range a.index {
		a.index[i] = -1
	}
	for i := range t.Threads {
		a.index[a.slot[i]] = int32(i)
		if t.Threads[i].Pending != nil { // an execution may end before the scheduler sees it
			w.saw(i, int(count[i]), t.Threads[i].Pending)
		}
	}
	if early := a.startedBy(-1, true, nil, -1); k.lay.now == 1 {
		k.early = early
	} else if !slices.Equal(early, k.early) {
		return fmt.Errorf("the entry does not start the same timers in every execution")
	}
	if err := a.shape(); err != nil {
		return err
	}
	if err := a.perform(); err != nil {
		return err
	}
	k.disclose()
	if version != k.lay.version { // operations known before touch other slots now
		for n := range k.nodes {
			if k.nodes[n].known {
				k.queue.add(int32(n))
			}
		}
		for i := range k.objects {
			k.objects[i].guards, k.objects[i].accessed = nil, false
		}
		for n := range k.nodes {
			if k.nodes[n].known {
				k.register(int32(n))
			}
		}
	}
	for n := range k.nodes {
		if len(k.looped) > 0 && slices.Contains(k.looped, k.nodes[n].thread) {
			k.queue.add(int32(n))
		}
	}
	k.looped = k.looped[:0]
	return nil
}

// shape gives the execution's memory a layout.
func (a *absorption) shape() error {
	objects := len(a.objects)
	for _, p := range a.t.Published {
		th := a.t.Events[p.Event].Thread
		if h := hashBytes(a.t.Bytes[p.Offset : p.Offset+p.Size]); p.Unlogged {
			if was, ok := a.unlogged[p.Addr]; ok && was != h { // what others are told by it is more than its address
				return fmt.Errorf("no rule for a string, closure or value in an interface that differs and has one address, shared by goroutine %s", a.t.Threads[th].ID)
			}
			a.unlogged[p.Addr] = h
		}
		a.publish(p.Addr, p.Addr+uint64(p.Size), a.slot[th])
		a.pubs[p.Event] = append(a.pubs[p.Event], publication{p.Addr, a.t.Bytes[p.Offset : p.Offset+p.Size]})
	}
	for i := range a.t.Threads {
		for seq := int32(0); ; seq++ {
			op := a.w.op(int32(i), seq)
			if op == nil {
				break
			}
			if op.Kind.IsAccess() && op.Loc.Size > 0 {
				if op.Key == 1 && op.Kind != event.AtomicRMW {
					return fmt.Errorf("goroutine %s lets the host read or write memory at site %d", a.t.Threads[i].ID, op.Site)
				}
				a.access(op.Loc, a.slot[i])
			}
			if err := a.noteCount(op); err != nil {
				return err
			}
			if s := spaceOf(op.Kind); s == spaceMap || s == spaceObject {
				before := len(a.objects)
				o := a.object(s, op.Loc.Addr)
				if op.Kind == event.MapRead && op.Key == 0 && !a.objects[o].whole { // before what anyone meets has a name
					a.objects[o].whole, a.stale = true, true
				}
				if th, born := a.lay.publisher(op.Loc.Addr); before != len(a.objects) && th != nobody && born < a.lay.now {
					a.rebuild() // what published it has an effect on it
				}
			}
		}
	}
	if objects != len(a.objects) {
		a.even()
	}
	counters := make(map[uint64]bool)
	for i := range a.t.Events { // a counter may have been changed by package initialisation
		if e := &a.t.Events[i]; e.Kind == event.WaitGroupAdd && !counters[e.Loc.Addr] {
			counters[e.Loc.Addr] = true
			if o := &a.objects[a.object(spaceGroup, e.Loc.Addr)]; o.start != int32(e.Other-int64(e.Value)) {
				o.start, a.stale = int32(e.Other-int64(e.Value)), true
			}
		}
	}
	for _, addr := range slices.Sorted(maps.Keys(a.t.Caps)) {
		o := &a.objects[a.object(spaceChan, addr)]
		if o.timer {
			continue
		}
		o.cap = a.t.Caps[addr]
		if a.t.Unsized[addr] {
			a.unsized[addr] = true
		}
		if a.t.Closed[addr] && o.start == 0 {
			o.start = a.values.ofWords('q', 1)
			a.stale = true
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
	a.s = a.start()
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
		m := move{a.slot[e.Thread], -1, st.Case, -1}
		var p *event.Event
		if e.Partner >= 0 {
			p = &a.t.Events[e.Partner]
			m.partner, m.pcase = a.slot[p.Thread], st.PartnerCase
		}
		if err := a.compare(i, step); err != nil {
			return err
		}
		step++
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
	if seen == nil {
		return nil
	}
	op := *seen
	if op.Kind == event.CondWait {
		op.Key = 0 // the ticket is part of the state
	}
	n := a.s.node(a.slot[thread])
	x := &a.nodes[n]
	if !x.known {
		x.known, x.operation = true, a.operationOf(op)
		a.queue.add(n)
		a.register(n)
		return a.rule(n)
	}
	if x.op.Kind == event.AtomicRMW {
		op.Key = x.op.Key
	}
	if !sameOp(&x.op, &op) {
		return fmt.Errorf("goroutine %s is not a function of what its operations returned: %v at site %d on %x, and %v at site %d on %x",
			a.t.Threads[thread].ID, x.op.Kind, x.op.Site, x.op.Loc, op.Kind, op.Site, op.Loc)
	}
	return nil
}

// rule reports what the specification has no rule for.
func (a *absorption) rule(n int32) error {
	x := &a.nodes[n]
	if !supported(x.op.Kind) {
		return fmt.Errorf("no rule for %v at site %d", x.op.Kind, x.op.Site)
	}
	for _, c := range a.actOf(n).comms {
		if c.obj != 0 && a.objects[c.obj].cap < 0 {
			return fmt.Errorf("no rule for a channel that holds elements when an execution begins, at site %d", x.op.Site)
		}
	}
	if lo, size := x.op.Loc.Addr, uint64(x.op.Loc.Size); x.op.Kind.IsAccess() {
		if !a.ranges[interval{lo: lo, hi: lo + size}] {
			a.ranges[interval{lo: lo, hi: lo + size}] = true
			for w := range a.words {
				if w.Overlaps(x.op.Loc) {
					return fmt.Errorf("no rule for a lock that is used as memory, at site %d", x.op.Site)
				}
			}
		}
		return nil
	}
	if w := event.Bytes(x.op.Kind, x.op.Loc, x.op.Key); w.Size > 0 && !a.words[w] {
		a.words[w] = true
		for r := range a.ranges {
			if w.Addr < r.hi && r.lo < w.Addr+uint64(w.Size) {
				return fmt.Errorf("no rule for a lock that is used as memory, and used at site %d", x.op.Site)
			}
		}
	}
	return nil
}

func sameOp(a, b *event.Op) bool {
	if a.Kind != b.Kind || a.Deadline != b.Deadline || a.Loc != b.Loc || a.Key != b.Key || a.Site != b.Site || a.HasDefault != b.HasDefault || len(a.Cases) != len(b.Cases) {
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
func (a *absorption) compare(i, step int) error {
	if step >= len(a.w.enabled) {
		return a.fail(i, "no decision was taken for it")
	}
	if a.compared += len(a.s.nodes); a.compared > maxCompared {
		return errors.New("executions are too large to be performed in the specification as well")
	}
	mine := a.moves[:0]
	for t := range a.s.nodes {
		mine = a.rules.enabled(&a.s, int32(t), mine)
	}
	if len(mine) == 0 && a.tick(&a.s) {
		for t := range a.s.nodes {
			mine = a.rules.enabled(&a.s, int32(t), mine)
		}
	}
	a.moves = mine
	if c := a.clockOf(&a.s); c.now != a.timeAt(i) {
		return a.fail(i, "it is %d, the specification says %d", a.now, c.now)
	}
	var c choices
	for _, m := range mine {
		p := int32(-1)
		if m.partner >= 0 {
			p = a.index[m.partner]
		}
		c.add(a.index[m.thread], m.kase, p, m.pcase)
	}
	theirs := a.w.enabled[step]
	if c != theirs {
		if a.tickBeforeSleep(mine) {
			return errors.New("no rule for a sleep that ends after the ticks that its goroutine waits for")
		}
		return a.fail(i, "before it the machine enables %d transitions, the specification %d", theirs.count, c.count)
	}
	return nil
}

// tickBeforeSleep reports whether the specification lets a sleep end beside a timer with a channel that is due. The machine has them in order
// where the sleeper has started the timer (TIME8).
func (a *absorption) tickBeforeSleep(moves []move) bool {
	sleeps := slices.ContainsFunc(moves, func(m move) bool { return a.nodes[a.s.node(m.thread)].op.Kind == event.Sleep })
	return sleeps && slices.ContainsFunc(a.clockOf(&a.s).active, func(t activeTimer) bool {
		ch := a.timers[t.timer].ch
		return t.due && ch != 0 && !a.objects[ch].keeps
	})
}

// step performs a transition, and adds its edges.
func (a *absorption) step(i int, m move, e, p *event.Event) error {
	n := a.s.node(m.thread)
	x, known := a.meets(&a.s, m)
	if err := a.agree(i, e, n, &x, known); err != nil {
		return err
	}
	id := a.edgeOf(n, x)
	if id < 0 {
		id = a.add(a.edgeFrom(int32(i), e, n, x), e)
	} else if err := a.same(i, e, id); err != nil {
		return err
	}
	pid := int32(-1)
	if p != nil {
		pn := a.s.node(m.partner)
		px := key{kind: event.ChanRecv, kase: m.pcase, now: x.now, val: a.edges[id].send}
		if pid = a.edgeOf(pn, px); pid < 0 {
			pid = a.add(a.edgeFrom(e.Partner, p, pn, px), p)
		} else if err := a.same(int(e.Partner), p, pid); err != nil {
			return err
		}
	}
	if e.Kind == event.TimerFire {
		a.fires(a.edges[id].to, e.Loc.Addr)
	}
	a.apply(&a.s, m, id, pid)
	if err := a.after(i, e, n); err != nil {
		return err
	}
	if raw := a.edges[id].raw; raw != nil {
		if _, ok := a.lay.initial[e.Loc.Addr]; !ok {
			a.store(e.Loc.Addr, raw)
		}
	}
	return nil
}

// add adds the edge of an event.
func (a *absorption) add(x edge, e *event.Event) int32 {
	a.queue.add(x.from)
	id := a.addEdge(x, a.w.local(e.Thread, e.Seq+1))
	for _, to := range a.leads(id)[1:] {
		r := &a.nodes[to]
		r.spawners = append(r.spawners, id)
	}
	return id
}

// agree compares what the operation met with what the event says, and learns what was there at the start.
func (a *absorption) agree(i int, e *event.Event, n int32, x *key, known bool) error {
	op := &a.nodes[n].op
	wrong := func(want uint64) error { return a.fail(i, "returned %d, the specification says %d", e.Value, want) }
	switch op.Kind {
	case event.Read, event.AtomicLoad:
		if e.Loc.Size == 0 {
			return nil
		}
		return a.found(i, e, n, x, known, a.bytesOf(e))
	case event.AtomicRMW:
		if e.Loc.Size > 8 {
			return a.found(i, e, n, x, known, a.bytesOf(e))
		}
		return a.found(i, e, n, x, known, word(e.Key, e.Loc.Size))
	case event.TryLock, event.TryRLock, event.ChanLen:
		if e.Value != x.val {
			return wrong(x.val)
		}
	case event.OnceBegin:
		if e.Value != x.val {
			if o := &a.objects[a.actOf(n).obj]; x.val == 1 && o.start == 0 { // it was done before
				o.start, a.stale = 2, true
				x.val = 0
				return nil
			}
			return wrong(x.val)
		}
	case event.TimerStop, event.TimerStart:
		if e.Value != x.val {
			return wrong(x.val)
		}
	case event.Goroutines:
		if op.Key == 0 && !a.counted(e, x) {
			return wrong(x.val)
		}
	}
	if e.Kind == event.ChanRecv && (e.Value != x.val || e.Other < 0 != x.flag) && e.Partner < 0 {
		return wrong(x.val)
	}
	return nil
}

// after compares counters.
func (a *absorption) after(i int, e *event.Event, n int32) error {
	if e.Kind != event.WaitGroupAdd {
		return nil
	}
	o := a.actOf(n).obj
	if have := a.get(&a.s, o); int64(have) != e.Other {
		return a.fail(i, "the counter is %d, the specification says %d", e.Other, have)
	}
	return nil
}

// bytesOf returns the bytes of an access.
func (a *absorption) bytesOf(e *event.Event) []byte {
	if e.Loc.Size > 8 {
		if end := e.Other + int64(e.Loc.Size); e.Other >= 0 && end <= int64(len(a.t.Bytes)) {
			return a.t.Bytes[e.Other:end]
		}
	}
	return word(e.Value, e.Loc.Size)
}

func word(v uint64, size uint32) []byte {
	b := binary.LittleEndian.AppendUint64(nil, v)
	for len(b) < int(size) {
		b = append(b, 0)
	}
	return b[:size]
}

// found compares the bytes that an access found with what the specification says, or learns them. The key of its edge is what
// it found, whether the cells are local or not: that may change.
func (a *absorption) found(i int, e *event.Event, n int32, x *key, known bool, b []byte) error {
	local := len(a.actOf(n).cells) == 0
	if known && x.val != hashBytes(b) && !(local && a.joined[a.nodes[n].thread]) {
		return a.fail(i, "found %x, which is not what the specification says", b)
	}
	x.val = hashBytes(b)
	if local {
		a.local(e.Loc.Addr, b)
	} else if !known {
		return a.learnRest(i, n, e.Loc.Addr, b)
	}
	return nil
}

// local notes what was in memory that only one goroutine touches, if nobody has written or published it.
func (a *absorption) local(addr uint64, b []byte) {
	if th, _ := a.lay.publisher(addr); th != nobody {
		return
	}
	for i := range b {
		at := addr + uint64(i)
		if _, ok := a.lay.initial[at]; !ok && !a.written[at] {
			a.lay.initial[at] = b[i]
		}
	}
}

// learnRest learns the cells of an access whose content at the start is not known, and sets them.
func (a *absorption) learnRest(i int, n int32, addr uint64, b []byte) error {
	at := 0
	for _, c := range a.actOf(n).cells {
		part := b[at : at+int(a.objects[c].size)]
		if v := a.get(&a.s, c); v == 0 {
			a.learn(a.objects[c].addr, part)
			a.set(&a.s, c, a.values.of(part))
		} else if a.values.raw[v] != string(part) {
			return a.fail(i, "read %x, the specification says %x", part, a.values.raw[v])
		}
		at += len(part)
	}
	return nil
}

func (a *absorption) store(addr uint64, b []byte) {
	for i := range b {
		a.written[addr+uint64(i)] = true
	}
}

// edgeFrom makes the edge of an event.
func (a *absorption) edgeFrom(i int32, e *event.Event, n int32, x key) edge {
	out := edge{from: n, key: x, kind: e.Kind, reply: trace.ReplyOf(e), child: -1}
	switch e.Kind {
	case event.Write, event.AtomicStore:
		out.raw = a.bytesOf(e)
	case event.AtomicRMW:
		if out.raw = word(uint64(e.Other), e.Loc.Size); e.Loc.Size > 8 {
			out.raw = a.t.Bytes[e.Other+int64(e.Loc.Size):][:e.Loc.Size]
		}
	case event.MapRead:
		out.flag = e.Other < 0
	case event.WaitGroupAdd:
		out.delta = int64(e.Value)
	case event.ChanSend:
		out.send = e.Value
	case event.Spawn:
		child := a.slot[e.Other]
		out.child = a.root(child, a.from(e.Value, x.now))
	case event.TimerFire:
		out.send = e.Key
		if child := firedBy(a.t, int(i)); child >= 0 {
			out.child = a.root(a.slot[child], a.from(mix(uint64(n), 13), x.now))
		}
	}
	if len(a.starts) > 0 || a.pubs[i] != nil {
		var starts []starting
		switch {
		case e.Partner < 0:
			starts = a.startedBy(i, true, e, -1)
		case e.Kind == event.ChanRecv:
			starts = a.startedBy(e.Partner, false, e, -1)
		default:
			starts = a.startedBy(i, true, e, a.t.Events[e.Partner].Thread)
		}
		if pubs := a.pubs[i]; len(starts)+len(pubs) > 0 {
			out.rest = &rest{starts, pubs}
		}
	}
	return out
}

// from names how a goroutine starts, and when.
func (a *absorption) from(start uint64, now int32) uint64 {
	if now == 0 {
		return start
	}
	return mix(start, uint64(now))
}

// same checks that a known edge does what it did before.
func (a *absorption) same(i int, e *event.Event, id int32) error {
	y := a.edgeFrom(int32(i), e, a.edges[id].from, a.edges[id].key)
	x := &a.edges[id]
	if x.child != y.child || !slices.Equal(x.starts(), y.starts()) || x.kind != y.kind || x.reply != y.reply || x.flag != y.flag || string(x.raw) != string(y.raw) || x.delta != y.delta || x.send != y.send {
		return a.fail(i, "is not a function of what the goroutine's operations returned: value %x, and %x", x.reply.Value, y.reply.Value)
	}
	return nil
}
