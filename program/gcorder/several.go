package gcorder

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file orders statements that assign or return several values, as ascompatee in
// cmd/compile/internal/walk/assign.go does. gc makes one assignment after the other, each with the evaluation of its
// value. What an earlier assignment might change it evaluates before all of them. In x, y = xs[i], ys[x], ys[x] comes
// first. Results are assigned to as variables are.
//
// The file goes by the syntax, for go/ssa has no assignments to variables that it has lifted. What the syntax says to
// be safe to read after an assignment is checked against the instructions.

// part is one of the assignments of such a statement.
type part struct {
	lhs    ast.Expr   // nil for a result
	result *types.Var // nil for an assignment
	rhs    ast.Expr   // nil where one call, or a form with ok, has the values of all
	store  ssa.Instruction
}

// partsOf returns the assignments of a statement that has several.
func (o *order) partsOf(stmt int) []*part {
	var parts []*part
	several := func(lhs, rhs []ast.Expr) {
		if len(lhs) < 2 {
			return
		}
		for i, l := range lhs {
			p := &part{lhs: ast.Unparen(l)}
			if len(rhs) == len(lhs) {
				p.rhs = ast.Unparen(rhs[i])
			}
			parts = append(parts, p)
		}
	}
	switch s := o.tree.nodes[stmt].node.(type) {
	case *ast.AssignStmt:
		if !o.tree.comm[s] {
			several(s.Lhs, s.Rhs)
		}
	case *ast.ValueSpec:
		var names []ast.Expr
		for _, id := range s.Names {
			names = append(names, id)
		}
		if len(s.Values) > 0 {
			several(names, s.Values)
		}
	case *ast.ReturnStmt:
		results := o.fn.Signature.Results()
		if _, body := o.fn.Syntax().(*ast.RangeStmt); body || len(s.Results) < 2 {
			return nil
		}
		for i, r := range s.Results {
			parts = append(parts, &part{result: results.At(i), rhs: ast.Unparen(r)})
		}
	}
	return parts
}

// place returns the position that go/ssa gives to a store into the left side of p.
func (p *part) place() token.Pos {
	switch l := p.lhs.(type) {
	case *ast.IndexExpr:
		return l.Lbrack
	case *ast.SelectorExpr:
		return l.Sel.Pos()
	}
	return p.lhs.Pos()
}

// partOf returns the part that a store is for, or nil.
func (r *run) partOf(store ssa.Instruction) *part {
	for _, p := range r.parts {
		switch {
		case p.store != nil:
		case p.lhs != nil:
			if store.Pos() == p.place() {
				return p
			}
		default:
			if st, ok := store.(*ssa.Store); ok {
				if a, ok := st.Addr.(*ssa.Alloc); ok && a.Pos() == p.result.Pos() && st.Pos() == r.tree.nodes[r.stmt].pos {
					return p
				}
			}
		}
	}
	return nil
}

// waitPart makes store wait with the other assignments of its statement, if it is one of several.
func (r *run) waitPart(store ssa.Instruction) bool {
	p := r.partOf(store)
	if p == nil {
		return false
	}
	p.store = store
	l := &late{instr: store}
	switch s := store.(type) {
	case *ssa.Store:
		l.into = r.freshRoot(s.Addr)
		r.expose(s.Val)
	case *ssa.MapUpdate:
		r.exposeOperands(s)
	}
	r.wait(l)
	return true
}

// value returns the value of an expression of the statement, or nil if it is a constant or has none.
func (r *run) value(e ast.Expr) ssa.Value { return r.exprs[ast.Unparen(e)] }

// noteExprs notes the values of expressions.
func (r *run) noteExprs(instrs []ssa.Instruction) {
	for _, instr := range instrs {
		if d, ok := instr.(*ssa.DebugRef); ok && !d.IsAddr {
			r.exprs[d.Expr] = d.X
		}
	}
}

// ascompatee is the state of the function of that name.
type ascompatee struct {
	*walker
	syntax     ast.Node // of the function
	assigned   map[*types.Var]bool
	memory     bool // may have been written
	everything bool // may have: a result was set, and deferred functions see it
	stores     bool // there are, to other than variables of the function
}

// several emits the assignments of the statement.
func (w *walker) several() {
	parts := w.parts
	w.parts = nil
	vars := w.captures()
	if vars == nil { // nothing is known of the variables
		for _, p := range parts {
			if p.rhs != nil && w.value(p.rhs) != nil {
				w.statement(w.value(p.rhs))
			}
		}
		for _, p := range parts {
			w.assignPart(p)
		}
		return
	}
	c := &ascompatee{walker: w, syntax: w.fn.Syntax(), assigned: make(map[*types.Var]bool)}
	for _, p := range parts {
		if p.result != nil && vars.variable(p.rhs) == p.result {
			continue // return x, where x is the result
		}
		if p.lhs != nil {
			c.saveLeft(p.lhs)
		}
		if p.rhs != nil {
			c.save(p.rhs)
		}
		c.note(p)
	}
	for _, p := range parts {
		w.assignPart(p)
	}
}

// note notes what p may change.
func (c *ascompatee) note(p *part) {
	switch s := p.store.(type) {
	case *ssa.Store:
		c.stores = c.stores || rootAlloc(s.Addr) == nil
	case *ssa.MapUpdate:
		c.stores = true
	}
	v := p.result
	switch {
	case v == nil:
		if v = c.vars.variable(p.lhs); v == nil {
			c.memory = c.memory || !isBlank(p.lhs)
			return
		}
	case c.defers():
		c.everything = true
		return
	}
	switch {
	case v.Name() == "" || v.Name() == "_":
	case c.vars.owner[v] != c.syntax || c.vars.byReference(v):
		c.memory = true
	default:
		c.assigned[v] = true
	}
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// defers reports whether the function has a defer statement before this one.
func (c *ascompatee) defers() bool {
	at, found := c.tree.nodes[c.stmt].pos, false
	ast.Inspect(c.syntax, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok && n != c.syntax {
			return false
		}
		if d, ok := n.(*ast.DeferStmt); ok && d.Pos() < at {
			found = true
		}
		return !found
	})
	return found
}

// saveLeft saves what the left side e is computed from.
func (c *ascompatee) saveLeft(e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		switch c.vars.typeOf(e.X).(type) {
		case *types.Array:
			c.save(e.Index)
			c.saveLeft(e.X)
		case *types.Pointer: // (*e.X)[e.Index]
			c.save(e.Index)
			c.save(e.X)
		default:
			c.save(e.X)
			c.save(e.Index)
		}
	case *ast.StarExpr:
		c.save(e.X)
	case *ast.SelectorExpr:
		if sel := c.vars.info.Selections[e]; sel != nil {
			if sel.Indirect() {
				c.save(e.X)
			} else {
				c.saveLeft(e.X)
			}
		}
	}
}

// save evaluates e if an assignment so far might change it.
func (c *ascompatee) save(e ast.Expr) {
	if v := c.value(e); v != nil && (c.affected(e) || c.stores && c.loads(v)) {
		c.statement(v)
	}
}

// affected reports whether an assignment so far might change e, but for what of it is in temporaries.
func (c *ascompatee) affected(e ast.Expr) bool {
	if c.everything {
		return true
	}
	e = ast.Unparen(e)
	if c.vars.info.Types[e].Value != nil {
		return false
	}
	if v := c.value(e); v != nil {
		if def, ok := v.(ssa.Instruction); ok && c.stmts[def] == c.stmt && c.of(v) == nil {
			return false
		}
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := c.vars.info.Uses[e].(*types.Var)
		return ok && (c.assigned[v] || c.memory && c.vars.inMemory(v, c.syntax))
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			return false // in a temporary
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if c.memory {
				return true
			}
		case token.ADD:
			if t := c.vars.typeOf(e); c.memory && t != nil && isString(t) {
				return true
			}
		}
		return c.affected(e.X) || c.affected(e.Y)
	case *ast.UnaryExpr:
		if c.memory && (e.Op == token.NOT || e.Op == token.AND) {
			return true
		}
		return c.affected(e.X)
	case *ast.StarExpr:
		return c.memory || c.affected(e.X)
	case *ast.IndexExpr:
		return c.memory || c.affected(e.X) || c.affected(e.Index)
	case *ast.SelectorExpr:
		sel := c.vars.info.Selections[e]
		switch {
		case sel == nil: // of a package
			_, variable := c.vars.info.Uses[e.Sel].(*types.Var)
			return variable && c.memory
		case sel.Kind() == types.MethodVal || sel.Indirect():
			return c.memory || c.affected(e.X)
		}
		return c.affected(e.X)
	case *ast.TypeAssertExpr:
		return c.affected(e.X)
	case *ast.CallExpr: // a conversion
		if len(e.Args) != 1 {
			return c.memory
		}
		if t, from := c.vars.typeOf(e), c.vars.typeOf(e.Args[0]); c.memory && t != nil && from != nil && isString(t) && !isString(from) {
			return true
		}
		return c.affected(e.Args[0])
	case *ast.CompositeLit:
		if c.memory {
			return true
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if c.affected(x) {
				return true
			}
		}
		return false
	case *ast.FuncLit:
		return c.memory
	}
	return c.memory
}

// loads reports whether what waits for v reads memory that is no variable of a function.
func (c *ascompatee) loads(v ssa.Value) bool {
	l := c.of(v)
	if l == nil {
		return false
	}
	switch in := l.instr.(type) {
	case *ssa.Lookup:
		return true
	case *ssa.UnOp:
		if in.Op == token.MUL && !isOwn(in.X) {
			return true
		}
	}
	return c.anyOperand(l.instr, c.loads)
}

// isOwn reports whether addr is the address of a variable of a function, or of a part of one.
func isOwn(addr ssa.Value) bool {
	switch rootOf(addr).(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return true
	}
	return false
}

// assignPart emits one assignment.
func (w *walker) assignPart(p *part) {
	if p.store != nil {
		w.assignment(p.store)
		w.seen[p.store] = true
		if l := w.byInstr[p.store]; !l.done {
			w.put(l)
		}
		return
	}
	for _, e := range [2]ast.Expr{p.lhs, p.rhs} { // the value as it is assigned to a variable that go/ssa has lifted, or not at all
		if e != nil && !isBlank(e) {
			if v := w.value(e); v != nil {
				w.statement(v)
			}
		}
	}
}
