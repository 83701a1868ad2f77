package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/heddle-go/heddle/mcrs/audit"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// A tally counts what was audited.
type tally struct {
	entries, executions, pairs int
	union, alone               int // pairs that union takes to be independent, and that it alone does
	swaps                      int // exchanges of goroutines with equal futures
	met                        int // histories that led to a name that another one had
	bad, most                  int // entries with findings
	guessed                    int // executions of which no pairs were looked at, since time passed in them by a guess
	cut                        int // entries of which less was looked at than asked for, for want of time
	seen                       map[string]bool
	stopped                    *atomic.Bool // an interrupt has come
}

func (t *tally) String() string {
	return fmt.Sprintf("%d entries, %d executions (%d left out), %d pairs in both orders (%d are union's, %d of them its alone), %d histories that met, %d exchanges, %d entries cut short, %d entries with differences", t.entries, t.executions, t.guessed, t.pairs, t.union, t.alone, t.met, t.swaps, t.cut, t.bad)
}

// full reports whether enough was found, or an interrupt has come.
func (t *tally) full() bool { return t.bad >= t.most || t.stopped.Load() }

// numbers are what two differences of one kind differ in.
var numbers = regexp.MustCompile(`0x[0-9a-f]+|[0-9a-f]{6,}|\d+`)

// kind is what is the same in differences that have one cause.
func kind(f *audit.Finding) string {
	where, _, _ := strings.Cut(f.Differences[0], ":")
	return f.Kinds + " " + numbers.ReplaceAllString(where, "#")
}

// audit audits an entry.
func (o *options) audit(t *tally, name string, m *machine.Machine, e program.Entry, events, pairs int) {
	x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: cmp.Or(o.events, events), MaxSteps: 20_000_000, Timing: o.timing}, MaxPairs: cmp.Or(o.pairs, pairs)}
	cut, end := false, time.Now().Add(o.within)
	over := func() bool {
		cut = cut || t.stopped.Load() || o.within > 0 && time.Now().After(end)
		return cut
	}
	x.Over = over
	bad, again := false, map[string]bool{}
	found := func(f audit.Finding) {
		bad = true
		k := kind(&f)
		if t.seen[k] {
			if !again[k] {
				fmt.Printf("%s: likewise %s\n", name, k)
			}
			again[k] = true
			return
		}
		t.seen[k] = true
		fmt.Printf("%s: %s\n", name, f.What)
		for i, d := range f.Differences {
			if i == o.lines {
				fmt.Printf("    ... %d more\n", len(f.Differences)-i)
				break
			}
			fmt.Printf("    %.700s\n", d)
		}
	}
	if o.union {
		em := m.Entry(x.Entry)
		if o.timing {
			em = explore.InTimingRegime(em, explore.TimingAll)
		}
		e := union.New()
		r := (&union.Explorer{Engine: e, Alone: true}).Explore(em, explore.Limits{Executions: o.executions, Events: 100_000, Steps: 20_000_000})
		if r.Verdict == explore.Exhausted { // else what union takes to be independent is not relied on: systematic has the entry
			x.Union = e
		}
	}
	x.Execute(sched.RunToBlock{}, found)
	for s := range o.schedules {
		if over() {
			break
		}
		x.Execute(sched.NewRandom(sched.RandSeed(s)), found)
	}
	merge := audit.NewMerge()
	histories := o.histories
	if o.union && x.Union == nil { // nobody relies on names
		histories = 0
	}
	for s := range histories {
		if over() {
			break
		}
		merge.Execute(x, sched.NewRandom(sched.RandSeed(s)), func(d string) {
			if bad = true; !again[d[:min(len(d), 60)]] {
				again[d[:min(len(d), 60)]] = true
				fmt.Printf("%s: %.1500s\n", name, d)
				t.seen[name+d] = true
			}
		})
	}
	t.met += merge.Met
	t.entries++
	if cut {
		t.cut++
	}
	t.executions += 1 + o.schedules
	t.pairs += x.Pairs
	t.union += x.OfUnion
	t.alone += x.Alone
	t.swaps += x.Swaps
	t.guessed += x.Guessed
	if bad {
		t.bad++
	}
}
