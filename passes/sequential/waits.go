package sequential

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/program"
)

// This file decides whether a program, or one of its functions, could come to wait.

// waitNames are the names of functions and methods of quiet packages that wait, or that fail with a fatal error.
var waitNames = map[string]bool{
	"Lock": true, "RLock": true, "Unlock": true, "RUnlock": true, "Wait": true, "Do": true,
	"OnceFunc": true, "OnceValue": true, "OnceValues": true, "Pipe": true,
}

// MayWait reports, by syntax alone, whether the user's code in the program could wait.
func MayWait(r *program.Recipe) bool {
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.Std {
			continue
		}
		for _, name := range p.Files() {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil || fileMayWait(f) {
				return true
			}
		}
	}
	return false
}

// fileMayWait reports whether a file has an operation that waits. A file that receives from a channel in a range has
// its type, or the channel, from somewhere.
func fileMayWait(f *ast.File) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.SelectorExpr:
			found = found || waitNames[n.Sel.Name]
		}
		return !found
	})
	return found
}

// A waitFinder decides, by the code that a function can reach, whether it could come to wait. Its rules:
//
//	WAIT1 A function reaches what it calls, and every function that it mentions, for somebody may call that.
//	WAIT2 Who makes an interface value of a type reaches all methods of that type. So a call by interface needs no
//	      rule of its own.
//	WAIT3 Functions of the standard library are not looked into. They wait if waitNames has them. What they call back
//	      was mentioned.
type waitFinder struct {
	p    *program.Program
	seen map[*ssa.Function]bool
	work []*ssa.Function
}

// Waits reports whether any of the functions could come to wait.
func Waits(p *program.Program, roots ...*ssa.Function) bool {
	w := &waitFinder{p: p, seen: map[*ssa.Function]bool{}}
	for _, fn := range roots {
		w.reach(fn)
	}
	for len(w.work) > 0 {
		fn := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if w.waits(fn) {
			return true
		}
	}
	return false
}

func (w *waitFinder) reach(fn *ssa.Function) {
	if fn != nil && !w.seen[fn] {
		w.seen[fn] = true
		w.work = append(w.work, fn)
	}
}

// std reports whether a function is declared in the standard library.
func (w *waitFinder) std(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	return fn.Pkg != nil && w.p.IsStd(fn.Pkg.Pkg)
}

// waits reports whether a function waits itself, and notes what it reaches.
func (w *waitFinder) waits(fn *ssa.Function) bool {
	if w.std(fn) {
		return waitNames[fn.Name()]
	}
	w.p.Build(fn)
	for _, b := range w.p.Body(fn).Blocks {
		for _, in := range b.Instrs {
			if w.instruction(in) {
				return true
			}
		}
	}
	return false
}

func (w *waitFinder) instruction(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Send, *ssa.Select:
		return true
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			return true
		}
	case *ssa.MakeInterface:
		w.methods(in.X.Type())
	case ssa.CallInstruction:
		if c := in.Common(); c.IsInvoke() && waitNames[c.Method.Name()] { // the value may have come from the standard library
			return true
		}
	}
	var buf [10]*ssa.Value
	for _, v := range in.Operands(buf[:0]) {
		if fn, ok := (*v).(*ssa.Function); ok {
			w.reach(fn)
		}
	}
	return false
}

// methods is WAIT2.
func (w *waitFinder) methods(t types.Type) {
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if fn := w.p.MethodValue(set.At(i)); fn != nil {
			w.reach(fn)
		}
	}
}
