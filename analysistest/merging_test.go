package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestUnionMerging compares union, whose graphs have the states of goroutines as nodes, with brute force. Two histories
// may look as if they led to one state. Each of them must be a way through the graph, and every failure, race and
// blocked set must be found.
func TestUnionMerging(t *testing.T) {
	m, p := loadDir(t, "testdata/merging")
	saved := 0
	for _, e := range p.Entries {
		if strings.HasPrefix(e.Name, "TestIgnores") { // see TestUnionIgnoring
			continue
		}
		em := m.Entry(e)
		executions := make(map[bool]int)
		want := oracle.SearchStates(em, oracle.Limits{Executions: 20000}, nil)
		if !want.Complete {
			t.Errorf("%s is too large for brute force", e.Name)
		}
		for _, apart := range []bool{false, true} {
			got, x := oracle.NewResult(), &union.Explorer{Engine: union.New(), Alone: true, Apart: apart}
			x.Observe = func(tr *trace.Trace) { got.Add(tr) }
			r := x.Explore(em, explore.Limits{})
			if r.Verdict != explore.Exhausted {
				t.Errorf("%s: %s: %s", e.Name, r.Verdict, r.Reason)
				continue
			}
			executions[apart] = r.Stats.Executions
			failures, possible := make(map[string]bool), make(map[string]bool)
			for _, o := range got.Outcomes {
				failures[o.Failure] = true
			}
			for _, o := range want.Outcomes {
				if o.Failure != "" && !failures[o.Failure] {
					t.Errorf("%s, apart %v: missed failure %s", e.Name, apart, o.Failure)
				}
				possible[o.Failure] = true
				for id, told := range o.Threads {
					if !x.Engine.Knows(id, told, oracle.Told) {
						t.Errorf("%s, apart %v: missed history %s of %s", e.Name, apart, told, id)
					}
				}
			}
			for f := range failures {
				if !possible[f] {
					t.Errorf("%s, apart %v: brute force missed failure %s", e.Name, apart, f)
				}
			}
			for b := range want.Blocked {
				if !got.Blocked[b] {
					t.Errorf("%s, apart %v: missed blocked set %s", e.Name, apart, b)
				}
			}
		}
		if e.Name == "TestTimeForgotten" && executions[false] > 10 { // TOLD6
			t.Errorf("%s: %d executions for four times and what comes behind them", e.Name, executions[false])
		}
		saved += executions[true] - executions[false]
		t.Logf("%s: %d executions, %d where states are told apart", e.Name, executions[false], executions[true])
	}
	if saved < 5 {
		t.Errorf("equal states save %d executions: they are not found", saved)
	}
}

// TestUnionRounds explores loops that have infinitely many histories, and come back to the same states.
func TestUnionRounds(t *testing.T) {
	want := map[string]string{
		"TestUntilTaken":       "exhausted: ",
		"TestTakenTwice":       "exhausted: panic: two rounds at least",
		"TestForEver":          "incomplete: ",
		"TestTicksUnseen":      "exhausted: ",
		"TestTicksSeen":        "exhausted: ",
		"TestTimerIsNoReading": "exhausted: ",
		"TestEndsAtAnyTime":    "exhausted: ",
		"TestNotForEver":       "incomplete: ",
		"TestAnewOwn":          "exhausted: ",
		"TestAnewKept":         "exhausted: ",
		"TestAnewUsed":         "exhausted: ",
		"TestAnewReached":      "exhausted: ",
		"TestAnewGiven":        "exhausted: ",
		"TestAnewMuch":         "exhausted: ",
		"TestRanged":           "exhausted: ",
		"TestRangedText":       "exhausted: panic: the text [recovered, repanicked]",
		"TestRangedTable":      "exhausted: panic: the table [recovered, repanicked]",
	}
	m, p := loadDir(t, "testdata/rounds")
	for _, e := range p.Entries {
		r := (&union.Explorer{}).Explore(m.Entry(e), explore.Limits{Executions: long.Pick(300, 1000), Events: long.Pick(60_000, 300_000)})
		if e.Name == "TestAnewMuch" {
			if tr := m.Entry(e).Run(new(sched.RunToBlock), sched.Options{MaxSteps: 1_000_000}); tr.LookedAt == 0 || tr.LookedAt > 50_000 { // REUSE4
				t.Errorf("%d words were looked at for what 100 rounds left behind", tr.LookedAt)
			}
		}
		if e.Name == "TestEndsAtAnyTime" && r.Stats.Executions > 4 { // TIME9
			t.Errorf("%s: %d executions for three operations that may meet one of two values", e.Name, r.Stats.Executions)
		}
		if r.HandOver != "" && want[e.Name] == "exhausted: " {
			t.Errorf("%s: handed over: %s", e.Name, r.HandOver)
		}
		got := string(r.Verdict) + ": "
		for _, f := range r.Findings {
			got += f.Witness.Panic
		}
		if got != want[e.Name] {
			t.Errorf("%s: %s (%s, %d executions), want %s", e.Name, got, r.Reason, r.Stats.Executions, want[e.Name])
		}
		delete(want, e.Name)
		t.Logf("%s: %s, %s, %d executions", e.Name, got, r.Reason, r.Stats.Executions)
	}
	for name := range want {
		t.Errorf("there is no %s", name)
	}
}

// A namer asks for the names of goroutines' states again and again, until they have none.
type namer struct {
	sched.RunToBlock
	asked int
}

func (n *namer) Next(s *sched.State) int {
	if s.Step == 0 {
		for n.asked < 10_000_000 && s.Local(0).Known {
			n.asked++
		}
	}
	return n.RunToBlock.Next(s)
}

// TestNamesAreBounded shows that an execution may spend on names of states what it has done itself, and no more than it
// is given, and that the next one begins anew.
func TestNamesAreBounded(t *testing.T) {
	m, p := loadDir(t, "testdata/merging")
	em := m.Entry(p.Entries[0])
	for range 2 {
		n := new(namer)
		if em.Run(n, sched.Options{MaxSteps: 1_000_000}); n.asked < 1000 || n.asked == 10_000_000 {
			t.Errorf("%d names", n.asked)
		}
	}
	without := em.Run(new(sched.RunToBlock), sched.Options{MaxSteps: 1_000_000}).LookedAt // for what is allocated anew (REUSE4)
	n := new(namer)
	tr := em.Run(n, sched.Options{MaxSteps: 1_000_000, MaxWords: 1000})
	if words := tr.LookedAt - without; n.asked == 0 || n.asked > 500 || words < 1000 || words > 2000 {
		t.Errorf("%d names of 1,000 words: %d were looked at", n.asked, words)
	}
}
