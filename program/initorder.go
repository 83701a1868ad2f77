package program

import (
	"container/heap"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// This file orders packages for initialisation as the Go linker does (cmd/link/internal/ld/inittask.go): among the
// packages whose imports are all initialised, the one whose symbol name sorts first is next. The runtime and what it
// imports come before everything else, in an order of their own (runtime.doInit is called for them first).
//
// The compiler gives a package an init task only if it or an import of it has something to run. A package without one
// does not delay those that import it. Whether a variable's initialiser is run or laid out as data is decided deep in
// the compiler; [static] approximates that. It decides nothing but the order of packages that do not depend on each
// other.

// initOrder returns all packages in order of initialisation.
func initOrder(byID map[string]*Package) []*Package {
	all := make([]*Package, 0, len(byID))
	for _, p := range byID {
		all = append(all, p)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })

	first := make(map[*Package]bool)
	var mark func(p *Package)
	mark = func(p *Package) {
		if !first[p] {
			first[p] = true
			for _, d := range p.Imports {
				mark(d)
			}
		}
	}
	var early []*Package
	for _, p := range all {
		if p.Path == "runtime" {
			mark(p)
		}
	}
	for _, p := range all {
		if first[p] {
			early = append(early, p)
		}
	}
	tasks := make(map[*Package]bool)
	order := linkOrder(early, tasks)
	for _, p := range linkOrder(all, tasks) {
		if !first[p] {
			order = append(order, p)
		}
	}
	return order
}

// linkOrder orders one set of packages that is closed under imports.
func linkOrder(pkgs []*Package, memo map[*Package]bool) []*Package {
	waiting := make(map[*Package]int)
	importers := make(map[*Package][]*Package)
	var order []*Package
	ready := &pathHeap{}
	idle := make(map[*Package]bool)
	for _, p := range pkgs {
		if !hasTask(p, memo) {
			order = appendIdle(order, p, idle)
			continue
		}
		for _, d := range p.Imports {
			if hasTask(d, memo) {
				waiting[p]++
				importers[d] = append(importers[d], p)
			}
		}
		if waiting[p] == 0 {
			heap.Push(ready, p)
		}
	}
	for ready.Len() > 0 {
		p := heap.Pop(ready).(*Package)
		order = append(order, p)
		for _, q := range importers[p] {
			if waiting[q]--; waiting[q] == 0 {
				heap.Push(ready, q)
			}
		}
	}
	return order
}

// appendIdle appends a package that has nothing to run, after those it imports, which have nothing either.
func appendIdle(order []*Package, p *Package, done map[*Package]bool) []*Package {
	if done[p] {
		return order
	}
	done[p] = true
	for _, d := range p.Imports {
		order = appendIdle(order, d, done)
	}
	return append(order, p)
}

// pathHeap holds the packages that are ready, by symbol name.
type pathHeap []*Package

func (h pathHeap) Len() int           { return len(h) }
func (h pathHeap) Less(i, j int) bool { return taskSymbol(h[i]) < taskSymbol(h[j]) }
func (h pathHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *pathHeap) Push(x any)        { *h = append(*h, x.(*Package)) }
func (h *pathHeap) Pop() any {
	old := *h
	p := old[len(old)-1]
	*h = old[:len(old)-1]
	return p
}

// taskSymbol names the init task of a package as the linker does. The path is escaped as by
// cmd/internal/objabi.PathToPrefix.
func taskSymbol(p *Package) string {
	if p.Types.Name() == "main" && !strings.Contains(p.ID, " ") {
		return "main..inittask"
	}
	path := p.Path
	slash := strings.LastIndexByte(path, '/')
	var b strings.Builder
	for i := range len(path) {
		if c := path[i]; c <= ' ' || c == '.' && i > slash || c == '%' || c == '"' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String() + "..inittask"
}

// hasTask reports whether the package or one below it has something to run.
func hasTask(p *Package, memo map[*Package]bool) bool {
	if has, ok := memo[p]; ok {
		return has
	}
	has := p.runsInit
	for _, d := range p.Imports {
		has = has || hasTask(d, memo)
	}
	memo[p] = has
	return has
}

// runsInit reports whether the package itself has something to run.
func runsInit(p *Package) bool {
	if p.Cgo || p.Path == "runtime" {
		return true
	}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && (fn.Body == nil || len(fn.Body.List) > 0) {
				return true
			}
		}
	}
	for _, init := range p.Info.InitOrder {
		if len(init.Lhs) != 1 || !static(p.Info, init.Rhs) {
			return true
		}
	}
	return false
}

// static reports whether the compiler lays the value of e out as data.
func static(info *types.Info, e ast.Expr) bool {
	e = ast.Unparen(e)
	tv := info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.IsType() {
		return true
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		return true
	case *ast.Ident, *ast.SelectorExpr:
		id, ok := e.(*ast.Ident)
		if !ok {
			id = e.(*ast.SelectorExpr).Sel
		}
		_, isFunc := info.Uses[id].(*types.Func)
		return isFunc
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			return false
		}
		if _, isLit := ast.Unparen(e.X).(*ast.CompositeLit); isLit {
			return static(info, e.X)
		}
		return staticAddr(info, e.X)
	case *ast.CompositeLit:
		if _, isMap := tv.Type.Underlying().(*types.Map); isMap {
			return len(e.Elts) == 0
		}
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				elt = kv.Value
			}
			if !static(info, elt) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		return staticCall(info, e)
	}
	return false
}

// staticAddr reports whether &e is the address of (a part of) a package variable.
func staticAddr(info *types.Info, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		if sel := info.Selections[e]; sel != nil {
			return !sel.Indirect() && staticAddr(info, e.X)
		}
		return true // pkg.Var
	}
	return false
}

// staticCall knows the calls that the compiler inlines into data: conversions, and functions like errors.New, whose
// body is one return of a literal.
func staticCall(info *types.Info, call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if !static(info, arg) {
			return false
		}
	}
	if info.Types[call.Fun].IsType() {
		to := info.Types[call.Fun].Type.Underlying()
		_, slice := to.(*types.Slice)
		return !slice // []byte("…") is copied at run time
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			return b.Name() == "new" && info.Types[call.Args[0]].IsType()
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if fn, ok := info.Uses[sel.Sel].(*types.Func); ok {
			return fn.FullName() == "errors.New"
		}
	}
	return false
}
