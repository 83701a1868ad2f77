package causality

import "github.com/heddle-go/heddle/mcrs/event"

// This file decides, without running the program, whether a move is enabled after a
// configuration. It may say yes wrongly (the execution is then cut off, and
// counted as redundant); it must not say no wrongly.

// enabling is a graph of which is asked what is enabled after a part of it.
type enabling struct{ *Graph }

// enabled reports whether a move can be taken after k. unblock is nil if it can, or
// if nothing need be tried; else it lists alternatives: in every smaller configuration
// with the move enabled, all events of one of the lists are missing.
func (g enabling) enabled(k Cut, m *Move) (ok bool, unblock [][]Ref) {
	if len(m.Touches) == 0 {
		return true, nil
	}
	if !g.buffersAllow(k, m) {
		return false, nil
	}
	c := &g.Cells[m.Touches[0].Cell]
	if op, _ := g.opOf(m.A); g.overwritten(event.Bytes(op.Kind, op.Loc, op.Key)) {
		return g.enabledByBytes(k, m)
	}
	switch {
	case m.B.Thread >= 0:
		if g.closed(c, k) {
			return false, nil
		}
		return g.uncross(k, m)
	case m.Kind == event.SelectDefault:
		return g.defaultEnabled(k, m)
	case m.Kind.IsComm():
		return g.commEnabled(c, k, m.Kind), nil
	case m.Kind.WaitsForLock():
		return g.lockEnabled(c, k, m)
	case m.Kind == event.WaitGroupWait:
		return g.waitEnabled(c, k, m)
	case m.Kind == event.OnceBegin:
		return g.onceFree(c, k), nil
	case m.Kind == event.CondWait:
		return g.notified(c, k, m), nil
	}
	return true, nil
}

func (g *Graph) closed(c *CellUse, k Cut) bool {
	if g.Trace.Closed[c.Key.Addr] {
		return true
	}
	for i := range c.ByThr {
		u := &c.ByThr[i]
		for _, o := range u.upTo(k[u.Thread]) {
			if o.class == classClose {
				return true
			}
		}
	}
	return false
}

// commEnabled is about a send or a receive that is no rendezvous.
func (g enabling) commEnabled(c *CellUse, k Cut, kind event.Kind) bool {
	if c.cap < 0 || g.closed(c, k) {
		return true
	}
	sent, recvd := g.count(c.sends, k), g.count(c.recvs, k)
	if kind == event.ChanSend {
		return sent-recvd < c.cap
	}
	return sent > recvd
}

func (g enabling) onceFree(c *CellUse, k Cut) bool {
	inside := 0
	for i := range c.ByThr {
		u := &c.ByThr[i]
		for _, o := range u.upTo(k[u.Thread]) {
			switch {
			case o.Kind == event.OnceEnd:
				inside--
			case o.Value == 1:
				inside++
			}
		}
	}
	return inside <= 0
}

// notified replays a condition variable. Its tickets and notifications are totally
// ordered, so the trace's order serves.
func (g enabling) notified(c *CellUse, k Cut, m *Move) bool {
	type op struct {
		index int32
		kind  event.Kind
		mine  bool
	}
	var ops []op
	for i := range c.ByThr {
		u := &c.ByThr[i]
		for _, o := range u.upTo(k[u.Thread]) {
			ops = append(ops, op{o.index, o.Kind, u.Thread == m.A.Thread})
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
func (g enabling) lockEnabled(c *CellUse, k Cut, m *Move) (bool, [][]Ref) {
	announces := c.announced() || m.Kind == event.LockAnnounce
	writers, readers := 0, 0
	holder := lockState{taken: -1}
	var holderRef Ref
	var open []Ref // of each reading thread, where it last came to hold the lock
	odd := false
	for i := range c.ByThr {
		u := &c.ByThr[i]
		n := len(u.upTo(k[u.Thread]))
		if n == 0 {
			continue
		}
		l := u.lockStates(announces)[n-1]
		writers += int(l.writers)
		if l.taken >= 0 && l.taken >= holder.taken {
			holder, holderRef = l, Ref{u.Thread, l.takenSeq}
		}
		odd = odd || l.held < 0
		if readers += int(l.held); l.held > 0 {
			open = append(open, Ref{u.Thread, l.since})
		}
	}
	needNoWriter := m.Kind != event.Lock || !announces
	needNoReader := m.Kind == event.Lock
	switch {
	case needNoWriter && writers > 0:
		return false, [][]Ref{{holderRef}}
	case needNoReader && readers > 0 && !odd:
		return false, [][]Ref{open}
	case needNoReader && readers > 0:
		return false, g.each(c, k, m, func(o SeqClass) bool { return o.Kind == event.RLock || o.Kind == event.TryRLock })
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
func (u *Use) lockStates(announces bool) []lockState {
	if u.locks != nil && u.announces == announces {
		return u.locks
	}
	u.locks, u.announces = make([]lockState, len(u.Occ)), announces
	l := lockState{taken: -1}
	for i, o := range u.Occ {
		switch {
		case o.Kind == event.LockAnnounce, o.Kind == event.Lock && !announces, o.Kind == event.TryLock && o.Value == 1:
			l.writers++
			l.taken, l.takenSeq = o.index, o.Seq
		case o.Kind == event.Unlock:
			l.writers--
		case o.Kind == event.RLock, o.Kind == event.TryRLock && o.Value == 1:
			if l.held == 0 {
				l.since = o.Seq
			}
			l.held++
		case o.Kind == event.RUnlock:
			l.held--
		}
		u.locks[i] = l
	}
	return u.locks
}

// announced reports whether the trace has an announcement on the lock, which makes it an RWMutex.
func (c *CellUse) announced() bool {
	if c.announces == 0 {
		c.announces = -1
		for i := range c.ByThr {
			for _, o := range c.ByThr[i].Occ {
				if o.Kind == event.LockAnnounce {
					c.announces = 1
				}
			}
		}
	}
	return c.announces > 0
}

// each lists the events of a cell in k, unknown to the move, that satisfy f, as
// alternatives.
func (g enabling) each(c *CellUse, k Cut, m *Move, f func(SeqClass) bool) (out [][]Ref) {
	for i := range c.ByThr {
		u := &c.ByThr[i]
		if m.involves(u.Thread) {
			continue
		}
		for _, o := range u.between(m.Past[u.Thread], k[u.Thread]) {
			if f(o) {
				out = append(out, []Ref{{u.Thread, o.Seq}})
			}
		}
	}
	return out
}

// waitEnabled: rule DEP4. If the counter is not zero, leaving out adds may make it so,
// unless even all those that could be left out are too few.
func (g enabling) waitEnabled(c *CellUse, k Cut, m *Move) (bool, [][]Ref) {
	sum := g.sumOf(c, k)
	if sum == 0 {
		return true, nil
	}
	lo, hi := sum, sum
	for i := range c.ByThr {
		u := &c.ByThr[i]
		for _, o := range u.between(m.Past[u.Thread], k[u.Thread]) {
			if d := int64(o.Value); o.Kind == event.WaitGroupAdd && d > 0 {
				lo -= d
			} else if o.Kind == event.WaitGroupAdd {
				hi -= d
			}
		}
	}
	if lo > 0 || hi < 0 {
		return false, nil
	}
	return false, g.each(c, k, m, func(o SeqClass) bool {
		return o.Kind == event.WaitGroupAdd && (int64(o.Value) > 0) == (sum > 0)
	})
}

// defaultEnabled: rule DEP8. No case may be ready.
func (g enabling) defaultEnabled(k Cut, m *Move) (bool, [][]Ref) {
	cases, _ := g.commsAt(m.A.Thread, m.A.Seq)
	for _, cs := range cases {
		if cs.Chan == 0 {
			continue
		}
		c := &g.Cells[g.Cell(CellKey{Space: spaceChan, Addr: cs.Chan})]
		if c.cap < 0 {
			continue // unknown: try
		}
		if !g.commEnabled(c, k, cs.Kind) {
			continue // a partner that stands at the other side may not have arrived yet: try
		}
		return false, g.each(c, k, m, func(o SeqClass) bool {
			return classPollSend.conflictsWith(o.class) || classPollRecv.conflictsWith(o.class)
		})
	}
	return true, nil
}

// elsewhere lists the other communications of a select, and reports whether any of them needs no partner after k (rule
// DEP8, CHAN7 of the Go machine).
func (g enabling) elsewhere(k Cut, r Ref) (others []event.Case, ready bool) {
	others, ready = g.beside(r)
	for _, c := range others {
		cell := &g.Cells[g.Cell(CellKey{Space: spaceChan, Addr: c.Chan})]
		ready = ready || cell.cap >= 0 && g.commEnabled(cell, k, c.Kind)
	}
	return others, ready
}

// uncross is about a rendezvous: two selects must not both have something else to do.
func (g enabling) uncross(k Cut, m *Move) (ok bool, unblock [][]Ref) {
	a, readyA := g.elsewhere(k, m.A)
	b, readyB := g.elsewhere(k, m.B)
	if !readyA || !readyB {
		return true, nil
	}
	for _, c := range append(append([]event.Case(nil), a...), b...) {
		unblock = append(unblock, g.each(&g.Cells[g.Cell(CellKey{Space: spaceChan, Addr: c.Chan})], k, m, func(o SeqClass) bool {
			return classPollSend.conflictsWith(o.class) || classPollRecv.conflictsWith(o.class)
		})...)
	}
	return false, unblock
}

// started reports whether the event that started thread q is in k.
func (g enabling) started(k Cut, q int32) bool {
	spawn := g.Trace.Threads[q].Spawn
	if k[q] > 0 || spawn < 0 {
		return true
	}
	e := &g.Trace.Events[spawn]
	return k.Has(Ref{e.Thread, e.Seq})
}
