package prim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// TestEveryPrimitiveHasARow shows that each operation of this package stands in for a function of the program. One that
// is forgotten would be interpreted from its source, and nobody would notice.
func TestEveryPrimitiveHasARow(t *testing.T) {
	performed := map[string]bool{}
	for _, f := range Functions() {
		name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
		performed[name[strings.LastIndexByte(name, '.')+1:]] = true
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	operations := 0
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") || !strings.HasSuffix(f.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || !isIntrinsic(d.Type) {
				continue
			}
			if operations++; !performed[d.Name.Name] {
				t.Errorf("%s: no row of functions has %s", f.Name(), d.Name.Name)
			}
		}
	}
	if operations < 20 {
		t.Errorf("only %d functions of this package look like a vm.Intrinsic", operations)
	}
}

// isIntrinsic reports whether a function has the type vm.Intrinsic.
func isIntrinsic(f *ast.FuncType) bool {
	if len(f.Params.List) != 3 || f.Results == nil || len(f.Results.List) != 1 {
		return false
	}
	s, ok := f.Results.List[0].Type.(*ast.SelectorExpr)
	if _, words := f.Params.List[2].Type.(*ast.ArrayType); !ok || !words {
		return false
	}
	return s.Sel.Name == "Status"
}
