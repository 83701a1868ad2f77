package analysistest

import (
	"cmp"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// Brute force on these programs needs up to 20,000 executions. go test asks for fewer. What brute force has met by then
// the explorer must have met too. Whether it has met something that does not exist is not asked. make outcomes asks for
// all.
var executions = flag.Int("executions", 0, "executions of brute force for each program of testdata/outcomes; 0: 150, or 1500 with the long tests")

// A brute is what brute force has met of an entry: the outcomes, and the goroutines' complete histories.
type brute struct {
	*oracle.Result
	histories map[string]bool
}

// A bruteOf is an entry of a machine. Sites have the machine's numbers, so another machine has other outcomes.
type bruteOf struct {
	*machine.Machine
	entry string
}

// brutes are those of entries of testdata/outcomes: several tests compare with them.
var brutes = make(map[bruteOf]brute)

func bruteForce(t *testing.T, m *machine.Machine, e program.Entry) brute {
	t.Helper()
	of := bruteOf{m, e.Name}
	b, ok := brutes[of]
	if !ok {
		limit := cmp.Or(*executions, long.Pick(150, 1500))
		b.histories = make(map[string]bool)
		b.Result = oracle.Search(m.Entry(e), oracle.Limits{Executions: limit}, func(tr *trace.Trace) { local(b.histories, tr) })
		brutes[of] = b
	}
	if !b.Complete {
		t.Logf("%s: brute force was cut off at %d executions", e.Name, b.Executions)
	}
	return b
}

// A loaded is a machine with the program that it is of.
type loaded struct {
	dir string
	*machine.Machine
	*program.Program
}

// machines are those of the folders that were asked for last, the last one last: several tests load one, and all of
// them would be gigabytes.
var machines []loaded

// machinesKept is how many there are at most.
const machinesKept = 5

// loadDir returns the machine of the tests in a folder of testdata.
func loadDir(t testing.TB, dir string) (*machine.Machine, *program.Program) {
	t.Helper()
	i := slices.IndexFunc(machines, func(l loaded) bool { return l.dir == dir })
	var l loaded
	if i >= 0 {
		l = machines[i]
		machines = slices.Delete(machines, i, i+1)
	} else {
		l.dir = dir
		l.Machine, l.Program = loadDirWith(t, dir, machine.Config{})
	}
	if machines = append(machines, l); len(machines) > machinesKept {
		maps.DeleteFunc(brutes, func(of bruteOf, _ brute) bool { return of.Machine == machines[0].Machine })
		machines = slices.Delete(machines, 0, 1)
	}
	return l.Machine, l.Program
}

func loadDirWith(t testing.TB, dir string, config machine.Config) (*machine.Machine, *program.Program) {
	t.Helper()
	cfg := closure.Config(dir)
	cfg.Tests = true
	cfg.Env = append(os.Environ(), "GOWORK=off") // a module of its own
	l, err := program.List(cfg, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Errors) > 0 {
		t.Fatal(l.Errors)
	}
	p, err := closure.NewUniverse().Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(p, config)
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	return m, p
}

// TestUnionOutcomes compares union causality with brute force on the real machine: the same failures, races and blocked
// sets. Where nodes are histories, each goroutine has the same ones. Where nodes are states, each history is a way
// through them. Where union has no rule it must say so. Without the long tests each entry is explored in one of the two
// ways, in turn.
func TestUnionOutcomes(t *testing.T) {
	m, p := loadDir(t, "testdata/outcomes")
	for i, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			em := m.Entry(e)
			want := bruteForce(t, m, e)
			for k, apart := range []bool{true, false} {
				if (i+k)%long.Step(2) != 0 {
					continue
				}
				unionOutcomes(t, em, apart, want.Result, want.histories, true)
			}
		})
	}
}

// unionOutcomes compares one exploration. timers says whether the threads in which timers fire are compared as well:
// they are told nothing.
func unionOutcomes(t *testing.T, em sched.Machine, apart bool, want *oracle.Result, histories map[string]bool, timers bool) {
	t.Helper()
	got, x := oracle.NewResult(), &union.Explorer{Engine: union.New(), Alone: true}
	x.Engine.NoMerge, x.Engine.Apart = true, apart
	x.Observe = func(tr *trace.Trace) { got.Add(tr) }
	res := x.Explore(em, explore.Limits{})
	for _, f := range res.Findings {
		if f.Category == report.DataRace {
			got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
		}
	}
	if res.Verdict != explore.Exhausted {
		if !strings.HasPrefix(res.Reason, "no rule for") || strings.Contains(t.Name(), "Contents") || strings.Contains(t.Name(), "TestFilled") || strings.Contains(t.Name(), "TestBubble") && !strings.HasSuffix(t.Name(), "Escaped") {
			t.Errorf("apart %v: %s: %s", apart, res.Verdict, res.Reason)
		}
		t.Skip(res.Reason)
	}
	compare := func(what string, got, want map[string]bool) {
		for k := range want {
			if !got[k] {
				t.Errorf("apart %v: %s not met by the explorer: %s", apart, what, k)
			}
		}
		for k := range got {
			if !want[k] && !got[""] {
				t.Errorf("apart %v: %s not met by brute force: %s", apart, what, k)
			}
		}
	}
	have := make(map[string]bool)
	if apart {
		x.Engine.Histories(func(id event.ThreadID, rs []trace.Reply) { have[history(id, rs)] = true })
	} else {
		for h := range histories {
			id, told, _ := strings.Cut(h, ": ")
			have[h] = x.Engine.Knows(event.ThreadID(id), told, oracle.Told)
		}
	}
	if !timers {
		for _, hs := range []map[string]bool{histories, have} {
			maps.DeleteFunc(hs, func(h string, _ bool) bool { return strings.HasPrefix(h, "T/") })
		}
	}
	failures := func(r *oracle.Result) map[string]bool {
		out := make(map[string]bool)
		for _, o := range r.Outcomes {
			if o.Failure != "" {
				out[o.Failure] = true
			}
		}
		return out
	}
	failed := failures(got)
	if !want.Complete {
		got.Races[""], got.Blocked[""], have[""], failed[""] = true, true, true, true
	}
	compare("race", got.Races, want.Races)
	compare("blocked set", got.Blocked, want.Blocked)
	compare("history", have, histories)
	compare("failure", failed, failures(want))
}

// history writes what a goroutine was told.
func history(id event.ThreadID, replies []trace.Reply) string {
	var b strings.Builder
	b.WriteString(string(id) + ": ")
	for _, r := range replies {
		b.WriteString(oracle.Told(r))
	}
	return b.String()
}

// local collects the complete histories of the goroutines of an execution: of those that ended, and of those blocked
// for ever.
func local(into map[string]bool, t *trace.Trace) {
	replies := make([][]trace.Reply, len(t.Threads))
	ended := make([]bool, len(t.Threads))
	over := t.Status != trace.Returned && t.Status != trace.Deadlocked
	for i := range t.Events {
		e := &t.Events[i]
		replies[e.Thread] = append(replies[e.Thread], trace.ReplyOf(e))
		last := e.Kind == event.Panic || e.Kind == event.Exit
		ended[e.Thread] = last || e.Kind == event.End
		over = over || last
	}
	for i := range t.Threads {
		if strings.HasPrefix(string(t.Threads[i].ID), "T/") && len(replies[i]) == 0 {
			continue // a timer that never fired is nobody
		}
		if ended[i] || !over {
			into[history(t.Threads[i].ID, replies[i])] = true
		}
	}
}

// TestOutcomes compares the explorers that meet every outcome with brute force on the real machine: the same outcomes,
// races and blocked sets. Where mcr has no rule it must say so.
func TestOutcomes(t *testing.T) {
	m, p := loadDir(t, "testdata/outcomes")
	for _, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			em := m.Entry(e)
			want := bruteForce(t, m, e)
			for _, name := range []string{"systematic", "mcr"} {
				got := oracle.NewResult()
				add := func(tr *trace.Trace) {
					if tr.Status != trace.Stopped {
						got.Add(tr)
					}
				}
				var x explore.Explorer = &systematic.Explorer{Observe: add}
				if name == "mcr" {
					x = &mcr.Explorer{Observe: add, Alone: true}
				}
				res := x.Explore(em, explore.Limits{})
				if name == "mcr" && res.Verdict != explore.Exhausted && (strings.HasPrefix(res.Reason, "no rule for") || strings.HasPrefix(e.Name, "TestBubble")) {
					t.Log("mcr: ", res.Reason)
					continue
				}
				for _, f := range res.Findings {
					if f.Category == report.DataRace {
						a, b := f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site
						got.Races[oracle.RaceKey(a, b)] = true
					}
				}
				if res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
					t.Errorf("%s: %s %s %+v", name, res.Verdict, res.Reason, res.Stats)
				}
				if missing := want.Missing(got); len(missing) > 0 {
					t.Errorf("not met by %s:\n%s", name, strings.Join(missing, "\n"))
				}
				if extra := got.Missing(want.Result); len(extra) > 0 && want.Complete {
					t.Errorf("not met by brute force, but by %s:\n%s", name, strings.Join(extra, "\n"))
				}
			}
		})
	}
}
