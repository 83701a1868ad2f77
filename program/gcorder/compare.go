package gcorder

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// This file takes comparisons of structs and arrays apart. go/ssa loads both operands and compares them. gc does so
// with what has no address, and with what is large. It compares other structs and arrays where they stand, part by
// part, and stops at the first difference (walkCompare in cmd/compile/internal/walk/compare.go). So it does not read
// the parts behind that, nor blank fields, nor padding.
//
//	PARTS1  An operand is compared where it stands if it is the value of a variable, of a field or element of one, or
//	        of what a pointer points to, and not a conversion. So is the expression of a case of a switch statement.
//	        The operand of the switch is copied.
//	PARTS2  comparesParts says what is small. A part that is a struct or an array is taken apart likewise, or read as
//	        one.
//	PARTS3  Fields are compared in their order. Of a string, the length is. Its bytes are compared behind all other
//	        fields (EqStruct in cmd/compile/internal/compare), but before the next field that may panic, as interfaces
//	        may, and before that field nothing behind it.
//	PARTS4  Elements are compared in their order. Small integers are read by eight bytes, or what is left of them.

// compareParts takes the comparisons of a function apart.
func compareParts(fn *ssa.Function) {
	if isGeneric(fn) {
		return
	}
	split := false
	for i := 0; i < len(fn.Blocks); i++ {
		b := fn.Blocks[i]
		for k, instr := range b.Instrs {
			cmp, ok := instr.(*ssa.BinOp)
			if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !isAggregate(cmp.X.Type()) || !isAggregate(cmp.Y.Type()) {
				continue
			}
			x, y := standing(cmp, cmp.X, k), standing(cmp, cmp.Y, k)
			if x == nil && y == nil || !comparesParts(cmp.X.Type()) {
				continue
			}
			conds := conditions(cmp.X.Type(), nil)
			if len(conds) == 0 || len(conds) == 1 && gcSizes.Sizeof(conds[0].piece.typ) == gcSizes.Sizeof(cmp.X.Type()) {
				continue
			}
			c := &comparison{fn: fn, cmp: cmp, conds: conds}
			c.x, c.y = &side{c, cmp.X, x, make(map[*piece]ssa.Value)}, &side{c, cmp.Y, y, make(map[*piece]ssa.Value)}
			c.expand(b, k)
			if len(conds) == 1 {
				i-- // there may be another one behind it
			}
			split = true
			break
		}
	}
	if split {
		numberDominators(fn)
	}
}

// isGeneric reports whether fn is, or stands in, a function with type parameters, which nobody runs.
func isGeneric(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0
}

// standing returns the load of an operand of a comparison, the k-th instruction of its block, if gc compares it where
// it stands (PARTS1), and others can write there.
func standing(cmp *ssa.BinOp, v ssa.Value, k int) *ssa.UnOp {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.Block() != cmp.Block() || !hasAddress(load) {
		return nil
	}
	if a := rootAlloc(load.X); a != nil && !a.Heap {
		return nil
	}
	var operand *ast.BinaryExpr
	for _, r := range *cmp.Referrers() {
		if d, ok := r.(*ssa.DebugRef); ok && operand == nil {
			operand, _ = d.Expr.(*ast.BinaryExpr)
		}
	}
	is := false
	for _, r := range *load.Referrers() {
		d, ok := r.(*ssa.DebugRef)
		if !ok {
			if r != cmp {
				return nil
			}
			continue
		}
		is = true
		_, named := d.Expr.(*ast.Ident)
		switch {
		case named && !wholeVariable(load.X): // of a loop, which has a copy
			return nil
		case operand != nil:
			if d.Expr != ast.Unparen(operand.X) && d.Expr != ast.Unparen(operand.Y) { // a variable has a copy, too
				return nil
			}
		case v != cmp.Y || cmp.Pos() != d.Expr.Pos(): // not of a case
			return nil
		}
	}
	if !is {
		return nil
	}
	for _, instr := range slices.Backward(cmp.Block().Instrs[:k]) {
		if instr == load {
			return load
		}
		if mayChange(instr) {
			return nil
		}
	}
	return nil
}

// mayChange reports whether an instruction may change what others read.
func mayChange(instr ssa.Instruction) bool {
	switch x := instr.(type) {
	case *ssa.Store:
		a := rootAlloc(x.Addr)
		return a == nil || a.Heap && a.Comment != "complit" && a.Comment != "slicelit"
	case *ssa.DebugRef:
		return false
	case ssa.Value:
		return isAnchor(instr)
	}
	return true
}

// A piece is what is read at once of an operand.
type piece struct {
	way []int // the fields and elements on the way to it
	typ types.Type
	// If not zero, it is as many elements of the array that the way leads to, from number from on.
	from, n int64
}

// A condition compares a piece.
type condition struct {
	piece  *piece
	length bool // the length of a string alone
	panics bool // it may panic
	late   bool // gc calls a function for it
}

// conditions returns what is compared of values of type t, in gc's order. way leads to them.
func conditions(t types.Type, way []int) []condition {
	to := func(i int) []int { return append(slices.Clone(way), i) }
	if !isAggregate(t) || !comparesParts(t) { // PARTS2
		return []condition{{piece: &piece{way: way, typ: t}}}
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return elements(t, way)
	case *types.Struct:
		var all, together []condition
		flush := func() {
			for _, late := range []bool{false, true} {
				for _, c := range together {
					if c.late == late { // PARTS3
						all = append(all, c)
					}
				}
			}
			together = nil
		}
		for i := range t.NumFields() {
			f := t.Field(i)
			if f.Name() == "_" {
				continue
			}
			if isString(f.Type()) {
				p := &piece{way: to(i), typ: f.Type()}
				together = append(together, condition{piece: p, length: true}, condition{piece: p, late: true})
				continue
			}
			panics := comparePanics(f.Type())
			if panics { // PARTS3
				flush()
			}
			for _, c := range conditions(f.Type(), to(i)) {
				c.late = false // those of a field stay together
				together = append(together, c)
			}
			if panics {
				flush()
			}
		}
		flush()
		return all
	}
	return nil
}

// elements is conditions of an array (PARTS4).
func elements(t *types.Array, way []int) (all []condition) {
	size := gcSizes.Sizeof(t.Elem())
	basic, _ := t.Elem().Underlying().(*types.Basic)
	small := basic != nil && basic.Info()&types.IsInteger != 0 && size <= 4
	for i := int64(0); i < t.Len(); {
		n := int64(1)
		for at := int64(8); small && at > size; at /= 2 {
			if left := (t.Len() - i) * size; left >= at {
				n = at / size
				break
			}
		}
		if n == 1 { // PARTS4
			all = append(all, conditions(t.Elem(), append(slices.Clone(way), int(i)))...)
		} else {
			all = append(all, condition{piece: &piece{way: way, typ: types.NewArray(t.Elem(), n), from: i, n: n}})
		}
		i += n
	}
	return all
}

// comparePanics reports whether a comparison of values of type t may panic (EqCanPanic).
func comparePanics(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Array:
		return comparePanics(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if f.Name() != "_" && comparePanics(f.Type()) {
				return true
			}
		}
	}
	return false
}

// A comparison is one that is being taken apart.
type comparison struct {
	fn    *ssa.Function
	cmp   *ssa.BinOp
	conds []condition
	x, y  *side
	block *ssa.BasicBlock   // that is being filled
	out   []ssa.Instruction // its instructions
}

// A side is one of its operands.
type side struct {
	*comparison
	v      ssa.Value
	load   *ssa.UnOp // if it is compared where it stands
	pieces map[*piece]ssa.Value
}

// expand puts conditions into the place of the comparison, the k-th instruction of b. Each has a block. A difference,
// and the last of them, lead to a new block, with the rest of b.
func (c *comparison) expand(b *ssa.BasicBlock, k int) {
	rest := b.Instrs[k+1:]
	c.block = b
	gone := map[ssa.Instruction]bool{c.cmp: true}
	for _, s := range []*side{c.x, c.y} {
		if s.load != nil {
			gone[s.load] = true
			for _, r := range *s.load.Referrers() {
				gone[r] = true
			}
		}
	}
	for _, instr := range b.Instrs[:k] {
		switch instr {
		case c.x.load, c.y.load:
			for _, s := range []*side{c.x, c.y} {
				if s.load == instr {
					s.get(c.conds[0].piece)
				}
			}
		default:
			c.out = append(c.out, instr)
		}
	}
	if len(c.conds) == 1 {
		v := c.holds(c.conds[0])
		b.Instrs = append(c.out, rest...)
		replace(c.cmp, v)
		drop(b, gone)
		return
	}
	done := c.newBlock("compare.done")
	phi := &ssa.Phi{Comment: c.cmp.Op.String()}
	c.register(phi, c.cmp.Type(), token.NoPos)
	setBlock(phi, done)
	blocks := []*ssa.BasicBlock{b}
	differ := ssa.NewConst(constant.MakeBool(c.cmp.Op == token.NEQ), c.cmp.Type())
	for i, cond := range c.conds {
		v := c.holds(cond)
		at := c.block
		done.Preds = append(done.Preds, at)
		if i == len(c.conds)-1 {
			jump := &ssa.Jump{}
			setBlock(jump, at)
			at.Succs, at.Instrs = []*ssa.BasicBlock{done}, append(c.out, jump)
			phi.Edges = append(phi.Edges, v)
			refer(v, phi)
			break
		}
		branch := &ssa.If{Cond: v}
		setBlock(branch, at)
		refer(v, branch)
		at.Instrs = append(c.out, branch)
		phi.Edges = append(phi.Edges, differ)
		next := c.newBlock("compare.next")
		next.Preds = []*ssa.BasicBlock{at}
		if i == 0 {
			for _, s := range at.Succs {
				s.Preds[slices.Index(s.Preds, at)] = done
			}
			done.Succs = at.Succs
		}
		if at.Succs = []*ssa.BasicBlock{next, done}; c.cmp.Op == token.NEQ {
			at.Succs = []*ssa.BasicBlock{done, next}
		}
		blocks = append(blocks, next)
		c.block, c.out = next, nil
	}
	done.Instrs = append([]ssa.Instruction{phi}, rest...)
	for _, instr := range rest {
		setBlock(instr, done)
	}
	replace(c.cmp, phi)
	drop(b, gone)
	drop(done, gone)
	c.place(append(blocks, done))
}

// holds emits one condition.
func (c *comparison) holds(cond condition) ssa.Value {
	x, y := c.x.get(cond.piece), c.y.get(cond.piece)
	if cond.length {
		x, y = c.length(x), c.length(y)
	}
	return c.emit(&ssa.BinOp{Op: c.cmp.Op, X: x, Y: y}, c.cmp.Type(), c.cmp.Pos())
}

// get emits what reads a piece, once.
func (s *side) get(p *piece) ssa.Value {
	if s.pieces[p] == nil {
		s.pieces[p] = s.read(p)
	}
	return s.pieces[p]
}

func (s *side) read(p *piece) ssa.Value {
	if s.load == nil {
		v := s.v
		for _, i := range p.way {
			v = s.partOf(v, i)
		}
		if p.n > 0 {
			return s.someOf(v, p)
		}
		return v
	}
	at, pos := s.load.X, s.load.Pos()
	if e := exprOf(s.load); !pos.IsValid() && e != nil {
		pos = e.Pos()
	}
	for _, i := range p.way {
		switch t := at.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
		case *types.Struct:
			at = s.emit(&ssa.FieldAddr{X: at, Field: i}, types.NewPointer(t.Field(i).Type()), pos)
		case *types.Array:
			at = s.emit(&ssa.IndexAddr{X: at, Index: intConst(int64(i))}, types.NewPointer(t.Elem()), pos)
		}
	}
	if p.n > 0 {
		elem := p.typ.(*types.Array).Elem()
		at = s.emit(&ssa.Slice{X: at, Low: intConst(p.from), High: intConst(p.from + p.n)}, types.NewSlice(elem), pos)
		at = s.emit(&ssa.SliceToArrayPointer{X: at}, types.NewPointer(p.typ), pos)
	}
	return s.emit(&ssa.UnOp{Op: token.MUL, X: at}, p.typ, pos)
}

// partOf emits what takes a field or an element of a value.
func (c *comparison) partOf(v ssa.Value, i int) ssa.Value {
	switch t := v.Type().Underlying().(type) {
	case *types.Struct:
		return c.emit(&ssa.Field{X: v, Field: i}, t.Field(i).Type(), token.NoPos)
	case *types.Array:
		return c.emit(&ssa.Index{X: v, Index: intConst(int64(i))}, t.Elem(), token.NoPos)
	}
	panic("gcorder: part of " + v.Type().String())
}

// someOf emits what takes several elements of the value of an array: by way of a variable.
func (c *comparison) someOf(v ssa.Value, p *piece) ssa.Value {
	a := &ssa.Alloc{Comment: "part"}
	c.emit(a, types.NewPointer(p.typ), token.NoPos)
	c.fn.Locals = append(c.fn.Locals, a)
	for i := range p.n {
		at := c.emit(&ssa.IndexAddr{X: a, Index: intConst(i)}, types.NewPointer(p.typ.(*types.Array).Elem()), token.NoPos)
		store := &ssa.Store{Addr: at, Val: c.partOf(v, int(p.from+i))}
		setBlock(store, c.block)
		refer(store.Addr, store)
		refer(store.Val, store)
		c.out = append(c.out, store)
	}
	return c.emit(&ssa.UnOp{Op: token.MUL, X: a}, p.typ, token.NoPos)
}

// length emits a call of len. go/ssa has no way to make a built-in function.
func (c *comparison) length(s ssa.Value) ssa.Value {
	b := &ssa.Builtin{}
	*field[string](b, "name") = "len"
	params := types.NewTuple(types.NewParam(token.NoPos, nil, "", s.Type()))
	results := types.NewTuple(types.NewParam(token.NoPos, nil, "", types.Typ[types.Int]))
	*field[*types.Signature](b, "sig") = types.NewSignatureType(nil, nil, nil, params, results, false)
	return c.emit(&ssa.Call{Call: ssa.CallCommon{Value: b, Args: []ssa.Value{s}}}, types.Typ[types.Int], token.NoPos)
}

func intConst(i int64) ssa.Value { return ssa.NewConst(constant.MakeInt64(i), types.Typ[types.Int]) }

// field returns where a field of go/ssa's own is. If a new version of go/ssa has it otherwise, the tests of evaluation
// order fail.
func field[T any](of any, names ...string) *T {
	v := reflect.ValueOf(of).Elem()
	for _, name := range names {
		v = v.FieldByName(name)
	}
	return (*T)(unsafe.Pointer(v.UnsafeAddr()))
}

// register gives a new value its type and position.
func (c *comparison) register(v ssa.Value, t types.Type, pos token.Pos) {
	*field[types.Type](v, "typ") = t
	*field[token.Pos](v, "pos") = pos
}

// emit appends a new value.
func (c *comparison) emit(v ssa.Value, t types.Type, pos token.Pos) ssa.Value {
	c.register(v, t, pos)
	instr := v.(ssa.Instruction)
	setBlock(instr, c.block)
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op != nil {
			refer(*op, instr)
		}
	}
	c.out = append(c.out, instr)
	return v
}

// refer notes that an instruction uses a value.
func refer(v ssa.Value, by ssa.Instruction) {
	if refs := v.Referrers(); refs != nil {
		*refs = append(*refs, by)
	}
}

// replace lets the users of a value use another one.
func replace(old, v ssa.Value) {
	for _, r := range *old.Referrers() {
		var buf [8]*ssa.Value
		for _, op := range r.Operands(buf[:0]) {
			if *op == old {
				*op = v
			}
		}
		refer(v, r)
	}
	*old.Referrers() = nil
}

func (c *comparison) newBlock(comment string) *ssa.BasicBlock {
	b := &ssa.BasicBlock{Comment: comment}
	*field[*ssa.Function](b, "parent") = c.fn
	return b
}

// place puts the new blocks behind the first one. Each dominates the next one. The last one is dominated by the first,
// and dominates what that has dominated.
func (c *comparison) place(blocks []*ssa.BasicBlock) {
	b, done := blocks[0], blocks[len(blocks)-1]
	c.fn.Blocks = slices.Insert(c.fn.Blocks, b.Index+1, blocks[1:]...)
	for i, x := range c.fn.Blocks {
		x.Index = i
	}
	below := field[[]*ssa.BasicBlock](b, "dom", "children")
	for _, x := range *below {
		*field[*ssa.BasicBlock](x, "dom", "idom") = done
	}
	*field[[]*ssa.BasicBlock](done, "dom", "children") = *below
	*below = nil
	for i, x := range blocks[1:] {
		top := blocks[i]
		if x == done {
			top = b
		}
		*field[*ssa.BasicBlock](x, "dom", "idom") = top
		*field[[]*ssa.BasicBlock](top, "dom", "children") = append(top.Dominees(), x)
	}
}

// numberDominators numbers the dominator trees of a function anew, as go/ssa does it.
func numberDominators(fn *ssa.Function) {
	var pre, post int32
	var number func(b *ssa.BasicBlock)
	number = func(b *ssa.BasicBlock) {
		*field[int32](b, "dom", "pre") = pre
		pre++
		for _, x := range b.Dominees() {
			number(x)
		}
		*field[int32](b, "dom", "post") = post
		post++
	}
	number(fn.Blocks[0])
	if fn.Recover != nil {
		number(fn.Recover)
	}
}
