package own

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/depends"
)

// This file lists the explorers that are compared.

// A Subject is an explorer under test.
type Subject struct {
	Name string
	// New returns the explorer. It calls observe after each execution, replays left out.
	New func(observe func(*trace.Trace)) explore.Explorer
	// Own says that the explorer meets every goroutine's own outcomes, and not every combination of them.
	Own bool
	// Bounded, if not nil, returns the explorer for so many preemption bounds. It is compared bound by bound.
	Bounded func(bounds int, observe func(*trace.Trace)) explore.Explorer
	// Deps says what an explorer by formulas asks about dependence. It may follow seeds that lead elsewhere.
	Deps depends.Mode
}

// Subjects are the explorers that must agree with the oracle.
var Subjects = []Subject{
	{Name: "systematic", New: func(o func(*trace.Trace)) explore.Explorer { return &systematic.Explorer{Observe: o} }},
	{Name: "mcr", New: func(o func(*trace.Trace)) explore.Explorer { return &mcr.Explorer{Observe: o} }},
	{Name: "se-mcr", New: func(o func(*trace.Trace)) explore.Explorer { return &mcr.SwitchEquivalent{Observe: o} }},
	{Name: "union", Own: true, New: func(o func(*trace.Trace)) explore.Explorer { return &union.Explorer{Observe: o, Engine: union.New()} }},
	{Name: "union-apart", Own: true, New: func(o func(*trace.Trace)) explore.Explorer { return &union.Explorer{Observe: o, Apart: true} }},
}

// Bounded is the explorer by preemption bounds, compared if it is named: the oracle then counts preemptions.
var Bounded = []Subject{{Name: "icb", Bounded: func(n int, o func(*trace.Trace)) explore.Explorer { return &icb.Explorer{Bounds: n, Observe: o} }}}

// Alone are explorers of which no other one takes over: what they would hand over is a difference.
var Alone = []Subject{
	{Name: "union-alone", Own: true, New: func(o func(*trace.Trace)) explore.Explorer {
		return &union.Explorer{Observe: o, Engine: union.New(), Alone: true}
	}},
	{Name: "mcr-general", New: func(o func(*trace.Trace)) explore.Explorer {
		return &mcr.Explorer{Observe: o, Alone: true, Solver: true}
	}},
}

// Ignoring is the default explorer with executions that ignore what nothing acts upon, from the second on.
var Ignoring = []Subject{{Name: "union-ignoring", Own: true, Deps: depends.ByFlow, New: func(o func(*trace.Trace)) explore.Explorer {
	return &union.Explorer{Observe: o, Engine: union.New(), Alone: true, IgnoreFirst: true}
}}}

// Formulas are the explorers by formulas, with each source of dependence. They take long, so they are compared only if
// they are named.
var Formulas = []Subject{
	{Name: "mcr-s none", Deps: depends.OnAll, New: byFormulas(false)},
	{Name: "mcr-s static", Deps: depends.ByGraph, New: byFormulas(false)},
	{Name: "mcr-s+ static", Deps: depends.ByGraph, New: byFormulas(true)},
	{Name: "mcr-s dynamic", Deps: depends.ByFlow, New: byFormulas(false)},
	{Name: "mcr-s+ dynamic", Deps: depends.ByFlow, New: byFormulas(true)},
}

func byFormulas(plus bool) func(func(*trace.Trace)) explore.Explorer {
	return func(o func(*trace.Trace)) explore.Explorer { return &formula.Explorer{Plus: plus, Observe: o} }
}

// Select returns the subjects of these names, of all but Formulas if there is none. "formulas" names all of those.
func Select(names []string) ([]Subject, error) {
	if len(names) == 0 {
		return Subjects, nil
	} else if len(names) == 1 && names[0] == "formulas" {
		return Formulas, nil
	}
	all := slices.Concat(Subjects, Formulas, Bounded, Alone, Ignoring)
	var out []Subject
	for _, name := range names {
		if i := slices.IndexFunc(all, func(s Subject) bool { return s.Name == name }); i >= 0 {
			out = append(out, all[i])
			continue
		}
		return nil, fmt.Errorf("no explorer %q is compared", name)
	}
	return out, nil
}
