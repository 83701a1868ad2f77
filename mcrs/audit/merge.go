package audit

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file audits names. A name is sched.Local, with what union puts beside it. Where two histories of a goroutine
// lead to one name, the goroutine stands at the same operation. With the same answer it does the same to others, fails
// in the same way, and comes to one name again. One step of each pair is enough: the rest follows step by step.

// A Merge collects histories of the goroutines of an entry.
type Merge struct {
	// Name names what a goroutine can see; nil: its digest. For tests of the audit itself.
	Name   func(sched.Local) uint64
	places map[string]*spot
	Met    int // histories that led to a name that another one had led to
	byPast map[string]map[string]bool
}

// A spot is what is known of a goroutine in a state.
type spot struct {
	op    string
	steps map[string]string // by answer: what it did, and what it came to
}

// NewMerge returns one that knows nothing.
func NewMerge() *Merge {
	return &Merge{places: map[string]*spot{}, byPast: map[string]map[string]bool{}}
}

// A notes is a scheduler that decides as another one does, and notes where goroutines stand.
type notes struct {
	sched.Scheduler
	m      *machine.Machine
	timing bool              // the second regime of time
	ops    map[string]string // by thread and number of its event
	raw    map[string]event.Op
	locals map[string]sched.Local
	nows   map[string]int64 // by its bubble's clock, when it performed an operation
	wrote  map[int]string   // by event that writes an object or a file: the state in which its goroutine did
}

func at(id event.ThreadID, seq int32) string { return fmt.Sprintf("%s#%d", id, seq) }

// Next implements sched.Scheduler.
func (n *notes) Next(s *sched.State) int {
	for i := range s.Threads {
		th := &s.Threads[i]
		if th.Op == nil {
			continue
		}
		k := at(th.ID, th.Seq)
		if _, ok := n.ops[k]; ok {
			continue
		}
		op := *th.Op
		if op.Kind == event.CondWait || op.Kind == event.Sleep {
			op.Key = 0 // a ticket; a matter of the bounds of time (UTIME15 of package spec)
		}
		if th.Bubble == 0 {
			op.Deadline = 0 // a matter of the clock: After says how long it sleeps (UTIME9 of package spec)
		}
		n.ops[k] = fmt.Sprintf("%+v at %s", op, n.m.Position(op.Site))
		n.raw[k], n.locals[k] = op, s.Local(i)
	}
	next := n.Scheduler.Next(s)
	if next >= 0 && next < len(s.Enabled) {
		for _, i := range []int32{s.Enabled[next].Thread, s.Enabled[next].Partner} {
			if i < 0 {
				continue
			}
			if now, ok := n.m.BubbleNow(int(i)); ok {
				n.nows[at(s.Threads[i].ID, s.Threads[i].Seq)] = now
			}
		}
	}
	return next
}

// within reports whether the event e is a step of an operation of an RWMutex that goes on with that of a number. The
// name of the state between may still hold the result of the call before, which nobody reads any more. Then one state
// has two names, and nothing is lost but that they meet.
func (n *notes) within(id event.ThreadID, seq int32, e *event.Event) bool {
	op, ok := n.raw[at(id, seq)]
	return ok && op.Site == e.Site && op.Kind.Object() == event.Mutex && e.Kind.Object() == event.Mutex && op.Loc.Addr != e.Loc.Addr
}

// digest is the name of what a goroutine can see where it stands, "" if there is none.
func (n *notes) digest(id event.ThreadID, seq int32) string {
	if l := n.locals[at(id, seq)]; l.Known {
		return fmt.Sprintf("%x", l.Digest)
	}
	return ""
}

// Execute runs the entry under s, and adds what its goroutines do.
func (m *Merge) Execute(x *Subject, s sched.Scheduler, found func(string)) {
	n := &notes{s, x.Machine, x.Options.Timing, map[string]string{}, map[string]event.Op{}, map[string]sched.Local{}, map[string]int64{}, map[int]string{}}
	if x.run == nil {
		x.run = x.Machine.Entry(x.Entry)
	}
	t := x.run.Run(n, x.Options)
	if t.Status == trace.Limit || t.Status == trace.Unsupported {
		return
	}
	ways := map[int32]*way{}
	for i := range t.Events {
		e := &t.Events[i]
		w := ways[e.Thread]
		if w == nil {
			w = &way{id: t.Threads[e.Thread].ID, history: fmt.Sprint(startOf(t, e.Thread))}
			w.name = m.nameOf(w, n, 0)
			ways[e.Thread] = w
		}
		m.step(w, n, t, i, found)
	}
}

// A way is the history of a goroutine in an execution.
type way struct {
	id                  event.ThreadID
	history, past, name string // history: what it was told, in few bytes
	locks               []string
}

// grows adds an answer to a history. A history as a text would be as long as the execution, and each state has one.
func (w *way) grows(answer string) { w.history = brief(w.history + "; " + answer) }

// brief stands for a text of any length.
func brief(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// state names what a goroutine is: by its name, or by its history where it has none.
func (w *way) state() string { return cmp.Or(w.name, fmt.Sprintf("%s %s", w.id, w.history)) }

// startOf names how a thread started.
func startOf(t *trace.Trace, thread int32) uint64 {
	if s := t.Threads[thread].Spawn; s >= 0 {
		return t.Events[s].Value
	}
	return 0
}

// nameOf names the state before the seq-th event, as union does: by the digest, what was done in silence, and the locks
// held. It is "" if the state has no name.
func (m *Merge) nameOf(w *way, n *notes, seq int32) string {
	l, ok := n.locals[at(w.id, seq)]
	if !ok {
		return ""
	}
	if l.Silent || !l.Known {
		w.past = w.history
	}
	if !l.Known || seq == 0 {
		return ""
	}
	slices.Sort(w.locks)
	name := l.Digest
	if m.Name != nil {
		name = m.Name(l)
	}
	return fmt.Sprintf("%s %x %s %v", w.id, name, w.past, w.locks)
}

// step adds an event of a goroutine.
func (m *Merge) step(w *way, n *notes, t *trace.Trace, i int, found func(string)) {
	e := &t.Events[i]
	answer := n.answerOf(t, i)
	if now, ok := n.nows[at(w.id, e.Seq)]; ok {
		answer += fmt.Sprint(" at ", now) // whatever it is told, it is told the time (UTIME4)
	}
	before := w.name
	op := n.ops[at(w.id, e.Seq)]
	if e.Kind == event.ObjectWrite || e.Kind == event.FileWrite {
		n.wrote[i] = brief(w.state())
	}
	w.grows(answer)
	w.hold(e)
	w.name = m.nameOf(w, n, e.Seq+1)
	if before == "" || strings.HasPrefix(string(w.id), "T/") {
		return
	}
	p := m.places[before]
	if p == nil {
		p = &spot{op: op, steps: map[string]string{}}
		m.places[before] = p
		m.byPast[before] = map[string]bool{}
	}
	if !m.byPast[before][w.history] {
		if m.byPast[before][w.history] = true; len(m.byPast[before]) > 1 {
			m.Met++
		}
	}
	did := effectOf(t, i) + " then " + n.ops[at(w.id, e.Seq+1)] + " named "
	if !n.within(w.id, e.Seq+1, e) {
		did += n.digest(w.id, e.Seq+1)
	}
	known, ok := p.steps[answer]
	switch {
	case p.op != op && op != "":
		found(fmt.Sprintf("%s in one state stands at %s, and at %s", w.id, p.op, op))
	case !ok:
		p.steps[answer] = did
	case known != did && n.ops[at(w.id, e.Seq+1)] != "" && !strings.Contains(known, "then  named"):
		found(fmt.Sprintf("%s in one state, at %s, told %s:\n    %s\n    %s", w.id, op, answer, known, did))
	}
}

// hold notes the locks that an event takes or gives back.
func (w *way) hold(e *event.Event) {
	drop := func(what string) {
		if i := slices.Index(w.locks, fmt.Sprintf("%s %x", what, e.Loc.Addr)); i >= 0 {
			w.locks = slices.Delete(w.locks, i, i+1)
		}
	}
	take := func(what string) { w.locks = append(w.locks, fmt.Sprintf("%s %x", what, e.Loc.Addr)) }
	switch e.Kind {
	case event.Lock:
		drop("announced")
		take("lock")
	case event.LockAnnounce:
		take("announced")
	case event.RLock:
		take("read")
	case event.TryLock, event.TryRLock, event.OnceBegin:
		if e.Value == 1 {
			take(map[event.Kind]string{event.TryLock: "lock", event.TryRLock: "read", event.OnceBegin: "once"}[e.Kind])
		}
	case event.Unlock:
		drop("lock")
	case event.RUnlock:
		drop("read")
	case event.OnceEnd:
		drop("once")
	}
}

// answerOf is what an operation told its goroutine, and when (UTIME4 of package spec).
func (n *notes) answerOf(t *trace.Trace, i int) string {
	e := &t.Events[i]
	now := t.Start
	for _, c := range t.Clock {
		if int(c.Event) <= i {
			now = c.Now
		}
	}
	if n.timing && e.Kind != event.TimerFire && !spec.ReadsClock(&event.Op{Kind: e.Kind, Loc: e.Loc}) {
		now = 0
	}
	s := fmt.Sprintf("%+v %d", trace.ReplyOf(e), now)
	if e.Loc.Size > 8 { // an interface or a string: what it leads to is read without events (UMEM2)
		var all strings.Builder
		for _, p := range t.Published {
			if p.Unlogged && int(p.Event) <= i {
				fmt.Fprintf(&all, "%x %x ", p.Addr, t.Bytes[p.Offset:p.Offset+p.Size])
			}
		}
		s += " with " + brief(all.String())
	}
	switch e.Kind {
	case event.AtomicRMW, event.AtomicLoad:
		s += fmt.Sprint(" found ", e.Key)
	case event.CondAdd: // the ticket, which the program cannot see, stays in a register
		s += fmt.Sprint(" ticket ", e.Value)
	case event.ObjectRead, event.ObjectWrite: // what it finds is all that was done to the object, each write by a goroutine in a state (UOBJ1 of package spec)
		s += n.writesBefore(t, i, func(f *event.Event) bool { return f.Kind == event.ObjectWrite && f.Loc == e.Loc })
	case event.FileRead, event.FileWrite: // likewise, of an entry (UFILE1)
		s += n.writesBefore(t, i, func(f *event.Event) bool {
			return f.Kind == event.FileWrite && f.Loc.Addr == e.Loc.Addr && (f.Key == e.Key || f.Key == 0 || e.Key == 0)
		})
	}
	return s
}

// writesBefore names the writes among the events before one, in their order.
func (n *notes) writesBefore(t *trace.Trace, i int, writes func(*event.Event) bool) string {
	count, all := 0, ""
	for j := range t.Events[:i] {
		if f := &t.Events[j]; writes(f) {
			count++
			all = brief(fmt.Sprintf("%s %s %x", all, n.wrote[j], f.Key))
		}
	}
	return fmt.Sprintf(" after %d writes %s", count, all)
}

// effectOf is what an operation did, as others can see it: what it wrote and published, whom it started, how it failed.
func effectOf(t *trace.Trace, i int) string {
	e := &t.Events[i]
	s := fmt.Sprintf("%v %+v %x", e.Kind, e.Loc, e.Site)
	switch {
	case e.Kind.IsWrite():
		s += fmt.Sprintf(" %x", e.Value)
		if n := int64(e.Loc.Size); n > 8 && e.Kind != event.AtomicRMW && !e.OfHost() {
			s += fmt.Sprintf(" %x", t.Bytes[e.Other:e.Other+n])
		}
	case e.Kind == event.ChanSend:
		s += fmt.Sprintf(" %x", e.Value)
	case e.Kind == event.Spawn:
		s += fmt.Sprintf(" %s %x", t.Threads[e.Other].ID, e.Value)
	case e.Kind == event.Panic:
		s += " " + t.Panic
	}
	for _, p := range t.Published {
		if int(p.Event) == i && e.Partner < 0 {
			s += fmt.Sprintf(" publishes %x %x", p.Addr, t.Bytes[p.Offset:p.Offset+p.Size])
		}
	}
	for _, f := range t.Failures {
		if f.Thread == e.Thread && int(f.Event) == i+1 {
			s += " fails " + f.Message
		}
	}
	return s
}
