package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/program"
)

// TestServes explores main programs. Those that wait for other processes are no deadlocks (STUCK3).
func TestServes(t *testing.T) {
	m, p := loadDir(t, "testdata/serves")
	pkg := p.PackageByPath(p.Path).SSA
	for _, explorer := range []string{"union", "systematic", "icb", "mcr"} {
		count := 0
		for _, name := range slices.Sorted(maps.Keys(pkg.Members)) {
			f := pkg.Func(name)
			if f == nil || f.Object() == nil || !f.Object().Exported() {
				continue
			}
			count++
			x, err := explorers.New(explorer)
			if err != nil {
				t.Fatal(err)
			}
			r := x.Explore(m.Entry(program.Entry{Name: name, Kind: program.Main, Fn: f}), explore.Limits{})
			if r.Verdict != explore.Exhausted {
				t.Errorf("%s: %s: %s: %s", explorer, name, r.Verdict, r.Reason)
			}
			want := 0
			if strings.HasPrefix(name, "Stuck") {
				want = 1
			}
			if len(r.Findings) != want || want > 0 && r.Findings[0].Category != report.Deadlock {
				t.Errorf("%s: %s: %d findings, want %d", explorer, name, len(r.Findings), want)
			}
		}
		if count != 15 {
			t.Errorf("%s: %d programs, want 15", explorer, count)
		}
	}
}
