package explore

import "math"

// This file finds the races of a trace without its reversals.

// races offers every race of the trace.
func (v *reverser) races() {
	for p := range v.lines {
		for n, i := range v.lines[p].events {
			if e := &v.t.Events[i]; e.Partner < 0 {
				v.racesOf(&move{a: ref{int32(p), int32(n)}, b: ref{-1, 0}, kind: e.Kind, touches: v.touches[i]}, i)
			}
		}
		if op := v.t.Threads[p].Pending; op != nil && !op.IsSelect() {
			r := ref{int32(p), int32(len(v.lines[p].events))}
			v.racesOf(&move{a: r, b: ref{-1, 0}, kind: op.Kind, touches: v.plainTouches(int32(p), op.Kind, op.Loc, op.Key)}, math.MaxInt32)
		}
	}
}

// racesOf offers the races of a move with the events before it, which are those before index i.
func (v *reverser) racesOf(m *move, i int32) {
	for _, t := range m.touches {
		c := &v.cells[t.cell]
		if c.key.space != spaceMemory && c.key.space != spaceMapRace && c.key.space != spaceGroup {
			continue
		}
		if m.past == nil {
			m.past = v.past(m)
		}
		mask := strongest(t.class, c.key.space)
		for j := range c.byThr {
			u := &c.byThr[j]
			if u.thread == m.a.thread {
				continue
			}
			for _, o := range u.between(m.past[u.thread], math.MaxInt32) {
				if o.index > i {
					break
				}
				if mask&(1<<o.class) == 0 || m.kind.IsAtomic() && o.kind.IsAtomic() {
					continue
				}
				if !v.out.spend(len(v.lines)) {
					return
				}
				f := ref{u.thread, o.seq}
				k, _ := v.beforeEnd()
				k = v.without(v.without(k, m.a), f)
				if c.key.space == spaceGroup {
					v.groupRace(k, c, u, o, m)
				} else {
					v.out.race(v.graph, k, f, m.a)
				}
			}
		}
	}
}
