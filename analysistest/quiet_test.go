package analysistest

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// TestQuiet explores correct programs: everything is exhausted, without a finding. Two goroutines that format, log and
// print, or call by reflection, are as independent as two that do not.
func TestQuiet(t *testing.T) {
	m, p := loadDir(t, "testdata/quiet")
	executions := map[string]int{}
	for _, e := range p.Entries {
		x, err := explorers.New("")
		if err != nil {
			t.Fatal(err)
		}
		r := x.Explore(m.Entry(e), explore.Limits{})
		executions[e.Name] = r.Stats.Executions
		if r.Verdict != explore.Exhausted {
			t.Errorf("%s: %s: %s", e.Name, r.Verdict, r.Reason)
		}
		for _, f := range r.Findings {
			t.Errorf("%s: finding %s %s\n%s", e.Name, f.Category, f.Key, f.Witness.Panic)
		}
	}
	if executions["TestPlain"] < 2 {
		t.Errorf("TestPlain took %d executions", executions["TestPlain"])
	}
	for name, like := range map[string]string{"TestPrinting": "TestPlain", "TestReflected": "TestPlain", "TestHours": "TestPlain", "TestLogBeforeSharing": "TestSharing"} {
		if a, b := executions[like], executions[name]; a != b {
			t.Errorf("%d executions of %s, %d of %s", a, like, b, name)
		}
	}
}

// TestOnceThatWasDone shows that a Once of the standard library makes no event if it was done at the start (SILENT5).
func TestOnceThatWasDone(t *testing.T) {
	m, p := loadDir(t, "testdata/quiet")
	i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestHours" })
	for _, e := range m.Entry(p.Entries[i]).Run(sched.RunToBlock{}, sched.Options{}).Events {
		if e.Kind.Object() == event.Once {
			t.Errorf("%s at %s", e.Kind, m.Position(e.Site))
		}
	}
}

// TestKnownFromTheStart shows that nobody is the first to ask for what the standard library prepares for all (SILENT8).
func TestKnownFromTheStart(t *testing.T) {
	m, p := loadDir(t, "testdata/races")
	i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestQuietKnownFromTheStart" })
	for _, e := range m.Entry(p.Entries[i]).Run(sched.RunToBlock{}, sched.Options{}).Events {
		if e.Kind == event.OnceBegin && e.Value != 0 {
			t.Errorf("%s at %s", e.Kind, m.Position(e.Site))
		}
	}
}

// TestAddressesBesideOutput shows that where an object lies does not depend on what others have logged before
// (SILENT6).
func TestAddressesBesideOutput(t *testing.T) {
	m, p := loadDir(t, "testdata/quiet")
	i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestLogBeforeSharing" })
	em, boxed := m.Entry(p.Entries[i]), map[event.ThreadID]uint64{}
	for seed := range 20 {
		tr := em.Run(sched.NewRandom(sched.RandSeed(seed)), sched.Options{})
		last := map[event.ThreadID]uint64{}
		for _, e := range tr.Events {
			if id := tr.Threads[e.Thread].ID; e.Kind == event.Write && last[id] == 0 && id != "G1" {
				last[id] = e.Value // of box, its first
			}
		}
		for id, v := range last {
			if boxed[id] != 0 && boxed[id] != v {
				t.Errorf("seed %d: %s puts %x into box, and %x before", seed, id, v, boxed[id])
			}
			boxed[id] = v
		}
	}
	if len(boxed) != 2 {
		t.Errorf("%d goroutines write", len(boxed))
	}
}
