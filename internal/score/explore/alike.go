package main

import (
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/depends"
)

// alike prints what each reducer constrains in the same questions: those that full validity leads to. The tests of
// another module are one row.
func alike(loads []*loaded, match func(string) bool, executions, others int) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\tdependence\tentries to the end\texecutions\tquestions\treads\t\tconstraints\t\tbase reads\t\tbase constraints\t\tless\tmore\tagain")
	var means, based [len(reducers)]mean
	row := new(likeness)
	for i, l := range loads {
		for _, e := range l.p.Entries {
			if !match(l.name + e.Name) {
				continue
			}
			m := machine.New(l.p, depends.ByFlow.MachineConfig()) // its own: what other entries have called is not known to it
			if err := m.Prepare(); err != nil {
				return err
			}
			c := newComparer(l, m)
			c.into = row
			x := &formula.Explorer{Alone: true, Open: true, Asked: c.asked}
			row.add(x.Explore(m.Entry(e), explore.Limits{Executions: l.limit(executions, others)}))
			if l.module == "" {
				row.print(w, e.Name, &means, &based)
				row = new(likeness)
			}
		}
		if l.module != "" && (i+1 == len(loads) || loads[i+1].module != l.module) {
			row.print(w, l.module, &means, &based)
			row = new(likeness)
		}
	}
	for i, m := range means {
		n, a := float64(m.rows), based[i]
		fmt.Fprintf(w, "mean of %d\t%s\t\t\t\t\t%.1f %%\t\t%.1f %%\twith the base\t%.1f %%\t\t%.1f %%\n", m.rows, reducers[i].name,
			100*m.reads/n, 100*m.constraints/n, 100*a.reads/n, 100*a.constraints/n)
	}
	return w.Flush()
}

// A likeness is a row: counts by reducer.
type likeness struct {
	counts [len(reducers)]constraint.Counts
	// Questions in which a reducer constrains fewer reads, or more, than static does in the same algorithm.
	less, more            [len(reducers)]int
	again                 [len(reducers)]int // questions that MCR-S+ asks again under full validity; what that constrains is not counted
	entries, ended        int
	executions, questions int
}

// add adds the exploration of an entry.
func (l *likeness) add(r *explore.Result) {
	l.entries++
	l.executions += r.Stats.Executions
	l.questions += r.Stats.Queries
	if r.Reason == formula.Opened {
		l.ended++
	}
}

func (l *likeness) print(w *tabwriter.Writer, name string, means, based *[len(reducers)]mean) {
	full := l.counts[0]
	for i, r := range reducers {
		n := l.counts[i]
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d\t%d\t%d\t%s\t%d\t%s\t%d\t%s\t%d\t%s\t%d\t%d\t%d\n", name, r.name, l.ended, l.entries, l.executions, l.questions,
			n.Reads, share(n.Reads, full.Reads), n.Constraints, share(n.Constraints, full.Constraints),
			n.BaseReads, share(n.BaseReads, full.BaseReads), n.BaseConstraints, share(n.BaseConstraints, full.BaseConstraints), l.less[i], l.more[i], l.again[i])
		if means[i].add(n.Reads, full.Reads, n.Constraints, full.Constraints) {
			based[i].add(n.Reads+n.BaseReads, full.Reads+full.BaseReads, n.Constraints+n.BaseConstraints, full.Constraints+full.BaseConstraints)
		}
	}
	w.Flush()
}

// A comparer counts what every reducer constrains in each question that it sees.
type comparer struct {
	needs     []func(*trace.Trace) constraint.Needs // by reducer
	into      *likeness
	last      *trace.Trace
	encodings []*constraint.Encoding // of last
}

func newComparer(l *loaded, m *machine.Machine) *comparer {
	c := new(comparer)
	for _, r := range reducers {
		c.needs = append(c.needs, r.deps.Needs(l.graphs, m))
	}
	return c
}

func (c *comparer) asked(q formula.Question) {
	if q.Trace != c.last { // all questions about a trace come in a row, with one base
		c.last, c.encodings = q.Trace, nil
		for i, r := range reducers {
			o := constraint.Options{TargetKeeps: r.plus, Fresh: true, Base: q.Base.Events(q.Trace), Kept: q.Base.Goals(q.Trace)}
			if r.plus {
				o.Kept = q.Base.Kept(q.Trace)
			}
			if c.needs[i] != nil {
				o.Needs = c.needs[i](q.Trace)
			}
			c.encodings = append(c.encodings, constraint.EncodeWith(q.Trace, o, solver.New()))
		}
	}
	var ns [len(reducers)]constraint.Counts
	reads := make(map[bool]int) // of static, by algorithm
	for i, r := range reducers {
		ns[i] = c.encodings[i].Count(q.Read, q.Value, q.Initial)
		c.into.counts[i].Add(ns[i])
		if r.plus {
			var a constraint.Answer
			if q.Initial {
				a = c.encodings[i].CanReturnInitial(q.Read)
			} else {
				a = c.encodings[i].CanReturn(q.Read, q.Value)
			}
			if a.Status == solver.Sat && !a.Full {
				c.into.again[i]++
			}
		}
		if r.deps == depends.ByGraph {
			reads[r.plus] = ns[i].Reads
		}
	}
	for i, r := range reducers {
		if ns[i].Reads < reads[r.plus] {
			c.into.less[i]++
		} else if ns[i].Reads > reads[r.plus] {
			c.into.more[i]++
		}
	}
}
