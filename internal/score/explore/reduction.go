package main

import (
	"fmt"
	"os"
	"regexp"
	"text/tabwriter"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// A reducer is an explorer by formulas.
type reducer struct {
	name string
	deps exploration.Dependence
	plus bool
}

var reducers = []reducer{
	{"none", exploration.DependsOnAll, false},
	{"rules s", exploration.ByRules, false},
	{"static s", exploration.ByGraph, false},
	{"static s+", exploration.ByGraph, true},
	{"dynamic s", exploration.ByFlow, false},
	{"dynamic s+", exploration.ByFlow, true},
}

// reduction prints what the explorers by formulas constrain, a row for each program and a line for each explorer; and the mean over the programs.
func reduction(dirs []string, run string, executions int) error {
	match, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\tdependence\tverdict\tclasses\tmissed\texecutions\tredundant\tdiverged\tquestions\treads\t\tconstraints\t\tsolver ms")
	means := make([]mean, len(reducers))
	for _, dir := range dirs {
		if err := reductionIn(w, dir, match, executions, means); err != nil {
			return err
		}
	}
	for i, m := range means {
		fmt.Fprintf(w, "mean of %d\t%s\t\t\t\t%.0f %%\t\t\t\t\t%.1f %%\t\t%.1f %%\t%.0f %%\n", m.rows, reducers[i].name,
			100*m.executions/float64(m.rows), 100*m.reads/float64(m.rows), 100*m.constraints/float64(m.rows), 100*m.solver/float64(m.rows))
	}
	return w.Flush()
}

// A mean adds up shares of what full validity takes, over the programs in which that is something.
type mean struct {
	rows                                   int
	reads, constraints, executions, solver float64
}

func reductionIn(w *tabwriter.Writer, dir string, match *regexp.Regexp, executions int, means []mean) error {
	cfg := closure.Config(dir)
	cfg.Tests = true
	l, err := program.List(cfg, ".")
	if err != nil {
		return err
	}
	if len(l.Errors) > 0 {
		return l.Errors[0]
	}
	results := make(map[string][]*explore.Result) // by entry: of each reducer
	var names []string
	for _, r := range reducers {
		p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
		if err != nil {
			return err
		}
		m := machine.New(p, r.deps.MachineConfig())
		if err := m.Prepare(); err != nil {
			return err
		}
		graphs := exploration.NewGraphs(p)
		for _, e := range p.Entries {
			if !match.MatchString(e.Name) {
				continue
			}
			x := &explore.Formula{Plus: r.plus, Needs: r.deps.Needs(graphs, m), Alone: true}
			if len(results[e.Name]) == 0 {
				names = append(names, e.Name)
			}
			results[e.Name] = append(results[e.Name], x.Explore(m.Entry(e), explore.Limits{Executions: executions}))
		}
	}
	for _, name := range names {
		full := results[name][0].Stats
		for i, res := range results[name] {
			s := res.Stats
			verdict := string(res.Verdict)
			if res.Reason != "" {
				verdict += ": " + res.Reason
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%s\t%.1f\n", name, reducers[i].name, verdict, s.Classes, s.Missed, s.Executions-s.Closing,
				s.Redundant, s.Diverged, s.Queries, s.Reads, share(s.Reads, full.Reads), s.Constraints, share(s.Constraints, full.Constraints), float64(s.SolverNS)/1e6)
			if full.Reads > 0 && full.Constraints > 0 {
				means[i].rows++
				means[i].reads += float64(s.Reads) / float64(full.Reads)
				means[i].constraints += float64(s.Constraints) / float64(full.Constraints)
				means[i].executions += float64(s.Executions-s.Closing) / float64(full.Executions-full.Closing)
				means[i].solver += float64(s.SolverNS) / float64(full.SolverNS)
			}
		}
		w.Flush()
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
