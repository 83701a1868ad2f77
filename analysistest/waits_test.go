package analysistest

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/program"
)

var (
	explorers = flag.String("explorers", "union", "explorers of TestWaits, or all; make outcomes asks for all")
	regimes   = flag.Bool("regimes", false, "TestWaits explores the second regime of time in all entries, and not only where a comment asks for it")
)

// TestWaits explores what waits, or seems to, beside what still runs: every explorer finds what the comments of the entries say, and nothing else.
func TestWaits(t *testing.T) {
	for _, dir := range []string{"testdata/waits", "testdata/oldtimers"} {
		m, p := loadDir(t, dir)
		for _, e := range p.Entries {
			t.Run(e.Name, func(t *testing.T) {
				finds, incomplete, both := wanted(t, dir, e)
				names := strings.Split(*explorers, ",")
				if *explorers == "all" {
					names = slices.DeleteFunc(explore.Names(), func(n string) bool { return n == "random" })
				}
				for _, name := range names {
					timing, lim := explore.TimingOff, explore.Limits{}
					if *regimes || both && name == explore.Default {
						timing = explore.TimingStructural
					}
					if name == "bruteforce" {
						lim.Executions = 300
					}
					next := func() explore.Explorer {
						x, err := explore.New(name)
						if err != nil {
							t.Fatal(err)
						}
						return x
					}
					res := explore.ExploreRegimes(next, m.Entry(e), lim, timing)
					got := map[string]bool{}
					for _, f := range res.Findings {
						got[string(f.Category)] = true
					}
					cut := name == "bruteforce" && strings.HasPrefix(res.Reason, "limit of")
					if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, finds) && !cut {
						t.Errorf("%s found %v, want %v", name, have, finds)
					}
					if cut {
						continue
					}
					if full := res.Verdict == explore.Exhausted; full != (incomplete == "") || !strings.HasPrefix(res.Reason, incomplete) {
						t.Errorf("%s: %s: %s, want incomplete %q", name, res.Verdict, res.Reason, incomplete)
					}
				}
			})
		}
	}
}

// wanted returns what is to be found in an entry; why its exploration is to be incomplete, "" if it is not; and whether the second regime of time matters.
func wanted(t *testing.T, dir string, e program.Entry) (finds []string, incomplete string, both bool) {
	fset := token.NewFileSet()
	pkgs, err := parser.ParseDir(fset, dir, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range pkgs {
		for _, f := range pkg.Files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Name.Name != e.Name {
					continue
				}
				for l := range strings.Lines(fn.Doc.Text()) {
					if s, ok := strings.CutPrefix(l, "finds: "); ok {
						finds = append(finds, strings.Fields(s)...)
					}
					both = both || l == "regimes: both\n"
				}
				for _, g := range f.Comments {
					if s, ok := strings.CutPrefix(g.Text(), "incomplete: "); ok && fset.Position(g.Pos()).Line == fset.Position(fn.Pos()).Line {
						incomplete = strings.TrimSpace(s)
					}
				}
			}
		}
	}
	slices.Sort(finds)
	return finds, incomplete, both
}
