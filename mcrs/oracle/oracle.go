// Package oracle is brute force: every schedule of a small program, one after the other, with nothing left out. It is
// what the explorers are tested against, so it is written to be believed by reading.
//
// # Method
//
// Search is stateless depth-first search over the tree of decisions (sched.Exhaustive): at each step every enabled
// transition. No reduction, no state, no hash.
//
// SearchStates is for larger programs. It does the same, but stops an execution that comes to a state that was met
// before. A state holds what every goroutine has been told so far. So two executions that meet in one go on in the same
// ways, to the same outcomes. It also holds who knows of which accesses. So they go on to the same races.
//
// What a race is, and what synchronises with what, is written here a second time (races.go). That is on purpose: the
// explorers have theirs from mcrs/race, and share no error with this one.
//
// # Limits
//
// The number of schedules is exponential. Limits.Executions ends the search, and then Result.Complete is false. A
// program that can run for ever has infinitely many schedules.
package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Limits bound a search. Zero means none.
type Limits struct {
	Executions int
	Options    sched.Options // of each execution
	// NoRaces lets SearchStates look for no races: under a relaxed memory model they are those of sequential
	// consistency.
	NoRaces bool
	// Quiet leaves out orders of steps that concern one goroutine alone (QUIET1 to QUIET3). SearchStates only.
	Quiet bool
}

// A Result is what a program can do.
type Result struct {
	Outcomes   map[string]Outcome // by Outcome.String
	Races      map[string]bool    // pairs of sites, as RaceKey gives them
	Closes     map[string]bool    // those of Races that are of a close and a send
	Blocked    map[string]bool    // what BlockedKey gives, "" left out
	Complete   bool               // every schedule was run to its end
	Reason     string             // why Complete is false
	Unseen     string             // what an execution left out (trace.Omission): nobody may call this exhausted
	GoesOn     bool               // unless he knows that nothing new follows: it is only what entries left behind
	Executions int
	Events     int

	added keys   // of the executions that Add was given
	quiet *quiet // nil unless Limits.Quiet is set
}

// NewResult returns a result to Add executions to.
func NewResult() *Result {
	return &Result{Outcomes: make(map[string]Outcome), Races: make(map[string]bool), Closes: make(map[string]bool), Blocked: make(map[string]bool)}
}

// Search runs every schedule of m. each, if not nil, sees every execution.
func Search(m sched.Machine, l Limits, each func(*trace.Trace)) *Result {
	r := NewResult()
	for x := new(sched.Exhaustive); ; {
		t := m.Run(x, l.Options)
		r.Executions++
		r.Events += len(t.Events)
		r.AddRaces(t)
		if each != nil {
			each(t)
		}
		if t.Status == trace.Limit || t.Status == trace.Unsupported {
			if r.Reason == "" {
				r.Reason = t.Reason
			}
		} else {
			r.Add(t)
		}
		if !x.Advance() {
			r.Complete = r.Reason == ""
			return r
		}
		if r.Executions == l.Executions {
			r.Reason = fmt.Sprintf("limit of %d executions reached", l.Executions)
			return r
		}
	}
}

// SearchStates is Search, but goes on from each state of m once. Limits.Executions counts executions that were cut off,
// too.
//
// The races that it meets so have the two accesses next to each other. Goroutines may also touch the same bytes at
// sites that were not seen to race. Then it goes through the states a second time, and tells them apart by who knows of
// these accesses.
func SearchStates(m sched.Machine, l Limits, each func(*trace.Trace)) *Result {
	if l.Quiet {
		return searchQuiet(m, l, each)
	}
	return searchStates(m, l, each, nil)
}

func searchStates(m sched.Machine, l Limits, each func(*trace.Trace), q *quiet) *Result {
	r := NewResult()
	r.quiet = q
	doubts := newDoubts()
	r.searchStates(m, l, &stateful{seen: make(map[[2]uint64]bool), quiet: r.quiet}, func(t *trace.Trace) {
		if !l.NoRaces {
			doubts.look(t)
		}
		if each != nil && t.Status != trace.Stopped && t.Status != trace.Limit && t.Status != trace.Unsupported {
			each(t)
		}
	})
	if r.Complete && doubts.left(r) {
		r.searchStates(m, l, &stateful{seen: make(map[[2]uint64]bool), doubts: doubts, quiet: r.quiet}, func(*trace.Trace) {})
	}
	return r
}

func (r *Result) searchStates(m sched.Machine, l Limits, x *stateful, each func(*trace.Trace)) {
	for n := 1; ; n++ {
		t := m.Run(x, l.Options)
		r.Executions++
		r.Events += len(t.Events)
		if r.quiet.look(t) {
			r.Complete = false
			return
		}
		switch {
		case l.NoRaces:
		case x.doubts == nil:
			r.addAdjacent(t)
		default:
			r.AddRaces(t)
		}
		switch t.Status {
		case trace.Stopped:
			if !l.NoRaces {
				r.addPendingRaces(t, x.enabled)
			}
		case trace.Limit, trace.Unsupported:
			if r.Reason == "" {
				r.Reason = t.Reason
			}
		default:
			r.Add(t)
		}
		each(t)
		if !x.Advance() {
			r.Complete = r.Reason == ""
			return
		}
		if n == l.Executions {
			r.Complete, r.Reason = false, fmt.Sprintf("limit of %d executions reached", l.Executions)
			return
		}
	}
}

// stateful is sched.Exhaustive, and stops at a state that it met before. With doubts, a state says who knows of the
// accesses in doubt, too.
type stateful struct {
	sched.Exhaustive
	seen    map[[2]uint64]bool
	enabled map[int32]bool // the threads that could go on where it stopped
	doubts  *doubts
	history *history // of the execution
	quiet   *quiet
}

// Next implements sched.Scheduler.
func (x *stateful) Next(s *sched.State) int {
	if i := x.quiet.take(s); i >= 0 {
		return i
	}
	if x.AtEnd() {
		h := [2]uint64{s.Hash()}
		if x.doubts != nil {
			x.history = x.history.of(s.Trace)
			h[1] = x.history.knowledge(x.doubts)
		}
		if x.seen[h] {
			x.enabled = make(map[int32]bool)
			for _, t := range s.Enabled {
				x.enabled[t.Thread] = true
			}
			return sched.Stop
		}
		x.seen[h] = true
	}
	return x.Exhaustive.Next(s)
}

// addPendingRaces records the races of the last event with what comes next, where the execution is stopped before that:
// a write, and every access that another goroutine stands at. The write would also be next if the other access came
// first. So a read before a write is met with the two the other way round. An operation on a lock must be enabled.
func (r *Result) addPendingRaces(t *trace.Trace, enabled map[int32]bool) {
	last := r.loudBefore(t, len(t.Events))
	if last < 0 {
		return
	}
	a := &t.Events[last]
	if _, touches := event.Touches(a); !a.Kind.IsWrite() && a.Kind != event.WaitGroupWait && a.Kind != event.ChanClose && touches == 0 {
		return
	}
	for i := range t.Threads {
		op := t.Threads[i].Pending
		if op == nil || event.Bytes(op.Kind, op.Loc, op.Key).Size > 0 && op.Kind != event.WaitGroupAdd && !enabled[int32(i)] {
			continue
		}
		b := event.Event{Thread: int32(i), Kind: op.Kind, Loc: op.Loc, Key: op.Key}
		if b.Kind == event.WaitGroupAdd { // after a Wait the counter is zero
			b.Value, b.Other = op.Key, int64(op.Key)
		}
		if a.Kind == event.ChanClose && b.Loc.Addr == a.Loc.Addr && b.Kind == event.ChanSend { // it will find it closed
			b.Other = -1
		}
		if b.Kind == event.TryLock && frees(t, a, b.Loc.Addr) {
			b.Value = 1
		}
		if adjacent(a, &b) {
			b.Site = op.Site
			r.addRace(a, &b)
		}
	}
}

// frees reports whether a write overwrites the Mutex at an address with a free one.
func frees(t *trace.Trace, e *event.Event, addr uint64) bool {
	at, v := int64(addr-e.Loc.Addr), e.Value
	if !e.Kind.IsWrite() || !e.Kind.IsAccess() || addr < e.Loc.Addr || at >= int64(e.Loc.Size) {
		return false
	}
	if e.Kind == event.AtomicRMW {
		v = uint64(e.Other)
	}
	if e.Loc.Size > 8 {
		return t.Bytes[e.Other+at] == 0
	}
	return byte(v>>(8*at)) == 0
}

// Add records the outcome and the blocked set of an execution.
func (r *Result) Add(t *trace.Trace) {
	if !r.added.fresh(t) {
		return
	}
	o := OutcomeOf(t)
	r.Outcomes[o.String()] = o
	if t.Unseen != "" {
		r.GoesOn = t.GoesOn && (r.GoesOn || r.Unseen == "")
		r.Unseen = max(r.Unseen, t.Unseen)
	}
	if b := BlockedKey(t); b != "" {
		r.Blocked[b] = true
	}
}

// Merge adds what another result shows.
func (r *Result) Merge(o *Result) {
	maps.Copy(r.Outcomes, o.Outcomes)
	maps.Copy(r.Races, o.Races)
	maps.Copy(r.Blocked, o.Blocked)
}

// RaceKey names a pair of sites, in either order.
func RaceKey(a, b event.Site) string { return fmt.Sprintf("%d %d", min(a, b), max(a, b)) }

// BlockedKey names the threads that a deadlock or a leak left behind, and where
// they stand; "" if the execution has neither.
func BlockedKey(t *trace.Trace) string {
	var parts []string
	for i := range t.Threads {
		if th := &t.Threads[i]; th.Pending != nil && (t.Status == trace.Deadlocked || th.Leaked) {
			parts = append(parts, fmt.Sprintf("%s %v at %d", th.ID, th.Pending.Kind, th.Pending.Site))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// An Outcome is, for each goroutine, what its operations returned, and the failure, if any.
type Outcome struct {
	Threads map[event.ThreadID]string
	Failure string // the text of the panic, or the failing test's first message, and whose
	Blocked string // BlockedKey
	// Cut says that a panic or an exit ended the program while others could go on.
	Cut bool
}

// OutcomeOf returns the outcome of an execution.
func OutcomeOf(t *trace.Trace) Outcome {
	o := Outcome{Threads: make(map[event.ThreadID]string), Blocked: BlockedKey(t)}
	replies := make([]strings.Builder, len(t.Threads))
	for i := range t.Events {
		replies[t.Events[i].Thread].WriteString(Told(trace.ReplyOf(&t.Events[i])))
	}
	for i := range t.Threads {
		if replies[i].Len() == 0 && strings.HasPrefix(string(t.Threads[i].ID), "T/") {
			continue // of a timer that could have fired: no outcome of the program's
		}
		o.Threads[t.Threads[i].ID] = replies[i].String()
	}
	if n := len(t.Events); n > 0 {
		o.Cut = t.Events[n-1].Kind.EndsProgram()
	}
	if t.Status == trace.Failed {
		o.Failure = fmt.Sprintf("%s %s", t.Threads[t.PanicThread].ID, t.Panic)
	}
	for _, f := range t.Failures {
		o.Failure += fmt.Sprintf("; %s %s", t.Threads[f.Thread].ID, f.Message)
	}
	return o
}

func (o Outcome) String() string {
	var parts []string
	for id, replies := range o.Threads {
		parts = append(parts, fmt.Sprintf("%s: %s", id, replies))
	}
	slices.Sort(parts)
	return strings.Join(append(parts, o.Failure, o.Blocked), "\n")
}

// Extends reports whether o shows all that p shows: they are equal, or the
// program was cut off in both, by the same failure, and each thread went at least as far in o.
func (o Outcome) Extends(p Outcome) bool {
	if !o.Cut || !p.Cut {
		return o.String() == p.String()
	}
	for id, replies := range p.Threads {
		if !strings.HasPrefix(o.Threads[id], replies) {
			return false
		}
	}
	return o.Failure == p.Failure
}

// Missing lists what r shows and got does not: outcomes that nothing in got
// extends, races and blocked sets.
func (r *Result) Missing(got *Result) []string {
	var out []string
next:
	for s, o := range r.Outcomes {
		if _, ok := got.Outcomes[s]; ok {
			continue
		}
		if o.Cut {
			for _, g := range got.Outcomes {
				if g.Extends(o) {
					continue next
				}
			}
		}
		out = append(out, "outcome "+s)
	}
	for k := range r.Races {
		if !got.Races[k] {
			out = append(out, "race "+k)
		}
	}
	for k := range r.Blocked {
		if !got.Blocked[k] {
			out = append(out, "blocked "+k)
		}
	}
	slices.Sort(out)
	return out
}
