// Package rtype makes the runtime type descriptors of an interpreted program.
//
// # Background
//
// Packages reflect, internal/reflectlite and internal/abi look at types through descriptors that the
// compiler and the linker lay out in read-only memory. The machine runs these packages from source, so
// it needs the same bytes: abi.Type and what follows it for each kind, names, method tables and itabs.
//
// Sources: internal/abi/{type,iface,map}.go (the layout), cmd/compile/internal/reflectdata/{reflect,map}.go
// (what the compiler writes), cmd/compile/internal/types/{fmt,size,alg,sym}.go (names, algorithms, the order of
// methods), runtime/{type,alg,iface}.go (who reads it). All of Go 1.26, 64-bit.
//
// # Method
//
// Of reserves a descriptor's object, so that types may refer to themselves, and fills it from a work
// list. Pointers between descriptors are real addresses; a descriptor brings those of its element,
// key, field, parameter and result types with it. What stands behind a NameOff, TypeOff or TextOff
// (methods, the pointer type) is made when it is asked for.
//
// Offsets are numbers of ours, in one space, since reflect resolves some NameOffs as TypeOffs. The two low bits say
// which table:
//
//	n<<2 | 0   name n
//	n<<2 | 1   the pointer type of descriptor n
//	n<<2 | 2   the function or the type of method entry n
//	negative   what reflect registered (AddReflectOff); -1 is unreachable code
//
// Descriptors are read-only, and a program can print what is in them. So numbers do not depend on what the machine has
// met before:
//
//	OFF1 The number of a name is made of the name's address, and those of a descriptor of the descriptor's address.
//	        (That is made of its name: rule STATIC1 of package mem.) If another has it, the next one is taken.
//
// # Deviations
//
// Hash is FNV-1a of the link string, not the compiler's. PtrToThis is always set. MapType.Group is nil: no
// package but the runtime's own looks at it. No method is ever pruned.
//
// # Limits
//
// A type declared in a generic function carries no implicit type arguments in its name (gc prints T[int]).
package rtype

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"golang.org/x/tools/go/types/typeutil"
)

// Funcs is what the machine provides: addresses of code.
//
// It may also implement FuncTexter and Hashers.
type Funcs interface {
	// MethodText returns the text address of the method sel of recv in the form an interface call uses: its receiver
	// is the interface's data word. It is called when an itab is made or a TextOff resolved. 0 if there is none.
	MethodText(recv types.Type, sel *types.Selection) uint64
	// EqualFunc returns the address of a func value that implements
	// func(p, q unsafe.Pointer) bool for a comparable type.
	EqualFunc(t types.Type) uint64
}

// A FuncTexter tells the two forms of a method apart.
type FuncTexter interface {
	// FuncText returns the text address of the method in the form a method expression has: its receiver is
	// the value. Without it MethodText serves for both.
	FuncText(recv types.Type, sel *types.Selection) uint64
}

// Hashers has the hash functions of map types.
type Hashers interface {
	// HashFunc returns the address of a func value that implements
	// func(p unsafe.Pointer, seed uintptr) uintptr for a map key.
	// Without it MapType.Hasher is nil.
	HashFunc(key types.Type) uint64
}

// A BadAddr is what the functions that read values panic with when a value
// holds a pointer to no memory. It is an invalid memory access of the program.
type BadAddr struct {
	Addr mem.Addr
	Size uint64
}

func (e BadAddr) Error() string {
	return fmt.Sprintf("rtype: no %d bytes at address %#x", e.Size, e.Addr)
}

// Types are the descriptors of one memory.
type Types struct {
	Facts
	descriptors
	offsets

	funcs  Funcs
	pairs  map[pair]*itab
	todo   []*info             // reserved, not filled
	busy   bool                // a caller further up empties todo
	masks  map[string]mem.Addr // pointer bitmaps by content
	demand mem.Addr            // the slot of bitmaps too large to have
	zero   []byte
}

// Facts are what is known of types before they have a descriptor: names, layouts and methods.
type Facts struct {
	// Path returns a package's path as the linker has it. It may be set before the first use; by default
	// it is the package's own, without the suffix of a test variant ("p [p.test]").
	Path func(*types.Package) string

	layouts *layout.Layouts
	msets   typeutil.MethodSetCache
	byPtr   map[types.Type]*info
	byID    typeutil.Map
	gens    map[*types.Package]map[token.Pos]int
}

// descriptors are the types and itabs that have an address in memory.
type descriptors struct {
	m     *mem.Memory
	at    map[mem.Addr]*info // by the descriptor's address
	itabs map[mem.Addr]*itab // by the itab's address
}

// offsets are what descriptors hold in place of addresses: numbers of names, types and functions.
type offsets struct {
	names   map[int32]mem.Addr // NameOff n<<2
	nameOff map[string]int32   // by encoded bytes
	descs   map[int32]*info    // TypeOff n<<2|1: the pointer type
	entries map[int32]entry    // TypeOff and TextOff n<<2|2
	added   []mem.Addr         // by -2-off
	addedAt map[mem.Addr]int32
}

// info is what is known of one type.
type info struct {
	t    types.Type // without aliases; the canonical one
	addr mem.Addr   // 0: no descriptor yet
	l    *layout.Layout
	str  string

	methods    []method // a concrete type's, in abi's order
	hasMethods bool     // methods was computed
	made       bool     // by StructOf, with an embedded field that has methods

	ptrBytes    uint64
	hasPtrBytes bool
	alg         *Alg
}

type method struct {
	name string
	pkg  *types.Package // nil if the name is exported
	fn   *types.Func
	sel  *types.Selection // made when asked for; nil for an interface's
}

type entryKind uint8

const (
	entryType entryKind = iota
	entryIfn
	entryTfn
)

// An entry is a method's type or function, resolved when asked for.
type entry struct {
	d     *info
	m     int32
	kind  entryKind
	known bool
	addr  uint64
}

// New returns the descriptors of memory m.
func New(m *mem.Memory, ls *layout.Layouts, f Funcs) *Types {
	return &Types{
		Facts: Facts{
			Path: pkgPath, layouts: ls,
			byPtr: map[types.Type]*info{}, gens: map[*types.Package]map[token.Pos]int{},
		},
		descriptors: descriptors{m: m, at: map[mem.Addr]*info{}, itabs: map[mem.Addr]*itab{}},
		offsets: offsets{
			names: map[int32]mem.Addr{}, nameOff: map[string]int32{}, descs: map[int32]*info{}, entries: map[int32]entry{},
			addedAt: map[mem.Addr]int32{},
		},
		funcs: f,
		pairs: map[pair]*itab{},
		masks: map[string]mem.Addr{},
	}
}

func pkgPath(p *types.Package) string {
	path := p.Path()
	if i := strings.IndexByte(path, ' '); i >= 0 {
		path = path[:i]
	}
	return path
}

// info returns what is known of t.
func (ts *Facts) info(t types.Type) *info {
	if t == nil { // of a descriptor that the program made up
		panic(BadAddr{})
	}
	if d, ok := ts.byPtr[t]; ok {
		return d
	}
	key := t
	t = types.Unalias(t)
	switch u := t.(type) {
	case *types.Basic:
		if u.Info()&types.IsUntyped != 0 {
			t = types.Default(u)
		}
		if b, ok := t.(*types.Basic); ok && int(b.Kind()) < len(types.Typ) {
			t = types.Typ[b.Kind()] // byte is uint8, rune is int32
		}
	case *types.Signature:
		if u.Recv() != nil {
			t = types.NewSignatureType(nil, nil, nil, u.Params(), u.Results(), u.Variadic())
		}
	}
	d, _ := ts.byID.At(t).(*info)
	if d == nil {
		d = &info{t: t, l: ts.layouts.Of(t)}
		ts.byID.Set(t, d)
		ts.byPtr[t] = d
	}
	ts.byPtr[key] = d
	return d
}

// Of returns the address of the descriptor of t. Identical types have one descriptor.
func (ts *Types) Of(t types.Type) mem.Addr {
	d := ts.info(t)
	if d.addr == 0 {
		ts.need(d)
		ts.fillAll()
	}
	return d.addr
}

// need returns the address of the descriptor of d, reserving it if need be.
func (ts *Types) need(d *info) mem.Addr {
	if d.addr == 0 {
		ts.reserve(d)
		ts.todo = append(ts.todo, d)
	}
	return d.addr
}

func (ts *Types) fillAll() {
	if ts.busy {
		return
	}
	ts.busy = true
	defer func() { ts.busy = false }()
	for len(ts.todo) > 0 {
		n := len(ts.todo) - 1
		d := ts.todo[n]
		ts.todo = ts.todo[:n]
		ts.fill(d)
	}
}

// TypeAt returns the type whose descriptor is at addr, nil if there is none.
func (ts *descriptors) TypeAt(addr mem.Addr) types.Type {
	if d := ts.at[addr]; d != nil {
		return d.t
	}
	return nil
}

// alloc returns a zeroed static object of n bytes with the name given, and the bytes to fill.
func (ts *Types) alloc(name string, n uint64) (mem.Addr, []byte) {
	if uint64(len(ts.zero)) < n {
		ts.zero = make([]byte, 2*n)
	}
	addr := ts.m.AllocStatic(name, ts.zero[:n])
	return addr, ts.m.Object(addr).Bytes()
}

// bytes returns the bytes of a whole static object.
func (ts *descriptors) bytes(addr mem.Addr) []byte { return ts.m.Object(addr).Bytes() }
