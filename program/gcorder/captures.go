package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/heddle-go/heddle/program/gcorder/equality"
	"golang.org/x/tools/go/ssa"
)

// This file says which variables other code may reach, as cmd/compile/internal/escape decides it: those whose address
// is taken, and those that a function literal captures by reference because they are assigned to again, or are large.

// captures is what there is to know of the variables of one declared function and the literals in it.
type captures struct {
	info  *types.Info
	owner map[*types.Var]ast.Node // the function, literal, or body of a range over a function, that declares it
	flags map[*types.Var]captureFlags
	calls map[ast.Node]bool // literals that are called where they stand
}

type captureFlags uint8

const (
	captured captureFlags = 1 << iota
	reassigned
	addressTaken
)

// maxByValue is the size in bytes of the largest variable that a literal captures by value.
const maxByValue = 128

// capturesOf returns what there is to know of the variables of fn and of those it captures. It returns nil if fn has no
// syntax or package.
func capturesOf(fn *ssa.Function, info *types.Info) *captures {
	for fn.Parent() != nil && fn.Parent().Syntax() != nil {
		fn = fn.Parent()
	}
	root := fn.Syntax()
	if info == nil || root == nil {
		return nil
	}
	c := &captures{info: info, owner: make(map[*types.Var]ast.Node), flags: make(map[*types.Var]captureFlags), calls: make(map[ast.Node]bool)}
	c.function(root, root)
	return c
}

// function takes what stands in n, which is or is part of the function fn.
func (c *captures) function(fn, n ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			if m != fn {
				c.function(m, m)
				return false
			}
		case *ast.GoStmt:
			return c.started(fn, m.Call)
		case *ast.DeferStmt:
			return c.started(fn, m.Call)
		case *ast.CallExpr:
			if lit, ok := ast.Unparen(m.Fun).(*ast.FuncLit); ok {
				c.calls[lit] = true
			}
		case *ast.Ident:
			c.name(fn, m)
		case *ast.CaseClause:
			if v, ok := c.info.Implicits[m].(*types.Var); ok {
				c.owner[v] = fn
			}
		case *ast.AssignStmt:
			for _, l := range m.Lhs {
				if id, ok := l.(*ast.Ident); !ok || c.info.Defs[id] == nil {
					c.flag(l, reassigned)
				}
			}
		case *ast.IncDecStmt:
			c.flag(m.X, reassigned)
		case *ast.UnaryExpr:
			if m.Op == token.AND {
				c.flag(m.X, addressTaken)
			}
		case *ast.SliceExpr:
			if _, ok := c.typeOf(m.X).(*types.Array); ok {
				c.flag(m.X, addressTaken)
			}
		case *ast.SelectorExpr:
			if sel := c.info.Selections[m]; sel != nil && sel.Kind() == types.MethodVal {
				recv := sel.Obj().(*types.Func).Signature().Recv().Type().Underlying()
				if _, ptr := c.typeOf(m.X).(*types.Pointer); !ptr {
					if _, ptr = recv.(*types.Pointer); ptr {
						c.flag(m.X, addressTaken)
					}
				}
			}
		case *ast.ForStmt:
			return c.loop(fn, m)
		case *ast.RangeStmt:
			return c.rangeOver(fn, m)
		}
		return true
	})
}

// started takes the operands of a call that is not made where it stands.
func (c *captures) started(fn ast.Node, call *ast.CallExpr) bool {
	for _, a := range call.Args {
		c.function(fn, a)
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		c.function(lit, lit)
	} else {
		c.function(fn, call.Fun)
	}
	return false
}

// loop takes a loop with three clauses. In the last clause the variables of a round are assigned to. Then they are
// those of the next round.
func (c *captures) loop(fn ast.Node, s *ast.ForStmt) bool {
	if s.Init != nil {
		c.function(fn, s.Init)
	}
	if s.Cond != nil {
		c.function(fn, s.Cond)
	}
	c.function(fn, s.Body)
	if s.Post == nil {
		return false
	}
	before := make(map[*types.Var]captureFlags)
	if init, ok := s.Init.(*ast.AssignStmt); ok && init.Tok == token.DEFINE {
		for _, l := range init.Lhs {
			if v, ok := c.info.Defs[l.(*ast.Ident)].(*types.Var); ok {
				before[v] = c.flags[v]
			}
		}
	}
	c.function(fn, s.Post)
	for v, f := range before {
		c.flags[v] = c.flags[v]&^reassigned | f
	}
	return false
}

// rangeOver takes a range statement. The body of one over a function is a function.
func (c *captures) rangeOver(fn ast.Node, s *ast.RangeStmt) bool {
	c.function(fn, s.X)
	body := fn
	if _, ok := c.typeOf(s.X).(*types.Signature); ok {
		body = s
	}
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil {
			c.function(body, e)
			if s.Tok == token.ASSIGN {
				c.flag(e, reassigned)
			}
		}
	}
	c.function(body, s.Body)
	return false
}

func (c *captures) typeOf(e ast.Expr) types.Type {
	if t := c.info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return nil
}

func (c *captures) name(fn ast.Node, id *ast.Ident) {
	if v, ok := c.info.Defs[id].(*types.Var); ok {
		c.owner[v] = fn
	} else if v, ok := c.info.Uses[id].(*types.Var); ok && c.owner[v] != fn {
		c.flags[v] |= captured
	}
}

// flag notes f for the variable that e is or is a part of.
func (c *captures) flag(e ast.Expr, f captureFlags) {
	if v := c.variable(e); v != nil {
		c.flags[v] |= f
	}
}

// variable returns the variable that e is or is a part of, without dereferencing, or nil.
func (c *captures) variable(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			v, _ := c.info.ObjectOf(x).(*types.Var)
			return v
		case *ast.IndexExpr:
			if _, ok := c.typeOf(x.X).(*types.Array); !ok {
				return nil
			}
			e = x.X
		case *ast.SelectorExpr:
			sel := c.info.Selections[x]
			if sel == nil { // of a package
				v, _ := c.info.Uses[x.Sel].(*types.Var)
				return v
			}
			if sel.Kind() != types.FieldVal || sel.Indirect() {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// byReference reports whether code may reach v but by its name in its own function.
func (c *captures) byReference(v *types.Var) bool {
	f := c.flags[v]
	return f&addressTaken != 0 || f&captured != 0 && (f&reassigned != 0 || !hasTypeParam(v.Type()) && equality.Sizes.Sizeof(v.Type()) > maxByValue)
}

// hasTypeParam reports whether the size of t depends on type arguments.
func hasTypeParam(t types.Type) bool {
	if _, ok := t.(*types.TypeParam); ok {
		return true
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return hasTypeParam(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if hasTypeParam(f.Type()) {
				return true
			}
		}
	}
	return false
}

// inMemory reports whether the function fn reads v from memory that others may write.
func (c *captures) inMemory(v *types.Var, fn ast.Node) bool {
	owner := c.owner[v]
	switch {
	case owner == nil || c.byReference(v): // of the package, to begin with
		return true
	case owner == fn:
		return false
	}
	return !c.calls[fn] // what a literal captures by value are its parameters if it is called where it stands
}
