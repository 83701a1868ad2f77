package gcorder

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/program/gcorder/equality"
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
			if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !equality.IsAggregate(cmp.X.Type()) || !equality.IsAggregate(cmp.Y.Type()) {
				continue
			}
			x, y := standing(cmp, cmp.X, k), standing(cmp, cmp.Y, k)
			if x == nil && y == nil || !equality.ComparesParts(cmp.X.Type()) {
				continue
			}
			conds := equality.Conditions(cmp.X.Type(), nil)
			if len(conds) == 0 || len(conds) == 1 && equality.Sizes.Sizeof(conds[0].Piece.Type) == equality.Sizes.Sizeof(cmp.X.Type()) {
				continue
			}
			c := &comparison{fn: fn, cmp: cmp, conds: conds}
			c.x, c.y = &side{c, cmp.X, x, make(map[*equality.Piece]ssa.Value)}, &side{c, cmp.Y, y, make(map[*equality.Piece]ssa.Value)}
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

// A comparison is one that is being taken apart.
type comparison struct {
	fn    *ssa.Function
	cmp   *ssa.BinOp
	conds []equality.Condition
	x, y  *side
	block *ssa.BasicBlock   // that is being filled
	out   []ssa.Instruction // its instructions
}

// A side is one of its operands.
type side struct {
	*comparison
	v      ssa.Value
	load   *ssa.UnOp // if it is compared where it stands
	pieces map[*equality.Piece]ssa.Value
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
					s.get(c.conds[0].Piece)
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
func (c *comparison) holds(cond equality.Condition) ssa.Value {
	x, y := c.x.get(cond.Piece), c.y.get(cond.Piece)
	if cond.Length {
		x, y = c.length(x), c.length(y)
	}
	return c.emit(&ssa.BinOp{Op: c.cmp.Op, X: x, Y: y}, c.cmp.Type(), c.cmp.Pos())
}

// get emits what reads a piece, once.
func (s *side) get(p *equality.Piece) ssa.Value {
	if s.pieces[p] == nil {
		s.pieces[p] = s.read(p)
	}
	return s.pieces[p]
}

func (s *side) read(p *equality.Piece) ssa.Value {
	if s.load == nil {
		v := s.v
		for _, i := range p.Way {
			v = s.partOf(v, i)
		}
		if p.N > 0 {
			return s.someOf(v, p)
		}
		return v
	}
	at, pos := s.load.X, s.load.Pos()
	if e := exprOf(s.load); !pos.IsValid() && e != nil {
		pos = e.Pos()
	}
	for _, i := range p.Way {
		switch t := at.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
		case *types.Struct:
			at = s.emit(&ssa.FieldAddr{X: at, Field: i}, types.NewPointer(t.Field(i).Type()), pos)
		case *types.Array:
			at = s.emit(&ssa.IndexAddr{X: at, Index: intConst(int64(i))}, types.NewPointer(t.Elem()), pos)
		}
	}
	if p.N > 0 {
		elem := p.Type.(*types.Array).Elem()
		at = s.emit(&ssa.Slice{X: at, Low: intConst(p.From), High: intConst(p.From + p.N)}, types.NewSlice(elem), pos)
		at = s.emit(&ssa.SliceToArrayPointer{X: at}, types.NewPointer(p.Type), pos)
	}
	return s.emit(&ssa.UnOp{Op: token.MUL, X: at}, p.Type, pos)
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
func (c *comparison) someOf(v ssa.Value, p *equality.Piece) ssa.Value {
	a := &ssa.Alloc{Comment: "part"}
	c.emit(a, types.NewPointer(p.Type), token.NoPos)
	c.fn.Locals = append(c.fn.Locals, a)
	for i := range p.N {
		at := c.emit(&ssa.IndexAddr{X: a, Index: intConst(i)}, types.NewPointer(p.Type.(*types.Array).Elem()), token.NoPos)
		store := &ssa.Store{Addr: at, Val: c.partOf(v, int(p.From+i))}
		setBlock(store, c.block)
		refer(store.Addr, store)
		refer(store.Val, store)
		c.out = append(c.out, store)
	}
	return c.emit(&ssa.UnOp{Op: token.MUL, X: a}, p.Type, token.NoPos)
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
