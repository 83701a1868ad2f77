package analysistest

import (
	"go/ast"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestPrivate shows that what two goroutines do to state of the standard library is explored in every order in which it
// can be told apart, by every explorer. union explores each entry, the others one entry in four without the long tests.
func TestPrivate(t *testing.T) {
	m, p := loadDirWith(t, "testdata/private", machine.Config{Kernel: kernel.Config{Root: "testdata/private", GOROOT: runtime.GOROOT(), Env: []string{"TMPDIR=/tmp"}}})
	wanted := panicsWanted(p)
	others := []string{"bruteforce", "systematic", "mcr", "se-mcr", "mcr-s", "mcr-s+", "icb"}
	for i, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			want, ok := wanted[e.Name]
			if !ok {
				t.Fatal("no comment says what its panics are")
			}
			for j, name := range append([]string{"union"}, others...) {
				if j > 0 && (i+j)%long.Step(4) != 0 {
					continue
				}
				x, err := explorers.New(name)
				if err != nil {
					t.Fatal(err)
				}
				got, limit := map[string]bool{}, explore.Limits{}
				if name == "bruteforce" {
					limit.Executions = 30
				}
				res := x.Explore(m.Entry(e), limit)
				for i := range res.Findings {
					if f := &res.Findings[i]; f.Witness.Status == trace.Failed {
						note(got, f.Witness)
					}
				}
				t.Logf("%s: %s %s, %d executions", name, res.Verdict, res.Reason, res.Stats.Executions)
				have := slices.Sorted(maps.Keys(got))
				if res.Verdict != explore.Exhausted && name == "bruteforce" { // it has met some of them
					for _, s := range want {
						got[s] = true
					}
					have = slices.Sorted(maps.Keys(got))
				}
				if !slices.Equal(have, want) {
					t.Errorf("%s found the panics %q, want %q", name, have, want)
				}
			}
		})
	}
}

// panicsWanted returns what the comments of a package's entries say that they panic with, sorted.
func panicsWanted(p *program.Program) map[string][]string {
	wanted := map[string][]string{}
	for _, f := range p.Root.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			_, list, ok := strings.Cut(fn.Doc.Text(), "panics: ")
			if !ok {
				continue
			}
			want := []string{}
			for s := range strings.SplitSeq(strings.TrimSpace(list), " | ") {
				if s != "-" {
					want = append(want, s)
				}
			}
			slices.Sort(want)
			wanted[fn.Name.Name] = want
		}
	}
	return wanted
}
