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
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestPrivate shows that what two goroutines do to state of the standard library is explored in every order in which it
// can be told apart, by every explorer, and that nothing is found but the panics that the comments of the entries list,
// and the categories that they name besides. union explores each entry, the others one entry in four without the long
// tests.
func TestPrivate(t *testing.T) {
	m, p := loadDirWith(t, "testdata/private", machine.Config{Kernel: kernel.Config{Root: "testdata/private", GOROOT: runtime.GOROOT(), Env: []string{"TMPDIR=/tmp"}}})
	panics := panicsWanted(p)
	others := []string{"bruteforce", "systematic", "mcr", "se-mcr", "mcr-s", "mcr-s+", "icb"}
	for i, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			want, ok := panics[e.Name]
			if !ok {
				t.Fatal("no comment says what its panics are")
			}
			also := wanted(t, "testdata/private", e).finds
			if len(want) > 0 {
				also = slices.Sorted(slices.Values(append(also, string(report.Panics))))
			}
			finds := strings.Join(also, " ")
			for j, name := range append([]string{"union"}, others...) {
				if j > 0 && (i+j)%long.Step(4) != 0 {
					continue
				}
				x, err := explorers.New(name)
				if err != nil {
					t.Fatal(err)
				}
				got, keys, limit := map[string]bool{}, map[string]bool{}, explore.Limits{}
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
				cut := name == "bruteforce" && res.Verdict != explore.Exhausted // it has met some of them
				if cut {
					for _, s := range want {
						got[s] = true
					}
				}
				if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want) {
					t.Errorf("%s found the panics %q, want %q", name, have, want)
				}
				keysOf(keys, res.Findings)
				if have := categories(keys); !cut && (have != finds || res.Verdict != explore.Exhausted) {
					t.Errorf("%s: %s: %s, found %s, want %s", name, res.Verdict, res.Reason, have, finds)
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
