package progen

import (
	"github.com/heddle-go/heddle/mcrs/explore"
)

// A Failure is a program on which a subject and the oracle differ.
type Failure struct {
	Program *Program
	Result  *Result
}

// Tally counts a run.
type Tally struct {
	Programs   int
	Redrawn    int // too large for the oracle at first
	Large      int // too large for it in every size, and not compared
	Executions int // of the oracle
	Explored   int // executions of the subjects
	Diverged   int // of these, those in which explorers by formulas met something else than they asked for
	Outcomes   int
	Racy       int // programs with a data race
	Blocking   int // programs with a deadlock or a leak
	Failing    int // programs that can panic
	Weak       int // programs that show more under a relaxed memory model, if models are compared with each other
	WeakTSO    int // likewise under total store order
	Scarce     int // explorations with a limit of work, if there are such
	Enough     int // of these, those that are exhausted
}

// Config bounds a run.
type Config struct {
	Executions int // of the oracle, for one program; 0 is 1,000
	Batch      int // programs of one package; 0 is 500
	// Regime is how programs are run. In the second regime of time only programs with timers are compared.
	Regime Regime
	// Kind is what is drawn. The zero one is Generate or, in the second regime, GenerateTimed.
	Kind  Kind
	Files bool // RunAPI draws by GenerateFiles
}

// A Kind of programs is how one is drawn for a seed.
type Kind struct {
	Draw func(seed uint64, size int) *Program
	More int // operations more than the seed says, for most do not meet others
}

// The kinds of programs.
var (
	Bubbles  = Kind{Draw: GenerateBubbles, More: 2}
	Copies   = Kind{Draw: GenerateCopies}
	Counters = Kind{Draw: GenerateCounters, More: 2}
	Flows    = Kind{Draw: GenerateFlows, More: 2}
	Main     = Kind{Draw: GenerateMain}
	Observed = Kind{Draw: GenerateObserved}
	Others   = Kind{Draw: GenerateOthers}
	Rounds   = Kind{Draw: GenerateRounds}
	Sleeps   = Kind{Draw: GenerateSleeps}
	Sockets  = Kind{Draw: GenerateSockets}
	Weak     = Kind{Draw: GenerateWeak}
)

// Size is the size that a seed's program is first drawn with.
func Size(seed uint64) int { return 2 + int(seed*0x9e3779b97f4a7c15>>40)%9 }

// Draw draws the program of a seed.
func (c *Config) Draw(seed uint64) *Program { return c.draw(seed, Size(seed)+c.Kind.More) }

// draw draws it in another size.
func (c *Config) draw(seed uint64, size int) *Program {
	switch k := c.Kind; {
	case k.Draw != nil:
		return k.Draw(seed, size)
	case c.Regime.Timing != "":
		return GenerateTimed(seed, min(size, 6)) // where timers fire at any time, programs have many more executions
	}
	return Generate(seed, size)
}

// Run compares the programs of the seeds from, from+1 … and calls failed for each that differs.
func Run(from uint64, n int, c Config, failed func(Failure)) (Tally, error) {
	if c.Executions == 0 {
		c.Executions = 1000
	}
	if c.Batch == 0 {
		c.Batch = 500
	}
	var t Tally
	for at := from; at < from+uint64(n); at += uint64(c.Batch) {
		var ps []*Program
		for s := at; s < min(at+uint64(c.Batch), from+uint64(n)); s++ {
			ps = append(ps, c.Draw(s))
		}
		if err := t.batch(ps, c, failed); err != nil {
			return t, err
		}
	}
	return t, nil
}

// batch compares programs, those that are too large in a smaller form.
func (t *Tally) batch(ps []*Program, c Config, failed func(Failure)) error {
	for len(ps) > 0 {
		ms, err := machines(ps)
		if err != nil {
			return err
		}
		var again []*Program
		for _, p := range ps {
			m := ms[p]
			executions := c.Executions
			if p.Size <= 1 { // it cannot be drawn smaller
				executions *= 20
			}
			r := compare(p, m, executions, c.Regime)
			if r.TooLarge != "" {
				if p.Size <= 1 {
					t.Large++ // a ticker, mostly, which fires again and again, or goroutines that go round
					continue
				}
				t.Redrawn++
				again = append(again, c.draw(p.Seed, p.Size-max(1, p.Size/3)))
				continue
			}
			t.add(r)
			if len(r.Problems) > 0 {
				failed(Failure{p, r})
			}
		}
		ps = again
	}
	return nil
}

func (t *Tally) add(r *Result) {
	t.Programs++
	t.Executions += r.Oracle.Executions
	for _, s := range r.Work {
		t.Explored += s.Executions
		t.Diverged += max(0, s.Diverged)
	}
	t.Outcomes += len(r.Oracle.Outcomes)
	if r.Weak {
		t.Weak++
	}
	if r.WeakTSO {
		t.WeakTSO++
	}
	for verdict, n := range r.Scarce {
		t.Scarce += n
		if verdict == explore.Exhausted {
			t.Enough += n
		}
	}
	if len(r.Oracle.Races) > 0 {
		t.Racy++
	}
	if len(r.Oracle.Blocked) > 0 {
		t.Blocking++
	}
	for _, o := range r.Oracle.Outcomes {
		if o.Failure != "" {
			t.Failing++
			break
		}
	}
}

// Add adds the counts of another run.
func (t *Tally) Add(u Tally) {
	t.Programs += u.Programs
	t.Redrawn += u.Redrawn
	t.Large += u.Large
	t.Executions += u.Executions
	t.Explored += u.Explored
	t.Diverged += u.Diverged
	t.Outcomes += u.Outcomes
	t.Racy += u.Racy
	t.Blocking += u.Blocking
	t.Failing += u.Failing
	t.Weak += u.Weak
	t.WeakTSO += u.WeakTSO
	t.Scarce += u.Scarce
	t.Enough += u.Enough
}
