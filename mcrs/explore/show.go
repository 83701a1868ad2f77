package explore

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file shows a finding again that an earlier exploration of the same program had.

// Show runs the seed of f on m and returns the finding anew, with its witness; nil if the run does not show it, or is
// another. Of f the category, that of what it leads to, the seed, the events, the threads, Timing, EarlyMost, Memory
// and Clocks are used. lim and t are those of the exploration.
func Show(m sched.Machine, lim Limits, t Timing, f report.Finding) *report.Finding {
	if f.Clocks {
		m = InClocks(m)
	}
	if f.Timing {
		m = BoundEarly(InTimingRegime(m, t), f.EarlyMost)
	}
	if f.Memory != event.SC {
		m = InMemory(m, f.Memory)
	}
	lim = lim.withDefaults()
	w := m.Run(sched.NewReplay(f.Seed, sched.RunToBlock{}),
		sched.Options{MaxEvents: withOwn(lim.Events, DefaultEvents), MaxSteps: lim.Steps, MaxMemory: lim.Memory, Stacks: true, Steps: len(f.Seed)})
	if !slices.Equal(sched.SeedOf(w), f.Seed) {
		return nil
	}
	all := append(Failures(w), Apart(w)...)
	if f.Category == report.Robustness {
		all = nil
		if x := Relaxed(w, f.Memory, ShownBy(&f)); x != nil {
			all = []report.Finding{*x}
		}
	}
	for _, x := range all {
		if x.Category == f.Category && slices.Equal(x.Events, f.Events) && slices.Equal(x.Threads, f.Threads) {
			x.Seed, x.Timing, x.EarlyMost, x.Memory, x.Clocks = f.Seed, f.Timing, f.EarlyMost, f.Memory, f.Clocks
			return &x
		}
	}
	return nil
}
