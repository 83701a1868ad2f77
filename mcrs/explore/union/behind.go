package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/settled"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/race"
)

// This file looks for races whose accesses are never next to each other, once the knowledge is complete. Such a race
// exists if a goroutine can learn that another has made its access without being synchronised with it (docs/races.md).
// The states of a sweep do not say who knows of what. So where there may be such a race, states that do are walked.
//
//	BEHIND1  Nothing but BEHIND15 is to be looked for if no operation observes without synchronisation, or if no two
//	         accesses are in doubt.
//	BEHIND2  Accesses are in doubt if they conflict, are of two goroutines, were not seen to race, and no lock that
//	         both hold keeps them apart. BEHIND7 and BEHIND11 name others that are not.
//	BEHIND3  A state is a state of the specification and, for each access in doubt, whether it was made and who knows
//	         of the last one: goroutines, and objects that others learn from (race.Knowers). The reduction is that of
//	         the sweep without RED4 and RED10.
//	BEHIND4  Accesses of one goroutine at one site to one place are one access, and so are those to one map with
//	         whatever keys. Who knows of the last of them knows of all. What conflicts with one conflicts with
//	         all. So the same pairs of sites race. That the order of two accesses to a map matters is said of
//	         single keys alone: what is not said to be known is looked for too often, never too seldom.
//	BEHIND5  What is known of an access is forgotten where it cannot matter any more: it cannot be made again, and
//	         only goroutines that know of it can come to an access that conflicts with it (ahead.go). A state in
//	         which nothing can matter is left.
//	BEHIND6  An operation does not observe another one (observes.go) where both are made under a lock that two
//	         goroutines cannot both hold: who has the lock later is synchronised with who had it.
//	BEHIND7  Accesses are not in doubt if a Once keeps them apart: one is always made by its function, and the other
//	         always behind it (package settled).
//	BEHIND8  Accesses to different places are walked for one after the other where that is cheaper (parts.go).
//	BEHIND9  While one goroutine alone is to move, the states between are not kept; but where one ends, the state is
//	         looked up among those visited.
//	BEHIND10 In the first regime of time the end of a sleep, and the firing of a timer, tell that all others have come
//	         to rest. In the second they tell nothing. So where the second is explored as well, its search finds what
//	         races behind them, and this one does not look for it. If that search does not come to its end, or drops
//	         executions for what some of the first regime show too, the first is explored once more, and looks for it
//	         (lookedBack of package explore).
//	BEHIND11 Accesses are not in doubt if one is always settled where the other is made: whoever makes that knows of
//	         the one, which comes no more (package settled).
//	BEHIND12 A default that a goroutine takes where it could not send observes nothing, if the goroutine does the
//	         same after the send (event.RingKey): before the other, who filled the channel, it would have sent, and
//	         gone on so.
//	BEHIND13 What a goroutine finds settled behind a Wait, since the counter cannot have been zero before, is settled
//	         there for BEHIND11.
//	BEHIND14 In the second regime of time nothing is looked for where the program rejects the execution: not in states
//	         in which it has (UREJECT1), and an access behind which it always does is not in doubt (package settled).
//	BEHIND15 An Add to a wait group and the Wait of another goroutine are in doubt as well, if the Add may be the
//	         first (RACE8): not if the counter cannot be zero where it is made (package settled). They can be apart
//	         without an observation, if there is another Add. A state has who stands at a Wait that had to wait, and
//	         in which order the Adds were made matters (RED23).
//	BEHIND16 Accesses are not in doubt if one is always made before its goroutine publishes the object: all who use
//	         that know of the access (package settled). And whoever waits for a group does so behind its publication
//	         (BEHIND13).
//
// The set chosen at a state is persistent (RED1), and what is known depends on the order of dependent operations alone.
// So for every execution an equivalent one is walked, with the same races.

// behindBudget bounds the states of the walk, for what it keeps in memory.
const behindBudget = 400_000

// A Behind is what the walk found.
type Behind struct {
	Observed event.Site // an operation that observes without synchronisation, 0 if there is nothing to look for
	Races    []Task     // to be confirmed
	Complete bool
	States   int // that were looked at
}

// Behind looks for races whose accesses are never next to each other, in no more states than budget. The knowledge must
// be complete. Nothing can be asked of the engine afterwards. oneRegime says that no other regime of time is explored.
func (e *Engine) Behind(budget int, oneRegime bool) (b Behind) {
	site := e.observes(oneRegime)
	w := &follower{Engine: e, numbers: make(map[doubt]int), keys: make(map[doubt]mapKey), accessing: make(map[doubt]*race.Accessing), told: make(map[[2]event.Site]int)}
	if site != 0 {
		w.doubts()
	}
	if at := w.doubtGroups(site != 0); site == 0 {
		site = at
	}
	if len(w.doubted) == 0 {
		return Behind{Complete: true}
	}
	b = Behind{Observed: site}
	if !e.Raise() {
		return b
	}
	defer func() {
		b.Races, b.States = w.found, w.looked
		if recover() != nil { // the knowledge lacks something: then the walk says nothing
			b.Complete = false
		}
	}()
	b.Complete = w.walkParts(budget)
	return b
}

// A doubt is an access: who makes it, where, and to what. kind is that of the event: a compare-and-swap that fails is
// another access than one that swaps, for it conflicts with writes alone.
type doubt struct {
	thread int32
	kind   event.Kind
	site   event.Site
	loc    event.Location // of a close, and of a send that finds it closed, the channel (RACE7)
}

// conflicts reports whether two accesses conflict.
func (d doubt) conflicts(o doubt) bool {
	if d.ofGroup() || o.ofGroup() {
		return d.ofGroup() && o.ofGroup() && d.kind != o.kind && d.loc == o.loc && d.thread != o.thread
	}
	x, y := d.event(), o.event()
	return race.Conflict(&x, &y)
}

func (d doubt) event() event.Event {
	return event.Event{Thread: d.thread, Kind: d.kind, Loc: d.loc, Other: -int64(known.OneIf(d.kind == event.ChanSend)), Site: d.site}
}

// A mapKey is the key with which a doubt touches a map: its digest, 0 for the whole map.
type mapKey struct {
	digest uint64
	many   bool // it does so with several
}

// orders reports whether the order of two accesses that race matters (BEHIND4).
func (w *follower) orders(a, b doubt) bool {
	if a.ofGroup() {
		return false
	}
	x, y, k, l := a.event(), b.event(), w.keys[a], w.keys[b]
	if whole := !k.many && k.digest == 0 || !l.many && l.digest == 0; b.kind.Object() == event.Map && (k.many || l.many) && !whole {
		return false
	}
	x.Key, y.Key = k.digest, l.digest
	return race.Orders(&x, &y)
}

// A follower is the walk.
type follower struct {
	*Engine
	doubted   []doubt          // all accesses in doubt
	numbers   map[doubt]int    // of those that the walk follows
	keys      map[doubt]mapKey // of those that touch maps
	accessing map[doubt]*race.Accessing
	groups    known.Bits // wait groups in doubt
	ahead     []outlook  // by node
	timers    outlook    // of what timers' threads do
	told      map[[2]event.Site]int
	found     []Task
	looked    int         // states
	steps     int         // moves on the way between them
	moves     []spec.Move // memory of next
	lacks     bool        // the knowledge lacks what a move meets
}

// doubts finds the accesses in doubt (BEHIND2).
func (w *follower) doubts() {
	at := make(map[doubt]*settled.Spots)
	var order []doubt
	for i := range w.Edges {
		n := w.Edges[i].From
		x := &w.Nodes[n]
		d, ok := w.doubtOf(n, &w.Edges[i])
		if !ok || !x.Known || d.kind.CanRace() && (!x.Op.Kind.CanRace() || x.Race == 0) {
			continue
		}
		s := at[d]
		if s == nil {
			s = settled.SpotsAt(x)
			at[d] = s
			order = append(order, d)
			w.keys[d] = mapKey{digest: x.Op.Key}
		}
		if k := w.keys[d]; k.digest != x.Op.Key {
			w.keys[d] = mapKey{many: true}
		}
		s.Add(n, x)
	}
	finder := settled.New(w.Rules)
	in := make(map[doubt]bool)
	order = slices.DeleteFunc(order, func(d doubt) bool { return finder.Rejected(at[d]) })
	for i, a := range order {
		for _, b := range order[:i] {
			if !a.conflicts(b) || w.Racing.Raced[reduce.PairOf(a.site, b.site)] || settled.ByLock(&w.Rules, at[a], at[b]) || finder.ByOnce(at[a], at[b]) || finder.Before(at[a], a.loc.Addr) || finder.Before(at[b], b.loc.Addr) || finder.Settled(at[a], at[b]) {
				continue
			}
			for _, d := range [2]doubt{a, b} {
				if !in[d] {
					in[d] = true
					w.doubted = append(w.doubted, d)
				}
			}
		}
	}
}

// doubtOf returns the access that an edge from node n makes. ok is false if it can race with nothing.
func (w *follower) doubtOf(n int32, x *known.Edge) (d doubt, ok bool) {
	from := &w.Nodes[n]
	d = doubt{thread: from.Thread, kind: x.Kind, site: from.Op.Site, loc: from.Op.Loc}
	switch a := w.ActOf(n); {
	case x.Kind == event.ChanClose && !x.Key.Flag:
		d.loc = event.Location{Addr: w.Objects[a.Object].Addr}
	case x.Kind == event.ChanSend && x.Key.Flag:
		d.loc = event.Location{Addr: w.Objects[a.Comms[max(x.Key.Case, 0)].Object].Addr}
	case d.ofGroup():
		return d, w.groups.Has(a.Object) && (x.Kind == event.WaitGroupWait || x.Delta > 0)
	default:
		return d, x.Kind.CanRace()
	}
	return d, true
}

// A stand is a state of the walk.
type stand struct {
	s    spec.State
	know *race.Knowers
	last int32 // in the trail
	by   int32 // the goroutine that moved last
	// waits is the goroutines that stand at a Wait that had to wait, as their numbers from 1 on (BEHIND15).
	waits known.Bits
}

// walk goes through the states, and keeps those with several moves (BEHIND9). It reports whether it came to the end.
func (w *follower) walk(budget int) bool {
	defer func(no bool) { w.Distinct = no }(w.Distinct)
	w.Exact, w.Distinct, w.Merging, w.full, w.Absolute, w.Roomy, w.Groups = true, true, false, w.Full, w.Timing, false, w.groups
	w.Epoch++
	w.sweep = newSweep(w.sweep)
	var visited reduce.Names
	todo := []stand{{s: w.Start(), know: new(race.Knowers), last: -1, by: -1}}
	for len(todo) > 0 {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		next, ok := w.next(&x)
		if w.lacks = !ok; !ok {
			return false
		}
		for i := range next {
			y := &next[i]
			if w.looked++; w.looked > budget || visited.Count > behindBudget {
				return false
			}
			name := w.Fingerprint(&y.s)
			name[0] ^= y.know.Name()
			name[1] ^= y.waits.Hash()
			if visited.Add(name) {
				todo = append(todo, *y)
			} else {
				w.free.release(y.s)
			}
		}
	}
	return true
}

// stepsOfState is how many moves on the way cost what a state costs that is kept.
const stepsOfState = 4

// next returns the states that follow, from which a race is possible. While there is one move only, it makes that.
// ok is false if it is not known what a move meets. The state is used up.
func (w *follower) next(x *stand) (out []stand, ok bool) {
	for {
		chosen, back := w.toFollow(&x.s, x.by)
		if len(chosen) == 0 {
			if w.Tick(&x.s) {
				continue
			}
			w.free.release(x.s)
			return nil, true
		}
		alone := len(chosen) == 1 && !back && !w.full
		w.moves = append(w.moves[:0], chosen...)
		for i, m := range w.moves {
			y := *x
			if i < len(w.moves)-1 { // the last move is made in the state itself
				y = stand{s: w.free.clone(&x.s), know: x.know.Clone(), last: x.last, waits: slices.Clone(x.waits)}
			}
			if !w.after(&y, m) {
				return nil, false
			}
			if w.matters(&y) && !w.Rejected(&y.s) {
				out = append(out, y)
			} else {
				w.free.release(y.s)
			}
		}
		if !alone || len(out) == 0 || out[0].s.Node(out[0].by) == 0 {
			return out, true
		}
		*x, out = out[0], out[:0]
		if w.steps++; w.steps%stepsOfState == 0 {
			w.looked++
		}
	}
}

// after performs a move in a state. It reports whether it is known what that meets.
func (w *follower) after(y *stand, m spec.Move) bool {
	id, pid, missing := w.EdgesFor(&y.s, m)
	if missing.Node != 0 {
		return false
	}
	edge := &w.Edges[id]
	y.by, y.last = m.Thread, w.sweep.trail.Add(spec.Step{Move: m, Prev: y.last, Ends: w.EndsAll(id)})
	for _, e := range w.eventsOf(&y.s, m, edge) {
		if event.OfMap(&e) && w.Unused[e.Loc.Addr] && y.know.Uses(e.Loc.Addr) {
			e.Other |= event.MapUsed
		}
		ordered := !e.Order.Loose() && !w.Unordered[e.Loc.Addr]
		if ordered {
			y.know.Learn(&e)
		}
		if d, ok := w.doubtOf(y.s.Node(m.Thread), edge); ok && (!d.ofGroup() || w.writes(y, d)) {
			w.access(y, &e, d)
		}
		size, unsized := 0, false
		if o, found := w.ObjectAt[known.ObjectKey{Space: known.SpaceChan, Addr: e.Loc.Addr}]; found {
			size, unsized = w.Objects[o].Cap, w.Unsized[e.Loc.Addr]
			if w.Objects[o].Timer || w.Objects[o].Start != 0 { // which element is whose is not followed (SYNC9)
				size = 0
			}
		}
		if ordered {
			y.know.Perform(&e, m.Partner, size, unsized)
		} else {
			y.know.Carry(&e, size)
		}
		if e.Kind == event.Quiesce {
			y.know.Gather(m.Thread, w.Members(int32(e.Key)))
		}
	}
	w.Apply(&y.s, m, id, pid)
	w.wait(y, m.Thread)
	for _, i := range [2]int32{id, pid} {
		if i < 0 {
			continue
		}
		by := w.Nodes[w.Edges[i].From].Thread
		if c := w.Edges[i].Child; c > 0 {
			y.know.Start(by, w.Nodes[c].Thread)
		}
		for _, t := range w.Edges[i].Starts() {
			y.know.Start(by, w.Timers[t.Timer].Thread)
		}
	}
	if edge.Kind.EndsThread() && w.In(m.Thread) == 0 { // who waits for its bubble learns what it knew
		y.know.End(m.Thread)
	}
	return true
}

// access makes an access, and tells the races that it shows.
func (w *follower) access(y *stand, e *event.Event, d doubt) {
	races := y.know.Access(d.thread, w.how(d))
	for o, n := range w.numbers {
		if races&(1<<n) == 0 {
			continue
		}
		pair := reduce.PairOf(e.Site, o.site)
		if w.Racing.Raced[pair] || w.told[pair] >= confirmationsBehind {
			continue
		}
		w.told[pair]++
		w.found = append(w.found, Task{Kind: Race, Seed: w.seedOf(frame{last: y.last}), Sites: pair})
	}
}

// confirmationsBehind bounds the predictions of one race that may fail: synchronisation that makes no event can order
// it.
const confirmationsBehind = 3

// how says how an access stands to those in doubt.
func (w *follower) how(d doubt) *race.Accessing {
	how := w.accessing[d]
	if how != nil {
		return how
	}
	how = &race.Accessing{Number: -1}
	w.accessing[d] = how
	if n, ok := w.numbers[d]; ok {
		how.Number = n
	}
	e := d.event()
	for o, n := range w.numbers {
		f := o.event()
		if o.conflicts(d) {
			how.Conflicts |= 1 << n
			if w.orders(o, d) {
				how.Orders |= 1 << n
			}
		}
		if o != d && race.Hides(&e, &f) {
			how.Hides |= 1 << n
		}
	}
	return how
}

// eventsOf returns what the trace would have of a move: mostly one event. Each ticket of a Cond is named after the
// goroutine that waits for it.
func (w *follower) eventsOf(s *spec.State, m spec.Move, x *known.Edge) []event.Event {
	n := s.Node(m.Thread)
	op, a := &w.Nodes[n].Op, w.ActOf(n)
	e := event.Event{Thread: m.Thread, Kind: x.Kind, Loc: op.Loc, Key: op.Key, Value: x.Key.Value, Site: op.Site, Order: x.Order}
	switch x.Kind {
	case event.ChanSend, event.ChanRecv:
		e.Loc = event.Location{Addr: w.Objects[a.Comms[max(m.Case, 0)].Object].Addr}
		e.Other = -int64(known.OneIf(x.Key.Flag))
	case event.ChanClose:
		e.Value = known.OneIf(x.Key.Flag)
	case event.WaitGroupAdd:
		e.Value = uint64(x.Delta)
	case event.ObjectRead, event.ObjectWrite:
		if event.OfMap(&e) || event.OfPool(&e) {
			e.Other = int64(x.Send)
		}
	case event.TimerStart:
		e.Other = int64(known.OneIf(slices.ContainsFunc(x.Starts(), func(z known.Starting) bool { return z.Sent != 0 })))
	case event.CondWait:
		e.Key = uint64(m.Thread)
	case event.CondSignal, event.CondBroadcast:
		waiters := w.Values.Words(w.Get(s, a.Object))
		if x.Kind == event.CondSignal && len(waiters) > 1 {
			waiters = waiters[:1]
		}
		out := []event.Event{}
		for _, t := range waiters {
			e.Value, e.Other = t, 1
			out = append(out, e)
		}
		return out
	}
	return []event.Event{e}
}
