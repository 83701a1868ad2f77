package report

import (
	"cmp"
	"go/token"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file gives the witness as data for formats that draw: lanes, steps and the arrows between them. The steps are
// those of the table, with nothing folded.

// A Diagram is the witness of a finding as a space–time diagram: a lane for each goroutine, time from top to bottom.
type Diagram struct {
	Lanes  []Lane  `json:"lanes"`
	Steps  []Step  `json:"steps"`
	Arrows []Arrow `json:"arrows"`
}

// A Lane is a goroutine, or a thread of the clock, that has a step.
type Lane struct {
	ID string `json:"id"`
	// Started says who started it and where ("G1 at pool.go:12"), "" for the goroutine of the entry.
	Started string `json:"started,omitempty"`
	// Blocked says what it waits for when the witness ends, "" if it waits for nothing.
	Blocked string `json:"blocked,omitempty"`
}

// A Step is what one goroutine did on one line without another goroutine in between.
type Step struct {
	N    int `json:"n"`    // from 1
	Lane int `json:"lane"` // index in Lanes
	// At is the line as messages name it, Pos the same with the file's full name. Both are empty for the clock.
	At  string         `json:"at,omitempty"`
	Pos token.Position `json:"-"`
	// Text is the source of the line, Notes what was done there.
	Text  string   `json:"text,omitempty"`
	Notes []string `json:"notes"`
	// Switch says that another goroutine had the step before.
	Switch bool `json:"switch,omitempty"`
	// Final marks the steps that make the failure: both accesses of a race, the panic, each blocked operation.
	Final bool `json:"final,omitempty"`
	// Folded says that the table leaves the step out: it is in the middle of a long run of one goroutine.
	Folded bool `json:"folded,omitempty"`
}

// A Cause says why one step comes before another one.
type Cause string

// The causes of arrows.
const (
	Reads    Cause = "value"   // the later step reads what the earlier one wrote
	Receives Cause = "message" // it receives what the earlier one sent, or finds the channel closed
	Acquires Cause = "lock"    // it takes the lock that the earlier one gave back
	Starts   Cause = "start"   // it is the first of the goroutine that the earlier one started
	Wakes    Cause = "wake"    // it ends a wait that the earlier one made ready: WaitGroup, Cond, Once
)

// An Arrow leads from one step to a later one, in another lane.
type Arrow struct {
	From  int   `json:"from"` // numbers of steps
	To    int   `json:"to"`
	Cause Cause `json:"cause"`
}

// Diagram returns the diagram of a finding, nil if it has no witness or nothing to show.
func (v *View) Diagram(f *Finding) *Diagram {
	if f.Witness == nil {
		return nil
	}
	steps, stepOf := v.steps(f)
	if len(steps) == 0 {
		return nil
	}
	threads := columns(steps)
	d := &Diagram{}
	for _, i := range threads {
		d.Lanes = append(d.Lanes, v.lane(f, i))
	}
	for i := range steps {
		s := &steps[i]
		d.Steps = append(d.Steps, Step{
			N: s.n, Lane: slices.Index(threads, s.thread), At: s.at, Pos: s.pos, Text: s.text, Notes: s.notes,
			Switch: i > 0 && steps[i-1].thread != s.thread, Final: s.final,
		})
	}
	shown := map[int]bool{}
	for _, r := range foldRuns(steps) {
		if r.folded == 0 {
			shown[r.n] = true
		}
	}
	for i := range d.Steps {
		d.Steps[i].Folded = !shown[d.Steps[i].N]
	}
	d.Arrows = arrows(f.Witness, steps, stepOf)
	return d
}

func (v *Code) lane(f *Finding, i int) Lane {
	t := f.Witness
	l := Lane{ID: id(t, i)}
	th := &t.Threads[i]
	if start := v.startFrames(t, i); start != nil && th.Parent >= 0 {
		l.Started = id(t, int(th.Parent)) + " at " + v.place(start)
	}
	if x := f.ends(); slices.Contains(x.Threads, i) && (x.Category == Deadlock || x.Category == GoroutineLeak || x.Category == Livelock) {
		l.Blocked = waits(th)
	}
	return l
}

// arrows returns what orders the steps of different goroutines, by the step it leads to.
func arrows(t *trace.Trace, steps []step, stepOf []int) []Arrow {
	var out []Arrow
	seen := map[Arrow]bool{}
	add := func(from, to int, c Cause) {
		if from < 0 || to < 0 || from >= len(stepOf) || to >= len(stepOf) {
			return
		}
		a, b := stepOf[from], stepOf[to]
		if a < 0 || b < 0 || a >= b || steps[a].thread == steps[b].thread {
			return
		}
		if arrow := (Arrow{steps[a].n, steps[b].n, c}); !seen[arrow] {
			seen[arrow] = true
			out = append(out, arrow)
		}
	}
	values, order := readsFrom(t), ordering(t)
	for i := range t.Events {
		switch e := &t.Events[i]; {
		case e.Kind == event.ChanRecv:
			add(values[i], i, Receives)
		default:
			add(values[i], i, Reads)
		}
		add(order[i].from, i, order[i].cause)
	}
	first := map[int]int{} // thread to its first step
	for i := range steps {
		if _, ok := first[steps[i].thread]; !ok {
			first[steps[i].thread] = i
		}
	}
	for thread, to := range first {
		spawn := int(t.Threads[thread].Spawn)
		if spawn < 0 || spawn >= len(stepOf) || stepOf[spawn] < 0 || stepOf[spawn] >= to {
			continue
		}
		out = append(out, Arrow{steps[stepOf[spawn]].n, steps[to].n, Starts})
	}
	slices.SortFunc(out, func(a, b Arrow) int {
		return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From), cmp.Compare(a.Cause, b.Cause))
	})
	return out
}

type ordered struct {
	from  int // index of an event, -1 if none
	cause Cause
}

// ordering returns, for each event that waits for another goroutine's, the last one that let it go on.
func ordering(t *trace.Trace) []ordered {
	out := make([]ordered, len(t.Events))
	last := map[uint64]int{} // object to the event that gave it back or made it ready last
	for i := range t.Events {
		e := &t.Events[i]
		out[i] = ordered{from: -1}
		from, ok := last[e.Loc.Addr]
		switch k := e.Kind; {
		case k.Gives():
			last[e.Loc.Addr] = i
			continue
		case !k.Takes() || k.Tries() && e.Value != 1:
			continue
		case k.Object() == event.Mutex:
			out[i].cause = Acquires
		default:
			out[i].cause = Wakes
		}
		if ok {
			out[i].from = from
		}
	}
	return out
}
