package depends

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/sdg"
)

// This file says what executions of the default explorer may ignore. Static: what no function of the program acts upon
// that may be called. Dynamic: what no function acts upon that executions have called so far.

// Ignores returns what union.Explorer asks about an entry, whose notes begin now; nil for OnAll.
func (d Mode) Ignores(g *Graphs, m *machine.Machine) union.Ignoring {
	x := &ignorer{m: m, g: g}
	switch d {
	case ByGraph:
		x.static = true
	case ByFlow:
	default:
		return nil
	}
	m.BeginNotes()
	return x.answer
}

// An ignorer answers for one entry.
type ignorer struct {
	m      *machine.Machine
	g      *Graphs
	static bool
	may    map[*ssa.Function]bool // functions that may be called, if it is static
	asked  int                    // functions that were called, at the last question
	loads  map[ssa.Instruction]bool
	sites  []uint8 // what was said of a site: 1 no, 2 yes
}

// answer is a union.Ignoring.
func (x *ignorer) answer(called int) (of func(event.Site) bool, changed bool) {
	if called != x.asked && (x.loads == nil || !x.foreseen(called)) {
		loads := x.find(called)
		for in := range x.loads {
			changed = changed || !loads[in]
		}
		if x.asked = called; x.loads == nil || changed { // else what was ignored is what it was
			x.loads, x.sites = loads, nil
		}
	}
	if len(x.loads) == 0 {
		return nil, changed
	}
	return x.of, changed
}

// foreseen reports whether what was called since the last question was among what may be called. (What reflection calls
// may not be.)
func (x *ignorer) foreseen(called int) bool {
	run, _ := x.m.Ran(called)
	return x.static && !slices.ContainsFunc(run, func(fn *ssa.Function) bool { return !x.may[fn] })
}

// find looks for loads that can be ignored.
func (x *ignorer) find(called int) map[ssa.Instruction]bool {
	run, before := x.m.Ran(called)
	if x.static {
		for _, p := range x.g.get(0).Procedures {
			run = append(run, p.Func)
		}
		x.may = make(map[*ssa.Function]bool, len(run))
		for _, fn := range run {
			x.may[fn] = true
		}
	}
	return sdg.NewIgnored(run, before, x.g.p.IsStd).Loads()
}

// of says whether what stands at a site can be ignored.
func (x *ignorer) of(s event.Site) bool {
	for int(s) >= len(x.sites) {
		x.sites = append(x.sites, 0)
	}
	if x.sites[s] == 0 {
		x.sites[s] = 1
		if in := x.m.Instr(s); in != nil && x.loads[in] {
			x.sites[s] = 2
		}
	}
	return x.sites[s] == 2
}
