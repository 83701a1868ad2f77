package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/depends"
	"github.com/heddle-go/heddle/program"
)

// A reducer is an explorer by formulas.
type reducer struct {
	name string
	deps depends.Mode
	plus bool
}

var reducers = [...]reducer{
	{"none", depends.OnAll, false},
	{"rules s", depends.ByRules, false},
	{"optimistic s", depends.ByOptimism, false},
	{"static s", depends.ByGraph, false},
	{"static s+", depends.ByGraph, true},
	{"dynamic s", depends.ByFlow, false},
	{"dynamic s+", depends.ByFlow, true},
}

// A loaded is a package of programs.
type loaded struct {
	name   string // "", or a package of another module, with a dot behind it
	module string // "", or that module
	p      *program.Program
	graphs *depends.Graphs
}

// limit is that of one entry: others is that of another module's.
func (l *loaded) limit(executions, others int) int {
	if l.module != "" {
		return others
	}
	return executions
}

// loadAll loads packages: those in folders, and, as module@version/package, those of other people's modules, which are
// downloaded to tmp.
func loadAll(dirs []string, tmp string) (out []*loaded, err error) {
	for i, dir := range dirs {
		name, other := "", ""
		if path, rest, ok := strings.Cut(dir, "@"); ok {
			version, pkg, _ := strings.Cut(rest, "/")
			name, other = strings.TrimSuffix(path+"/"+pkg, "/")+".", path
			dir = filepath.Join(tmp, fmt.Sprint(i))
			if err := module.Fetch(path+"@"+version, dir); err != nil {
				return nil, err
			}
			if err := module.StandAlone(); err != nil {
				return nil, err
			}
			dir = filepath.Join(dir, filepath.FromSlash(pkg))
		}
		cfg := closure.Config(dir)
		cfg.Tests = true
		l, err := program.List(cfg, ".")
		if err != nil {
			return nil, err
		}
		if len(l.Errors) > 0 {
			return nil, l.Errors[0]
		}
		p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
		if err != nil {
			return nil, err
		}
		out = append(out, &loaded{name, other, p, depends.NewGraphs(p)})
	}
	return out, nil
}

// reduction prints what the explorers by formulas constrain, a row for each program and a line for each explorer, and
// the mean over the programs.
func reduction(loads []*loaded, match, which func(string) bool, executions, others int) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\tdependence\tverdict\tclasses\tmissed\texecutions\tredundant\tdiverged\tquestions\tskipped\treads\t\tconstraints\t\tsolver ms")
	means := make([]mean, len(reducers))
	for _, l := range loads {
		for _, e := range l.p.Entries {
			if match(l.name + e.Name) {
				if err := reductionOf(w, l, e, which, l.limit(executions, others), means); err != nil {
					return err
				}
			}
		}
	}
	for i, m := range means {
		if m.rows > 0 {
			fmt.Fprintf(w, "mean of %d\t%s\t\t\t\t%.0f %%\t\t\t\t\t%.1f %%\t\t%.1f %%\t\t%.0f %%\n", m.rows, reducers[i].name,
				100*m.executions/float64(m.rows), 100*m.reads/float64(m.rows), 100*m.constraints/float64(m.rows), 100*m.solver/float64(m.rows))
		}
	}
	return w.Flush()
}

// A mean adds up shares of what full validity takes, over the programs in which that is something.
type mean struct {
	rows                                   int
	reads, constraints, executions, solver float64
}

// add adds a row. It reports whether it counts.
func (m *mean) add(reads, allReads, constraints, allConstraints int) bool {
	if allReads == 0 || allConstraints == 0 {
		return false
	}
	m.rows++
	m.reads += float64(reads) / float64(allReads)
	m.constraints += float64(constraints) / float64(allConstraints)
	return true
}

// reductionOf explores one entry with each reducer, in a machine of its own: what has been called is known to it.
func reductionOf(w *tabwriter.Writer, l *loaded, e program.Entry, which func(string) bool, executions int, means []mean) error {
	var full explore.Stats
	for i, r := range reducers {
		if i > 0 && !which(r.name) {
			continue
		}
		m := machine.New(l.p, r.deps.MachineConfig())
		if err := m.Prepare(); err != nil {
			return err
		}
		x := &formula.Explorer{Plus: r.plus, Needs: r.deps.Needs(l.graphs, m), Alone: true}
		res := x.Explore(m.Entry(e), explore.Limits{Executions: executions})
		s := res.Stats
		if i == 0 {
			full = s
		}
		verdict := string(res.Verdict)
		if res.Reason != "" {
			verdict += ": " + res.Reason
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%s\t%.1f\n", l.name+e.Name, r.name, verdict, s.Classes, s.Missed, s.Executions-s.Closing,
			s.Redundant, s.Diverged, s.Queries, s.Skipped, s.Reads, share(s.Reads, full.Reads), s.Constraints, share(s.Constraints, full.Constraints), float64(s.SolverNS)/1e6)
		w.Flush()
		if means[i].add(s.Reads, full.Reads, s.Constraints, full.Constraints) {
			means[i].executions += float64(s.Executions-s.Closing) / float64(full.Executions-full.Closing)
			means[i].solver += float64(s.SolverNS) / float64(full.SolverNS)
		}
	}
	return nil
}

// share is a part of all, in per cent.
func share(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(all))
}
