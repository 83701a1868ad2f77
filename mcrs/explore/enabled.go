package explore

import "github.com/heddle-go/heddle/mcrs/event"

// This file decides, without running the program, whether a move is enabled after a
// configuration. It may say yes wrongly (the execution is then cut off, and
// counted as redundant); it must not say no wrongly.

// enabled reports whether a move can be taken after k. unblock is nil if it can, or
// if nothing need be tried; else it lists alternatives: in every smaller configuration
// with the move enabled, all events of one of the lists are missing.
func (g *graph) enabled(k cut, m *move) (ok bool, unblock [][]ref) {
	if len(m.touches) == 0 {
		return true, nil
	}
	c := &g.cells[m.touches[0].cell]
	if op, _ := g.opOf(m.a); g.overwritten(event.Bytes(op.Kind, op.Loc, op.Key)) {
		return g.enabledByBytes(k, m)
	}
	switch {
	case m.b.thread >= 0:
		if g.closed(c, k) {
			return false, nil
		}
		return g.uncross(k, m)
	case m.kind == event.SelectDefault:
		return g.defaultEnabled(k, m)
	case m.kind == event.ChanSend || m.kind == event.ChanRecv:
		return g.commEnabled(c, k, m.kind), nil
	case m.kind == event.Lock || m.kind == event.RLock || m.kind == event.LockAnnounce:
		return g.lockEnabled(c, k, m)
	case m.kind == event.WaitGroupWait:
		return g.waitEnabled(c, k, m)
	case m.kind == event.OnceBegin:
		return g.onceFree(c, k), nil
	case m.kind == event.CondWait:
		return g.notified(c, k, m), nil
	}
	return true, nil
}

func (g *graph) closed(c *cellUse, k cut) bool {
	if g.t.Closed[c.key.addr] {
		return true
	}
	for i := range c.byThr {
		u := &c.byThr[i]
		for _, o := range u.upTo(k[u.thread]) {
			if o.class == classClose {
				return true
			}
		}
	}
	return false
}

// commEnabled is about a send or a receive that is no rendezvous.
func (g *graph) commEnabled(c *cellUse, k cut, kind event.Kind) bool {
	if c.cap < 0 || g.closed(c, k) {
		return true
	}
	sent, recvd := g.count(c.sends, k), g.count(c.recvs, k)
	if kind == event.ChanSend {
		return sent-recvd < c.cap
	}
	return sent > recvd
}

func (g *graph) onceFree(c *cellUse, k cut) bool {
	inside := 0
	for i := range c.byThr {
		u := &c.byThr[i]
		for _, o := range u.upTo(k[u.thread]) {
			switch {
			case o.kind == event.OnceEnd:
				inside--
			case o.value == 1:
				inside++
			}
		}
	}
	return inside <= 0
}

// notified replays a condition variable. Its tickets and notifications are totally
// ordered, so the trace's order serves.
func (g *graph) notified(c *cellUse, k cut, m *move) bool {
	type op struct {
		index int32
		kind  event.Kind
		mine  bool
	}
	var ops []op
	for i := range c.byThr {
		u := &c.byThr[i]
		for _, o := range u.upTo(k[u.thread]) {
			ops = append(ops, op{o.index, o.kind, u.thread == m.a.thread})
		}
	}
	sortBy(ops, func(o op) int32 { return o.index })
	next, done, ticket := 0, 0, 0
	for _, o := range ops {
		switch o.kind {
		case event.CondAdd:
			if o.mine {
				ticket = next
			}
			next++
		case event.CondSignal:
			done = min(done+1, next)
		case event.CondBroadcast:
			done = next
		}
	}
	return ticket < done
}

// lockEnabled: rule DEP3. A lock that is held is reversed with the event that
// acquired it, and not with the release.
func (g *graph) lockEnabled(c *cellUse, k cut, m *move) (bool, [][]ref) {
	announces := c.announced() || m.kind == event.LockAnnounce
	writers, readers := 0, 0
	holder := lockState{taken: -1}
	var holderRef ref
	var open []ref // of each reading thread, where it last came to hold the lock
	odd := false
	for i := range c.byThr {
		u := &c.byThr[i]
		n := len(u.upTo(k[u.thread]))
		if n == 0 {
			continue
		}
		l := u.lockStates(announces)[n-1]
		writers += int(l.writers)
		if l.taken >= 0 && l.taken >= holder.taken {
			holder, holderRef = l, ref{u.thread, l.takenSeq}
		}
		odd = odd || l.held < 0
		if readers += int(l.held); l.held > 0 {
			open = append(open, ref{u.thread, l.since})
		}
	}
	needNoWriter := m.kind != event.Lock || !announces
	needNoReader := m.kind == event.Lock
	switch {
	case needNoWriter && writers > 0:
		return false, [][]ref{{holderRef}}
	case needNoReader && readers > 0 && !odd:
		return false, [][]ref{open}
	case needNoReader && readers > 0:
		return false, g.each(c, k, m, func(o seqClass) bool { return o.kind == event.RLock || o.kind == event.TryRLock })
	}
	return true, nil
}

// A lockState is what one thread's events on a lock amount to, up to one of them.
type lockState struct {
	writers  int32 // times taken for writing, less releases
	held     int32 // read locks held
	since    int32 // the event by which the thread last came to hold one
	taken    int32 // index in the trace of the last event that took the lock for writing, -1 if none
	takenSeq int32
}

// lockStates returns the state after each event of u, computed once.
func (u *use) lockStates(announces bool) []lockState {
	if u.locks != nil && u.announces == announces {
		return u.locks
	}
	u.locks, u.announces = make([]lockState, len(u.occ)), announces
	l := lockState{taken: -1}
	for i, o := range u.occ {
		switch {
		case o.kind == event.LockAnnounce, o.kind == event.Lock && !announces, o.kind == event.TryLock && o.value == 1:
			l.writers++
			l.taken, l.takenSeq = o.index, o.seq
		case o.kind == event.Unlock:
			l.writers--
		case o.kind == event.RLock, o.kind == event.TryRLock && o.value == 1:
			if l.held == 0 {
				l.since = o.seq
			}
			l.held++
		case o.kind == event.RUnlock:
			l.held--
		}
		u.locks[i] = l
	}
	return u.locks
}

// announced reports whether the trace has an announcement on the lock, which makes it an RWMutex.
func (c *cellUse) announced() bool {
	if c.announces == 0 {
		c.announces = -1
		for i := range c.byThr {
			for _, o := range c.byThr[i].occ {
				if o.kind == event.LockAnnounce {
					c.announces = 1
				}
			}
		}
	}
	return c.announces > 0
}

// each lists the events of a cell in k, unknown to the move, that satisfy f, as
// alternatives.
func (g *graph) each(c *cellUse, k cut, m *move, f func(seqClass) bool) (out [][]ref) {
	for i := range c.byThr {
		u := &c.byThr[i]
		if m.involves(u.thread) {
			continue
		}
		for _, o := range u.between(m.past[u.thread], k[u.thread]) {
			if f(o) {
				out = append(out, []ref{{u.thread, o.seq}})
			}
		}
	}
	return out
}

// waitEnabled: rule DEP4. If the counter is not zero, leaving out adds may make it so,
// unless even all those that could be left out are too few.
func (g *graph) waitEnabled(c *cellUse, k cut, m *move) (bool, [][]ref) {
	sum := g.sumOf(c, k)
	if sum == 0 {
		return true, nil
	}
	lo, hi := sum, sum
	for i := range c.byThr {
		u := &c.byThr[i]
		for _, o := range u.between(m.past[u.thread], k[u.thread]) {
			if d := int64(o.value); o.kind == event.WaitGroupAdd && d > 0 {
				lo -= d
			} else if o.kind == event.WaitGroupAdd {
				hi -= d
			}
		}
	}
	if lo > 0 || hi < 0 {
		return false, nil
	}
	return false, g.each(c, k, m, func(o seqClass) bool {
		return o.kind == event.WaitGroupAdd && (int64(o.value) > 0) == (sum > 0)
	})
}

// defaultEnabled: rule DEP8. No case may be ready.
func (g *graph) defaultEnabled(k cut, m *move) (bool, [][]ref) {
	cases, _ := g.commsAt(m.a.thread, m.a.seq)
	for _, cs := range cases {
		if cs.Chan == 0 {
			continue
		}
		c := &g.cells[g.cell(cellKey{space: spaceChan, addr: cs.Chan})]
		if c.cap < 0 {
			continue // unknown: try
		}
		if !g.commEnabled(c, k, cs.Kind) {
			continue // a partner that stands at the other side may not have arrived yet: try
		}
		return false, g.each(c, k, m, func(o seqClass) bool {
			return classPollSend.conflictsWith(o.class) || classPollRecv.conflictsWith(o.class)
		})
	}
	return true, nil
}

// elsewhere lists the communications of a select beside one, and reports whether any needs no partner after k (rule DEP8, CHAN7 of the
// Go machine).
func (g *graph) elsewhere(k cut, r ref) (others []event.Case, ready bool) {
	comms, _ := g.commsAt(r.thread, r.seq)
	ready = g.hasDefault(r.thread, r.seq)
	if len(comms) < 2 && !ready {
		return nil, false
	}
	for _, c := range comms {
		if c.Chan != 0 {
			others = append(others, c)
			cell := &g.cells[g.cell(cellKey{space: spaceChan, addr: c.Chan})]
			ready = ready || k != nil && cell.cap >= 0 && g.commEnabled(cell, k, c.Kind)
		}
	}
	return others, ready
}

// uncross is about a rendezvous: two selects must not both have something else to do.
func (g *graph) uncross(k cut, m *move) (ok bool, unblock [][]ref) {
	a, readyA := g.elsewhere(k, m.a)
	b, readyB := g.elsewhere(k, m.b)
	if !readyA || !readyB {
		return true, nil
	}
	for _, c := range append(append([]event.Case(nil), a...), b...) {
		unblock = append(unblock, g.each(&g.cells[g.cell(cellKey{space: spaceChan, addr: c.Chan})], k, m, func(o seqClass) bool {
			return classPollSend.conflictsWith(o.class) || classPollRecv.conflictsWith(o.class)
		})...)
	}
	return false, unblock
}

// started reports whether the event that started thread q is in k.
func (g *graph) started(k cut, q int32) bool {
	spawn := g.t.Threads[q].Spawn
	if k[q] > 0 || spawn < 0 {
		return true
	}
	e := &g.t.Events[spawn]
	return k.has(ref{e.Thread, e.Seq})
}
