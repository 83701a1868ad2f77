package analysistest

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/audit"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestDroppedConditions drops one condition of independence in each case, so that pairs of some kinds are called
// independent. The audit must find that they are not.
func TestDroppedConditions(t *testing.T) {
	m, p := loadDir(t, "testdata/outcomes")
	for _, c := range []struct {
		entry string
		a, b  event.Kind
	}{
		{"TestCounter", event.Read, event.Write},
		{"TestTryLock", event.TryLock, event.Unlock},
		{"TestLen", event.ChanLen, event.ChanSend},
		{"TestSendOnClosed", event.ChanSend, event.ChanClose},
		{"TestAddConcurrentWithWait", event.WaitGroupAdd, event.WaitGroupWait},
		{"TestSyncMap", event.ObjectRead, event.ObjectWrite},
	} {
		i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == c.entry })
		looked, found := 0, false
		x := &audit.Subject{Machine: m, Entry: p.Entries[i], Options: sched.Options{MaxEvents: 400}}
		x.Claims = func(_ *causality.Relation, t *trace.Trace) []causality.Neighbour {
			return slices.DeleteFunc(causality.Neighbours(t), func(n causality.Neighbour) bool {
				e, f := &t.Events[n.First], &t.Events[n.Second]
				return e.Thread == f.Thread || !(e.Kind == c.a && f.Kind == c.b || e.Kind == c.b && f.Kind == c.a) || e.Loc.Addr != f.Loc.Addr
			})
		}
		for s := range sched.RandSeed(12) {
			if found {
				break
			}
			x.Execute(sched.NewRandom(s), func(f audit.Finding) { found = found || slices.ContainsFunc(f.Differences, visibly) })
		}
		if looked = x.Pairs; looked == 0 || !found {
			t.Errorf("%s: %d pairs of %v and %v are called independent, and no difference is found", c.entry, looked, c.a, c.b)
		}
	}
}

// TestGuessesAreLeftOut audits a loop that seems to poll: time passes for it by a count of events, so pairs of these do
// not commute. The audit leaves its executions out, and not those of a shorter loop.
func TestGuessesAreLeftOut(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for name, guessed := range map[string]int{"TestRoundsBesideTimer": 1, "TestFewRoundsBesideTimer": 0} {
		i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == name })
		x := &audit.Subject{Machine: m, Entry: p.Entries[i], Options: sched.Options{MaxEvents: 1000}}
		x.Execute(sched.RunToBlock{}, func(f audit.Finding) { t.Errorf("%s: %s %q", name, f.What, f.Differences) })
		if x.Guessed != guessed || x.Pairs > 0 != (guessed == 0) {
			t.Errorf("%s: %d executions left out, %d pairs", name, x.Guessed, x.Pairs)
		}
	}
}

// visibly reports whether a difference is one that a program can tell: in the trace, in memory, or in what is possible.
func visibly(d string) bool {
	return strings.Contains(d, "is not possible") || strings.Contains(d, ".Trace.") || strings.HasPrefix(d, "memory ")
}
