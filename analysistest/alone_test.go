package analysistest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// TestAlone explores entries that print what they can see of addresses and of goroutines: each alone in a machine, and
// in one machine in either order. What they print, what is found, its schedules and what it cost do not depend on the
// entries before. (Addresses of what the code alone makes do: docs/limits.md, "Known faults".)
func TestAlone(t *testing.T) {
	told := func(m *machine.Machine, e program.Entry) string {
		var b strings.Builder
		tr := m.Entry(e).Run(sched.RunToBlock{}, sched.Options{})
		fmt.Fprintf(&b, "%s\n", tr.Output)
		for _, f := range tr.Failures {
			fmt.Fprintln(&b, f.Message)
		}
		x, err := explorers.New(explorers.Default)
		if err != nil {
			t.Fatal(err)
		}
		res := x.Explore(m.Entry(e), explore.Limits{})
		st := res.Stats
		fmt.Fprintln(&b, res.Verdict, st.Executions, st.Replays, st.Classes, st.Redundant, st.Work, st.Events, st.Shared, st.States, st.Histories)
		for _, f := range res.Findings {
			fmt.Fprintf(&b, "%s %v %v\n", f.Category, f.Events, f.Seed)
		}
		return b.String()
	}
	const dir = "testdata/alone"
	m, p := loadDirWith(t, dir, machine.Config{})
	alone := map[string]string{}
	for _, e := range p.Entries {
		n, q := loadDirWith(t, dir, machine.Config{})
		i := slices.IndexFunc(q.Entries, func(o program.Entry) bool { return o.Name == e.Name })
		if alone[e.Name] = told(n, q.Entries[i]); strings.Count(alone[e.Name], "goroutine ") < 6 {
			t.Errorf("%s prints too little: %s", e.Name, alone[e.Name])
		}
	}
	compare := func(m *machine.Machine, es []program.Entry) {
		for _, e := range es {
			a, b := strings.Split(alone[e.Name], "; "), strings.Split(told(m, e), "; ")
			if len(a) != len(b) {
				t.Errorf("%s: alone\n%s\nbehind others\n%s", e.Name, a, b)
				continue
			}
			for i := range a {
				if a[i] != b[i] {
					t.Errorf("%s: alone %s, behind others %s", e.Name, a[i], b[i])
				}
			}
		}
	}
	compare(m, p.Entries)
	m, p = loadDirWith(t, dir, machine.Config{})
	slices.Reverse(p.Entries)
	compare(m, p.Entries)
}
