package progen

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // most of the heap is the standard library's syntax
	closure.KeepUniverse()
	os.Exit(m.Run())
}

// TestRandomPrograms compares the explorers with the oracle on fixed programs. `make random` compares any number.
func TestRandomPrograms(t *testing.T) {
	n := long.Pick(60, 300)
	for _, from := range []uint64{1, 1001} {
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			t.Parallel()
			tally, err := Run(from, n, Config{}, func(f Failure) {
				t.Errorf("seed %d, size %d: %s\nrepeat with: go run -C internal ./random -n 1 -seed %d",
					f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"), f.Program.Seed)
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", tally)
			if tally.Programs != n || tally.Outcomes < 3*n || tally.Racy < n/20 || tally.Blocking < n/5 || tally.Failing < n/60 {
				t.Errorf("the programs show too little: %+v", tally)
			}
		})
	}
}

// TestRounds compares union alone with the oracle on programs with goroutines that go round: it comes to the end of all
// (UPOLL1 of package learn, ENDLESS1 to ENDLESS4 of package union).
// `go run -C internal ./random -rounds -explorer union-alone` compares any number.
func TestRounds(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union-alone"}); err != nil {
		t.Fatal(err)
	}
	n := long.Pick(8, 100)
	tally, err := Run(1, n, Config{Kind: Rounds, Regime: Regime{Rounds: true}}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != n || tally.Blocking < n/10 {
		t.Errorf("too little was compared: %+v", tally)
	}
}

// TestScarce compares what explorers say with little work: nothing is exhausted by the end of a share, or by a limit
// (ANSWER1, ANSWER2).
func TestScarce(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union", "systematic", "mcr"}); err != nil {
		t.Fatal(err)
	}
	for n, c := range map[int]Config{
		long.Pick(30, 60): {},
		long.Pick(31, 61): {Regime: Regime{Timing: explore.TimingAll}},
		long.Pick(10, 20): {Regime: Regime{Timing: explore.TimingStructural}},
		long.Pick(11, 21): {Kind: Bubbles},
		long.Pick(4, 6):   {Kind: Sockets, Regime: Regime{Sockets: true}}, // 9710012: see ANSWER2
	} {
		c.Regime.Scarce = true
		tally, err := Run(9710010, n, c, func(f Failure) {
			t.Errorf("seed %d, size %d%s: %s", f.Program.Seed, f.Program.Size, c.Regime, strings.Join(f.Result.Problems, "\n"))
		})
		if err != nil {
			t.Fatal(err)
		}
		if tally.Programs < n/2 || tally.Enough < tally.Scarce/8 || tally.Enough > tally.Scarce*7/8 {
			t.Errorf("too little was compared: %+v", tally)
		}
	}
}

// TestBlockedInTime compares programs in which time passes for some when others are blocked for ever.
func TestBlockedInTime(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"systematic", "union", "union-apart"}); err != nil {
		t.Fatal(err)
	}
	for seed, c := range map[uint64]Config{1704274: {}, 3450011: {Kind: Rounds, Regime: Regime{Rounds: true}}} {
		tally, err := Run(seed, 1, c, func(f Failure) { t.Errorf("seed %d: %s", seed, strings.Join(f.Result.Problems, "\n")) })
		if err != nil {
			t.Fatal(err)
		}
		if tally.Blocking != 1 {
			t.Errorf("seed %d: nobody is blocked", seed)
		}
	}
}

// TestCounters compares union, with executions that ignore what nothing acts upon, with the oracle, which ignores
// nothing. `go run -C internal ./random -deps` compares any number.
func TestCounters(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	Subjects = own.Ignoring
	n := long.Pick(12, 100)
	tally, err := Run(1, n, Config{Kind: Counters, Executions: 400}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != n || tally.Outcomes < 2*n || tally.Racy == 0 {
		t.Errorf("too little was compared: %+v", tally)
	}
}

// TestMemory compares the explorers that know store buffers with the oracle. `go run -C internal ./random -memory=tso`
// compares any number of programs.
func TestMemory(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"systematic", "union"}); err != nil {
		t.Fatal(err)
	}
	n := long.Pick(20, 100)
	for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
		tally, err := Run(1, n, Config{Regime: Regime{Memory: model}}, func(f Failure) {
			t.Errorf("%v: seed %d, size %d: %s", model, f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
		})
		if err != nil {
			t.Fatal(err)
		}
		if tally.Programs < n || tally.Outcomes < 2*n {
			t.Errorf("%v: too little was compared: %+v", model, tally)
		}
	}
}

// TestModels compares the default explorer with what programs mean, under all memory models. `go run -C internal
// ./random -weak -memory=all` compares any number.
func TestModels(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	Subjects = own.Alone[:1]
	n := long.Pick(31, 600)
	tally, err := Run(1, n, Config{Kind: Weak, Regime: Regime{Models: true}, Executions: 3000}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != n || tally.Racy < n/2 || tally.Racy == n || tally.WeakTSO < n/8 || tally.Weak <= tally.WeakTSO {
		t.Errorf("too little was compared: %+v", tally)
	}
}

// TestRobustness compares the check robustness with brute force under both models: on programs of litmus shapes, of
// which some are not robust. `go run -C internal ./random -weak -robustness -memory=tso` compares any number.
func TestRobustness(t *testing.T) {
	n := long.Pick(4, 60)
	for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
		c := Config{Kind: Weak, Regime: Regime{Memory: model, Robust: true}, Executions: 3000}
		tally, err := Run(weakSeed, n, c, func(f Failure) {
			t.Errorf("%v: seed %d, size %d: %s", model, f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
		})
		if err != nil {
			t.Fatal(err)
		}
		if tally.Programs < n || tally.Weak == 0 || tally.Weak == tally.Programs {
			t.Errorf("%v: too little was compared: %+v", model, tally)
		}
	}
}

// weakSeed is where there are small programs of both sorts.
const weakSeed = 13

// TestTiming compares the explorers with the oracle where timers fire while goroutines run. `go run -C internal
// ./random -timing=all` compares any number of programs.
func TestTiming(t *testing.T) {
	n := long.Pick(6, 25)
	for i, timing := range []explore.Timing{explore.TimingAll, explore.TimingStructural, explore.TimingAll} {
		tally, err := Run(1, n, Config{Kind: []Kind{{}, {}, Sleeps}[i], Regime: Regime{Timing: timing}}, func(f Failure) {
			t.Errorf("%s: seed %d, size %d: %s", timing, f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %+v", timing, tally)
		if tally.Programs+tally.Large != n || tally.Programs < n*3/4 {
			t.Errorf("%s: too little was compared: %+v", timing, tally)
		}
	}
}

// TestFlows compares the explorers by formulas with the oracle on programs in which what was read decides what is
// written, where, and whether. `go run -C internal ./random -flows -explorer formulas` compares any number of programs.
func TestFlows(t *testing.T) {
	old := Subjects
	defer func() { Subjects = old }()
	Subjects = own.Formulas
	n := long.Pick(16, 100)
	tally, err := Run(1, n, Config{Kind: Flows, Executions: 400}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", tally)
	if tally.Programs != n || tally.Outcomes < 3*n/2 || tally.Racy < n/5 {
		t.Errorf("the programs show too little: %+v", tally)
	}
	var all strings.Builder
	for s := range uint64(200) {
		all.WriteString(GenerateFlows(s, 10).Func("P"))
	}
	for _, part := range []string{"switch ", "&& v == 0 ||", "break", "continue", "sum(", ".area()", "h := func(", "adder(", "defer func() { ", "arr[x&1] = y", "element(", "t[len(t)-1]", "map[int]int{", "*q = 2",
		"q.b = ", "deref(", "mu.Lock()", "a.Load()"} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("no program has %s", part)
		}
	}
}

// TestObserved compares the explorers with the oracle on programs with races behind what goroutines observe. If union
// does not look behind that, it finds no race of the first four. The fifth gives back a read lock that another has
// taken. In the last two, one state is reached by ways on which different goroutines know of the accesses (BEHIND3).
func TestObserved(t *testing.T) {
	var ps []*Program
	for _, seed := range []uint64{6, 40, 44, 83, 1395, 1213, 1744} {
		ps = append(ps, GenerateObserved(seed, Size(seed)))
	}
	for seed := range uint64(long.Pick(0, 100)) {
		ps = append(ps, GenerateObserved(10_000+seed, Size(seed)))
	}
	var tally Tally
	err := tally.batch(ps, Config{Executions: 1000, Kind: Observed}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil || tally.Programs != len(ps) || tally.Racy < len(ps)/3 {
		t.Errorf("%v, %+v", err, tally)
	}
}

// TestBubbles compares the explorers with the oracle on tests with a bubble of testing/synctest. union may hand over to
// nobody. `go run -C internal ./random -bubbles` compares any number of programs.
func TestBubbles(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union-alone"}); err != nil {
		t.Fatal(err)
	}
	n := long.Pick(12, 100)
	tally, err := Run(1, n, Config{Executions: long.Pick(100, 1000), Kind: Bubbles}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", tally)
	if tally.Programs != n || tally.Outcomes < 2*n {
		t.Errorf("the programs show too little: %+v", tally)
	}
}

// TestUnderTestMain compares tests and examples under a TestMain. On the first five the explorers once differed from
// the oracle: four count goroutines (SEEN1), one has a timer between two others (UTIME8).
func TestUnderTestMain(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union", "systematic"}); err != nil {
		t.Fatal(err)
	}
	failed := func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	}
	var ps []*Program
	for _, seed := range []uint64{6500334, 6500462, 6500627, 6501342, 6501406} {
		ps = append(ps, GenerateMain(seed, Size(seed)))
	}
	var known Tally
	if err := known.batch(ps, Config{Executions: 1000, Kind: Main}, failed); err != nil || known.Programs != len(ps) {
		t.Errorf("%v, %+v", err, known)
	}
	n := long.Pick(20, 100)
	tally, err := Run(1, n, Config{Executions: long.Pick(200, 1000), Kind: Main}, failed)
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != n || tally.Outcomes < 2*n {
		t.Errorf("the programs show too little: %+v", tally)
	}
}

// TestRandomProcesses compares union and systematic with the oracle on random main programs, which end with main
// (EXIT6 of package host).
func TestRandomProcesses(t *testing.T) {
	defer func(kind program.EntryKind) { Plain = kind }(Plain)
	Plain = program.Main
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union", "systematic"}); err != nil {
		t.Fatal(err)
	}
	n := long.Pick(20, 100)
	tally, err := Run(1, n, Config{Executions: long.Pick(200, 1000)}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != n || tally.Outcomes < 2*n {
		t.Errorf("the programs show too little: %+v", tally)
	}
}

// TestBubbleRules compares union and systematic with the oracle on programs with bubbles that are small enough for it,
// one for each rule that is not seen elsewhere.
func TestBubbleRules(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union-alone", "systematic"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/bubbles.txt")
	if err != nil {
		t.Fatal(err)
	}
	rs, err := CompareFile(text, 3000, Regime{})
	if err != nil || len(rs) != 19 {
		t.Fatalf("%d programs, %v", len(rs), err)
	}
	for i, r := range rs {
		if len(r.Problems) > 0 || r.TooLarge != "" {
			t.Errorf("%s: %s%s", Name(i), r.TooLarge, strings.Join(r.Problems, "\n"))
		}
		t.Logf("%s: %d outcomes, %d executions of brute force", Name(i), len(r.Oracle.Outcomes), r.Oracle.Executions)
	}
}

// TestProgramsOnceDifferedOn compares the explorers with the oracle on programs that they once differed on.
func TestProgramsOnceDifferedOn(t *testing.T) {
	var ps []*Program
	for _, seed := range []uint64{36796, 37011, 40910, 41774, 40947, 1579, 802423, 911092, 15222, 47530, 700209, 61502566} {
		ps = append(ps, Generate(seed, Size(seed)))
	}
	differs := func(f Failure) { t.Errorf("seed %d: %s", f.Program.Seed, strings.Join(f.Result.Problems, "\n")) }
	var tally Tally
	err := tally.batch(ps, Config{Executions: 1000}, differs)
	if err != nil || tally.Programs != len(ps) {
		t.Errorf("%v, %+v", err, tally)
	}
	observed := Config{Executions: 1000, Kind: Observed}
	if err := tally.batch([]*Program{observed.Draw(62001141)}, observed, differs); err != nil || tally.Programs != len(ps)+1 {
		t.Errorf("%v, %+v", err, tally)
	}
}

// TestTooLarge runs a seed of which no program is small enough, and then others: it is counted, and they are compared.
func TestTooLarge(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union"}); err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64, size int) *Program {
		if seed != 5 {
			return Generate(seed, 1)
		}
		p := Generate(seed, 9)
		p.Size = size
		return p
	}
	tally, err := Run(4, 3, Config{Executions: 100, Kind: Kind{Draw: draw}}, func(f Failure) {
		t.Errorf("seed %d: %s", f.Program.Seed, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != 2 || tally.Large != 1 || tally.Redrawn == 0 {
		t.Errorf("two of three programs are small enough: %+v", tally)
	}
}

// loadAll loads programs without output.
func loadAll(t *testing.T, ps []*Program) *Loaded {
	t.Helper()
	file, err := File(ps)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Load(file, prelude.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestStatefulSearchFindsWhatThePlainOneDoes compares the oracle's two searches, where the plain one ends.
func TestStatefulSearchFindsWhatThePlainOneDoes(t *testing.T) {
	var ps []*Program
	for s := uint64(1); s <= 150; s++ {
		ps = append(ps, Generate(s, 3))
	}
	l := loadAll(t, ps)
	compared := 0
	for i, p := range ps {
		m, err := l.Machine(i)
		if err != nil {
			t.Fatal(err)
		}
		most := long.Pick(300, 1500)
		if !long.On() && oracle.Estimate(m, sched.Options{}) > float64(most) {
			continue
		}
		plain := oracle.Search(m, oracle.Limits{Executions: most}, nil)
		if !plain.Complete {
			continue
		}
		states := oracle.SearchStates(m, oracle.Limits{Executions: most}, nil)
		compared++
		if diff := append(plain.Missing(states), states.Missing(plain)...); len(diff) > 0 || !states.Complete {
			t.Errorf("seed %d: %s\n%s", p.Seed, strings.Join(diff, "\n"), p.Func(Name(i)))
		}
	}
	if want := long.Pick(30, 50); compared < want {
		t.Errorf("%d programs were small enough, want %d", compared, want)
	}
}

// lazy is an explorer that forgets all but its first execution.
type lazy struct{ explore.Explorer }

// TestDifferenceIsFound gives the comparison an explorer that loses outcomes, and shrinks a program that shows it.
func TestDifferenceIsFound(t *testing.T) {
	old := Subjects
	defer func() { Subjects = old }()
	Subjects = []Subject{{Name: "lazy", New: func(o func(*trace.Trace)) explore.Explorer {
		first := true
		return lazy{&systematic.Explorer{Observe: func(t *trace.Trace) {
			if first {
				o(t)
			}
			first = false
		}}}
	}}}
	var failed []Failure
	if _, err := Run(1, 20, Config{}, func(f Failure) { failed = append(failed, f) }); err != nil {
		t.Fatal(err)
	}
	if len(failed) < 5 {
		t.Fatalf("%d of 20 programs differ", len(failed))
	}
	p, r, err := Shrink(failed[0].Program, 5000, Regime{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Kinds() != failed[0].Result.Kinds() || p.ops() >= failed[0].Program.ops() {
		t.Errorf("from %d statements to %d, from %q to %q", failed[0].Program.ops(), p.ops(), failed[0].Result.Kinds(), r.Kinds())
	}
	file, err := File([]*Program{p})
	if err != nil {
		t.Fatal(err)
	}
	again, err := CompareFile(file, 5000, Regime{})
	if err != nil || len(again) != 1 || again[0].Kinds() != r.Kinds() {
		t.Errorf("the file does not replay: %v %v", again, err)
	}
}

// TestGenerateIsDeterministic writes the same bytes twice.
func TestGenerateIsDeterministic(t *testing.T) {
	write := func() []byte {
		var ps []*Program
		for s := range uint64(200) {
			ps = append(ps, Generate(s, Size(s)))
		}
		b, err := File(ps)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if !bytes.Equal(write(), write()) {
		t.Error("two files differ")
	}
}

// TestNative compares a few compiled programs; `make native` compares any number.
func TestNative(t *testing.T) {
	n := long.Pick(20, 60)
	x, err := NewNative(1, n, Config{Executions: 1000})
	if err != nil {
		t.Fatal(err)
	}
	tally, problems, err := x.Run(long.Pick(20, 40), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	t.Logf("%+v", tally)
	if tally.Free < n*5/12 || tally.Seen < tally.Free {
		t.Errorf("too little was compared: %+v", tally)
	}
	// What the machine does not know must be noticed.
	for i := range x.views {
		clear(x.views[i])
	}
	if _, problems, err := x.Run(1, false); err != nil || len(problems) < tally.Free {
		t.Errorf("%d problems, %v, where nothing is known", len(problems), err)
	}
}

func TestFailureText(t *testing.T) {
	for text, want := range map[string]string{
		"panic: v is 2": "v is 2",
		"panic: send on closed channel\n\tpanic: close of closed channel": "close of closed channel",
		"fatal error: sync: unlock of unlocked mutex\n":                   "fatal error: sync: unlock of unlocked mutex",
	} {
		if got := prelude.FailureText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := prelude.Failure("x\npanic: a\n\tpanic: b\n\ngoroutine 1 [running]:\n"); got != "panic: a\n\tpanic: b\n" && got != "panic: a\n\tpanic: b" {
		t.Errorf("%q", got)
	}
}
