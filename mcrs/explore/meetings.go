package explore

import "github.com/heddle-go/heddle/mcrs/event"

// meetings are the operations that meet others, as far as executions have shown: they are not local (rule ICB1 of ICB).
type meetings struct {
	sites  map[event.Site]bool // of plain accesses that race
	at     map[uint64]bool     // addresses of what else has races: atomics, objects, locks, Once; and of groups whose positive adds have one
	many   bool                // there were so many of these that all count
	strict bool                // adds of one wait group do not commute (DEP4)
	counts bool                // somebody looks at other goroutines (DEP11)
	looks  bool                // at where they stand: then nothing is local
	fresh  bool                // something has been added
}

// maxMeetings is the number of addresses after which all count.
const maxMeetings = 100

func (m *meetings) add(addr uint64) {
	if !m.at[addr] && !m.many {
		m.at[addr], m.fresh = true, true
		m.many = len(m.at) > maxMeetings
	}
}

// plain notes a race of plain accesses.
func (m *meetings) plain(k event.Kind, site event.Site) {
	switch k {
	case event.Read, event.Write, event.MapRead, event.MapWrite:
		if site != 0 && !m.sites[site] {
			m.sites[site], m.fresh = true, true
		}
	}
}

// learn notes all races of an execution but those of plain accesses.
func (m *meetings) learn(g *graph) {
	if g.counts && !m.counts {
		m.counts, m.fresh = true, true
	}
	if g.looks && !m.looks {
		m.looks, m.fresh = true, true
	}
	for p := range g.lines {
		if op := g.t.Threads[p].Pending; op != nil && !op.IsSelect() {
			g.depsOf(ref{int32(p), int32(len(g.lines[p].events))}, g.plainTouches(int32(p), op.Kind, op.Loc, op.Key)) // for cellUse.raced
		}
	}
	for i := range g.t.Events {
		e := &g.t.Events[i]
		m.met(g, g.touches[i], e.Kind, e.Loc)
		if e.Kind == event.WaitGroupWait {
			m.group(g, ref{e.Thread, e.Seq}, e.Loc)
		}
	}
	for p := range g.lines {
		op := g.t.Threads[p].Pending
		if op == nil || op.IsSelect() {
			continue
		}
		m.met(g, g.plainTouches(int32(p), op.Kind, op.Loc, op.Key), op.Kind, op.Loc)
		if op.Kind == event.WaitGroupWait {
			m.group(g, ref{int32(p), int32(len(g.lines[p].events))}, op.Loc)
		}
	}
}

// met notes an operation if a cell that it touches has a race.
func (m *meetings) met(g *graph, ts []touch, k event.Kind, loc event.Location) {
	for _, t := range ts {
		c := &g.cells[t.cell]
		switch c.key.space {
		case spaceMemory, spaceObject, spaceLock, spaceOnce:
			if c.raced && k != event.Read && k != event.Write {
				m.add(loc.Addr)
			}
		}
	}
}

// group notes a wait group if a Wait and a positive Add of it do not know each other.
func (m *meetings) group(g *graph, wait ref, loc event.Location) {
	c := &g.cells[g.cell(cellKey{space: spaceGroup, addr: loc.Addr})]
	for i := range c.byThr {
		u := &c.byThr[i]
		for _, o := range u.occ {
			add := ref{u.thread, o.seq}
			if o.kind == event.WaitGroupAdd && int64(o.value) > 0 && u.thread != wait.thread &&
				!g.knows(wait.thread, wait.seq, add) && !g.knows(add.thread, add.seq, wait) {
				m.add(loc.Addr)
			}
		}
	}
}
