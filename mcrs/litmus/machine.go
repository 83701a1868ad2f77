package litmus

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Run implements sched.Machine.
func (p *Program) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	r := &run{
		p:  p,
		tr: &trace.Trace{Diverged: -1, Channels: trace.Channels{Caps: make(map[uint64]int)}}, vars: make(map[int]uint64), maps: make(map[[2]int]uint64),
		mapLen: make(map[int]int), locks: make(map[int]*lock), chans: make(map[int]*channel),
		groups: make(map[int]int64), onces: make(map[int]int), conds: make(map[int]*cond),
	}
	r.spawn("G1", -1, 0)
	if !p.spawns() && len(p.Threads) > 1 {
		r.threads[0].half, r.threads[0].start = halfPrologue, 1
		r.settle(r.threads[0])
	}
	r.loop(s, o)
	for i, t := range r.threads {
		if !t.ended {
			op := t.op
			r.tr.Threads[i].Pending = &op
			r.tr.Threads[i].Waits = op.Kind.String()
			r.tr.Threads[i].Leaked = r.tr.Status == trace.Returned && !r.over
		}
	}
	if o.Stacks {
		r.tr.Stacks = make([][]trace.Frame, len(r.tr.Events))
		for i, e := range r.tr.Events {
			r.tr.Stacks[i] = []trace.Frame{{Func: string(r.tr.Threads[e.Thread].ID), Site: e.Site}}
		}
	}
	return r.tr
}

// spinning is the number of transitions in a row after which a thread seems to go round.
const spinning = 30

// live is the number of threads that have not ended.
func (r *run) live() (n int64) {
	for _, t := range r.threads {
		if !t.ended {
			n++
		}
	}
	return n
}

func (r *run) loop(s sched.Scheduler, o sched.Options) {
	last, alone := int32(-1), 0
	for step := 0; !r.over; step++ {
		enabled := r.enabled()
		if len(enabled) == 0 {
			r.tr.Status = trace.Returned
			if !r.threads[0].ended {
				r.tr.Status = trace.Deadlocked
			}
			return
		}
		if o.MaxEvents > 0 && len(r.tr.Events) >= o.MaxEvents {
			r.tr.Status, r.tr.Reason = trace.Limit, fmt.Sprintf("limit of %d events reached", o.MaxEvents)
			return
		}
		if r.tr.Among += r.live(); o.Enough != nil && o.Enough(len(r.tr.Events), r.tr.Cost) {
			r.tr.Status, r.tr.Reason = trace.Limit, "limit of work reached"
			return
		}
		state := &sched.State{Step: step, Last: last, Enabled: enabled, Threads: make([]sched.Thread, len(r.threads)), Local: r.local, Hash: r.hash, Trace: r.tr}
		for i, t := range r.threads {
			state.Threads[i] = sched.Thread{ID: r.tr.Threads[i].ID, Seq: t.seq, Spin: int32(i) == last && alone > spinning}
			if !t.ended {
				state.Threads[i].Op = &t.op
			}
		}
		n := s.Next(state)
		if n == sched.Stop {
			r.tr.Status = trace.Stopped
			return
		}
		if alone++; enabled[n].Thread != last {
			alone = 0
		}
		last = enabled[n].Thread
		r.step(enabled[n])
	}
}

func (r *run) spawn(id event.ThreadID, parent int32, prog int) {
	r.threads = append(r.threads, &thread{prog: prog})
	spawned := int32(-1)
	if parent >= 0 {
		spawned = int32(len(r.tr.Events))
	}
	r.tr.Threads = append(r.tr.Threads, trace.Thread{ID: id, Parent: parent, Spawn: spawned, Holder: -1})
	r.settle(r.threads[len(r.threads)-1])
}

// log appends an event of thread i with what its operation says.
func (r *run) log(i int32, e event.Event) int32 {
	t := r.threads[i]
	e.Thread, e.Seq, e.Site = i, t.seq, t.op.Site
	e.Partner, e.Cases = -1, -1
	if t.op.IsSelect() {
		e.Cases = int32(len(r.tr.Cases))
		r.tr.Cases = append(r.tr.Cases, t.op.Cases)
	} else {
		e.Kind, e.Loc, e.Key, e.Case = t.op.Kind, t.op.Loc, t.op.Key, -1
	}
	t.seq++
	r.tr.Events = append(r.tr.Events, e)
	return int32(len(r.tr.Events) - 1)
}

// fail makes a thread stand at a panic.
func (r *run) fail(t *thread, why string) {
	t.half, t.why = halfPanic, "panic: "+why
	r.settle(t)
}

// advance moves a thread to its next operation.
func (r *run) advance(t *thread) {
	t.pc++
	t.half = 0
	r.settle(t)
}

func (r *run) step(tr sched.Transition) {
	t := r.threads[tr.Thread]
	if comms := r.comms(t); comms != nil || t.op.IsSelect() {
		r.communicate(tr, t, comms)
		return
	}
	r.perform(tr.Thread, t, r.code(t))
}

// communicate performs a send, a receive, a rendezvous or a default.
func (r *run) communicate(tr sched.Transition, t *thread, comms []comm) {
	if int(tr.Case) == len(comms) {
		r.log(tr.Thread, event.Event{Kind: event.SelectDefault, Case: tr.Case, Other: -1})
		t.reg = uint64(tr.Case)
		r.advance(t)
		return
	}
	m := comms[max(0, tr.Case)]
	c := r.channel(m.ch)
	e := event.Event{Kind: m.kind, Case: m.num, Loc: at(chanBase, m.ch), Value: m.val, Other: -1}
	switch {
	case c.closed && m.kind == event.ChanSend:
		r.log(tr.Thread, e)
		r.fail(t, "send on closed channel")
		return
	case m.kind == event.ChanRecv && len(c.buf) > 0:
		e.Value, e.Other = c.buf[0], c.recvd
		c.buf = c.buf[1:]
		c.recvd++
	case m.kind == event.ChanRecv:
	case tr.Partner >= 0:
		u := r.threads[tr.Partner]
		e.Other = c.sent
		c.sent++
		c.recvd++
		i := r.log(tr.Thread, e)
		e.Kind, e.Case = event.ChanRecv, tr.PartnerCase
		j := r.log(tr.Partner, e)
		r.tr.Events[i].Partner, r.tr.Events[j].Partner = j, i
		u.reg = result(u.op.IsSelect(), tr.PartnerCase, m.val)
		r.advance(u)
		t.reg = result(t.op.IsSelect(), tr.Case, t.reg)
		r.advance(t)
		return
	default:
		c.buf = append(c.buf, m.val)
		e.Other = c.sent
		c.sent++
	}
	r.log(tr.Thread, e)
	if m.kind == event.ChanRecv {
		t.reg = e.Value
	}
	t.reg = result(t.op.IsSelect(), tr.Case, t.reg)
	r.advance(t)
}

func result(isSelect bool, num int16, value uint64) uint64 {
	if isSelect {
		return uint64(num)
	}
	return value
}

// perform does an operation that is no communication.
func (r *run) perform(i int32, t *thread, c *Op) {
	var e event.Event
	why := "" // of a panic that the operation raises
	next := -1
	switch t.op.Kind {
	case event.Read, event.AtomicLoad:
		t.reg = r.vars[c.X]
		e.Value = t.reg
	case event.Write, event.AtomicStore:
		x, v := c.X, uint64(c.V)
		if c.Code == Put {
			v += t.reg
		}
		if c.Code == OnceDo {
			x, v, next = c.V, 1, halfOnceEnd
		}
		r.vars[x], e.Value = v, v
	case event.AtomicRMW:
		e.Value, e.Other = r.update(t, c)
	case event.MapRead:
		t.reg = r.maps[[2]int{c.X, c.V}]
		if c.V == 0 {
			t.reg = uint64(r.mapLen[c.X])
		}
		e.Value = t.reg
	case event.MapWrite:
		r.mapWrite(c)
		e.Value, e.Other = uint64(c.W), int64(c.V)
	case event.Spawn:
		r.perfSpawn(i, t, c)
		return
	case event.Panic:
		r.tr.Status, r.tr.PanicThread, r.tr.Panic, r.over = trace.Failed, i, t.why, true
		if t.why == "" {
			r.tr.Panic = "panic: litmus"
		}
		r.log(i, e)
		t.ended = true
		return
	case event.Exit:
		r.tr.Status, r.over = trace.Returned, true
		r.log(i, e)
		t.ended = true
		return
	case event.End:
		r.log(i, e)
		t.ended = true
		return
	default:
		e, why, next = r.synchronise(t, c)
	}
	r.log(i, e)
	switch {
	case why != "":
		r.fail(t, why)
	case next > 0:
		t.half = next
		r.settle(t)
	default:
		r.advance(t)
	}
}

// update performs a read-modify-write. It returns what the goroutine is told, and what is left.
func (r *run) update(t *thread, c *Op) (told uint64, left int64) {
	found := r.vars[c.X]
	switch {
	case c.Code == Tally:
		r.vars[c.X] += uint64(c.V)
		t.op.Key = found
		return 0, int64(r.vars[c.X])
	case c.Code == Add:
		t.reg = found
		r.vars[c.X] += uint64(c.V)
	case found == uint64(c.V):
		r.vars[c.X], t.reg = uint64(c.W), 1
	default:
		t.op.Kind, t.reg = event.AtomicLoad, 0
	}
	t.op.Key = found
	return t.reg, int64(r.vars[c.X])
}

func (r *run) mapWrite(c *Op) {
	if c.V == 0 {
		for k := range r.maps {
			if k[0] == c.X {
				delete(r.maps, k)
			}
		}
		r.mapLen[c.X] = 0
		return
	}
	k := [2]int{c.X, c.V}
	if _, ok := r.maps[k]; !ok {
		r.mapLen[c.X]++
	}
	r.maps[k] = uint64(c.W)
}

func (r *run) perfSpawn(i int32, t *thread, c *Op) {
	child := t.start
	if t.half != halfPrologue {
		child = c.X
	}
	t.kids++
	id := event.ThreadID(fmt.Sprintf("%s.%d", r.tr.Threads[i].ID, t.kids))
	r.spawn(id, i, child)
	r.log(i, event.Event{Value: uint64(child), Other: int64(len(r.threads) - 1)})
	if t.half == halfPrologue {
		if t.start++; t.start < len(r.p.Threads) {
			r.settle(t)
			return
		}
		t.half = 0
		r.settle(t)
		return
	}
	r.advance(t)
}

// synchronise performs an operation of package sync or on a channel. next is the
// half the thread enters, -1 if the operation is complete.
func (r *run) synchronise(t *thread, c *Op) (e event.Event, why string, next int) {
	next = -1
	switch t.op.Kind {
	case event.Lock:
		get(r.locks, c.X).held = true
	case event.LockAnnounce:
		get(r.locks, c.X).announced = true
		next = halfSecond
	case event.Unlock:
		l := get(r.locks, c.X)
		if !l.held {
			why, e.Value = "unlock of unlocked mutex", 1
		}
		l.held, l.announced = false, false
	case event.TryLock:
		l := get(r.locks, c.X)
		t.reg = 0
		if !l.held && !l.announced && l.readers == 0 {
			l.held, t.reg = true, 1
		}
		e.Value = t.reg
	case event.RLock:
		get(r.locks, c.X).readers++
	case event.RUnlock:
		if l := get(r.locks, c.X); l.readers > 0 {
			l.readers--
		} else {
			why, e.Value = "RUnlock of unlocked RWMutex", 1
		}
	case event.ChanClose:
		ch := r.channel(c.X)
		if ch.closed {
			why, e.Value = "close of closed channel", 1
		}
		ch.closed = true
	case event.ChanLen:
		t.reg = uint64(len(r.channel(c.X).buf))
		e.Value = t.reg
	case event.WaitGroupAdd:
		r.groups[c.X] += int64(c.V)
		e.Value, e.Other = uint64(int64(c.V)), r.groups[c.X]
		if e.Other < 0 {
			why = "sync: negative WaitGroup counter"
		}
	case event.OnceBegin:
		if r.onces[c.X] == 0 {
			r.onces[c.X], e.Value, next = 1, 1, halfSecond
		}
		t.reg = e.Value
	case event.OnceEnd:
		r.onces[c.X] = 2
	case event.CondAdd:
		d := get(r.conds, c.X)
		t.tick = d.next
		d.next++
		e.Value, next = uint64(t.tick), halfSecond
	case event.CondWait:
		e.Value = uint64(t.tick)
		t.op.Key = e.Value
	case event.CondSignal:
		e.Other = -1
		if d := get(r.conds, c.X); d.notified < d.next {
			e.Value, e.Other = uint64(d.notified), 1
			d.notified++
		}
	case event.CondBroadcast:
		d := get(r.conds, c.X)
		e.Value, e.Other = uint64(d.notified), int64(d.next-d.notified)
		d.notified = d.next
	}
	return e, why, next
}
