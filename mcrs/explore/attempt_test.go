package explore

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// counted counts the executions of a machine.
type counted struct {
	sched.Machine
	runs int
}

func (c *counted) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	c.runs++
	return c.Machine.Run(s, o)
}

// shorten returns the seed with which a shortening ends, how many executions that takes, and how many replays are left.
// If it is not given what others have replayed, every seed is replayed.
func shorten(p *litmus.Program, src source, others *past) (s seed.Seed, runs, left int) {
	m := &counted{Machine: p}
	x := &shortening{s: NewSession(m, Limits{}), key: src.key, left: replaysPerFinding, until: DefaultWork, past: others, whole: others == nil}
	return x.search(src), m.runs, x.left
}

// TestShorteningIsWhole: with the replays that are left out, and those that are stopped, a shortening ends with the
// seed with which it ends without, and counts the same replays.
func TestShorteningIsWhole(t *testing.T) {
	saved, found := 0, 0
	mixes := []litmus.Mix{litmus.Memory | litmus.Locks, litmus.Memory | litmus.Chans}
	for n := range uint64(60) {
		p := litmus.Generate(n, mixes[n%2], 4, 12)
		others := new(past)
		for _, f := range failures(p.Run(sched.NewRandom(sched.RandSeed(n)), sched.Options{}), nil) {
			found++
			src := source{f.Category, f.Key, sched.SeedOf(f.Witness)}
			want, all, wantLeft := shorten(p, src, nil)
			got, some, left := shorten(p, src, others)
			if !slices.Equal(got, want) || left != wantLeft {
				t.Errorf("program %d, %s: %v with %d replays left, want %v with %d", n, f.Key, got, left, want, wantLeft)
			}
			saved += all - some
		}
	}
	if t.Logf("%d failures, %d replays left out", found, saved); found < 30 || saved < 5*found {
		t.Errorf("%d failures, %d replays left out: the programs show nothing", found, saved)
	}
}
