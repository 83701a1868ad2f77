package program

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file follows //go:linkname. The directive stands in comments, so neither go/types nor go/ssa knows it. It has
// two forms, which read alike. `//go:linkname local pkg.remote` beside a local function without a body pulls remote's
// body here. Beside a function with a body it pushes that body to remote.

// linkTable holds the directives of a program's packages.
type linkTable struct {
	byPath  map[string]*Package
	hasBody func(*ssa.Function) bool
	pushed  map[string][]pushed // symbol -> who claims to be it
}

type pushed struct {
	pkg   *Package
	local string
}

func newLinkTable(pkgs []*Package, hasBody func(*ssa.Function) bool) *linkTable {
	t := &linkTable{hasBody: hasBody, byPath: make(map[string]*Package, len(pkgs)), pushed: make(map[string][]pushed)}
	for _, p := range pkgs {
		// A package and its variant under test may both be here, for packages that do not import the one under test.
		if old := t.byPath[p.Path]; old == nil || strings.Contains(p.ID, " ") {
			t.byPath[p.Path] = p
		}
		for local, symbol := range p.pushes {
			t.pushed[symbol] = append(t.pushed[symbol], pushed{p, local})
		}
	}
	return t
}

// Resolve says what runs when fn, a function without a body, is called. That is a Go function found by following
// //go:linkname or, with a nil body, whatever the host offers under the linker's symbol name. For a function with a
// body it returns fn. A method's symbol is written as by ssa.Function.RelString: "(*sync.Mutex).Lock".
func (p *Program) Resolve(fn *ssa.Function) (body *ssa.Function, symbol string) {
	seen := map[*ssa.Function]bool{}
	for !seen[fn] {
		seen[fn] = true
		p.Build(fn)
		symbol = p.symbol(fn)
		if p.u.hasBody(fn) || len(fn.Blocks) > 0 {
			return fn, symbol
		}
		next := p.links.find(symbol, fn)
		if next == nil {
			return nil, symbol
		}
		fn = next
	}
	return nil, symbol
}

// symbol returns the linker's name of fn.
func (p *Program) symbol(fn *ssa.Function) string {
	if fn.Pkg != nil && fn.Signature.Recv() == nil && fn.Parent() == nil {
		if pkg := p.byTyp[fn.Pkg.Pkg]; pkg != nil {
			if s, ok := pkg.pushes[fn.Name()]; ok && !p.u.hasBody(fn) {
				return s
			}
		}
	}
	return fn.RelString(nil)
}

// find returns a function other than not that bears the symbol: the one declared under that name, or one pushed to it.
// One with a body is preferred.
func (t *linkTable) find(symbol string, not *ssa.Function) *ssa.Function {
	var candidates []*ssa.Function
	if fn := t.declared(symbol); fn != nil && fn != not {
		candidates = append(candidates, fn)
	}
	for _, c := range t.pushed[symbol] {
		if fn := c.pkg.function(c.local); fn != nil && fn != not {
			candidates = append(candidates, fn)
		}
	}
	for _, fn := range candidates {
		if t.hasBody(fn) {
			return fn
		}
	}
	// None has a body itself, but one may be pulled from elsewhere in turn.
	for _, fn := range candidates {
		if pkg := t.byPath[fn.Pkg.Pkg.Path()]; pkg != nil {
			if s, ok := pkg.pushes[fn.Name()]; ok && s != symbol {
				return fn
			}
		}
	}
	return nil
}

// declared returns the function or method that a symbol names: "pkg/path.F", "pkg/path.T.M", "pkg/path.(*T).M".
func (t *linkTable) declared(symbol string) *ssa.Function {
	slash := strings.LastIndexByte(symbol, '/')
	dot := strings.IndexByte(symbol[slash+1:], '.')
	if dot < 0 {
		return nil
	}
	pkg := t.byPath[strings.ReplaceAll(symbol[:slash+1+dot], "%2e", ".")]
	if pkg == nil {
		return nil
	}
	name := symbol[slash+dot+2:]
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return pkg.function(name)
	}
	typeName, _ := pkg.Types.Scope().Lookup(strings.Trim(name[:i], "(*)")).(*types.TypeName)
	if typeName == nil {
		return nil
	}
	named, _ := typeName.Type().(*types.Named)
	if named == nil {
		return nil
	}
	for m := range named.Methods() {
		if m.Name() == name[i+1:] {
			return pkg.SSA.Prog.FuncValue(m)
		}
	}
	return nil
}

// ResolveVar says which variable g stands for: g itself, or the one that //go:linkname makes it an alias of (the
// variable os.runtime_args, say). symbol is the linker's name of it.
func (p *Program) ResolveVar(g *ssa.Global) (target *ssa.Global, symbol string) {
	symbol = g.RelString(nil)
	if g.Pkg == nil || g.Object() == nil {
		return g, symbol
	}
	pkg := p.byTyp[g.Pkg.Pkg]
	if pkg == nil {
		return g, symbol
	}
	s, ok := pkg.pushes[g.Name()]
	if !ok || s == symbol {
		return g, symbol
	}
	i := strings.LastIndexByte(s, '.')
	if remote := p.links.byPath[s[:max(i, 0)]]; remote != nil {
		if v := remote.SSA.Var(s[i+1:]); v != nil {
			return v, s
		}
	}
	return g, s
}

// function returns the package-level function of that name, or nil.
func (p *Package) function(name string) *ssa.Function {
	if p.SSA == nil {
		return nil
	}
	return p.SSA.Func(name)
}
