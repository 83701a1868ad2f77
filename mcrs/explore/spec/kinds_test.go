package spec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestSpecificationIsComplete shows that the specification says of each kind of operation when it is enabled, if it can
// wait, what it tells, if it tells something, and what it changes. Communications have functions of their own.
func TestSpecificationIsComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "spec.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]map[string]bool{} // by function: the constants of package event in it
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		named[f.Name.Name] = map[string]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "event" {
					named[f.Name.Name][s.Sel.Name] = true
				}
			}
			return true
		})
	}
	for k, name := range kindNames(t) {
		if !Supported(k) {
			t.Errorf("spec.go has no rules for the object of event.%s: union would hand over each program that uses it", name)
		}
		if !Supported(k) || k.IsComm() {
			continue
		}
		writes := k == event.Write || k == event.AtomicStore // in effects of edges
		waits := k == event.WaitGroupWait || k == event.CondWait
		if k == event.Fence { // it waits as all do that wait for a store buffer: buffers.go
			continue
		}
		for _, want := range []struct {
			function string
			yes      bool
		}{
			{"enabled", k.CanWait()},
			{"Meets", k.Object() != event.NoObject && k.TellsValue() && !writes},
			{"Change", !k.IsAccess() && (k.IsWrite() || k.Gives() || k.Holds() || k.Takes() && !waits)},
		} {
			if want.yes && !named[want.function][name] {
				t.Errorf("function %s of spec.go does not name event.%s", want.function, name)
			}
		}
	}
}

// TestEveryKindIsPerformed shows that the machine names each kind of operation. If it does not, a primitive is missing
// there.
func TestEveryKindIsPerformed(t *testing.T) {
	var machine strings.Builder
	err := filepath.WalkDir("../../machine", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := os.ReadFile(name)
		machine.Write(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for k, name := range kindNames(t) {
		if k != event.Invalid && !strings.Contains(machine.String(), "event."+name) {
			t.Errorf("nothing in mcrs/machine performs event.%s", name)
		}
	}
}

// kindNames returns the names of the constants in package event, by kind.
func kindNames(t *testing.T) map[event.Kind]string {
	file, err := parser.ParseFile(token.NewFileSet(), "../../event/kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[event.Kind]string{}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		if typ, ok := g.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident); !ok || typ.Name != "Kind" {
			continue
		}
		for i, s := range g.Specs {
			out[event.Kind(i)] = s.(*ast.ValueSpec).Names[0].Name
		}
	}
	delete(out, event.NumKinds)
	if len(out) != int(event.NumKinds) || out[event.Exit] != "Exit" {
		t.Fatalf("kind.go has %d kinds, and the last one is %s", len(out), out[event.Exit])
	}
	return out
}
