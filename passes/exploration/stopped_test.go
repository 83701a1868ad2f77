package exploration

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// TestInterruptedIsNotKept shows that nothing is kept once somebody has asked the exploration to stop: what was found
// until then is not all there is.
func TestInterruptedIsNotKept(t *testing.T) {
	stop := new(explore.Stop)
	k := &keeper{stop: stop, c: &closure.Result{Recipe: new(program.Recipe)}}
	if !k.unchanged() {
		t.Fatal("a program without files has changed")
	}
	stop.Ask()
	if k.unchanged() || k.keepable(&EntryResult{Result: new(explore.Result)}) {
		t.Error("the result of an interrupted exploration would be kept")
	}
}

// TestInterruptedBetweenTurns shows that an entry whose second turn does not come is never called exhausted, even if
// its first turn came to its end (its witness may be longer than with the whole limit), and that the first turn's own
// result stays as it is.
func TestInterruptedBetweenTurns(t *testing.T) {
	stop := new(explore.Stop)
	stop.Ask()
	for _, first := range []explore.Result{
		{Verdict: explore.Exhausted, OfWork: true},
		{Verdict: explore.Incomplete, OfWork: true, Reason: "stopped at the limit"},
		{Verdict: explore.Incomplete, OfWork: true, TimeDone: explore.TimeDone{FirstDone: true}, Reason: "stopped at the limit"},
	} {
		was := first
		out := new(Result).secondTurn(nil, nil, Watcher{Turns: new(Turns), Stop: stop}, &turn{first: EntryResult{Result: &first}})
		v := out.Verdict()
		if want := map[bool]verdict.Kind{false: verdict.Sampled, true: verdict.InTime}[was.FirstDone]; v.Kind != want || v.Reason != explore.Interrupted || !out.Result.Interrupted {
			t.Errorf("of %s %q it is %s: %s", was.Verdict, was.Reason, v.Word(), v.Reason)
		}
		if first.Verdict != was.Verdict || first.Reason != was.Reason || first.Interrupted {
			t.Errorf("the first turn's result was %s %q, and is %s %q", was.Verdict, was.Reason, first.Verdict, first.Reason)
		}
	}
}

// TestInterruptedRefused: an entry that was refused something says what, also if its second turn does not come.
func TestInterruptedRefused(t *testing.T) {
	stop := new(explore.Stop)
	stop.Ask()
	for _, failed := range []bool{false, true} {
		first := explore.Result{Verdict: explore.Incomplete, OfWork: true, Reason: "files", Then: map[bool]string{false: "stopped at the limit", true: "then the entry failed"}[failed],
			Refused: &trace.Refusal{What: "files", Failed: failed}}
		out := new(Result).secondTurn(nil, nil, Watcher{Turns: new(Turns), Stop: stop}, &turn{first: EntryResult{Result: &first}})
		want := map[bool]string{false: explore.Interrupted, true: "then the entry failed"}[failed]
		if v := out.Verdict(); v.Kind != verdict.Refused || v.Reason != "files; "+want || !out.Result.Interrupted {
			t.Errorf("%s: %s, want refused: files; %s", v.Kind, v.Reason, want)
		}
	}
}
