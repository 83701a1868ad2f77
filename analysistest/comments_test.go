package analysistest

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/datarace"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/driver"
)

// compareSource compares the comments of a source text with diagnostics "line: message" and entries.
func compareSource(t *testing.T, src string, diags map[int][]string, entries ...exploration.EntryResult) []string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "x.go")
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	p := &driver.Package{Path: "x", Files: []string{name}, Exploration: &exploration.Result{}}
	for line := range strings.Count(src, "\n") + 2 {
		for _, m := range diags[line] {
			p.Diagnostics = append(p.Diagnostics, driver.Diagnostic{
				Diagnostic: analysis.Diagnostic{Message: m}, Analyzer: datarace.Analyzer, Position: token.Position{Filename: name, Line: line},
			})
		}
	}
	for _, e := range entries {
		e.Pos.Filename = name
		p.Exploration.Entries = append(p.Exploration.Entries, e)
	}
	problems := compare(dir, p)
	for i := range problems {
		problems[i] = strings.ReplaceAll(problems[i], dir+string(filepath.Separator), "")
	}
	return problems
}

func TestCompare(t *testing.T) {
	type diags = map[int][]string
	for _, tt := range []struct {
		name  string
		line  string // of the source, the second
		diags diags
		want  string
	}{
		{"nothing", "var x int", nil, "[]"},
		{"met", "var x int // want `race`", diags{2: {"data race"}}, "[]"},
		{"two on a line", "var x int // want `race` \"leak\"", diags{2: {"goroutine leak", "data race"}}, "[]"},
		{"with slashes", "var x int // want `//`", diags{2: {"http://x"}}, "[]"},
		{"line below", "// want+1 `race`\nvar x int", diags{3: {"data race"}}, "[]"},
		{"missing", "var x int // want `race`", nil, "[x.go:2: no diagnostic was reported matching `race`]"},
		{"unexpected", "var x int", diags{2: {"data race"}}, "[x.go:2: unexpected diagnostic of datarace: data race]"},
		{"twice", "var x int // want `race`", diags{2: {"data race", "data race"}}, "[x.go:2: unexpected diagnostic of datarace: data race]"},
		{"another", "var x int // want `leak`", diags{2: {"data race"}},
			"[x.go:2: no diagnostic was reported matching `leak` x.go:2: unexpected diagnostic of datarace: data race; it does not match `leak`]"},
		{"no literal", "var x int // want race", diags{}, "[x.go:2: in a want comment: got Ident, want a regular expression as a Go string]"},
		{"bad expression", "var x int // want `(`", nil, "[x.go:2: in a want comment: error parsing regexp: missing closing ): `(`]"},
		{"a word", "var x int // wanted by nobody", nil, "[]"},
		{"bad verdict", "var x int // verdict: fine", nil, `[x.go:2: in a verdict comment: got "fine", want incomplete, which is all but exhausted, or a verdict as -stats has it]`},
		{"verdict of nothing", "var x int // verdict: exhausted", nil, "[x.go:2: want verdict exhausted, but no entry was explored here]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(compareSource(t, "package x\n"+tt.line+"\n", tt.diags)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestVerdicts(t *testing.T) {
	exhausted := exploration.EntryResult{Name: "TestX", Pos: token.Position{Line: 2}, Result: &explore.Result{Verdict: explore.Exhausted}}
	limited := exploration.EntryResult{Name: "TestX", Pos: token.Position{Line: 2},
		Result: &explore.Result{Verdict: explore.Incomplete, Reason: "limit of 10 executions reached"}}
	for _, tt := range []struct {
		comment string
		entry   exploration.EntryResult
		want    string
	}{
		{"// verdict: exhausted", exhausted, "[]"},
		{"// verdict: incomplete", limited, "[]"},
		{"// verdict: incomplete `10 executions`", limited, "[]"},
		{"// verdict: incomplete `20 executions`", limited,
			"[x.go:2: verdict of TestX: sampled (sampled: limit of 10 executions reached), want incomplete `20 executions`]"},
		{"// verdict: exhausted", limited, "[x.go:2: verdict of TestX: sampled (sampled: limit of 10 executions reached), want exhausted]"},
		{"// verdict: sampled `10 executions`", limited, "[]"},
		{"// verdict: skipped", limited, "[x.go:2: verdict of TestX: sampled (sampled: limit of 10 executions reached), want skipped]"},
		{"", limited, "[]"},
	} {
		if got := fmt.Sprint(compareSource(t, "package x\nfunc TestX() {} "+tt.comment+"\n", nil, tt.entry)); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.comment, got, tt.want)
		}
	}
}
