package gcorder

import (
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"unsafe"

	"github.com/heddle-go/heddle/program/gcorder/equality"
	"golang.org/x/tools/go/ssa"
)

// This file says in which order gc evaluates what order.go has left for the end of a statement, or for an operation
// that gc has made a statement of its own. Nothing in between changes what is read. So the order shows only where two
// operands panic: it says which of them does.
//
// # What gc does
//
// cmd/compile/internal/walk turns some operations of an expression into calls of the runtime (concatenation and
// comparison of strings, conversions to string and to interfaces, look-ups in maps) or into statements (composite
// literals). It moves their operands, if they may panic, to the front of the statement, in the order in which it meets
// them on its way up through the expression: in xs[i] + m[string(rune(ys[j]))], ys[j] comes first.
// cmd/compile/internal/ssagen evaluates the rest from left to right. It dereferences a pointer to an array before it
// evaluates the index, and an interface before arguments that walk has left in place. These cannot panic, except for
// negative shift counts.
//
// A call that gc inlines has its arguments evaluated one after the other instead, as an assignment has. Whether a call
// is inlined is not known here. So where two arguments panic, and the first of them would be moved behind the second,
// the panic may be another one than gc's.

// walker emits late instructions as walk and ssagen have them.
type walker struct {
	*run
	batch map[*late]bool // those to be emitted
	list  []*late        // the same, in source order
	seen  map[ssa.Instruction]bool
	into  map[*ssa.Alloc][]*late // the stores among them, until they are emitted
	check map[ssa.Value][]*late  // loads of a pointer for their panic alone
}

// emitBatch emits the waiting instructions of batch, which are all that root needs, or, if root is nil, all.
func (r *run) emitBatch(batch map[*late]bool, root ssa.Instruction) {
	list := make([]*late, 0, len(batch))
	panics := 0
	for _, l := range r.waiting {
		if batch[l] {
			list = append(list, l)
			if mayPanic(l.instr) {
				panics++
			}
		}
	}
	if root != nil && mayPanic(root) {
		panics++
	}
	if several := r.last && r.parts != nil; panics < 2 && (!several || panics == 0) { // nothing shows
		for _, l := range list {
			r.put(l)
		}
	} else {
		r.walk(batch, list, root)
	}
	rest := r.waiting[:0]
	for _, l := range r.waiting {
		if !l.done {
			rest = append(rest, l)
		}
	}
	r.waiting = rest
}

// walk emits batch, whose instructions are list in source order.
func (r *run) walk(batch map[*late]bool, list []*late, root ssa.Instruction) {
	w := &walker{run: r, batch: batch, list: list, seen: make(map[ssa.Instruction]bool)}
	for _, l := range list {
		if l.into != nil {
			if w.into == nil {
				w.into = make(map[*ssa.Alloc][]*late)
			}
			w.into[l.into] = append(w.into[l.into], l)
		}
		if load, ok := l.instr.(*ssa.UnOp); ok && isNilCheck(load) {
			if w.check == nil {
				w.check = make(map[ssa.Value][]*late)
			}
			w.check[load.X] = append(w.check[load.X], l)
		}
	}
	if r.last && r.parts != nil {
		w.several()
	}
	if root != nil {
		w.root(root)
	}
	w.rest()
}

// rest emits what no root has asked for: one expression after the other.
func (w *walker) rest() {
	used := make(map[ssa.Value]bool) // by others than the addresses and the stores of what they make
	var buf [8]*ssa.Value
	for _, l := range w.list {
		for _, op := range l.instr.Operands(buf[:0]) {
			if *op == nil {
				continue
			}
			if a := rootAlloc(*op); a != nil && a != l.into && !isAddress(l.instr) {
				used[a] = true
			}
			if _, ok := (*op).(*ssa.Alloc); !ok {
				used[*op] = true
			}
		}
	}
	for _, top := range []bool{true, false} {
		for _, l := range w.list {
			v, isValue := l.instr.(ssa.Value)
			switch {
			case l.done:
			case isValue && !(top && used[v]):
				w.statement(v)
			case !isValue && !(top && used[l.into]):
				w.store(l)
			}
		}
	}
}

// of returns the instruction that computes v, if it is still to be emitted.
func (w *walker) of(v ssa.Value) *late {
	if def, ok := v.(ssa.Instruction); ok {
		if l := w.byInstr[def]; l != nil && !l.done && w.batch[l] {
			return l
		}
	}
	return nil
}

func (r *run) put(l *late) {
	l.done = true
	r.out = append(append(r.out, l.instr), l.refs...)
}

// root orders the operands of an instruction for which gc makes a statement of its own, or that is one.
func (w *walker) root(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Call:
		w.call(instr)
	case *ssa.Go:
		w.sequence(append([]ssa.Value{instr.Call.Value}, instr.Call.Args...)...)
	case *ssa.Defer:
		w.sequence(append([]ssa.Value{instr.Call.Value}, instr.Call.Args...)...)
	case *ssa.Slice:
		w.sequence(instr.Low, instr.High, instr.Max, instr.X)
	case *ssa.Return:
		w.sequence(instr.Results...)
	case *ssa.Select:
		for _, s := range instr.States {
			w.sequence(s.Chan, s.Send)
		}
	case *ssa.Send:
		if l := w.of(instr.X); l != nil && !hasAddress(l.instr) {
			w.statement(instr.X)
		}
		w.walk(instr.Chan)
		w.walk(instr.X)
		w.hoistCalls(instr.Chan, instr.X)
	case *ssa.MapUpdate:
		w.mapUpdate(instr)
	case *ssa.Store:
		w.assign(instr)
	default:
		w.walkInstr(instr)
		w.evalOperands(instr)
	}
}

// call orders the operands of a call.
func (w *walker) call(instr *ssa.Call) {
	c := &instr.Call
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			args := c.Args[:1:1]
			if sl, ok := c.Args[1].(*ssa.Slice); ok && isVarargs(sl) {
				for _, l := range w.into[sl.X.(*ssa.Alloc)] {
					args = append(args, l.instr.(*ssa.Store).Val)
				}
			} else {
				args = c.Args
			}
			for _, a := range args {
				w.safe(a)
				w.walk(a)
			}
			w.evals(args...)
		case "delete":
			w.walk(c.Args[0])
			w.walk(c.Args[1])
			w.hoistCalls(c.Args...)
		default:
			for _, a := range c.Args {
				w.walk(a)
			}
			w.evals(c.Args...)
		}
		return
	}
	args := c.Args
	if mi, ok := c.Value.(*ssa.MakeInterface); ok && c.IsInvoke() && w.of(mi) != nil {
		args = append([]ssa.Value{mi.X}, args...) // gc calls the method of mi.X
	} else {
		w.walk(c.Value)
	}
	for _, a := range args {
		w.walk(a)
	}
	w.hoistCalls(args...)
	w.eval(c.Value)
	if c.IsInvoke() {
		for _, a := range args {
			if w.of(a) != nil && w.mayShift(a) {
				w.checkInterface(c.Value, instr)
				break
			}
		}
	}
	w.evals(args...)
}

func isVarargs(sl *ssa.Slice) bool {
	a, ok := sl.X.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// sequence orders expressions of which each is a statement.
func (w *walker) sequence(vs ...ssa.Value) {
	for _, v := range vs {
		if v != nil {
			w.statement(v)
		}
	}
}

func (w *walker) statement(v ssa.Value) {
	w.walk(v)
	w.eval(v)
}

// walk moves to the front what gc's walk moves there.
func (w *walker) walk(v ssa.Value) {
	if a, ok := v.(*ssa.Alloc); ok {
		w.literal(a)
		return
	}
	if l := w.of(v); l != nil && !w.seen[l.instr] {
		w.seen[l.instr] = true
		w.walkInstr(l.instr)
	}
}

func (w *walker) walkInstr(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if a := rootAlloc(instr.X); instr.Op == token.MUL && a != nil {
			w.literal(a)
		}
		w.walk(instr.X)
	case *ssa.BinOp:
		w.binary(instr)
	case *ssa.Lookup:
		w.walk(instr.X)
		w.walk(instr.Index)
		w.hoistCalls(instr.X, instr.Index)
	case *ssa.Convert:
		w.walk(instr.X)
		if isString(instr.Type()) && !isString(instr.X.Type()) {
			w.eval(instr.X)
		}
	case *ssa.MakeInterface:
		w.walk(instr.X)
		if !isDirect(instr.X.Type()) {
			w.eval(instr.X)
		}
	case *ssa.ChangeInterface:
		w.statement(instr.X)
	case *ssa.MakeClosure: // of a method value
		for _, b := range instr.Bindings {
			w.statement(b)
		}
	default:
		var buf [8]*ssa.Value
		for _, op := range instr.Operands(buf[:0]) {
			if *op != nil {
				w.walk(*op)
			}
		}
	}
}

func (w *walker) binary(b *ssa.BinOp) {
	t := b.X.Type()
	compare := b.Op == token.EQL || b.Op == token.NEQ
	switch {
	case isString(t) && b.Op == token.ADD:
		args := w.concatenated(b.Y, w.concatenated(b.X, nil))
		if len(args) > maxConcat { // elements of a slice
			w.sequence(args...)
			return
		}
		for _, a := range args {
			w.walk(a)
		}
		w.hoistCalls(args...)
	case isString(t) && compare:
		x, y := b.X, b.Y
		if _, ok := constString(x); ok {
			x, y = y, x
		}
		switch s, ok := constString(y); {
		case !ok || len(s) > maxRewrite:
			w.sequence(b.X, b.Y)
		case s != "":
			w.safe(x)
			w.walk(x)
		default:
			w.walk(x)
		}
	case compare && equality.ComparesParts(t):
		w.walk(b.X)
		w.walk(b.Y)
		w.safe(b.X)
		w.safe(b.Y)
	case isString(t), b.Op == token.QUO && isComplex(t), compare && equality.IsAggregate(t):
		w.walk(b.X)
		w.walk(b.Y)
		w.hoistCalls(b.X, b.Y)
	case compare && types.IsInterface(t) && !isNilConst(b.X) && !isNilConst(b.Y):
		w.sequence(b.Y, b.X)
	default:
		w.walk(b.X)
		w.walk(b.Y)
	}
}

// maxRewrite is the length of the longest constant that gc compares a string with byte by byte (walkCompareString).
const maxRewrite = 16

// maxConcat is the number of strings that gc passes as arguments to be concatenated; more are put into a slice.
const maxConcat = 5

// constString returns the value of a constant of type string.
func constString(v ssa.Value) (s string, ok bool) {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// concatenated appends the operands of a concatenation of any number of strings. A conversion is one operand, even to
// its own type.
func (w *walker) concatenated(v ssa.Value, to []ssa.Value) []ssa.Value {
	if b, ok := v.(*ssa.BinOp); ok && b.Op == token.ADD && w.of(b) != nil && !isConversion(b) {
		return w.concatenated(b.Y, w.concatenated(b.X, to))
	}
	return append(to, v)
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isComplex(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// literal emits what is stored into a, a variable of the statement. gc stores each element before it evaluates the next
// one.
func (w *walker) literal(a *ssa.Alloc) {
	stores := w.into[a]
	if stores == nil {
		return // or on the way
	}
	delete(w.into, a)
	for _, l := range stores {
		w.store(l)
	}
}

func (w *walker) store(l *late) {
	st := l.instr.(*ssa.Store)
	if w.seen[st] {
		return
	}
	w.seen[st] = true
	w.statement(st.Val)
	w.eval(st.Addr)
	w.put(l)
}

// hoistCalls emits those of the operands of a call that may panic.
func (w *walker) hoistCalls(vs ...ssa.Value) {
	for _, v := range vs {
		if w.mayCall(v) {
			w.eval(v)
		}
	}
}

// mayCall is mayCall of cmd/compile/internal/walk.
func (w *walker) mayCall(v ssa.Value) bool {
	l := w.of(v)
	if l == nil {
		return false
	}
	switch in := l.instr.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			return !isVariable(in.X)
		}
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return !isVariable(v)
	case *ssa.Index, *ssa.Lookup, *ssa.TypeAssert, *ssa.SliceToArrayPointer:
		return true
	case *ssa.BinOp:
		switch t := in.X.Type(); {
		case in.Op == token.QUO, in.Op == token.REM, isString(t), types.IsInterface(t):
			return true
		}
	case *ssa.Convert:
		if isString(in.Type()) && !isString(in.X.Type()) {
			return true
		}
	}
	return w.anyOperand(l.instr, w.mayCall)
}

func (w *walker) anyOperand(instr ssa.Instruction, f func(ssa.Value) bool) bool {
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op != nil && f(*op) {
			return true
		}
	}
	return false
}

// mayShift reports whether a shift waits in v whose count may be negative.
func (w *walker) mayShift(v ssa.Value) bool {
	l := w.of(v)
	if l == nil {
		return false
	}
	if b, ok := l.instr.(*ssa.BinOp); ok && (b.Op == token.SHL || b.Op == token.SHR) {
		if t, ok := b.Y.Type().Underlying().(*types.Basic); ok && t.Info()&types.IsUnsigned == 0 {
			if !isPositive(b.Y) {
				return true
			}
		}
	}
	return w.anyOperand(l.instr, w.mayShift)
}

// isVariable reports whether addr is the address of a variable or of a field of one.
func isVariable(addr ssa.Value) bool {
	for {
		switch x := addr.(type) {
		case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
			return true
		case *ssa.FieldAddr:
			addr = x.X
		default:
			return false
		}
	}
}

// eval emits v as ssagen evaluates it: operands from left to right, then v.
func (w *walker) eval(v ssa.Value) {
	if a, ok := v.(*ssa.Alloc); ok {
		w.literal(a)
	}
	if l := w.of(v); l != nil {
		if load, ok := l.instr.(*ssa.UnOp); ok && load.Op == token.MUL {
			if a := rootAlloc(load.X); a != nil {
				w.literal(a)
			}
		}
		w.evalOperands(l.instr)
		if !l.done {
			w.put(l)
		}
	}
	for _, l := range w.check[v] { // &*p
		if !l.done {
			w.put(l)
		}
	}
}

func (w *walker) evals(vs ...ssa.Value) {
	for _, v := range vs {
		w.eval(v)
	}
}

func (w *walker) evalOperands(instr ssa.Instruction) {
	if ia, ok := instr.(*ssa.IndexAddr); ok {
		w.eval(ia.X)
		if w.of(ia.Index) != nil && !isVariable(ia.X) {
			w.checkArray(ia)
		}
		w.eval(ia.Index)
		return
	}
	var buf [8]*ssa.Value
	for _, op := range instr.Operands(buf[:0]) {
		if *op != nil {
			w.eval(*op)
		}
	}
}

// safe is safeExpr of walk: it emits the parts of v but for indexing, selection and dereferencing.
func (w *walker) safe(v ssa.Value) {
	l := w.of(v)
	if l == nil {
		return
	}
	if isConversion(v) {
		w.statement(v)
		return
	}
	switch in := l.instr.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			if a := rootAlloc(in.X); a != nil {
				w.literal(a)
			}
			w.safeAddr(in.X)
			return
		}
	case *ssa.Field:
		w.safe(in.X)
		return
	case *ssa.Index:
		w.safe(in.X)
		w.safe(in.Index)
		return
	case *ssa.Lookup:
		if !w.seen[in] {
			w.safe(in.X)
			w.safe(in.Index)
			return
		}
	}
	w.statement(v)
}

func (w *walker) safeAddr(addr ssa.Value) {
	switch in := addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
	case *ssa.FieldAddr:
		w.safeAddr(in.X)
	case *ssa.IndexAddr:
		w.safeAddr(in.X)
		w.safe(in.Index)
	default:
		w.safe(addr)
	}
}

// checkArray emits a check that ia.X, a pointer to an array, is not nil: the address of its first element.
func (w *walker) checkArray(ia *ssa.IndexAddr) {
	p, ok := ia.X.Type().Underlying().(*types.Pointer)
	if !ok || p.Elem().Underlying().(*types.Array).Len() == 0 {
		return
	}
	zero := ssa.NewConst(constant.MakeInt64(0), types.Typ[types.Int])
	w.insert(&ssa.IndexAddr{X: ia.X, Index: zero}, ia.Type(), ia)
}

// checkInterface emits a check that v, an interface, is not nil: an assertion to its own type, at no position.
func (w *walker) checkInterface(v ssa.Value, call ssa.Instruction) {
	w.insert(&ssa.TypeAssert{X: v, AssertedType: v.Type()}, v.Type(), call)
}

// insert emits a new instruction of type t. go/ssa has no way to make one, so this writes the fields that Type and
// Block return. If a new version of go/ssa has them otherwise, the tests of evaluation order fail.
func (w *walker) insert(v interface {
	ssa.Value
	ssa.Instruction
}, t types.Type, beside ssa.Instruction) {
	f := reflect.ValueOf(v).Elem().FieldByName("typ")
	*(*types.Type)(unsafe.Pointer(f.UnsafeAddr())) = t
	setBlock(v, beside.Block())
	var buf [8]*ssa.Value
	for _, op := range v.Operands(buf[:0]) {
		if refs := (*op).Referrers(); refs != nil {
			*refs = append(*refs, v)
		}
	}
	w.stmts[v] = w.stmt
	w.out = append(w.out, v)
}
