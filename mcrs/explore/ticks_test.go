package explore

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A readers is a machine in whose executions two goroutines read the clock. From one execution on they go another way
// with a clock that moves at each reading.
type readers struct{ runs, from int }

func (m *readers) Run(_ sched.Scheduler, o sched.Options) *trace.Trace {
	t := &trace.Trace{Diverged: -1, Clockwork: trace.Clockwork{ClockReaders: 3}}
	if !o.Ticking {
		m.runs++
	} else if m.from > 0 && m.runs >= m.from {
		t.Status = trace.Deadlocked
	}
	return t
}

// TestAsksClocks has 100 executions of two readers of the clock.
func TestAsksClocks(t *testing.T) {
	for _, tt := range []struct {
		name    string
		from    int  // the first execution that can tell
		limited bool // the exploration comes to a limit at its end
		resumed bool // that it was incomplete is taken back then
		reason  string
		replays int
	}{
		{"none can tell", 0, false, false, "", 100},
		{"the last can tell", 100, false, false, tellsClocks, 8},
		{"all can tell", 1, false, false, tellsClocks, 1},
		{"a limit, and none can tell", 0, true, false, stoppedRuns, 7},
		{"a limit, and some can tell", 60, true, false, tellsClocks, 7},
		{"some can tell, and it goes on where it waited", 60, false, true, tellsClocks, 7},
	} {
		s := NewSession(&readers{from: tt.from}, Limits{})
		for range 100 {
			s.Execute(sched.RunToBlock{})
		}
		if tt.limited {
			s.Incomplete(stoppedRuns)
		}
		if tt.resumed {
			s.Result.Verdict, s.Result.Reason = Exhausted, ""
		}
		r := s.Close()
		if r.Reason != tt.reason || (r.Verdict == Exhausted) != (tt.reason == "") || r.Stats.Replays != tt.replays {
			t.Errorf("%s: %s %q after %d replays, want %q after %d", tt.name, r.Verdict, r.Reason, r.Stats.Replays, tt.reason, tt.replays)
		}
	}
}

// TestAsksClocksWithinLimits has no work left for what was to be asked at the end.
func TestAsksClocksWithinLimits(t *testing.T) {
	s := NewSession(&readers{}, Limits{Work: 10 * runWork})
	for range 6 {
		s.Execute(sched.RunToBlock{})
	}
	if r := s.Close(); r.Reason != stoppedWork || !r.OfWork {
		t.Errorf("%s %q", r.Verdict, r.Reason)
	}
}
