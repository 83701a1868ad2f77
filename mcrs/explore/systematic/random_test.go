package systematic

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

var (
	from  = flag.Uint64("litmus.from", 0, "first random program")
	count = flag.Uint64("litmus.n", 0, "number of random programs of each mix; 0 is the default")
	show  = flag.Bool("litmus.v", false, "print every program")
)

// compare explores a program and compares with brute force. It reports false if
// the program is too large to enumerate.
func compare(t *testing.T, p *litmus.Program, repeat string) (stats explore.Stats, ok bool) {
	t.Helper()
	return compareFrom(t, p, repeat, nil)
}

func compareFrom(t *testing.T, p *litmus.Program, repeat string, start seed.Seed) (stats explore.Stats, ok bool) {
	t.Helper()
	want := litmustest.Enumerate(p, long.Pick(4000, 20000), nil)
	if want == nil {
		return explore.Stats{}, false
	}
	got := oracle.NewResult()
	traces := make(map[string]int)
	x := &Explorer{Start: start, Observe: func(tr *trace.Trace) {
		if tr.Status != trace.Stopped {
			got.Add(tr)
			traces[fmt.Sprint(sched.SeedOf(tr))]++
		}
	}}
	res := x.Explore(p, explore.Limits{Executions: 50000, Events: 1 << 30})
	for _, f := range res.Findings {
		if f.Category == "datarace" {
			a, b := f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site
			got.Races[oracle.RaceKey(a, b)] = true
		}
	}
	missing, extra := want.Missing(got), got.Missing(want)
	if len(missing) > 0 || len(extra) > 0 || res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
		t.Errorf("%v\nmissing:\n%s\nextra:\n%s\n%v %s %+v\nrepeat with %s", p, strings.Join(missing, "\n"), strings.Join(extra, "\n"),
			res.Verdict, res.Reason, res.Stats, repeat)
	}
	return res.Stats, true
}

// TestRandomPrograms compares the default explorer with brute force on random programs.
func TestRandomPrograms(t *testing.T) {
	n := *count
	if n == 0 {
		n = 40
	}
	mixes := []struct {
		name string
		mix  litmus.Mix
	}{
		{"memory", litmus.Memory}, {"locks", litmus.Locks}, {"chans", litmus.Chans}, {"selects", litmus.Selects | litmus.Chans},
		{"groups", litmus.Groups | litmus.Memory}, {"sync", litmus.Sync | litmus.Memory}, {"panics", litmus.Panics | litmus.Memory},
		{"all", litmus.All},
	}
	for _, mix := range mixes {
		t.Run(mix.name, func(t *testing.T) {
			var compared, executions, redundant int
			for i := *from; i < *from+n && !t.Failed(); i++ {
				p := litmus.Generate(i, mix.mix, 4, 9)
				if *show {
					fmt.Print(i, " ", p)
				}
				s, ok := compare(t, p, fmt.Sprintf("go test -run TestRandomPrograms/%s -litmus.from=%d -litmus.n=1", mix.name, i))
				if ok {
					compared++
					executions += s.Executions
					redundant += s.Redundant
				}
			}
			t.Logf("%d programs compared, %d executions, %d redundant", compared, executions, redundant)
			if *count == 0 && compared < int(n)/4 {
				t.Errorf("only %d of %d programs were small enough for brute force", compared, n)
			}
		})
	}
}
