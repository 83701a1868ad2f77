package sequential

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestFileMayStart(t *testing.T) {
	users := map[string]bool{"example.com/q": true}
	for _, tt := range []struct {
		src  string
		want bool
	}{
		{`func f() {}`, false},
		{`import "fmt"; func f() { fmt.Println() }`, false},
		{`import "example.com/q"; func f() { q.F() }`, false},
		{`func f() { go f() }`, true},
		{`import "sync"; func f(g *sync.WaitGroup) { g.Go(f) }`, true},
		{`import "sync"; func f(g *sync.WaitGroup) { g.Wait() }`, false},
		{`import "testing"; func TestX(t *testing.T) { t.Parallel() }`, true},
		{`import "testing"; func TestX(t *testing.T) { t.Run("x", nil) }`, false},
		{`import "time"; func f() { time.AfterFunc(1, f) }`, true},
		{`import "time"; func f() { <-time.After(1) }`, true},
		{`import . "time"; func f() { AfterFunc(1, f) }`, true},
		{`import "net/http"; func f() {}`, true},
		{`import "context"; func f() {}`, true},
		{`import "example.com/unknown"; func f() {}`, true},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package p; "+tt.src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := fileMayStart(f, users); got != tt.want {
			t.Errorf("fileMayStart(%s) = %v, want %v", tt.src, got, tt.want)
		}
	}
}

// No quiet package, nor any package it imports, may have a go statement that the user's
// code can reach, except behind a name that startNames has. The exceptions here are read by hand.
func TestQuietPackagesStartNothing(t *testing.T) {
	known := map[string]string{
		"sync":          "WaitGroup.Go, which startNames has",
		"testing":       "Parallel, RunParallel and the runner of subtests, which waits for each",
		"time":          "goFunc of AfterFunc, which startNames has",
		"context":       "imported by testing for T.Context, which startNames has",
		"runtime":       "the collector and other goroutines that the machine does not have",
		"runtime/trace": "execution traces, which testing starts when asked",
	}
	seen := map[string][]string{}
	var visit func(path string)
	visit = func(path string) {
		if _, ok := seen[path]; ok || path == "C" || path == "unsafe" {
			return
		}
		seen[path] = nil
		p, err := build.Default.Import(path, build.Default.GOROOT, 0)
		if err != nil {
			t.Fatalf("%s: %v (is it still in the standard library?)", path, err)
		}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), p.Dir+"/"+name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if _, ok := n.(*ast.GoStmt); ok {
					seen[path] = append(seen[path], name)
				}
				return true
			})
		}
		for _, imp := range p.Imports {
			visit(imp)
		}
	}
	for path := range quiet {
		visit(path)
	}
	for path := range known {
		if len(seen[path]) == 0 {
			t.Errorf("%s has no go statements any more: take it out of the list of exceptions", path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(seen)) {
		if len(seen[path]) > 0 && known[path] == "" {
			t.Errorf("%s has go statements in %s: it may not be reached from a quiet package", path, strings.Join(seen[path], ", "))
		}
	}
}
