package constraint

import (
	"fmt"
	"io"

	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file writes questions as SMT-LIB text, with the lazy rules stated in full.

// maxInstances is the number of instances of VAL3 and QLOCK1 above which a text leaves them out.
const maxInstances = 2_000_000

// A text is a trace as a formula that is written, not solved.
type text struct {
	*Encoding
	f     *solver.Formula
	names map[solver.Lit]string
	full  bool
}

func newText(t *trace.Trace) *text {
	f := new(solver.Formula)
	x := &text{Encoding: encode(t, Options{}, f, false), f: f, names: make(map[solver.Lit]string)}
	for n, l := range x.in {
		x.names[l] = fmt.Sprintf("in%d", x.nodes[n].event)
	}
	for r, from := range x.rf {
		for _, s := range from {
			x.nameSource(s, x.nodes[r].event, "")
		}
	}
	if x.full = x.instances() <= maxInstances; x.full {
		x.stateLocks()
		for r := range x.rf {
			x.stateValidity(int32(r), x.rf[r], x.pos[r], x.low.need(int32(r)))
		}
	}
	return x
}

func (x *text) nameSource(s source, event int32, mark string) {
	from := "initially"
	if s.write != initially {
		from = fmt.Sprint(x.nodes[s.write].event)
	}
	x.names[s.rf] = fmt.Sprintf("rf_%s_%d%s", from, event, mark)
}

func (x *text) instances() int {
	n := len(x.sections) * len(x.sections)
	for r, from := range x.rf {
		if len(from) > 0 {
			n += len(from) * len(x.vars[x.varOf[r]].writes)
		}
	}
	return n
}

// stateLocks states QLOCK1 and QLOCK2 of all pairs of sections.
func (x *text) stateLocks() {
	for a := range int32(len(x.nodes)) {
		sa, ok := x.sections[a]
		if !ok {
			continue
		}
		for b := range a {
			sb, ok := x.sections[b]
			if ok && x.at(a).Loc == x.at(b).Loc && x.at(a).Thread != x.at(b).Thread {
				clause, _ := x.lock1(sb, sa, true)
				x.f.AddClause(clause...)
			}
		}
	}
}

// stateValidity states VAL3 of a read at pos.
func (x *text) stateValidity(r int32, from []source, pos solver.Node, low []int32) {
	for _, s := range from {
		for _, w := range x.vars[x.varOf[r]].writes {
			if w != s.write {
				x.f.AddClause(x.val3(s, pos, low, w)...)
			}
		}
	}
}

func (x *text) write(w io.Writer, what string, assume ...solver.Lit) error {
	fmt.Fprintf(w, "; %s\n", what)
	fmt.Fprintln(w, "; inN: event N is in the prefix; oN: its place; rf_W_R: R reads what W wrote; R* is R about to run.")
	if !x.full {
		fmt.Fprintf(w, "; QLOCK1 and VAL3 are left out, for they have more than %d instances: unsat is right, sat may not be.\n", maxInstances)
	}
	for i := range x.t.Events {
		ev := &x.t.Events[i]
		fmt.Fprintf(w, "; %4d %s %s at %#x+%d value %#x\n", i, x.t.Threads[ev.Thread].ID, ev.Kind, ev.Loc.Addr, ev.Loc.Size, ev.Value)
	}
	return x.f.WriteSMTLIB(w, solver.Names{
		Var: func(l solver.Lit) string { return x.names[l] },
		Node: func(p solver.Node) string {
			if n := x.nodeAt[p]; n >= 0 {
				return fmt.Sprintf("o%d", x.nodes[n].event)
			}
			return fmt.Sprintf("o%d*", x.nodes[^x.nodeAt[p]].event)
		},
	}, assume...)
}

// WriteCanReturn writes, as SMT-LIB text, the question whether the read r of t can return v.
func WriteCanReturn(w io.Writer, t *trace.Trace, r int, v uint64) error {
	x := newText(t)
	n := x.of[r]
	if why := x.refuse(n); why != "" {
		return fmt.Errorf("constraint: %s", why)
	}
	q := x.state(goal{read: n, value: v})
	what := fmt.Sprintf("Can event %d return %#x?", r, v)
	if q.lit == 0 {
		x.f.AddClause() // no candidate
		return x.write(w, what)
	}
	x.names[q.lit], x.names[x.ghost[n].at] = "new", fmt.Sprintf("at%d", r)
	for _, s := range q.from {
		x.nameSource(s, int32(r), "*")
	}
	if x.full {
		x.stateValidity(n, q.from, x.ghost[n].pos, x.ghost[n].low)
	}
	return x.write(w, what, q.lit)
}

// WriteAdjacent writes the question whether the accesses a and b of t can be next both at once.
func WriteAdjacent(w io.Writer, t *trace.Trace, a, b int) error {
	x := newText(t)
	return x.write(w, fmt.Sprintf("Can events %d and %d be next both at once?", a, b), adjacent(x.Encoding, a, b)...)
}

// WriteTrace writes the question whether all events of t can be in a prefix, which is so.
func WriteTrace(w io.Writer, t *trace.Trace) error {
	x := newText(t)
	return x.write(w, "Which orders of all events are possible?", x.in...)
}
