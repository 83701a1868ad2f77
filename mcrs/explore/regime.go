package explore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says in a replay token how the witness was run, where that is not the usual way.

// A Regime is how a witness was run. The zero one is the usual way.
type Regime struct {
	Timing bool
	// EarlyMost, with Timing, bounds what may be early (sched.Options); 0 is as much as may.
	EarlyMost int
	Memory    event.MemoryModel
	// Clocks says that readings of the clock were visible operations (TICK4).
	Clocks bool
	// Robust says of a finding of category Robustness what it shows (ShownBy), "" of another.
	Robust string
	// Leaks says that the finding is a leak by -leaks=all.
	Leaks bool
}

// RegimeTiming is the name of the second regime of time in replay tokens; that of the first is "".
const RegimeTiming = "timing"

const (
	earlyMark  = ":"            // between RegimeTiming and EarlyMost
	robustMark = "+robustness:" // between the memory model and Robust
	clocksMark = "+clocks"      // before that
	leaksMark  = "+leaks"       // at the end
)

// RegimeOf is that of a finding. allLeaks says that it was met with -leaks=all.
func RegimeOf(f *report.Finding, allLeaks bool) Regime {
	r := Regime{Timing: f.Timing, EarlyMost: f.EarlyMost, Memory: f.Memory, Clocks: f.Clocks}
	leak := f.Category == report.GoroutineLeak
	if f.Category == report.Robustness {
		r.Robust = ShownBy(f)
		leak = f.Leads != nil && f.Leads.Category == report.GoroutineLeak
	}
	r.Leaks = allLeaks && leak
	return r
}

// String is the regime in a token.
func (r Regime) String() (s string) {
	switch {
	case r.Timing && r.EarlyMost > 0:
		s = fmt.Sprint(RegimeTiming, earlyMark, r.EarlyMost)
	case r.Timing:
		s = RegimeTiming
	case r.Memory != event.SC:
		s = r.Memory.String()
	}
	if r.Clocks {
		s += clocksMark
	}
	if r.Robust != "" {
		s += robustMark + r.Robust
	}
	if r.Leaks {
		s += leaksMark
	}
	return s
}

// ParseRegime is the inverse of String.
func ParseRegime(text string) (r Regime, err error) {
	s, all := strings.CutSuffix(text, leaksMark)
	r.Leaks = all
	s, r.Robust, _ = strings.Cut(s, robustMark)
	s, r.Clocks = strings.CutSuffix(s, clocksMark)
	name, most, bound := strings.Cut(s, earlyMark)
	if r.Timing = name == RegimeTiming && !bound; r.Timing || s == "" {
		return r, nil
	}
	if name == RegimeTiming {
		if r.EarlyMost, err = strconv.Atoi(most); err == nil && r.EarlyMost > 0 {
			r.Timing = true
			return r, nil
		}
	}
	if r.Memory, err = event.ParseMemoryModel(s); err != nil {
		return r, fmt.Errorf("the token's regime, %q, is none that this version knows", text)
	}
	return r, nil
}

// Machine returns m in the regime.
func (r Regime) Machine(m sched.Machine) sched.Machine {
	if r.Leaks {
		m = LeaksAll.Leaking(m)
	}
	if r.Clocks {
		m = InClocks(m)
	}
	if r.Timing {
		m = BoundEarly(InTimingRegime(m, TimingAll), r.EarlyMost)
	}
	return InMemory(m, r.Memory)
}

// Shown lists what a replay in the regime shows.
func (r Regime) Shown(w *trace.Trace) (out []report.Finding) {
	out = Shown(w)
	if r.Robust != "" {
		out = nil
		if f := Relaxed(w, r.Memory, r.Robust); f != nil {
			out = append(out, *f)
		}
	}
	for i := range out {
		out[i].Timing, out[i].EarlyMost, out[i].Memory, out[i].Clocks = r.Timing, r.EarlyMost, r.Memory, r.Clocks
	}
	return out
}
