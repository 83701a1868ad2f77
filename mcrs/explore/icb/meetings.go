package icb

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
)

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
	if k.IsPlain() && site != 0 && !m.sites[site] {
		m.sites[site], m.fresh = true, true
	}
}

// learn notes all races of an execution but those of plain accesses.
func (m *meetings) learn(g *causality.Graph) {
	if g.Counts && !m.counts {
		m.counts, m.fresh = true, true
	}
	if g.Looks && !m.looks {
		m.looks, m.fresh = true, true
	}
	for p := range g.Lines {
		if op := g.Trace.Threads[p].Pending; op != nil && !op.IsSelect() {
			g.DepsOf(causality.Ref{Thread: int32(p), Seq: int32(len(g.Lines[p].Events))}, g.PlainTouches(int32(p), op.Kind, op.Loc, op.Key)) // for CellUse.Raced
		}
	}
	for i := range g.Trace.Events {
		e := &g.Trace.Events[i]
		m.met(g, g.Touches[i], e.Kind, e.Loc)
		if e.Kind == event.WaitGroupWait {
			m.group(g, causality.Ref{Thread: e.Thread, Seq: e.Seq}, e.Loc)
		}
	}
	for p := range g.Lines {
		op := g.Trace.Threads[p].Pending
		if op == nil || op.IsSelect() {
			continue
		}
		m.met(g, g.PlainTouches(int32(p), op.Kind, op.Loc, op.Key), op.Kind, op.Loc)
		if op.Kind == event.WaitGroupWait {
			m.group(g, causality.Ref{Thread: int32(p), Seq: int32(len(g.Lines[p].Events))}, op.Loc)
		}
	}
}

// met notes an operation if a cell that it touches has a race.
func (m *meetings) met(g *causality.Graph, ts []causality.Touch, k event.Kind, loc event.Location) {
	for _, t := range ts {
		c := &g.Cells[t.Cell]
		switch c.Key.Space {
		case causality.SpaceMemory, causality.SpaceObject, causality.SpaceLock, causality.SpaceOnce:
			if c.Raced && k != event.Read && k != event.Write {
				m.add(loc.Addr)
			}
		}
	}
}

// group notes a wait group if a Wait and a positive Add of it do not know each other.
func (m *meetings) group(g *causality.Graph, wait causality.Ref, loc event.Location) {
	c := &g.Cells[g.Cell(causality.CellKey{Space: causality.SpaceGroup, Addr: loc.Addr})]
	for i := range c.ByThr {
		u := &c.ByThr[i]
		for _, o := range u.Occ {
			add := causality.Ref{Thread: u.Thread, Seq: o.Seq}
			if o.Kind == event.WaitGroupAdd && int64(o.Value) > 0 && u.Thread != wait.Thread &&
				!g.Knows(wait.Thread, wait.Seq, add) && !g.Knows(add.Thread, add.Seq, wait) {
				m.add(loc.Addr)
			}
		}
	}
}
