package gclplugin

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
)

// flagValue returns what a flag has been set to, and sees to its old value.
func flagValue(t *testing.T, name string) func() string {
	f := exploration.Analyzer.Flags.Lookup(name)
	if f == nil {
		t.Fatalf("there is no flag %s", name)
	}
	before := f.Value.String()
	t.Cleanup(func() { _ = exploration.Analyzer.Flags.Set(name, before) })
	return f.Value.String
}

// Keys have no dots: golangci-lint takes limit.events for a key events below limit, and so it arrives here.
func TestSettings(t *testing.T) {
	events := flagValue(t, "limit.events")
	explorer := flagValue(t, "explorer")
	for _, tt := range []struct {
		name   string
		conf   any
		want   string // events, explorer, checks; or the error
		checks string
	}{
		{"nothing", nil, "1000000 union", "datarace deadlock goroutineleak livelock panics testfailure"},
		{"dashes", map[string]any{"limit-events": 7, "explorer": "systematic"}, "7 systematic", ""},
		{"a dot, as golangci-lint reads it", map[string]any{"limit": map[string]any{"events": 8}}, "8 union", ""},
		{"a dot in a key", map[string]any{"limit.events": 9}, "9 union", ""},
		{"without a check", map[string]any{"livelock": false}, "1000000 union", "datarace deadlock goroutineleak panics testfailure"},
		{"a check that is off by default", map[string]any{"robustness": true}, "1000000 union", "datarace deadlock goroutineleak livelock panics robustness testfailure"},
		{"it and another", map[string]any{"robustness": true, "deadlock": true}, "1000000 union", "deadlock robustness"},
		{"one check", map[string]any{"deadlock": true}, "1000000 union", "deadlock"},
		{"no such key", map[string]any{"limit-event": 7}, "unknown key limit-event; there are ", ""},
		{"a check that is neither", map[string]any{"deadlock": "yes"}, "deadlock: want true or false, got yes", ""},
		{"no such explorer", map[string]any{"explorer": "foo"}, "-explorer: unknown explorer \"foo\": ", ""},
		{"no keys", []any{1}, "want keys with values", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_ = exploration.Analyzer.Flags.Set("limit.events", "1000000")
			_ = exploration.Analyzer.Flags.Set("explorer", "union")
			on, err := configure(tt.conf)
			if err != nil {
				if !strings.HasPrefix(err.Error(), tt.want) {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			if got := events() + " " + explorer(); got != tt.want {
				t.Errorf("set to %s, want %s", got, tt.want)
			}
			var names []string
			for _, a := range on {
				names = append(names, a.Name)
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); tt.checks != "" && got != tt.checks {
				t.Errorf("the checks are %s, want %s", got, tt.checks)
			}
		})
	}
}

// arguments makes words golangci-lint's command line, in a folder with files.
func arguments(t *testing.T, words string, files map[string]string) {
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := os.Args
	os.Args = append([]string{"golangci-lint"}, strings.Fields(words)...)
	t.Cleanup(func() { os.Args = before })
}

// TestReadRun shows how it is known whether golangci-lint gives tests to its linters, and what is new to it: from its
// command line, then from its configuration.
func TestReadRun(t *testing.T) {
	for _, tt := range []struct{ args, config, want string }{
		{"run", "", "true []"},
		{"run", "run:\n  tests: false\n", "false []"},
		{"run --tests", "run:\n  tests: false\n", "true []"},
		{"run --tests=false", "", "false []"},
		{"run --tests=false", "run:\n  tests: true\n", "false []"},
		{"run -c other.yml", "run:\n  tests: false\n", "true []"},
		{"run", "issues:\n  new-from-rev: v1\n", "true [v1]"},
		{"run --new-from-rev=v2", "issues:\n  new-from-rev: v1\n", "true [v2]"},
		{"run --new-from-merge-base main", "", "true [--merge-base main]"},
		{"run --new", "", "true [HEAD]"},
	} {
		arguments(t, tt.args, map[string]string{".golangci.yml": tt.config, "other.yml": ""})
		if s := readRun(); fmt.Sprint(s.tests, s.diff) != tt.want {
			t.Errorf("golangci-lint %s with %q: %v %v, want %s", tt.args, tt.config, s.tests, s.diff, tt.want)
		}
	}
}

// passOf parses the files of the current folder that are named.
func passOf(t *testing.T, pkg string, names ...string) *analysis.Pass {
	t.Helper()
	pass := &analysis.Pass{Fset: token.NewFileSet(), Pkg: types.NewPackage("example.com/"+pkg, pkg)}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := parser.ParseFile(pass.Fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		pass.Files = append(pass.Files, f)
	}
	return pass
}

// TestUnexplored shows that a package whose tests golangci-lint keeps back is never taken for one without findings. A
// package without tests, and one whose tests are here, are.
func TestUnexplored(t *testing.T) {
	p := "package p\n"
	for _, tt := range []struct {
		name  string
		tests bool
		files map[string]string // of the folder
		pkg   string
		given []string // of those, to the linter
		want  bool     // it says that nothing was explored
	}{
		{"tests are kept back", false, map[string]string{"p.go": p, "p_test.go": p}, "p", []string{"p.go"}, true},
		{"external tests are kept back", false, map[string]string{"p.go": p, "p_test.go": "package p_test\n"}, "p", []string{"p.go"}, true},
		{"tests are there", true, map[string]string{"p.go": p, "p_test.go": p}, "p", []string{"p.go", "p_test.go"}, false},
		{"external tests come by themselves", true, map[string]string{"p.go": p, "p_test.go": "package p_test\n"}, "p", []string{"p.go"}, false},
		{"the external tests", true, map[string]string{"p.go": p, "p_test.go": "package p_test\n"}, "p_test", []string{"p_test.go"}, false},
		{"there are no tests", false, map[string]string{"p.go": p}, "p", []string{"p.go"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			arguments(t, "run", tt.files)
			why := runSetup{tests: tt.tests}.unexplored(passOf(t, tt.pkg, tt.given...))
			if (why != "") != tt.want || tt.want && !strings.Contains(why, "--tests=false") {
				t.Errorf("%q, want one: %v", why, tt.want)
			}
		})
	}
}

// golangci-lint's build tags reach the go command that loads what is explored.
func TestTags(t *testing.T) {
	before := build.Default.BuildTags
	t.Cleanup(func() { build.Default.BuildTags = before })
	for want, set := range map[string][]string{"[]": nil, "[-tags=a,b]": {"a", "b"}} {
		build.Default.BuildTags = set
		got, err := tags.Run(nil)
		if f, ok := got.(closure.BuildFlags); err != nil || !ok || fmt.Sprint(f) != want {
			t.Errorf("with %v: %v, %v, want %s", set, got, err, want)
		}
	}
}

// TestIssues shows that findings of one line are one issue that says all of them and has no edit. A finding whose line
// is old moves to its first position that is new.
func TestIssues(t *testing.T) {
	arguments(t, "run", map[string]string{"p.go": "package p\n\nvar a, b int\n\nvar c int\n"})
	pass := passOf(t, "p", "p.go")
	at := func(line int) token.Pos { return pass.Fset.File(pass.Files[0].FileStart).LineStart(line) }
	fix := []analysis.SuggestedFix{{Message: "edit"}}
	got := oneALine(pass, []analysis.Diagnostic{
		{Pos: at(3), Message: "first", SuggestedFixes: fix, Related: []analysis.RelatedInformation{{Pos: at(5)}}},
		{Pos: at(3), Message: "second", SuggestedFixes: fix}, {Pos: at(5), Message: "third", SuggestedFixes: fix}, {Pos: at(3), Message: "second"},
	})
	if len(got) != 2 || got[0].Message != "first; and on this line: second" || len(got[0].SuggestedFixes) != 0 || got[0].Related != nil ||
		got[1].Message != "third" || len(got[1].SuggestedFixes) != 1 {
		t.Errorf("%+v", got)
	}
	file := pass.Fset.File(ast.Node(pass.Files[0]).Pos()).Name()
	d := analysis.Diagnostic{Pos: at(3), Message: "race", Related: []analysis.RelatedInformation{{Pos: at(1)}, {Pos: at(5)}}}
	for _, tt := range []struct {
		new  []int
		line int
		text string
	}{{nil, 3, "race"}, {[]int{5}, 5, "p.go:3: race"}, {[]int{3, 5}, 3, "race"}, {[]int{4}, 3, "race"}} {
		var c changes
		if tt.new != nil {
			c = changes{file: {}}
			for _, l := range tt.new {
				c[file][l] = true
			}
		}
		if m := moved(pass, d, c); m.Message != tt.text || pass.Fset.Position(m.Pos).Line != tt.line {
			t.Errorf("new lines %v: %q at line %d, want %q at %d", tt.new, m.Message, pass.Fset.Position(m.Pos).Line, tt.text, tt.line)
		}
	}
}

// TestOneAnalyzer shows that all checks are one analyzer of the linter's name (GCL1), and that recipes do not come
// from facts (GCL6).
func TestOneAnalyzer(t *testing.T) {
	facts, honours, kept := closure.Analyzer.FactTypes, exploration.DriverHonours, exploration.Cache
	t.Cleanup(func() {
		closure.Analyzer.FactTypes, exploration.DriverHonours, exploration.Cache = facts, honours, kept
	})
	p, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := p.BuildAnalyzers()
	if err != nil || len(all) != 1 || all[0].Name != Name {
		t.Errorf("%v, %v", all, err)
	}
	if len(closure.Analyzer.FactTypes) > 0 {
		t.Error("golangci-lint would load the standard library from source")
	}
}
