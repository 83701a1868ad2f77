package causality

import "math"

// This file finds the races of a trace without its reversals.

// Races offers every race of the trace.
func (v *Reverser) Races() {
	for p := range v.Lines {
		for n, i := range v.Lines[p].Events {
			if e := &v.Trace.Events[i]; e.Partner < 0 {
				v.racesOf(&Move{A: Ref{int32(p), int32(n)}, B: Ref{-1, 0}, Kind: e.Kind, Touches: v.Touches[i]}, i)
			}
		}
		if op := v.Trace.Threads[p].Pending; op != nil && !op.IsSelect() {
			r := Ref{int32(p), int32(len(v.Lines[p].Events))}
			v.racesOf(&Move{A: r, B: Ref{-1, 0}, Kind: op.Kind, Touches: v.PlainTouches(int32(p), op.Kind, op.Loc, op.Key)}, math.MaxInt32)
		}
	}
}

// racesOf offers the races of a move with the events before it, which are those before index i.
func (v *Reverser) racesOf(m *Move, i int32) {
	for _, t := range m.Touches {
		c := &v.Cells[t.Cell]
		if c.Key.Space != SpaceMemory && c.Key.Space != spaceMapRace && c.Key.Space != SpaceGroup {
			continue
		}
		if m.Past == nil {
			m.Past = v.Past(m)
		}
		mask := strongest(t.class, c.Key.Space)
		for j := range c.ByThr {
			u := &c.ByThr[j]
			if u.Thread == m.A.Thread {
				continue
			}
			for _, o := range u.between(m.Past[u.Thread], math.MaxInt32) {
				if o.index > i {
					break
				}
				if mask&(1<<o.class) == 0 || m.Kind.IsAtomic() && o.Kind.IsAtomic() {
					continue
				}
				if !v.Out.Spend(len(v.Lines)) {
					return
				}
				f := Ref{u.Thread, o.Seq}
				k, _ := v.beforeEnd()
				k = v.Without(v.Without(k, m.A), f)
				if c.Key.Space == SpaceGroup {
					v.groupRace(k, c, u, o, m)
				} else {
					v.Out.Race(v.Graph, k, f, m.A)
				}
			}
		}
	}
}
