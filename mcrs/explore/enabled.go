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
	switch {
	case m.b.thread >= 0:
		return !g.closed(c, k), nil
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
	writers, readers, announces := 0, 0, false
	var holder occurrenceAt
	var open []ref // of each reading thread, where it last came to hold the lock
	odd := false
	for i := range c.byThr {
		u := &c.byThr[i]
		announces = announces || hasKind(u, event.LockAnnounce)
	}
	announces = announces || m.kind == event.LockAnnounce
	for i := range c.byThr {
		u := &c.byThr[i]
		held, since := 0, int32(0)
		for _, o := range u.upTo(k[u.thread]) {
			switch {
			case o.kind == event.LockAnnounce, o.kind == event.Lock && !announces, o.kind == event.TryLock && o.value == 1:
				writers++
				if o.index >= holder.index {
					holder = occurrenceAt{ref{u.thread, o.seq}, o.index}
				}
			case o.kind == event.Unlock:
				writers--
			case o.kind == event.RLock, o.kind == event.TryRLock && o.value == 1:
				if held == 0 {
					since = o.seq
				}
				held++
			case o.kind == event.RUnlock:
				held--
			}
		}
		odd = odd || held < 0
		if readers += held; held > 0 {
			open = append(open, ref{u.thread, since})
		}
	}
	needNoWriter := m.kind != event.Lock || !announces
	needNoReader := m.kind == event.Lock
	switch {
	case needNoWriter && writers > 0:
		return false, [][]ref{{holder.ref}}
	case needNoReader && readers > 0 && !odd:
		return false, [][]ref{open}
	case needNoReader && readers > 0:
		return false, g.each(c, k, m, func(o seqClass) bool { return o.kind == event.RLock || o.kind == event.TryRLock })
	}
	return true, nil
}

type occurrenceAt struct {
	ref   ref
	index int32
}

func hasKind(u *use, k event.Kind) bool {
	for _, o := range u.occ {
		if o.kind == k {
			return true
		}
	}
	return false
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
		if !g.commEnabled(c, k, cs.Kind) && !(c.cap == 0 && g.partnerAt(k, m.a.thread, cs)) {
			continue
		}
		return false, g.each(c, k, m, func(o seqClass) bool {
			return classPollSend.conflictsWith(o.class) || classPollRecv.conflictsWith(o.class)
		})
	}
	return true, nil
}

// partnerAt reports whether a thread other than p stands, after k, at the other side of a communication.
func (g *graph) partnerAt(k cut, p int32, cs event.Case) bool {
	for q := range g.lines {
		if int32(q) == p || !g.started(k, int32(q)) {
			continue
		}
		comms, _ := g.commsAt(int32(q), k[q])
		for _, d := range comms {
			if d.Chan == cs.Chan && d.Kind != cs.Kind {
				return true
			}
		}
	}
	return false
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
