// Package depends joins the dependence graph and the explorers by formulas: on which reads does an event of a trace
// depend? It is the only room that knows both sdg and mcrs.
//
// # Rules
//
// The rules of the static answer are about reads before the event in its goroutine, or in one that it was started by.
//
//	SLICE1 The event depends on reads in the slice of its address, and of what decides that its instruction executes
//	       (rule 1 of the dissertation, section 4.2.2.1). An index out of range, a nil pointer and the like, and calls
//	       that may not return, decide too (CFG4).
//	SLICE2 What it writes depends on reads in the slice of the value. What append and copy write depends on those in
//	       the slice of what they find in memory: by data, gates, calls' results, and private memory. (Rule 2, data
//	       alone, misses a value that a branch chooses through a phi, or a return in a callee.)
//
// A read is in a slice if its value is. That it executes, and might fail, does not count.
//
// A slice stops in two places:
//
//   - At memory that goroutines share. The instruction that reads it is a read of its own in the trace, and keeps its
//     value or not. (Formulas keep the order of some operations, such as those on maps and channels. What these write
//     is needed: see package constraint.) The executions so far have shown which instructions these are, by the
//     addresses that they met.
//   - At functions that no execution so far has called.
//
// # Limits
//
// One instruction may read shared memory and private memory. Then the private memory is missed, and a seed may diverge.
// That is noticed.
//
// A branch beside the event's way may have operations on its other side. Then the goroutine does more, or less, before
// the event than the seed says. Neither these rules nor the dynamic answer (trace.Dependence.Control) count such a
// branch. The explorers by formulas (formula.Explorer) cope with it.
package depends

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/buildsdg"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/sdg"
)

// A Mode says how it is found on which reads events depend.
type Mode string

const (
	OnAll   Mode = "none"
	ByGraph Mode = "static"
	ByFlow  Mode = "dynamic"
	// ByOptimism is ByGraph where no index, pointer or call ever fails, as in the dissertation. It is there to compare
	// with: a seed may diverge.
	ByOptimism Mode = "optimistic"
	// ByRules are rules 1 and 2 of the dissertation as they are printed: SLICE1 without addresses and failures, and
	// SLICE2 by data alone. They are there to compare with: they are too weak.
	ByRules Mode = "rules"
)

// Parse returns the Mode of a name; "" is the default.
func Parse(s string) (Mode, error) {
	switch d := Mode(s); d {
	case "", OnAll, ByGraph, ByFlow:
		return d, nil
	}
	return "", fmt.Errorf("unknown dependence %q: want %s, %s or %s", s, OnAll, ByGraph, ByFlow)
}

// OrDefault is d, or the default if d is "".
func (d Mode) OrDefault() Mode {
	if d == "" {
		return ByGraph
	}
	return d
}

// MachineConfig is what a machine needs for d.
func (d Mode) MachineConfig() machine.Config {
	if d == ByFlow {
		return machine.Config{Regions: sdg.Joins}
	}
	return machine.Config{}
}

// Graphs are the dependence graphs of a program. Each is made when it is first asked for.
type Graphs struct {
	p  *program.Program
	of map[sdg.Mode]*sdg.System
}

// NewGraphs returns the graphs of a closed program.
func NewGraphs(p *program.Program) *Graphs {
	return &Graphs{p, make(map[sdg.Mode]*sdg.System)}
}

func (g *Graphs) get(mode sdg.Mode) *sdg.System {
	if g.of[mode] == nil {
		g.of[mode] = buildsdg.Closed(g.p, mode)
	}
	return g.of[mode]
}

// Needs returns what formula.Explorer asks; nil for OnAll.
func (d Mode) Needs(g *Graphs, m *machine.Machine) func(*trace.Trace) constraint.Needs {
	switch d {
	case ByGraph, ByOptimism, ByRules:
		s := &slicer{literal: d == ByRules, instr: m.Instr, ran: m.Called, shared: make(map[sdg.NodeID]bool)}
		return func(t *trace.Trace) constraint.Needs {
			if s.graph == nil {
				mode := sdg.ImplicitExits
				if d != ByGraph {
					mode = 0
				}
				s.graph = g.get(mode)
			}
			return s.about(t)
		}
	case ByFlow:
		return formula.Dynamic
	}
	return nil
}

// A slicer answers for one program.
type slicer struct {
	graph   *sdg.System
	instr   func(event.Site) ssa.Instruction
	literal bool // rules 1 and 2 as they are printed
	ran     func() map[*ssa.Function]bool
	called  map[*ssa.Function]bool
	shared  map[sdg.NodeID]bool // nodes of what events have returned
	// Caches, valid for one value of called and shared.
	happens, writes slicesBySite
}

// slicesBySite has, by the site of an event, the reads whose value is in a slice; nil if the site is not in the graph.
type slicesBySite map[event.Site]map[sdg.NodeID]bool

// staticNeeds is the answer for one trace.
type staticNeeds struct {
	*slicer
	t     *trace.Trace
	reads [][]int32 // by thread: its reads so far, of which later events may depend
	upto  []int32   // by event: how many of its thread's reads come before it
}

func (s *slicer) about(t *trace.Trace) constraint.Needs {
	known, called := len(s.shared), len(s.called)
	s.called = s.ran()
	n := &staticNeeds{slicer: s, t: t, reads: make([][]int32, len(t.Threads)), upto: make([]int32, len(t.Events))}
	for i := range t.Events {
		e := &t.Events[i]
		n.upto[i] = int32(len(n.reads[e.Thread]))
		switch e.Kind {
		case event.Read, event.AtomicLoad:
			n.reads[e.Thread] = append(n.reads[e.Thread], int32(i))
		case event.AtomicRMW, event.MapRead, event.ChanRecv, event.ChanLen, event.TryLock, event.TryRLock: // fixed: see below
		default:
			continue
		}
		for _, at := range s.results(e.Site) {
			s.shared[at] = true
		}
	}
	if len(s.shared) != known || len(s.called) != called || s.happens == nil {
		s.happens, s.writes = make(slicesBySite), make(slicesBySite)
	}
	return n
}

// before calls f for each read that comes before event e in its goroutine, or in one that it was started by.
func (n *staticNeeds) before(e int, f func(r int32)) {
	th, upto := n.t.Events[e].Thread, n.upto[e]
	for {
		for _, r := range n.reads[th][:upto] {
			f(r)
		}
		spawn := n.t.Threads[th].Spawn
		if spawn < 0 {
			return
		}
		th, upto = n.t.Events[spawn].Thread, n.upto[spawn]
	}
}

// Happens implements constraint.Needs.
func (n *staticNeeds) Happens(e int) []int32 { return n.readsIn(n.happens, n.sliceHappens, e) }

// Writes implements constraint.Needs.
func (n *staticNeeds) Writes(e int) []int32 { return n.readsIn(n.writes, n.sliceWrites, e) }

// readsIn returns the reads before event e that are in the slice of its site: one that is known, or is made.
func (n *staticNeeds) readsIn(known slicesBySite, sliceOf func(event.Site) map[sdg.NodeID]bool, e int) (out []int32) {
	if n.t.Events[e].Kind == event.End { // it touches nothing
		return nil
	}
	site := n.t.Events[e].Site
	slice, ok := known[site]
	if !ok {
		slice = sliceOf(site)
		known[site] = slice
	}
	n.before(e, func(r int32) {
		if slice == nil && !n.literal || n.in(slice, n.t.Events[r].Site) {
			out = append(out, r)
		}
	})
	return out
}

// in reports whether a slice has what the instruction of a read returns. An instruction that is not in the graph is
// taken to be in every slice.
func (s *slicer) in(slice map[sdg.NodeID]bool, site event.Site) bool {
	rs := s.results(site)
	return len(rs) == 0 || slices.ContainsFunc(rs, func(r sdg.NodeID) bool { return slice[r] })
}

// slice returns the shared reads whose values are in a backward slice. The slice begins at values and at what decides,
// and follows the edges that may allows.
func (s *slicer) slice(values, deciders []sdg.NodeID, may func(sdg.Edge) bool) map[sdg.NodeID]bool {
	out := make(map[sdg.NodeID]bool)
	for _, v := range values {
		if s.shared[v] {
			out[v] = true
		}
	}
	s.graph.BackwardWhere(func(e sdg.Edge) bool {
		if !may(e) {
			return false
		}
		if e.Kind&(sdg.Control|sdg.Call) == 0 && s.shared[e.From] {
			out[e.From] = true
		}
		return true
	}, append(slices.Clone(values), deciders...)...)
	return out
}

// results returns the nodes of what an instruction yields.
func (s *slicer) results(site event.Site) []sdg.NodeID {
	in := s.instr(site)
	if in == nil {
		return nil
	}
	if call, ok := in.(*ssa.Call); ok && !copies(in) { // what append finds it leaves in memory
		return s.graph.Results(call)
	}
	if at, err := s.graph.Node(in); err == nil {
		return []sdg.NodeID{at}
	}
	return nil
}

// open reports whether a slice goes along an edge. It goes neither through memory into a read of its own, nor through
// functions that have not been called.
func (s *slicer) open(e sdg.Edge) bool {
	if e.Kind == sdg.Memory && s.shared[e.To] {
		return false
	}
	fn := s.graph.Function(e.From)
	return fn == nil || s.called[fn]
}

func (s *slicer) valuesOf(vs ...ssa.Value) (out []sdg.NodeID) {
	for _, v := range vs {
		if call, ok := v.(*ssa.Call); ok {
			out = append(out, s.graph.Results(call)...)
		} else if at, err := s.graph.Node(v); err == nil && v != nil {
			out = append(out, at)
		}
	}
	return out
}

// sliceHappens is SLICE1; nil if the site is not in the graph.
func (s *slicer) sliceHappens(site event.Site) map[sdg.NodeID]bool {
	in := s.instr(site)
	if in == nil {
		return nil
	}
	at, err := s.graph.Node(in)
	if err != nil {
		return nil
	}
	var deciders, address []sdg.NodeID
	for _, e := range s.graph.In(at) {
		if e.Kind&(sdg.Control|sdg.Call) != 0 {
			deciders = append(deciders, e.From)
		}
	}
	if !s.literal {
		vs, _ := operands(in)
		address = s.valuesOf(vs...)
	}
	return s.slice(address, deciders, s.open)
}

// sliceWrites is SLICE2.
func (s *slicer) sliceWrites(site event.Site) map[sdg.NodeID]bool {
	in := s.instr(site)
	if in == nil {
		return nil
	}
	at, err := s.graph.Node(in)
	if err != nil {
		return nil
	}
	may := s.open
	if s.literal {
		may = func(e sdg.Edge) bool {
			return s.open(e) && e.Kind&(sdg.Data|sdg.ParamIn|sdg.ParamOut|sdg.SummaryValue|sdg.Memory) != 0
		}
	}
	if copies(in) { // what it writes it finds in memory
		return s.slice([]sdg.NodeID{at}, nil, may)
	}
	_, vs := operands(in)
	return s.slice(s.valuesOf(vs...), nil, may)
}

// copies reports whether an instruction is a call of append or copy.
func copies(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "append" || b.Name() == "copy")
}

// operands returns what decides where an operation goes, and what it writes.
func operands(in ssa.Instruction) (address, value []ssa.Value) {
	switch in := in.(type) {
	case *ssa.UnOp:
		return []ssa.Value{in.X}, nil
	case *ssa.Store:
		return []ssa.Value{in.Addr}, []ssa.Value{in.Val}
	case *ssa.Send:
		return []ssa.Value{in.Chan}, []ssa.Value{in.X}
	case *ssa.MapUpdate:
		return []ssa.Value{in.Map, in.Key}, []ssa.Value{in.Value}
	case ssa.CallInstruction:
		c := in.Common()
		if fn := c.StaticCallee(); fn != nil && len(c.Args) > 0 && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" {
			if strings.HasPrefix(fn.Name(), "CompareAndSwap") && len(c.Args) > 1 {
				return c.Args[:2], c.Args[1:]
			}
			return c.Args[:1], c.Args[1:]
		}
		return append([]ssa.Value{c.Value}, c.Args...), c.Args
	}
	var buf [8]*ssa.Value
	for _, v := range in.Operands(buf[:0]) {
		if *v != nil {
			address = append(address, *v)
		}
	}
	return address, nil
}
