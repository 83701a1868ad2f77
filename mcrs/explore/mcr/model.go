package mcr

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/learn"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the maximal causal model of one trace: the union of a set of one. A sweep over it walks the states
// in which each goroutine has gone part of its way in the trace. One thing is particular to it. Where an operation
// would meet something that the trace does not show, its goroutine departs from the trace, and is gone; the others go
// on. So a walk ends where all goroutines have ended, departed or are blocked. Its end says how much of the trace goes
// together with these departures.

// A Model is the maximal causal model of one trace.
type Model struct {
	Full bool // no reduction: for tests
	// Found is called for each end of a walk that shows what the trace does not.
	Found func(Prefix)
	// Race is called for two accesses that race, by prediction: the seed ends with them, and these are their sites.
	Race func(seed.Seed, [2]event.Site)
	// Unknown, after a walk that was cut short, is an execution that shows what memory holds at the start, which the
	// walk must know.
	Unknown *Prefix

	e             *reduce.Reducer
	trail         spec.Trail
	moves, picked []spec.Move // memory of expand
	hist          []uint64    // by node: what the goroutine met before it, and its name
	path          [][]int32   // by thread: its nodes
	seen          map[[2]uint64]bool
	work          []walk
}

// Facts are what the models of one program share, since it holds of the program.
type Facts struct {
	initial map[uint64]byte        // memory at the start of an execution
	raced   map[[2]event.Site]bool // pairs of sites that race
	tried   map[[2]event.Site]int  // confirmations that failed
	whole   map[uint64]bool        // maps that are read as a whole
	once    map[uint64]bool        // a sync.Once that was done before
}

// NewFacts returns facts about a program that is not known yet.
func NewFacts() *Facts {
	return &Facts{initial: make(map[uint64]byte), raced: make(map[[2]event.Site]bool), tried: make(map[[2]event.Site]int),
		whole: make(map[uint64]bool), once: make(map[uint64]bool)}
}

// tell gives an engine without knowledge what is known of the program.
func (f *Facts) tell(e *reduce.Reducer) {
	e.Layout.Initial, e.Raced, e.TriedRaces = f.initial, f.raced, f.tried
	e.Distinct, e.ByHistory, e.MayBuffer = true, true, true // who has done what is the question
	for _, addr := range slices.Sorted(maps.Keys(f.whole)) {
		e.Objects[e.Object(known.SpaceMap, addr)].Whole = true
	}
	for _, addr := range slices.Sorted(maps.Keys(f.once)) {
		e.Objects[e.Object(known.SpaceOnce, addr)].Start = 2
	}
}

// learn takes from an engine what its names of values depend on, and reports whether there was news.
func (f *Facts) learn(e *reduce.Reducer) (news bool) {
	for i := range e.Objects {
		switch o := &e.Objects[i]; {
		case o.Space == known.SpaceMap && o.Whole && !f.whole[o.Addr]:
			f.whole[o.Addr], news = true, true
		case o.Space == known.SpaceOnce && o.Start == 2 && !f.once[o.Addr]:
			f.once[o.Addr], news = true, true
		}
	}
	return news
}

// Known is the number of bytes of memory of which it is known what they hold at the start.
func (f *Facts) Known() int { return len(f.initial) }

// Initial is what memory holds at the start of an execution.
func (f *Facts) Initial(addr uint64) (b byte, known bool) {
	b, known = f.initial[addr]
	return b, known
}

// Raced notes that a pair of sites was shown to race.
func (f *Facts) Raced(a, b event.Site) { f.raced[reduce.PairOf(a, b)] = true }

// A Prefix is the beginning of an execution that a model foresees.
type Prefix struct {
	// Needs says what is particular to it. In every execution that shows all of it, each goroutine meets what it meets
	// in the prefix.
	Needs []uint64
	// Blocked says that nothing can move after it.
	Blocked bool

	ids   []event.ThreadID
	moves []spec.Move
	who   int32            // the goroutine that departs, -1 if Blocked
	gone  map[int32]uint64 // what is met by those who depart, by thread
	ends  bool             // it ends the program
}

// Seed returns the prefix as a seed.
func (p *Prefix) Seed() seed.Seed {
	return seedOf(p.ids, p.moves)
}

// seedOf writes moves as a seed.
func seedOf(ids []event.ThreadID, moves []spec.Move) seed.Seed {
	out := make(seed.Seed, 0, len(moves))
	for _, m := range moves {
		s := seed.Step{Thread: ids[m.Thread], Case: m.Case, PartnerCase: -1}
		if m.Partner >= 0 {
			s.Partner, s.PartnerCase = ids[m.Partner], m.PartnerCase
		}
		out = append(out, s)
	}
	return out
}

// A departure is what a goroutine met that the trace does not show.
type departure struct {
	at    known.EdgeKey // node 0: it has not departed
	ends  bool          // it ends the program
	quiet bool          // nobody else can tell
}

// A walk is a state, and who has departed, by thread.
type walk struct {
	s      spec.State
	last   int32 // in the trail, -1 at the start
	gone   []departure
	unsure []int32 // objects of which it is not known what a departure left in them
}

// NewModel returns the model of an execution that ran under w. An error says that there is no rule for it. The rules
// are those of the specification, except for the clock's.
func NewModel(t *trace.Trace, w *learn.Watch, f *Facts) (*Model, error) {
	if err := noClock(t); err != nil {
		return nil, err
	}
	var e *reduce.Reducer
	for {
		e = reduce.NewReducer()
		f.tell(e)
		err := learn.Absorb(&e.Rules, t, w)
		if f.learn(e) {
			continue
		}
		if err != nil {
			return nil, err
		}
		break
	}
	if e.Stacks {
		return nil, errors.New("no rule for the stacks of all goroutines where there are others")
	}
	if !e.Raise() {
		return nil, reduce.ErrCrowded
	}
	m := &Model{e: e, seen: make(map[[2]uint64]bool), hist: make([]uint64, len(e.Nodes)), path: make([][]int32, len(e.IDs))}
	for n := 1; n < len(e.Nodes); n++ {
		x := &e.Nodes[n]
		if e.IsBuffer(x.Thread) {
			continue
		}
		if x.Parent <= 0 {
			m.hist[n] = known.HashBytes([]byte(e.IDs[x.Thread]))
		} else {
			m.hist[n] = met(m.hist[x.Parent], e.Edges[x.Via].Key)
		}
		m.path[x.Thread] = append(m.path[x.Thread], int32(n))
	}
	return m, nil
}

// noClock reports that a trace has to do with the clock, or counts goroutines. When the clock moves, and how many
// goroutines there are, depends on all of them. What those that depart do next is not known.
func noClock(t *trace.Trace) error {
	for i := range t.Events {
		if e := &t.Events[i]; ofClock(e.Kind) {
			return fmt.Errorf("no rule for %v at site %d in the model of one trace", e.Kind, e.Site)
		}
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		if th.Pending != nil && ofClock(th.Pending.Kind) {
			return fmt.Errorf("no rule for %v at site %d in the model of one trace", th.Pending.Kind, th.Pending.Site)
		}
		if strings.HasPrefix(string(th.ID), "T/") {
			return fmt.Errorf("no rule for %s in the model of one trace", th.ID)
		}
	}
	return nil
}

func ofClock(k event.Kind) bool {
	return k.WaitsForClock() || k.Object() == event.Timer || k == event.Goroutines
}

// met is a history with what its next operation met.
func met(hist uint64, x known.Key) uint64 {
	h := uint64(x.Kind)<<16 | uint64(uint16(x.Case)) | 1<<40
	if x.Flag {
		h |= 1 << 32
	}
	return known.Mix(hist, known.Mix(h, x.Value))
}

// sentBy stands for an element of which only the sender's history is known.
func sentBy(hist uint64) uint64 { return known.Mix(hist, 0x5e17) }

// Shown lists what the trace shows, in the terms of Prefix.Needs.
func (m *Model) Shown(t *trace.Trace) []uint64 {
	out := slices.Clone(m.hist[1:])
	for i := range m.e.Edges {
		if x := &m.e.Edges[i]; !m.e.IsBuffer(m.e.Nodes[x.From].Thread) {
			out = append(out, met(m.hist[x.From], x.Key))
		}
	}
	return append(out, m.Received(t)...)
}

// Received lists whose elements the receives of the trace got, in the terms of Prefix.Needs.
func (m *Model) Received(t *trace.Trace) (out []uint64) {
	seq := make([]int, len(t.Threads))
	type element struct {
		ch uint64
		n  int64
	}
	senders := make(map[element]uint64)
	for i := range t.Events {
		e := &t.Events[i]
		if t.Threads[e.Thread].Buffers > 0 {
			continue
		}
		at, hist := element{e.Loc.Addr, e.Other}, m.hist[m.path[m.e.Threads[t.Threads[e.Thread].ID]][seq[e.Thread]]]
		switch {
		case e.Kind == event.ChanSend && e.Other >= 0:
			senders[at] = hist
		case e.Kind == event.ChanRecv && e.Other >= 0:
			out = append(out, met(hist, known.Key{Kind: event.ChanRecv, Case: e.Case, Value: sentBy(senders[at])}))
		}
		seq[e.Thread]++
	}
	return out
}

// Whole is what the trace shows at its end, in the terms of Prefix.Needs: what each operation met. That says more than
// what the goroutines were told: a compare-and-swap that fails does not tell what it found.
func (m *Model) Whole() (out []uint64) {
	for _, p := range m.path {
		if len(p) > 1 {
			out = append(out, m.hist[p[len(p)-1]])
		}
	}
	return out
}

// Walk walks the model, from the end of a prefix of it (nil is the start). budget bounds the states. complete says that
// the walk came to an end. If not, Unknown may say why.
func (m *Model) Walk(from *Prefix, budget int) (states int, complete bool) {
	e := m.e
	m.trail.Count, e.Work = 0, 0
	clear(m.seen)
	w := walk{s: e.Start(), last: -1}
	if from != nil {
		for _, v := range from.moves { // another model found it: it may number goroutines otherwise
			v.Thread = e.Threads[from.ids[v.Thread]]
			if v.Partner >= 0 {
				v.Partner = e.Threads[from.ids[v.Partner]]
			}
			m.follow(&w, v)
		}
	}
	m.push(w)
	for len(m.work) > 0 && m.Unknown == nil {
		if len(m.seen) >= budget || e.Work >= budget*reduce.WorkPerState {
			return len(m.seen), false
		}
		w := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		m.expand(w)
	}
	return len(m.seen), m.Unknown == nil
}

func (m *Model) push(w walk) {
	h := m.name(&w)
	if !m.seen[h] {
		m.seen[h] = true
		m.work = append(m.work, w)
	}
}

// name names a walk's state. Who departed, and how, belongs to it.
func (m *Model) name(w *walk) [2]uint64 {
	h := m.e.Fingerprint(&w.s)
	for t, d := range w.gone {
		if d.at.Node != 0 {
			x := met(uint64(t)<<32|uint64(d.at.Node), d.at.Key)
			h[0], h[1] = known.Mix(h[0], x), known.Mix(h[1]^x, uint64(t)+3)
		}
	}
	return h
}

func (w *walk) clone() walk {
	out := walk{last: w.last, gone: slices.Clone(w.gone), unsure: slices.Clone(w.unsure)}
	w.s.CopyTo(&out.s)
	return out
}

// expand follows the moves of a state, as Engine.expand does.
func (m *Model) expand(w walk) {
	e := m.e
	for m.Unknown == nil {
		all := m.moves[:0]
		for t := range w.s.Nodes {
			all = e.Enabled(&w.s, int32(t), all)
		}
		if len(w.unsure) > 0 {
			all = slices.DeleteFunc(all, func(v spec.Move) bool { return m.touchesUnsure(&w, v) })
		}
		m.moves = all
		if len(all) == 0 {
			m.end(&w)
			return
		}
		chosen := m.picked[:0]
		var set reduce.Threads
		if !m.Full {
			set = e.Choose(&w.s, all, -1)
		}
		for _, v := range all {
			if set == nil || set.Has(v.Thread) {
				chosen = append(chosen, v)
			}
		}
		m.picked = chosen
		if len(chosen) == 1 && !m.Full {
			m.follow(&w, chosen[0])
			continue
		}
		if m.races(&w) { // they make the set smaller (RED4)
			continue
		}
		for _, v := range slices.Clone(chosen) {
			next := w.clone()
			m.follow(&next, v)
			m.push(next)
		}
		return
	}
}

func (m *Model) touchesUnsure(w *walk, v spec.Move) bool {
	for _, c := range m.e.ActOf(w.s.Node(v.Thread)).Cells {
		if slices.Contains(w.unsure, c) {
			return true
		}
	}
	return false
}

// follow performs a move; who meets in it what the trace does not show departs.
func (m *Model) follow(w *walk, v spec.Move) {
	e := m.e
	id, pid, missing := e.EdgesFor(&w.s, v)
	if x := missing.Key; missing.Node != 0 && x == known.UnknownKey(x.Kind) {
		p := Prefix{ids: e.IDs, moves: append(m.way(w), v)}
		m.Unknown = &p
		return
	}
	ends := false
	switch {
	case missing.Node == 0:
		e.Apply(&w.s, v, id, pid)
		ends = e.Edges[id].Kind.EndsProgram()
	case id >= 0: // the partner alone departs
		to := e.Edges[id].To
		for _, f := range e.EffectsOf(id) {
			e.Set(&w.s, f.Object, f.Value)
		}
		w.s.SetNode(v.Thread, to)
		m.depart(w, v.Partner, missing)
	default:
		ends = m.meetNew(w, v, missing)
	}
	w.last = m.trail.Add(spec.Step{Move: v, Prev: w.last, Ends: ends})
}

func (m *Model) depart(w *walk, t int32, at known.EdgeKey) {
	for len(w.gone) <= int(t) {
		w.gone = append(w.gone, departure{})
	}
	d := departure{at: at}
	op := &m.e.Nodes[at.Node].Op
	d.ends, d.quiet = op.Kind.EndsProgram(), op.Kind.OnlyReads()
	w.gone[t] = d
	w.s.SetNode(t, 0)
}

// meetNew performs a move whose edge the trace does not show. The specification says what it changes, except for what
// the goroutine would write.
func (m *Model) meetNew(w *walk, v spec.Move, at known.EdgeKey) (ends bool) {
	e := m.e
	n := w.s.Node(v.Thread)
	a, op := e.ActOf(n), &e.Nodes[n].Op
	x := known.Edge{From: n, Key: at.Key, Kind: op.Kind, Child: -1, Delta: int64(op.Key), Send: sentBy(m.hist[n])}
	switch {
	case v.Partner >= 0:
		m.depart(w, v.Partner, known.EdgeKey{Node: w.s.Node(v.Partner), Key: known.Key{Kind: event.ChanRecv, Case: v.PartnerCase, Value: x.Send}})
	case a.Comms != nil:
		e.Communicate(&w.s, v, a, &x)
	case op.Kind == event.Write, op.Kind == event.AtomicStore, op.Kind == event.AtomicRMW:
		w.unsure = append(slices.Clone(w.unsure), a.Cells...)
	case op.Kind.EndsProgram():
		ends = true
	default:
		e.Change(&w.s, v.Thread, n, a, &x)
	}
	m.depart(w, v.Thread, at)
	return ends
}

// races looks for races in a state, and has them confirmed. It reports whether one was that the model did not know.
func (m *Model) races(w *walk) (news bool) {
	one := func(t int32) seed.Step { return seed.Step{Thread: m.e.IDs[t], Case: -1, PartnerCase: -1} }
	for _, p := range m.e.LookForRaces(&w.s) {
		if !m.e.Raced[p.Sites] {
			way := m.way(w)
			m.Race(append(seedOf(m.e.IDs, way), one(p.Who[0]), one(p.Who[1])), p.Sites)
		}
		if m.e.Raced[p.Sites] {
			m.e.NoteRace(p.Sites)
			news = true
		}
	}
	return news
}

// way lists the moves of a walk, without those that end the program.
func (m *Model) way(w *walk) (moves []spec.Move) {
	for st := range m.trail.Back(w.last) {
		if !st.Ends {
			moves = append(moves, st.Move)
		}
	}
	slices.Reverse(moves)
	return moves
}

// end reports the end of a walk.
func (m *Model) end(w *walk) {
	e := m.e
	moves := m.way(w)
	done := make([]int, len(e.IDs)) // by thread: the number of its moves
	for _, v := range moves {
		done[v.Thread]++
		if v.Partner >= 0 {
			done[v.Partner]++
		}
	}
	gone, ending, whole := 0, 0, true
	for t, n := range done {
		switch {
		case e.IsBuffer(int32(t)): // it follows from what its goroutine has done
		case t >= len(w.gone) || w.gone[t].at.Node == 0:
			whole = whole && n == len(m.path[t])-1
		case w.gone[t].ends:
			ending++
		default:
			gone++
		}
	}
	if gone+ending == 0 {
		if !whole && e.Get(&w.s, 0) == 0 { // else it is the trace, or a part of it that says no more
			p := m.prefix(w, moves, done, -1)
			p.Blocked = true
			m.Found(p)
		}
		return
	}
	for t := range w.gone {
		if d := &w.gone[t]; d.at.Node != 0 && d.ends == (gone == 0) { // UEND1: what ends the program waits until all others are done
			m.Found(m.prefix(w, moves, done, int32(t)))
		}
	}
}

// prefix makes a prefix of the end of a walk in which goroutine t departs. Other goroutines that depart too, and nobody
// can tell, stop before that.
func (m *Model) prefix(w *walk, moves []spec.Move, done []int, t int32) Prefix {
	e := m.e
	p := Prefix{ids: e.IDs, who: t, gone: make(map[int32]uint64)}
	left := slices.Clone(done)
	for u, n := range done {
		var d departure
		if u < len(w.gone) {
			d = w.gone[u]
		}
		if d.at.Node != 0 && (int32(u) == t || !d.quiet && !d.ends) {
			x := met(m.hist[d.at.Node], d.at.Key)
			p.Needs = append(p.Needs, x)
			p.gone[int32(u)] = x
			continue
		}
		if d.at.Node != 0 && !d.ends {
			n--
			left[u]--
		}
		if n > 0 && !e.IsBuffer(int32(u)) {
			p.Needs = append(p.Needs, m.hist[m.path[u][n]])
		}
	}
	for _, v := range moves {
		if left[v.Thread] > 0 {
			p.moves = append(p.moves, v)
			left[v.Thread]--
			if v.Partner >= 0 {
				left[v.Partner]--
			}
		}
	}
	if t >= 0 && w.gone[t].ends {
		p.moves, p.ends = append(p.moves, spec.Move{Thread: t, Partner: -1, Case: -1, PartnerCase: -1}), true
	}
	return p
}
