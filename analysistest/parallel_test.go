package analysistest_test

import (
	"os"
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// TestParallel shows that what two tests do to one variable while they run side by side is found, and replayed by its
// token. Each alone is exhausted.
func TestParallel(t *testing.T) { eachExplorer(t, testParallel) }

func testParallel(t *testing.T) {
	pkgs := analysistest.RunAll(t, "testdata/parallel", passes.All, "./...")
	want := []int{2, 6, 6} // begun, made, side
	if len(pkgs) != len(want) {
		t.Fatalf("%d packages, want %d", len(pkgs), len(want))
	}
	for i, p := range pkgs {
		x := p.Exploration
		if len(x.Pairs) != want[i] || x.ConflictsLeft > 0 {
			t.Errorf("package %d: races in %d pairs, want %d; %d conflicts left, want 0", i, len(x.Pairs), want[i], x.ConflictsLeft)
		}
	}
	x := pkgs[2].Exploration
	cfg := closure.Config("testdata/parallel")
	cfg.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	l, err := program.List(cfg, "./...")
	if err != nil || len(l.Recipes) != len(want) {
		t.Fatal(err, l)
	}
	c := &closure.Result{Recipe: l.Recipes[2], Packages: []string{l.Recipes[2].Path}, Universe: program.NewUniverse(cfg)}
	for _, r := range x.Reports(report.DataRace) {
		tok, err := seed.Parse(r.View.Token)
		if err != nil {
			t.Fatal(err)
		}
		e, err := exploration.Replay(c, tok)
		if err != nil || len(e.Result.Findings) == 0 || e.Name != r.Entry.Name {
			t.Fatalf("%s: replay gives %+v, %v", r.Entry.Name, e, err)
		}
		if f := &e.Result.Findings[0]; e.View(f).Message(f) != r.Message {
			t.Errorf("%s: replay gives %q, want %q", r.Entry.Name, e.View(f).Message(f), r.Message)
		}
	}
}
