package main

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"

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
	limits                     int // executions that ended at a limit, or at what the machine does not support
	cut                        int // entries of which less was looked at than asked for, for want of time
	left                       int // pairs of these that were not looked at, of executions that had come to their end
	undone                     int // executions of these that were not begun, or not finished
	seen                       map[string]bool
	ctx                        context.Context // over when an interrupt has come
}

func (t *tally) String() string {
	return fmt.Sprintf("%d entries, %d executions (%d left out, %d ended at a limit), %d pairs in both orders (%d are union's, %d of them its alone), %d histories that met, %d exchanges, %d entries cut short (by %d executions and %d pairs), %d entries with differences",
		t.entries, t.executions, t.guessed, t.limits, t.pairs, t.union, t.alone, t.met, t.swaps, t.cut, t.undone, t.left, t.bad)
}

// full reports whether enough was found, or an interrupt has come.
func (t *tally) full() bool { return t.bad >= t.most || t.ctx.Err() != nil }

// numbers are what two differences of one kind differ in.
var numbers = regexp.MustCompile(`0x[0-9a-f]+|[0-9a-f]{6,}|\d+`)

// kind is what is the same in differences that have one cause.
func kind(f *audit.Finding) string {
	where, _, _ := strings.Cut(f.Differences[0], ":")
	return f.Kinds + " " + numbers.ReplaceAllString(where, "#")
}

// audit audits an entry.
func (o *options) audit(t *tally, name string, m *machine.Machine, e program.Entry, events, pairs int) {
	ctx, release := t.ctx, context.CancelFunc(func() {})
	if o.within > 0 {
		ctx, release = context.WithTimeout(ctx, o.within)
	}
	defer release()
	var stop explore.Stop
	over := new(atomic.Bool)
	defer context.AfterFunc(ctx, func() { stop.Ask(); over.Store(true) })()
	x := &audit.Subject{Machine: m, Entry: e, MaxPairs: cmp.Or(o.pairs, pairs), Over: over.Load}
	x.Options = sched.Options{MaxEvents: cmp.Or(o.events, events), MaxSteps: 20_000_000, MaxMemory: o.memory << 20, Timing: o.timing, Cancelled: over}
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
		r := (&union.Explorer{Engine: e, Alone: true}).Explore(em, explore.Limits{Executions: o.executions, Events: 100_000, Steps: 20_000_000, Memory: o.memory << 20, Stop: &stop})
		if r.Verdict == explore.Exhausted { // else what union takes to be independent is not relied on: systematic has the entry
			x.Union = e
		}
	}
	merge := audit.NewMerge()
	histories := o.histories
	if o.union && x.Union == nil { // nobody relies on names
		histories = 0
	}
	done, asked := 0, 1+o.schedules+histories
	for done < asked && !over.Load() {
		switch n := done - 1 - o.schedules; {
		case done == 0:
			x.Execute(sched.RunToBlock{}, found)
		case n < 0:
			x.Execute(sched.NewRandom(sched.RandSeed(done-1)), found)
		default:
			merge.Execute(x, sched.NewRandom(sched.RandSeed(n)), func(d string) {
				if bad = true; !again[d[:min(len(d), 60)]] {
					again[d[:min(len(d), 60)]] = true
					fmt.Printf("%s: %.1500s\n", name, d)
					t.seen[name+d] = true
				}
			})
		}
		if !over.Load() {
			done++
		}
	}
	if done < asked {
		fmt.Printf("%s: cut short: %d executions of %d, and %d pairs of %d\n", name, done, asked, x.Pairs, x.Pairs+x.Left)
		t.cut++
		t.undone += asked - done
		t.left += x.Left
	}
	t.met += merge.Met
	t.entries++
	t.executions += min(done, 1+o.schedules)
	t.limits += x.Limits
	t.pairs += x.Pairs
	t.union += x.OfUnion
	t.alone += x.Alone
	t.swaps += x.Swaps
	t.guessed += x.Guessed
	if bad {
		t.bad++
	}
}
