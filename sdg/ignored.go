package sdg

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// This file says which loads return what a program does not act upon: rules IGN1 to IGN6. It follows data alone, for
// the condition of every branch is acted upon.
//
//	IGN1  A number decides where an instruction uses it for anything but what follows: a condition, an index, an
//	      address, a size, a divisor, a shift count, what is converted to an interface or a string, sent, put into a
//	      map, passed to a goroutine, to a deferred call, or to what is not known.
//	IGN2  If the result of arithmetic that cannot fail, of a comparison, a conversion between numbers or a phi
//	      decides, so do its operands.
//	IGN3  If a parameter decides, so does every argument of a static call. If a result of a call decides, so does
//	      what its function returns. A function that is used as a value, or may be called through an interface or by
//	      reflection, returns what decides; what is passed to such a call decides.
//	IGN4  A place is a field of a struct type, or a variable, that holds a number. If something is loaded from it
//	      that decides, so does what is stored there. An operation of sync/atomic loads and stores; what a
//	      compare-and-swap finds decides.
//	IGN5  A number that is stored anywhere else decides. So does what is stored in a place whose address is used for
//	      anything but loads and stores, in a struct that is loaded as a whole, or that a pointer conversion gives
//	      another type. Places belong to types and variables outside the standard library: the machine knows nothing
//	      of these.
//	IGN6  If functions of package reflect run, places decide that values in interfaces lead to. If code outside the
//	      standard library uses package unsafe, everything decides.

// Ignored is which loads return what nothing acts upon.
type Ignored struct {
	within  map[*ssa.Function]bool
	std     func(*types.Package) bool
	types   typeutil.Map // struct types -> int
	numbers int
	exposed map[int]bool // of these, those that IGN5 and IGN6 except
	seen    map[types.Type]bool
	deep    map[types.Type]bool
	same    map[ssa.Value]ssa.Value // a free variable -> what it captures, and so on
	escaped map[slot]bool
	values  map[*ssa.Function]bool // used as values
	invoked map[string]bool        // names of methods that are called through interfaces
	reflect bool
	unsafe  bool

	stored   map[slot][]ssa.Value
	passed   map[*ssa.Parameter][]ssa.Value
	returned map[result][]ssa.Value
	decides  map[any]bool
	work     []any
}

// A slot is a place of IGN4: a variable, or a field.
type slot struct {
	variable ssa.Value
	typ      int
	field    int
}

// A result is one of those of a function.
type result struct {
	fn *ssa.Function
	n  int
}

// NewIgnored looks at functions: those that run, and those that ran before all that is asked about. No others do.
func NewIgnored(run, before []*ssa.Function, std func(*types.Package) bool) *Ignored {
	g := &Ignored{
		within: make(map[*ssa.Function]bool), std: std, exposed: make(map[int]bool), seen: make(map[types.Type]bool), deep: make(map[types.Type]bool),
		same: make(map[ssa.Value]ssa.Value), escaped: make(map[slot]bool), values: make(map[*ssa.Function]bool), invoked: make(map[string]bool),
		stored: make(map[slot][]ssa.Value), passed: make(map[*ssa.Parameter][]ssa.Value), returned: make(map[result][]ssa.Value), decides: make(map[any]bool),
	}
	for _, fn := range run {
		g.within[fn] = !ofAtomic(fn)
		g.reflect = g.reflect || reflects(fn)
	}
	for _, fn := range before {
		g.within[fn] = !ofAtomic(fn)
	}
	g.each(g.bind)
	g.each(g.expose)
	g.each(g.use)
	for len(g.work) > 0 {
		x := g.work[len(g.work)-1]
		g.work = g.work[:len(g.work)-1]
		g.spread(x)
	}
	return g
}

func (g *Ignored) each(f func(fn *ssa.Function, in ssa.Instruction)) {
	for fn, ok := range g.within {
		if !ok {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if _, ok := in.(*ssa.DebugRef); !ok {
					f(fn, in)
				}
			}
		}
	}
}

// Loads returns the instructions that load a number, or add to one atomically, of which nothing acts upon what they
// return.
func (g *Ignored) Loads() map[ssa.Instruction]bool {
	out := make(map[ssa.Instruction]bool)
	if g.unsafe {
		return out
	}
	g.each(func(fn *ssa.Function, in ssa.Instruction) {
		switch x := in.(type) {
		case *ssa.UnOp:
			if x.Op == token.MUL && isNumber(x.Type()) && !g.decides[x] && (fn.Pkg == nil || !g.std(fn.Pkg.Pkg)) {
				out[x] = true
			}
		case *ssa.Call:
			if op := atomicOf(x); (op == "Load" || op == "Add") && !g.decides[x] {
				out[x] = true
			}
		}
	})
	return out
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsFloat|types.IsBoolean) != 0 && b.Kind() != types.Uintptr
}

func ofAtomic(fn *ssa.Function) bool {
	return fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" // wrappers have no package
}

// reflects reports whether a function looks at values by reflection.
func reflects(fn *ssa.Function) bool {
	if fn.Pkg == nil || fn.Pkg.Pkg.Path() != "reflect" || fn.Name() == "init" {
		return false
	}
	if r := fn.Signature.Recv(); r != nil {
		p, _ := r.Type().(*types.Pointer)
		return p == nil // the methods of types have pointers
	}
	return fn.Name() != "TypeOf" && fn.Name() != "toType"
}

// atomicTypes are the numbers of sync/atomic.
var atomicTypes = map[string]bool{"Int32": true, "Int64": true, "Uint32": true, "Uint64": true, "Bool": true}

// atomicOf returns the operation on a number that a call of sync/atomic is, "" if it is none.
func atomicOf(call *ssa.Call) string {
	fn := call.Call.StaticCallee()
	if fn == nil || !ofAtomic(fn) {
		return ""
	}
	op, of := fn.Name(), ""
	if r := fn.Signature.Recv(); r != nil {
		n, ok := types.Unalias(pointedTo(r.Type())).(*types.Named)
		if !ok {
			return ""
		}
		of = n.Obj().Name()
	} else {
		for _, o := range []string{"Load", "Store", "Add", "Swap", "CompareAndSwap"} {
			if strings.HasPrefix(op, o) {
				op, of = o, op[len(o):]
				break
			}
		}
	}
	if !atomicTypes[of] {
		return ""
	}
	return op
}

func pointedTo(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return types.Typ[types.Invalid]
}

// holdsNumber reports whether a place of the type holds a number.
func holdsNumber(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" {
		return atomicTypes[n.Obj().Name()]
	}
	return isNumber(t)
}

// number numbers a type.
func (g *Ignored) number(t types.Type) int {
	n, ok := g.types.At(t).(int)
	if !ok {
		n = g.numbers
		g.numbers++
		g.types.Set(t, n)
	}
	return n
}

// placeOf returns the place at an address (IGN4). ok is false if it is none, or IGN5 excepts it.
func (g *Ignored) placeOf(addr ssa.Value) (p slot, ok bool) {
	p, ok = g.anyPlace(addr)
	return p, ok && !g.escaped[p] && (p.variable != nil || !g.exposed[p.typ])
}

func (g *Ignored) anyPlace(addr ssa.Value) (p slot, ok bool) {
	if !holdsNumber(pointedTo(addr.Type())) {
		return p, false
	}
	switch x := addr.(type) {
	case *ssa.FieldAddr:
		t := types.Unalias(pointedTo(x.X.Type()))
		n, ok := t.(*types.Named)
		if !ok || n.Obj().Pkg() == nil || g.std(n.Obj().Pkg()) {
			return p, false
		}
		return slot{typ: g.number(t), field: x.Field}, true
	case *ssa.Global:
		return slot{variable: x}, x.Pkg != nil && !g.std(x.Pkg.Pkg)
	case *ssa.Alloc, *ssa.FreeVar:
		return slot{variable: g.root(addr)}, true
	}
	return p, false
}

// root is what stands for a variable and all that capture it.
func (g *Ignored) root(v ssa.Value) ssa.Value {
	for g.same[v] != nil {
		v = g.same[v]
	}
	return v
}

// bind notes what closures capture.
func (g *Ignored) bind(_ *ssa.Function, in ssa.Instruction) {
	x, ok := in.(*ssa.MakeClosure)
	if !ok {
		return
	}
	for i, fv := range x.Fn.(*ssa.Function).FreeVars {
		switch b := x.Bindings[i].(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			if a, c := g.root(fv), g.root(b); a != c {
				g.same[a] = c
			}
		}
	}
}

// expose finds what IGN5, IGN6 and the end of IGN3 except.
func (g *Ignored) expose(fn *ssa.Function, in ssa.Instruction) {
	var buf [16]*ssa.Value
	for _, v := range in.Operands(buf[:0]) {
		if *v == nil {
			continue
		}
		if f, ok := (*v).(*ssa.Function); ok && !isCallee(in, v) {
			g.values[f] = true
		}
		if b, ok := (*v).(*ssa.Builtin); ok {
			switch b.Name() {
			case "Add", "Slice", "SliceData", "String", "StringData":
				g.useUnsafe(fn)
			}
		}
		if p, ok := g.anyPlace(*v); ok && !onlyAccesses(in, v) {
			g.escaped[p] = true
		}
	}
	switch x := in.(type) {
	case *ssa.MakeClosure:
		g.values[x.Fn.(*ssa.Function)] = true
	case *ssa.UnOp:
		if x.Op != token.MUL || isNumber(x.Type()) {
			break
		}
		g.exposeType(x.Type())
		if p, ok := g.anyPlace(x.X); ok { // one of sync/atomic is copied
			g.escaped[p] = true
		}
	case *ssa.MakeInterface:
		if g.reflect {
			g.exposeDeep(x.X.Type())
		}
	case *ssa.Convert:
		g.reinterpret(fn, x.X.Type(), x.Type())
	case *ssa.ChangeType:
		g.reinterpret(fn, x.X.Type(), x.Type())
	case *ssa.MultiConvert:
		g.useUnsafe(fn)
	case ssa.CallInstruction:
		c := x.Common()
		if c.IsInvoke() {
			g.invoked[c.Method.Name()] = true
		} else if f := c.StaticCallee(); f != nil && f.Blocks == nil && f.Pkg != nil && !g.std(f.Pkg.Pkg) {
			g.unsafe = true // assembly, or a name of another package
		}
	}
}

// isCallee reports whether an operand is what a call calls statically.
func isCallee(in ssa.Instruction, v *ssa.Value) bool {
	c, ok := in.(ssa.CallInstruction)
	return ok && v == &c.Common().Value
}

// onlyAccesses reports whether an instruction uses an address to load, to store, to capture it, or for an operation
// of sync/atomic.
func onlyAccesses(in ssa.Instruction, v *ssa.Value) bool {
	switch x := in.(type) {
	case *ssa.UnOp:
		return x.Op == token.MUL
	case *ssa.Store:
		return v == &x.Addr
	case *ssa.MakeClosure:
		switch (*v).(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return true
		}
	case *ssa.Call:
		return atomicOf(x) != "" && len(x.Call.Args) > 0 && v == &x.Call.Args[0]
	}
	return false
}

func (g *Ignored) useUnsafe(fn *ssa.Function) {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg == nil || !g.std(fn.Pkg.Pkg) {
		g.unsafe = true
	}
}

// reinterpret is for a conversion from one type to another.
func (g *Ignored) reinterpret(fn *ssa.Function, from, to types.Type) {
	for _, t := range []types.Type{from, to} {
		if isUnsafePointer(t) {
			g.useUnsafe(fn)
			g.exposeDeep(from)
			g.exposeDeep(to)
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			g.exposeType(p.Elem())
		}
	}
}

// exposeType excepts the places in a struct, or in an array of such, that is used as a whole.
func (g *Ignored) exposeType(t types.Type) {
	if g.seen[t] {
		return
	}
	g.seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		g.exposed[g.number(types.Unalias(t))] = true
		for f := range u.Fields() {
			g.exposeType(f.Type())
		}
	case *types.Array:
		g.exposeType(u.Elem())
	}
}

// exposeDeep excepts the places that a value leads to.
func (g *Ignored) exposeDeep(t types.Type) {
	if g.deep[t] {
		return
	}
	g.deep[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		g.exposeDeep(u.Elem())
	case *types.Slice:
		g.exposeDeep(u.Elem())
	case *types.Array:
		g.exposeDeep(u.Elem())
	case *types.Chan:
		g.exposeDeep(u.Elem())
	case *types.Map:
		g.exposeDeep(u.Key())
		g.exposeDeep(u.Elem())
	case *types.Struct:
		g.exposed[g.number(types.Unalias(t))] = true
		for f := range u.Fields() {
			g.exposeDeep(f.Type())
		}
	}
}

// decide notes that a value decides, or what is stored in a place, or a result.
func (g *Ignored) decide(x any) {
	if v, ok := x.(ssa.Value); ok && !isNumber(v.Type()) {
		return
	}
	if !g.decides[x] {
		g.decides[x] = true
		g.work = append(g.work, x)
	}
}

// use is IGN1, and notes what IGN3 and IGN4 ask for.
func (g *Ignored) use(fn *ssa.Function, in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.BinOp:
		if flows(x) {
			return
		}
	case *ssa.UnOp:
		return
	case *ssa.Phi, *ssa.ChangeType, *ssa.Extract:
		return
	case *ssa.Convert:
		if isNumber(x.Type()) {
			return
		}
	case *ssa.Store:
		if p, ok := g.placeOf(x.Addr); ok {
			g.store(p, x.Val)
			return
		}
	case *ssa.Return:
		if g.called(fn) {
			for i, v := range x.Results {
				g.returned[result{fn, i}] = append(g.returned[result{fn, i}], v)
			}
			return
		}
	case *ssa.Call:
		if g.call(x) {
			return
		}
	}
	var buf [16]*ssa.Value
	for _, v := range in.Operands(buf[:0]) {
		if *v != nil {
			g.decide(*v)
		}
	}
}

// flows reports whether arithmetic, or a comparison, cannot fail (IGN2).
func flows(x *ssa.BinOp) bool {
	if !isNumber(x.X.Type()) || !isNumber(x.Y.Type()) {
		return false
	}
	switch x.Op {
	case token.QUO, token.REM:
		return !isInteger(x.X.Type()) || isNonzero(x.Y)
	case token.SHL, token.SHR:
		return !isSigned(x.Y.Type()) || isNonzero(x.Y)
	}
	return true
}

// called reports whether all calls of a function are static ones (IGN3).
func (g *Ignored) called(fn *ssa.Function) bool {
	if fn.Synthetic != "" || fn.Parent() != nil || g.values[fn] {
		return false
	}
	return fn.Signature.Recv() == nil || !g.reflect && !g.invoked[fn.Name()]
}

func (g *Ignored) store(p slot, v ssa.Value) {
	g.stored[p] = append(g.stored[p], v)
	if g.decides[p] {
		g.decide(v)
	}
}

// call is use for a call. It returns false if what is passed decides.
func (g *Ignored) call(x *ssa.Call) bool {
	args := x.Call.Args
	if op := atomicOf(x); op != "" {
		p, ok := g.placeOf(args[0])
		switch {
		case !ok:
			return false
		case op == "Store" || op == "Add" || op == "Swap":
			g.store(p, args[1])
			return true
		case op == "Load":
			return true
		}
		g.decide(p)
		return false
	}
	fn := x.Call.StaticCallee()
	if fn == nil || !g.within[fn] || len(fn.Params) != len(args) {
		return false
	}
	for i, v := range args {
		g.passed[fn.Params[i]] = append(g.passed[fn.Params[i]], v)
	}
	return true
}

// spread is IGN2 to IGN4 for something that decides.
func (g *Ignored) spread(x any) {
	all := func(vs []ssa.Value) {
		for _, v := range vs {
			g.decide(v)
		}
	}
	results := func(call *ssa.Call, n int) {
		if fn := call.Call.StaticCallee(); fn != nil {
			g.decide(result{fn, n})
		}
	}
	switch x := x.(type) {
	case slot:
		all(g.stored[x])
	case result:
		all(g.returned[x])
	case *ssa.Parameter:
		all(g.passed[x])
	case *ssa.BinOp:
		all([]ssa.Value{x.X, x.Y})
	case *ssa.Convert:
		g.decide(x.X)
	case *ssa.ChangeType:
		g.decide(x.X)
	case *ssa.Phi:
		all(x.Edges)
	case *ssa.UnOp:
		if x.Op != token.MUL {
			g.decide(x.X)
		} else if p, ok := g.placeOf(x.X); ok {
			g.decide(p)
		}
	case *ssa.Extract:
		if call, ok := x.Tuple.(*ssa.Call); ok {
			results(call, x.Index)
		}
	case *ssa.Call:
		if op := atomicOf(x); op == "Load" || op == "Add" || op == "Swap" {
			if p, ok := g.placeOf(x.Call.Args[0]); ok {
				g.decide(p)
			}
			if op == "Add" {
				g.decide(x.Call.Args[1])
			}
		} else {
			results(x, 0)
		}
	}
}
