package format

import (
	"io"
	"strings"

	"github.com/heddle-go/heddle/runner/outcome"
)

// A traceEvent is an event of the Trace Event Format (Chromium project, "Trace Event Format", 2016), which
// ui.perfetto.dev and chrome://tracing open.
type traceEvent struct {
	Name  string         `json:"name"`
	Phase string         `json:"ph"`
	Time  int            `json:"ts"` // in microseconds
	Dur   int            `json:"dur,omitempty"`
	Pid   int            `json:"pid"`
	Tid   int            `json:"tid"`
	Cat   string         `json:"cat,omitempty"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// Each step of a schedule takes a slot of stepTime, of which it fills stepDur: a schedule has an order and no times.
const (
	stepTime = 1000
	stepDur  = 900
)

// Perfetto writes a replay as a trace: a thread for each goroutine, a slice for each step, a flow for each arrow.
func Perfetto(w io.Writer, r *outcome.Replay) error {
	events := []traceEvent{{Name: "process_name", Phase: "M", Args: map[string]any{"name": r.Package + " " + r.Entry}}}
	if len(r.Findings) > 0 && r.Findings[0].Schedule != nil {
		events = append(events, schedule(&r.Findings[0])...)
	}
	return indented(w, map[string]any{"traceEvents": events, "displayTimeUnit": "ms", "metadata": map[string]any{"heddle": r.Heddle}})
}

func schedule(f *outcome.Finding) (out []traceEvent) {
	d := f.Schedule
	lane := map[int]int{} // step to its lane
	for i, l := range d.Lanes {
		out = append(out, traceEvent{Name: "thread_name", Phase: "M", Tid: i + 1, Args: map[string]any{"name": l.ID}},
			traceEvent{Name: "thread_sort_index", Phase: "M", Tid: i + 1, Args: map[string]any{"sort_index": i}})
	}
	for _, s := range d.Steps {
		lane[s.N] = s.Lane
		name, cat := s.Text, "step"
		if name == "" {
			name = strings.Join(s.Notes, "; ")
		}
		if s.Final {
			cat = "failure"
		}
		out = append(out, traceEvent{Name: name, Phase: "X", Time: s.N * stepTime, Dur: stepDur, Tid: s.Lane + 1, Cat: cat,
			Args: map[string]any{"step": s.N, "at": s.At, "did": strings.Join(s.Notes, "; ")}})
	}
	for i, a := range d.Arrows {
		out = append(out,
			traceEvent{Name: string(a.Cause), Phase: "s", Time: a.From*stepTime + stepDur/2, Tid: lane[a.From] + 1, Cat: "order", ID: i + 1},
			traceEvent{Name: string(a.Cause), Phase: "f", Time: a.To*stepTime + stepDur/2, Tid: lane[a.To] + 1, Cat: "order", ID: i + 1, Bind: "e"})
	}
	return out
}

// ReplayJSON writes a replay in the form that docs/output.md describes.
func ReplayJSON(w io.Writer, r *outcome.Replay) error { return indented(w, r) }
