package analysistest

import (
	"cmp"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	words "github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/program"
)

var (
	whichExplorers = flag.String("explorers", "", "explorers of TestWaits, or all, which other tests understand too (default: union; with the long tests one of the others beside, in turn)")
	regimes        = flag.Bool("regimes", false, "TestWaits explores the second regime of time in all entries, and not only where a comment asks for it")
)

// TestWaits explores goroutines that wait, or seem to, beside others that still run. Every explorer finds what the
// comments of the entries say, and nothing else. An entry that keeps a count behind the return, and fails when the
// clock is not followed any more, must not be called exhausted (late_test.go).
func TestWaits(t *testing.T) {
	for _, dir := range []string{"testdata/waits", "testdata/oldtimers"} {
		m, p := loadDir(t, dir)
		for i, e := range p.Entries {
			t.Run(e.Name, func(t *testing.T) {
				switch e.Name {
				case "TestRestsReceiverBeside", "TestRestsBesideStartOrNot", "TestRestsInHeap":
					long.Only(t, "it comes to the limits of two explorers")
				}
				w := wanted(t, dir, e)
				names := strings.Split(cmp.Or(*whichExplorers, explorers.Default), ",")
				if all := slices.DeleteFunc(explorers.Names(), explorers.Samples); *whichExplorers == "all" {
					names = all
				} else if *whichExplorers == "" && long.On() {
					others := slices.DeleteFunc(all, func(name string) bool { return name == explorers.Default })
					names = append(names, others[i%len(others)])
				}
				if w.only {
					names = []string{explorers.Default}
				}
				for _, name := range names {
					timing := explore.TimingOff
					if *regimes || w.both && name == explorers.Default {
						timing = explore.TimingStructural
					}
					if name == explorers.Default && w.hasGone {
						w.toTheEnd().compare(t, name, m.Entry(e), timing, w.gone)
						continue
					}
					w.compare(t, name, m.Entry(e), timing, w.finds)
				}
				if w.hasAll {
					w.compare(t, explorers.Default, explore.LeaksAll.Leaking(m.Entry(e)), explore.TimingOff, w.all)
				}
			})
		}
	}
}

// compare explores an entry, and compares what is found with what is wanted.
func (w *waiting) compare(t *testing.T, name string, m sched.Machine, timing explore.Timing, finds []string) {
	next := func() explore.Explorer {
		x, err := explorers.New(name)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	var lim explore.Limits
	every := name == "bruteforce" || name == "delay" // they execute each schedule
	if every {
		lim.Executions = 300
	}
	res := explore.ExploreRegimes(next, m, lim, timing)
	if every && (strings.HasPrefix(res.Reason, "stopped at the limit") || strings.Contains(res.Reason, "read the clock")) {
		return
	}
	got := map[string]bool{}
	for _, f := range res.Findings {
		got[string(f.Category)] = true
		if w.hasGone && explore.Show(m, explore.Limits{}, timing, f) == nil {
			t.Errorf("%s: %s is not shown again by its seed", name, f.Category)
		}
	}
	if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, finds) {
		t.Errorf("%s found %v, want %v", name, have, finds)
	}
	if w.hasAsks && !slices.Equal(res.Environment, w.asks) {
		t.Errorf("%s: it asks for %q, want %q", name, res.Environment, w.asks)
	}
	if full := res.Verdict == explore.Exhausted; full != (w.incomplete == "") || !strings.HasPrefix(res.Reason, w.incomplete) {
		t.Errorf("%s: %s: %s, want incomplete %q", name, res.Verdict, res.Reason, w.incomplete)
	}
}

// TestGoroutinesThatGoOnForEverAreExhausted explores goroutines that go on for ever by union alone: it comes to the end
// of them, in few executions and states (ENDLESS1 to ENDLESS3 of package union).
func TestGoroutinesThatGoOnForEverAreExhausted(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestForever") {
			continue
		}
		w := wanted(t, "testdata/waits", e)
		regimes := []explore.Timing{explore.TimingOff}
		if w.both {
			regimes = append(regimes, explore.TimingAll)
		}
		for _, timing := range regimes {
			res := explore.ExploreRegimes(func() explore.Explorer { return &union.Explorer{Alone: true} }, m.Entry(e), explore.Limits{}, timing)
			if many := res.Stats.Executions > 30 || !w.both && res.Stats.States > 150; many || (res.Verdict == explore.Exhausted) != (w.incomplete == "") || !strings.HasPrefix(res.Reason, w.incomplete) {
				t.Errorf("%s, %s: %s after %d executions, %d states: %s", e.Name, timing, res.Verdict, res.Stats.Executions, res.Stats.States, res.Reason)
			}
			if e.Name == "TestForeverJanitor" && res.Stats.Replays > 0 { // ENDLESS4
				t.Errorf("%s, %s: %d executions are led to where the first one has ended", e.Name, timing, res.Stats.Replays)
			}
		}
	}
}

// TestTimersDueAtOnce explores timers whose time has come when they are started, or that are due with others, by union
// alone, systematic and icb, in both regimes of time (TIME2, TIME8 and TIME10 of the Go machine, UTIME8 and UTIME12 of
// package spec, DEP9 and DEP16 of package causality).
func TestTimersDueAtOnce(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for i, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestAtOnce") && !strings.HasPrefix(e.Name, "TestTie") {
			continue
		}
		w := wanted(t, "testdata/waits", e)
		for _, next := range []func() explore.Explorer{
			func() explore.Explorer { return &union.Explorer{Alone: true} },
			func() explore.Explorer { return new(systematic.Explorer) },
			func() explore.Explorer { return new(icb.Explorer) },
		} {
			for k, timing := range []explore.Timing{explore.TimingOff, explore.TimingStructural} {
				if (i+k)%long.Step(2) != 0 {
					continue
				}
				w.exhausts(t, next, m.Entry(e), timing)
			}
		}
	}
}

// exhausts explores an entry to the end, and compares what is found with what is wanted.
func (w *waiting) exhausts(t *testing.T, next func() explore.Explorer, m sched.Machine, timing explore.Timing) {
	t.Helper()
	res := explore.ExploreRegimes(next, m, explore.Limits{}, timing)
	got := map[string]bool{}
	for _, f := range res.Findings {
		got[string(f.Category)] = true
	}
	if have := slices.Sorted(maps.Keys(got)); res.Verdict != explore.Exhausted || !slices.Equal(have, w.finds) {
		t.Errorf("%s, %T, %s: %s: %s, found %v, want %v", w.name, next(), timing, res.Verdict, res.Reason, have, w.finds)
	}
}

// TestStartedAgain explores timers that are started again by goroutines that have read the clock more often: union
// knows of the function of such a timer whose readings it comes after, and hands over nothing (UTIME16).
func TestStartedAgain(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestStartedAgain") {
			continue
		}
		w := wanted(t, "testdata/waits", e)
		for _, timing := range []explore.Timing{explore.TimingOff, explore.TimingStructural} {
			w.exhausts(t, func() explore.Explorer { return &union.Explorer{Alone: true} }, m.Entry(e), timing)
		}
	}
}

// TestShown shows findings with a builtin on a stack, which stands in no function. Their text and their diagram say the
// panic, and name no other place.
func TestShown(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	shown := 0
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestShown") {
			continue
		}
		em := m.Entry(e)
		for _, f := range explore.ExploreRegimes(func() explore.Explorer { return new(union.Explorer) }, em, explore.Limits{}, explore.TimingOff).Findings {
			x := explore.Show(em, explore.Limits{}, explore.TimingOff, f)
			v := report.View{Code: report.Code{Source: m, Packages: []string{p.Path}, ReadFile: os.ReadFile}, Entry: e.Name}
			if text := v.Text(x); !strings.Contains(text, "panic: ") || !strings.Contains(text, "builtins_test.go:") && !strings.Contains(e.Name, "Started") || v.Diagram(x) == nil {
				t.Errorf("%s: %q", e.Name, text)
			}
			shown++
		}
	}
	if shown < 4 {
		t.Errorf("%d findings were shown", shown)
	}
}

// A waiting is what comments say of an entry.
type waiting struct {
	name       string
	finds, all []string // all: with -leaks=all
	hasAll     bool
	asks       []string // environment variables that it asks for
	hasAsks    bool
	incomplete string   // why the exploration is to be incomplete, "" if it is not
	gone       []string // what the default explorer finds by following what the entry leaves behind until the process is gone
	hasGone    bool     // it does, and is not incomplete
	both       bool     // the second regime of time matters
	only       bool     // others than the default explorer come to a limit, or do not look at the second regime
}

// toTheEnd is what is said of an explorer that follows what the entry leaves behind until the process is gone.
func (w waiting) toTheEnd() *waiting {
	w.incomplete = ""
	return &w
}

// wanted reads the comments of an entry.
func wanted(t *testing.T, dir string, e program.Entry) (w waiting) {
	w.name = e.Name
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
					switch word, rest, _ := strings.Cut(strings.TrimSpace(l), ":"); word {
					case "finds":
						w.finds = slices.Sorted(slices.Values(strings.Fields(rest)))
					case "all":
						w.all, w.hasAll = slices.Sorted(slices.Values(strings.Fields(rest))), true
					case "asks":
						w.asks, w.hasAsks = strings.Fields(rest), true
					case "regimes":
						w.both = true
					case "gone":
						w.gone, w.hasGone = slices.Sorted(slices.Values(strings.Fields(rest))), true
					case "only":
						w.only = true
					}
				}
				for _, g := range f.Comments {
					if s, ok := strings.CutPrefix(g.Text(), "incomplete: "); ok && fset.Position(g.Pos()).Line == fset.Position(fn.Pos()).Line {
						w.incomplete = strings.TrimSpace(s)
					}
				}
			}
		}
	}
	return w
}

// TestReadsInOneOrder explores an entry that reads the clock where something orders the readings (READ1). It is
// exhausted without a second exploration (TICK4).
func TestReadsInOneOrder(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if e.Name != "TestReadsBehindAMessage" {
			continue
		}
		if r := new(union.Explorer).Explore(m.Entry(e), explore.Limits{}); r.Verdict != explore.Exhausted {
			t.Errorf("%s: %s", r.Verdict, r.Reason)
		}
		return
	}
	t.Error("no such entry")
}

// TestSeedsGoRound explores goroutines that poll in the second regime of time. What the engine asks for can be
// followed, also where the clock moves in the midst of a round of which the machine would have passed over the next
// (UPOLL1). Histories are told apart, for else two executions show all.
func TestSeedsGoRound(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if e.Name != "TestForeverBothPoll" {
			continue
		}
		r := (&union.Explorer{Alone: true, Apart: true}).Explore(explore.InTimingRegime(m.Entry(e), explore.TimingAll), explore.Limits{Executions: 8})
		if r.Stats.Executions != 8 || !strings.HasPrefix(r.Reason, "stopped at the limit of runs") {
			t.Errorf("%s: %s after %d executions: %s", e.Name, r.Verdict, r.Stats.Executions, r.Reason)
		}
	}
}

// TestPollersThatSleep explores goroutines that poll and sleep, in both regimes of time, by union alone: it comes to
// the end of them in few executions (UTIME15 of package spec).
func TestPollersThatSleep(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	seen := 0
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestPollers") {
			continue
		}
		seen++
		w := wanted(t, "testdata/waits", e)
		for _, timing := range []explore.Timing{explore.TimingStructural, explore.TimingAll} {
			res := explore.ExploreRegimes(func() explore.Explorer { return &union.Explorer{Alone: true} }, m.Entry(e), explore.Limits{}, timing)
			var got []string
			for _, f := range res.Findings {
				got = append(got, string(f.Category))
			}
			if res.Verdict != explore.Exhausted || res.Stats.Executions > 12 || !slices.Equal(got, w.finds) {
				t.Errorf("%s, %s: %s after %d executions: %s; found %v, want %v", e.Name, timing, res.Verdict, res.Stats.Executions, res.Reason, got, w.finds)
			}
		}
	}
	if seen != 3 {
		t.Errorf("%d entries, want 3", seen)
	}
}

// TestBubblesFail explores tests that fail within a bubble in some orders, by union alone: synctest.Test returns what
// the test has come to, and who asks for that is told (SILENT7).
func TestBubblesFail(t *testing.T) {
	m, p := loadDir(t, "testdata/bugs/bubbles")
	explored := 0
	for _, e := range p.Entries {
		switch e.Name {
		case "TestReceiver", "TestSender", "TestRendezvous", "TestFailedBeside", "TestFailedInBubble":
			if r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{}); r.Verdict != explore.Exhausted {
				t.Errorf("%s: %s: %s", e.Name, r.Verdict, r.Reason)
			}
			explored++
		}
	}
	if explored != 5 {
		t.Errorf("%d entries were explored", explored)
	}
}

// TestBehindSleeps has the search of the second regime of time come to nothing. What it was to find, races behind
// sleeps and timers, is looked for in the first one then.
func TestBehindSleeps(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		want, asked := map[string]int{"TestBehindSleep": 1, "TestBehindTimer": 1, "TestBehindAfterFunc": 1, "TestBehindSleepOfOther": 1, "TestBehindSleepAndGroup": 0}[e.Name]
		if !asked {
			continue
		}
		n := 0
		next := func() explore.Explorer {
			if n++; n == 2 || n == 3 { // as a whole, and in its smallest part (EARLY1)
				return givesUp{}
			}
			return new(union.Explorer)
		}
		r := explore.ExploreRegimes(next, m.Entry(e), explore.Limits{}, explore.TimingStructural)
		if n == 1 && want == 0 { // no timer could fire early
			continue
		}
		if n != 4 || len(r.Findings) != want || r.Kind() != words.InTime || r.Early != 0 {
			t.Errorf("%s: %d explorations, %d findings, %s", e.Name, n, len(r.Findings), r.Kind())
		}
	}
}

// givesUp explores nothing.
type givesUp struct{}

func (givesUp) Explore(sched.Machine, explore.Limits) *explore.Result {
	return &explore.Result{Verdict: explore.Incomplete, Reason: "given up"}
}

// TestExamplesSayWhere shows that a race with what package testing does around an example says so: there is no line of
// the program that it could name.
func TestExamplesSayWhere(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	seen := 0
	for _, e := range p.Entries {
		if e.Name != "Example_lost" && e.Name != "Example_empty" {
			continue
		}
		for _, f := range new(union.Explorer).Explore(m.Entry(e), explore.Limits{}).Findings {
			if f.Category != report.DataRace {
				continue
			}
			seen++
			v := report.View{Code: report.Code{Source: m, Packages: []string{p.Path}, ReadFile: os.ReadFile}, Entry: e.Name}
			if head := v.Headline(&f); !strings.Contains(head, "written in package testing by G1") {
				t.Errorf("%s: %s", e.Name, head)
			}
			if all := v.Text(&f) + v.Detail(&f); strings.Contains(all, "unknown line") || !strings.Contains(all, "a line of package testing") || !strings.Contains(all, "  [package testing]\n") {
				t.Errorf("%s: %s", e.Name, all)
			}
		}
	}
	if seen != 2 {
		t.Errorf("%d races, want 2", seen)
	}
}
