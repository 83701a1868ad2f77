package sdg

import (
	"cmp"
	"slices"
	"sync"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
)

// This file finds the functions of a closed program, and what each call may call.

// A callGraph says which functions a program has and what they call.
type callGraph struct {
	funcs   []*ssa.Function // in a fixed order
	callees map[ssa.CallInstruction][]*ssa.Function
}

// newCallGraph follows the calls from roots: rapid type analysis finds what is reachable, variable type analysis
// (Sundaresan et al., "Practical Virtual Method Call Resolution for Java", OOPSLA 2000) then narrows what the
// calls of interfaces and function values may be. body is [Config.Body], reading is [Config.Reading].
func newCallGraph(roots []*ssa.Function, body func(*ssa.Function) *ssa.Function, reading sync.Locker) *callGraph {
	roots = slices.Clone(roots)
	known := make(map[*ssa.Function]bool, len(roots))
	for i, fn := range roots {
		roots[i] = body(fn)
		known[roots[i]] = true
	}
	var found *rta.Result
	for grown := true; grown; {
		grown = false
		reading.Lock() // and not while body is called, which may add packages
		found = rta.Analyze(roots, true)
		reading.Unlock()
		for _, fn := range sorted(found.Reachable) { // what the linker joins, the analysis of types does not see
			if b := body(fn); b != fn && !known[b] {
				known[b] = true
				roots = append(roots, b)
				grown = true
			}
		}
	}
	reachable := make(map[*ssa.Function]bool, len(found.Reachable))
	for fn := range found.Reachable {
		reachable[fn] = true
	}
	g := &callGraph{callees: make(map[ssa.CallInstruction][]*ssa.Function)}
	for fn := range reachable {
		if body(fn) == fn {
			g.funcs = append(g.funcs, fn)
		}
	}
	sortFuncs(g.funcs)
	order := make(map[*ssa.Function]int, len(g.funcs))
	for i, fn := range g.funcs {
		order[fn] = i
	}
	reading.Lock()
	nodes := vta.CallGraph(reachable, found.CallGraph).Nodes
	reading.Unlock()
	for _, node := range nodes {
		g.addCalls(node, body)
	}
	for _, fns := range g.callees {
		slices.SortFunc(fns, func(a, b *ssa.Function) int { return cmp.Compare(order[a], order[b]) })
	}
	return g
}

func (g *callGraph) addCalls(node *callgraph.Node, body func(*ssa.Function) *ssa.Function) {
	for _, e := range node.Out {
		if e.Site == nil { // a root, or reflection
			continue
		}
		if callee := body(e.Callee.Func); !slices.Contains(g.callees[e.Site], callee) {
			g.callees[e.Site] = append(g.callees[e.Site], callee)
		}
	}
}

func sorted[T any](set map[*ssa.Function]T) []*ssa.Function {
	fns := make([]*ssa.Function, 0, len(set))
	for fn := range set {
		fns = append(fns, fn)
	}
	sortFuncs(fns)
	return fns
}

// sortFuncs sorts by package, name and position. Functions that agree in all of these are wrappers with the same text.
func sortFuncs(fns []*ssa.Function) {
	type key struct {
		fn        *ssa.Function
		pkg, name string
	}
	keys := make([]key, len(fns))
	for i, fn := range fns {
		keys[i] = key{fn: fn, name: fn.String()}
		if fn.Pkg != nil {
			keys[i].pkg = fn.Pkg.Pkg.Path()
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name), cmp.Compare(a.fn.Pos(), b.fn.Pos()),
			cmp.Compare(a.fn.Synthetic, b.fn.Synthetic))
	})
	for i, k := range keys {
		fns[i] = k.fn
	}
}
