package layout

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"math/rand/v2"
	"testing"
)

// TestAsCompiler compares the layouts of random types, and of all in packages of the standard library, with
// types.Sizes, which is the compiler's rule.
func TestAsCompiler(t *testing.T) {
	sizes, ls := types.SizesFor("gc", "amd64"), New("amd64")
	structs, padded := 0, 0
	compare := func(x types.Type) {
		l := ls.Of(x)
		if size, align := sizes.Sizeof(x), sizes.Alignof(x); int64(l.Size) != size || int64(l.Align) != align {
			t.Errorf("%v: %d bytes, aligned to %d; want %d and %d", x, int64(l.Size), l.Align, size, align)
		}
		s, ok := x.Underlying().(*types.Struct)
		if !ok {
			return
		}
		var fields []*types.Var
		for f := range s.Fields() {
			fields = append(fields, f)
		}
		for i, off := range sizes.Offsetsof(fields) {
			if int64(l.Offs[i]) != off {
				t.Errorf("%v: field %d at %d, want %d", x, i, int64(l.Offs[i]), off)
			}
		}
		structs++
		if n := len(fields); n > 1 && sizes.Sizeof(fields[n-1].Type()) == 0 && l.Size > 0 {
			padded++
		}
	}
	fset := token.NewFileSet()
	for _, path := range []string{"sync/atomic", "net/http", "runtime", "crypto/tls"} {
		p, err := importer.ForCompiler(fset, "source", nil).Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			if o, ok := p.Scope().Lookup(name).(*types.TypeName); ok && !isGeneric(o.Type()) {
				compare(o.Type())
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		compare(drawn(r, 4))
	}
	if structs < 1500 || padded < 50 {
		t.Errorf("%d structs, %d of them padded", structs, padded)
	}
	t.Logf("%d structs, %d of them padded", structs, padded)
}

func isGeneric(x types.Type) bool {
	switch n := x.(type) {
	case *types.Named:
		return n.TypeParams().Len() > 0
	case *types.Alias:
		return n.TypeParams().Len() > 0
	}
	return false
}

// drawn draws a type of some depth.
func drawn(r *rand.Rand, depth int) types.Type {
	switch n := r.IntN(8); {
	case n < 4 && depth > 0:
		fields := make([]*types.Var, r.IntN(5))
		for i := range fields {
			fields[i] = types.NewField(token.NoPos, nil, fmt.Sprintf("f%d", i), drawn(r, depth-1), false)
		}
		return types.NewStruct(fields, nil)
	case n < 6 && depth > 0:
		lens := []int64{0, 1, 3, 7}
		return types.NewArray(drawn(r, depth-1), lens[r.IntN(len(lens))])
	case n == 6:
		return types.NewInterfaceType(nil, nil)
	}
	return types.Typ[types.Bool+types.BasicKind(r.IntN(int(types.UnsafePointer-types.Bool)+1))]
}

// TestDeep lays out structs one in the other: none is asked for twice, and one that is too large says so.
func TestDeep(t *testing.T) {
	nested := func(n int, elem func(types.Type) types.Type) *Layout {
		x := types.Type(types.Typ[types.Int8])
		for range n {
			fields := []*types.Var{types.NewField(token.NoPos, nil, "f", types.Typ[types.Int16], false), types.NewField(token.NoPos, nil, "g", elem(x), false)}
			x = types.NewStruct(fields, nil)
		}
		return New("amd64").Of(x)
	}
	if l := nested(200, func(x types.Type) types.Type { return x }); l.Size != 2*200+2 || l.Align != 2 {
		t.Errorf("%d bytes, aligned to %d", l.Size, l.Align)
	}
	if l := nested(200, func(x types.Type) types.Type { return types.NewArray(x, 2) }); int64(l.Size) != -1 {
		t.Errorf("%d bytes of what is too large", int64(l.Size))
	}
}
