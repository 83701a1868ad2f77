package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestLimits: what does not end by itself is Incomplete, with its reason and the line, and is no finding.
func TestLimits(t *testing.T) {
	want := map[string]struct {
		reason string
		line   int
	}{
		"TestForever":            {"limit of instructions reached", 13},
		"TestAllocates":          {"memory limit of 256 MiB reached", 22},
		"TestAllocatesMuch":      {"memory limit of 256 MiB reached", 89},
		"TestRecurses":           {"limit of stack reached: goroutine recurses without end", 29},
		"TestLacks":              {"unsupported function runtime.MemProfile, called by limits.TestLacks", 0},
		"TestEmptiesPool":        {"unsupported function runtime.GC, which empties a sync.Pool", 0},
		"TestClocks":             {"the entry fails where readings of the clock by several goroutines come in the wrong order", 0},
		"TestReflects":           {"unsupported call of t.Failed by reflection", 0},
		"TestPacks":              {"unsupported access to address 0x", 43},
		"TestCollectsWeak":       {"unsupported function weak.Pointer.Value after runtime.GC, and the test failed afterwards", 0},
		"TestCollectsWeakPanics": {"unsupported function weak.Pointer.Value after runtime.GC, and the entry failed afterwards", 27},
		"TestCollectsWeakPolls":  {"unsupported function weak.Pointer.Value after runtime.GC, and the entry failed afterwards", 34},
		"TestCollectsWeakWaits":  {"unsupported function weak.Pointer.Value after runtime.GC, and the entry failed afterwards", 45},
		"TestCollectsPool":       {"unsupported function runtime.GC, which empties a sync.Pool, and the entry failed afterwards", 56},
		"TestCollectsFinalizer":  {"unsupported function runtime.SetFinalizer, and the entry failed afterwards", 66},
		"TestMeasures":           {"unsupported function testing.AllocsPerRun, and the test failed afterwards", 80},
	}
	m, p := loadDir(t, "testdata/limits")
	for _, e := range p.Entries {
		x, err := explorers.New("")
		if err != nil {
			t.Fatal(err)
		}
		// The schedules that are sampled after the first are of the same kind: so little work is enough.
		r := x.Explore(m.Entry(e), explore.Limits{Steps: 5_000_000, Work: 10_000_000})
		w, ok := want[e.Name]
		if !ok {
			t.Errorf("%s is not in the table", e.Name)
		}
		if r.Verdict != explore.Incomplete || !strings.HasPrefix(r.Reason, w.reason) || len(r.Findings) > 0 {
			t.Errorf("%s: %s: %q, %d findings; want incomplete: %q", e.Name, r.Verdict, r.Reason, len(r.Findings), w.reason)
		}
		if n := r.Stats.Executions; e.Name == "TestAllocatesMuch" && n > 4 {
			t.Errorf("%s: %d runs: its memory is used up in the only schedule that there is", e.Name, n)
		}
		if line := m.Position(r.ReasonSite).Line; w.line != 0 && line != w.line {
			t.Errorf("%s: line %d, want %d", e.Name, line, w.line)
		}
		if e.Name == "TestForever" {
			testInterrupted(t, m.Entry(e))
		}
	}
}

// testInterrupted asks to end while a run is at work that does not end, and performs no operation.
func testInterrupted(t *testing.T, m sched.Machine) {
	t.Helper()
	for _, name := range explorers.Names() {
		x, err := explorers.New(name)
		if err != nil {
			t.Fatal(err)
		}
		const far = 1 << 50
		stop := new(explore.Stop)
		r := x.Explore(asking{m, stop}, explore.Limits{Steps: far, Work: far, Stop: stop})
		if !r.Interrupted || r.Verdict != explore.Incomplete || r.Reason != explore.Interrupted || r.Stats.Executions != 1 || r.Stats.Work > 10_000_000 {
			t.Errorf("%s: %s: %q after %d executions, work %d; want one that was cut off", name, r.Verdict, r.Reason, r.Stats.Executions, r.Stats.Work)
		}
	}
}

// asking is a machine whose user asks to end when the first run has begun.
type asking struct {
	sched.Machine
	stop *explore.Stop
}

func (a asking) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	return a.Machine.Run(askingScheduler{s, a.stop}, o)
}

type askingScheduler struct {
	sched.Scheduler
	stop *explore.Stop
}

func (a askingScheduler) Next(s *sched.State) int {
	a.stop.Ask()
	return a.Scheduler.Next(s)
}

// TestRefused: a test that fails after the machine has refused what a host may have is Incomplete, and no finding.
func TestRefused(t *testing.T) {
	refused := map[string]string{
		"TestNetwork":   "the network, asked for by refused.TestNetwork: refused, and then the entry failed",
		"TestRoutes":    "the network, asked for by refused.TestRoutes: refused, and then the entry failed",
		"TestPanics":    "the network, asked for by refused.TestPanics",
		"TestFile":      "files outside the module (/etc/fstab), asked for by refused.TestFile",
		"TestPolls":     "files outside the module (/etc/fstab), asked for by refused.TestPolls",
		"TestSystem":    "files outside the module (/sys/class), asked for by refused.TestSystem",
		"TestFileAbove": "files outside the module (../limits), asked for by refused.TestFileAbove",
		"TestProcess":   "files outside the module (/usr/bin/true), asked for by refused.TestProcess",
		"TestDeadlock":  "files outside the module (/etc/fstab), asked for by refused.TestDeadlock",
		"TestLeak":      "files outside the module (/etc/fstab), asked for by refused.TestLeak",
		"TestFull":      "more than 1 MiB in files, asked for by refused.TestFull",
		"TestManyFiles": "more than 1024 open files, asked for by refused.TestManyFiles",
		"TestWatch":     "being told of changes to files (inotify), asked for by refused.TestWatch",
	}
	findings := map[string]int{"TestFileHere": 1, "TestNoControlGroup": 0, "TestTemporary": 1, "TestGoesOn": 0, "TestMade": 1, "TestAlmostFull": 0}
	m, p := loadDirWith(t, "testdata/refused", machine.Config{Kernel: kernel.Config{Root: "testdata/refused", Env: []string{"PATH=/usr/bin"}, MaxBytes: 1 << 20}})
	for _, e := range p.Entries {
		x, err := explorers.New("")
		if err != nil {
			t.Fatal(err)
		}
		r := x.Explore(m.Entry(e), explore.Limits{})
		if n := r.Stats.Executions; n > 60 {
			t.Errorf("%s: %d runs: there are not so many schedules, and none is to be sampled again", e.Name, n)
		}
		if reason, ok := refused[e.Name]; ok {
			if r.Verdict != explore.Incomplete || !strings.HasPrefix(r.Reason, reason) || len(r.Findings) > 0 || m.Position(r.ReasonSite).Line == 0 {
				t.Errorf("%s: %s: %q, %d findings; want incomplete: %q", e.Name, r.Verdict, r.Reason, len(r.Findings), reason)
			}
		} else if n, ok := findings[e.Name]; !ok || r.Verdict != explore.Exhausted || len(r.Findings) != n {
			t.Errorf("%s: %s: %q, %d findings; want exhausted, %d findings", e.Name, r.Verdict, r.Reason, len(r.Findings), n)
		}
	}
}

// exploreEndless explores an entry of testdata/endless with a limit of work.
func exploreEndless(t *testing.T, entry int, work int64) *explore.Result {
	t.Helper()
	m, p := loadDir(t, "testdata/endless")
	x, err := explorers.New("")
	if err != nil {
		t.Fatal(err)
	}
	r := x.Explore(m.Entry(p.Entries[entry]), explore.Limits{Work: work})
	t.Logf("work %d, %d executions, %d replays, %d findings", r.Stats.Work, r.Stats.Executions, r.Stats.Replays, len(r.Findings))
	return r
}

// TestReplaysEnd: what a witness is shortened by ends with the limit of work, where it goes on without end behind the
// schedule that is tried.
func TestReplaysEnd(t *testing.T) {
	const work = 3_000_000
	r := exploreEndless(t, 0, work)
	if len(r.Findings) == 0 || !r.OfWork {
		t.Errorf("%d findings, because of the limit of work: %t", len(r.Findings), r.OfWork)
	}
	if most := int64(work + work/2); r.Stats.Work > most { // a quarter is for witnesses
		t.Errorf("work %d, want at most %d", r.Stats.Work, most)
	}
}

// TestRacesTakeFewReplays: that one long execution has many races takes few replays of it, not some for each race.
func TestRacesTakeFewReplays(t *testing.T) {
	const work = 8_000_000
	r := exploreEndless(t, 2, work)
	if len(r.Findings) < 10 {
		t.Errorf("%d races, want many", len(r.Findings))
	}
	if r.Stats.Work > 3*work {
		t.Errorf("work %d in %d replays, want at most %d", r.Stats.Work, r.Stats.Replays, 3*work)
	}
}

// TestSleepersComeOn: in the second regime of time the default schedule lets a sleep end that could long have done so.
func TestSleepersComeOn(t *testing.T) {
	m, p := loadDir(t, "testdata/endless")
	em := explore.InTimingRegime(m.Entry(p.Entries[1]), explore.TimingAll)
	if tr := em.Run(sched.RunToBlock{}, sched.Options{MaxEvents: 50_000}); tr.Status != trace.Returned {
		t.Errorf("%s: %s %s after %d events", p.Entries[1].Name, tr.Status, tr.Reason, len(tr.Events))
	}
}

// TestBeats: where each round of a loop that is known shows the next one, sweeps do not begin again for each. If they
// did, TestBeatsCounted would come to the limit of states.
func TestBeats(t *testing.T) {
	pinned(t, "testdata/beats", map[string]pin{"TestBeats": {executions: 63, states: 4590}, "TestBeatsCounted": {executions: 623}})
}

// A pin says what union alone makes of a test where timers may fire early. A number that is 0 is not pinned, and it is
// exhausted unless there is a reason.
type pin struct {
	executions, states int
	panic, reason      string
	blocks             bool // somebody waits for ever
}

// pinned compares tests of a package of testdata with their pins.
func pinned(t *testing.T, dir string, want map[string]pin) {
	t.Helper()
	m, p := loadDir(t, dir)
	for _, e := range p.Entries {
		w, ok := want[e.Name]
		if !ok {
			continue
		}
		delete(want, e.Name)
		r := (&union.Explorer{Alone: true}).Explore(explore.InTimingRegime(m.Entry(e), explore.TimingAll), explore.Limits{})
		got := pin{executions: r.Stats.Executions, states: r.Stats.States, reason: r.Reason}
		for _, f := range r.Findings {
			got.panic += f.Witness.Panic
		}
		exhausted := r.Verdict == explore.Exhausted
		if exhausted != (w.reason == "") || !strings.Contains(got.reason, w.reason) ||
			w.executions > 0 && w.executions != got.executions || w.states > 0 && w.states != got.states ||
			!strings.Contains(got.panic, w.panic) || w.panic == "" && len(r.Findings) > 0 != w.blocks {
			t.Errorf("%s: %s, %d findings, %+v; want %+v", e.Name, r.Verdict, len(r.Findings), got, w)
		}
		t.Logf("%s: %d executions, %d states", e.Name, got.executions, got.states)
	}
	for name := range want {
		t.Errorf("there is no %s in %s", name, dir)
	}
}

// TestTimersApart: goroutines that have a timer each do not multiply each other's states where timers may fire early
// (RED13, RED22). The numbers of states are pinned.
func TestTimersApart(t *testing.T) {
	pinned(t, "testdata/beats", map[string]pin{
		"TestApartThree":   {states: 1537},
		"TestApartLocked":  {states: 172},
		"TestApartStopped": {states: 9, panic: "the later one, and not the earlier one"},
		"TestApartInOrder": {states: 3},
		"TestApartStarted": {states: 43, panic: "the second was started and fired"},
	})
}

// TestNearMisses: where sleeps are told apart that RED24 speaks of, in the state of a near miss, is seen by how many
// states there are. The numbers are pinned.
func TestNearMisses(t *testing.T) {
	pinned(t, "testdata/sleeps", map[string]pin{
		"TestLengths":     {states: 3},
		"TestBehindTimer": {states: 4},
		"TestBesideTimer": {states: 37, blocks: true},
		"TestTold":        {states: 6524, blocks: true},
		"TestStartsLater": {states: 35418, blocks: true},
		"TestStacks":      {states: 168, blocks: true},
		"TestSeventeenth": {states: 323, blocks: true},
	})
}

// TestTimeouts: who asks for a context with a timeout is told no time (TOLD5), unless the program asks for deadlines.
// The numbers of executions are pinned: with the time told TestTimeoutsInTurn took 820.
func TestTimeouts(t *testing.T) {
	const asked = "the deadline of a context is asked for"
	pinned(t, "testdata/beats", map[string]pin{
		"TestTimeoutsInTurn":        {executions: 298},
		"TestTimeoutsOfTwo":         {executions: 19},
		"TestTimeoutFirst":          {executions: 11, panic: "the timeout came first"},
		"TestTimeoutOver":           {executions: 5},
		"TestTimeoutOfCanceled":     {executions: 1},
		"TestTimeoutWithCause":      {executions: 5},
		"TestTimeoutWithin":         {executions: 12},
		"TestTimeoutWithinCanceled": {executions: 4},
		"TestTimeoutWithinLater":    {reason: "which is over first may depend on when that was made"},
		"TestTimeoutAsText":         {executions: 7, reason: asked},
		"TestTimeoutByReflection":   {executions: 8, reason: asked},
	})
	pinned(t, "testdata/wrapped", map[string]pin{"TestWithinWrapped": {executions: 16}})
	pinned(t, "testdata/deadlines", map[string]pin{
		"TestAsks":      {executions: 5},
		"TestAsksLate":  {executions: 5},
		"TestAsksTwo":   {executions: 6},
		"TestAsksInner": {executions: 18},
	})
}

// TestDeadlineIsRead: what a goroutine has still to read of a context is not known from what it has done (TOLD5). In
// the first regime the two ways of the test were taken for one, and its panic was missed.
func TestDeadlineIsRead(t *testing.T) {
	m, p := loadDir(t, "testdata/deadlines")
	for _, e := range p.Entries {
		if e.Name != "TestAsksOneWay" {
			continue
		}
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		if r.Verdict != explore.Exhausted || len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Witness.Panic, "made after a second") {
			t.Errorf("%s, %d findings, %s; want exhausted, and the panic", r.Verdict, len(r.Findings), r.Reason)
		}
		return
	}
	t.Error("there is no TestAsksOneWay")
}

// TestTimersAgain: a loop that starts its timer again in each round comes back to the same state, where timers may
// fire early, too (TOLD2). The numbers of executions are pinned: where each firing led to a state of its own,
// TestAgainBesideTwo took 1,100.
func TestTimersAgain(t *testing.T) {
	pinned(t, "testdata/beats", map[string]pin{
		"TestAgainAlone":     {executions: 3},
		"TestAgainBesideTwo": {executions: 7},
		"TestAgainCounted":   {executions: 4, panic: "the third time"},
		"TestAgainStopped":   {executions: 3},
		"TestAgainByItself":  {executions: 17},
		"TestAgainSlow":      {executions: 13, panic: "due before a timer that was started sooner"},
	})
}

// TestCaptures: what a literal captures by value is no memory of others (CAPTURE1). So goroutines that differ in where
// their variables are have equal futures. The numbers of states are pinned.
func TestCaptures(t *testing.T) {
	pinned(t, "testdata/captures", map[string]pin{
		"TestOwnVariables": {states: 68},
		"TestRounds":       {states: 68},
	})
}
