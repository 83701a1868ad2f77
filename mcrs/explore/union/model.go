package union

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the maximal causal model of one trace: the union of a set of one. A sweep over it walks the states in which each
// goroutine has gone part of its way in the trace. What is particular to it: where an operation would meet something
// that the trace does not show, its goroutine departs from the trace, and is gone; the others go on. So a walk ends
// where all have ended, departed or are blocked, and its end says how much of the trace goes together with these departures.

// A Model is the maximal causal model of one trace.
type Model struct {
	Full bool // no reduction: for tests
	// Found is called for each end of a walk that shows what the trace does not.
	Found func(Prefix)
	// Race is called for two accesses that race, by prediction: the seed ends with them, and these are their sites.
	Race func(seed.Seed, [2]event.Site)
	// Unknown, after a walk that was cut short, is an execution that shows what memory holds at the start, which the walk must know.
	Unknown *Prefix

	e             *reducer
	trail         trail
	moves, picked []move    // memory of expand
	hist          []uint64  // by node: what the goroutine met before it, and its name
	path          [][]int32 // by thread: its nodes
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
func (f *Facts) tell(e *reducer) {
	e.lay.initial, e.raced, e.triedRaces = f.initial, f.raced, f.tried
	e.distinct, e.histories = true, true // who has done what is the question
	for _, addr := range slices.Sorted(maps.Keys(f.whole)) {
		e.objects[e.object(spaceMap, addr)].whole = true
	}
	for _, addr := range slices.Sorted(maps.Keys(f.once)) {
		e.objects[e.object(spaceOnce, addr)].start = 2
	}
}

// learn takes from an engine what its names of values depend on, and reports whether there was news.
func (f *Facts) learn(e *reducer) (news bool) {
	for i := range e.objects {
		switch o := &e.objects[i]; {
		case o.space == spaceMap && o.whole && !f.whole[o.addr]:
			f.whole[o.addr], news = true, true
		case o.space == spaceOnce && o.start == 2 && !f.once[o.addr]:
			f.once[o.addr], news = true, true
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
func (f *Facts) Raced(a, b event.Site) { f.raced[pairOf(a, b)] = true }

// A Prefix is the beginning of an execution that a model foresees.
type Prefix struct {
	// Needs says what is particular to it: every execution that shows all of it has each goroutine meet what it meets in the prefix.
	Needs []uint64
	// Blocked says that nothing can move after it.
	Blocked bool

	ids   []event.ThreadID
	moves []move
	who   int32            // the goroutine that departs, -1 if Blocked
	gone  map[int32]uint64 // what is met by those who depart, by thread
	ends  bool             // it ends the program
}

// Seed returns the prefix as a seed.
func (p *Prefix) Seed() seed.Seed {
	return seedOf(p.ids, p.moves)
}

// seedOf writes moves as a seed.
func seedOf(ids []event.ThreadID, moves []move) seed.Seed {
	out := make(seed.Seed, 0, len(moves))
	for _, m := range moves {
		s := seed.Step{Thread: ids[m.thread], Case: m.kase, PartnerCase: -1}
		if m.partner >= 0 {
			s.Partner, s.PartnerCase = ids[m.partner], m.pcase
		}
		out = append(out, s)
	}
	return out
}

// A departure is what a goroutine met that the trace does not show.
type departure struct {
	at    edgeKey // node 0: it has not departed
	ends  bool    // it ends the program
	quiet bool    // nobody else can tell
}

// A walk is a state, and who has departed, by thread.
type walk struct {
	s      state
	last   int32 // in the trail, -1 at the start
	gone   []departure
	unsure []int32 // objects of which it is not known what a departure left in them
}

// NewModel returns the model of an execution that ran under w. An error says that there is no rule for it: those of the specification, but
// for the clock's.
func NewModel(t *trace.Trace, w *Watch, f *Facts) (*Model, error) {
	if err := noClock(t); err != nil {
		return nil, err
	}
	var e *reducer
	for {
		e = newReducer()
		f.tell(e)
		err := absorb(&e.rules, t, w)
		if f.learn(e) {
			continue
		}
		if err != nil {
			return nil, err
		}
		break
	}
	if !e.raise() {
		return nil, ErrCrowded
	}
	m := &Model{e: e, seen: make(map[[2]uint64]bool), hist: make([]uint64, len(e.nodes)), path: make([][]int32, len(e.ids))}
	for n := 1; n < len(e.nodes); n++ {
		x := &e.nodes[n]
		if x.parent <= 0 {
			m.hist[n] = hashBytes([]byte(e.ids[x.thread]))
		} else {
			m.hist[n] = met(m.hist[x.parent], e.edges[x.via].key)
		}
		m.path[x.thread] = append(m.path[x.thread], int32(n))
	}
	return m, nil
}

// noClock reports that a trace has to do with the clock, or counts goroutines. When that moves, and how many there are, is a matter of all goroutines, and what those who depart do next is not known.
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
func met(hist uint64, x key) uint64 {
	h := uint64(x.kind)<<16 | uint64(uint16(x.kase)) | 1<<40
	if x.flag {
		h |= 1 << 32
	}
	return mix(hist, mix(h, x.val))
}

// sentBy stands for an element of which only the sender's history is known.
func sentBy(hist uint64) uint64 { return mix(hist, 0x5e17) }

// Shown lists what the trace shows, in the terms of Prefix.Needs.
func (m *Model) Shown(t *trace.Trace) []uint64 {
	out := slices.Clone(m.hist[1:])
	for i := range m.e.edges {
		x := &m.e.edges[i]
		out = append(out, met(m.hist[x.from], x.key))
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
		at, hist := element{e.Loc.Addr, e.Other}, m.hist[m.path[m.e.threads[t.Threads[e.Thread].ID]][seq[e.Thread]]]
		switch {
		case e.Kind == event.ChanSend && e.Other >= 0:
			senders[at] = hist
		case e.Kind == event.ChanRecv && e.Other >= 0:
			out = append(out, met(hist, key{kind: event.ChanRecv, kase: e.Case, val: sentBy(senders[at])}))
		}
		seq[e.Thread]++
	}
	return out
}

// Whole is what the trace shows at its end, in the terms of Prefix.Needs: what each operation met. That says more than what the goroutines
// were told: a compare-and-swap that fails does not tell what it found.
func (m *Model) Whole() (out []uint64) {
	for _, p := range m.path {
		if len(p) > 1 {
			out = append(out, m.hist[p[len(p)-1]])
		}
	}
	return out
}

// Walk walks the model, from the end of a prefix of it (nil is the start); budget bounds the states. complete says that it came to an end; if
// not, Unknown may say why.
func (m *Model) Walk(from *Prefix, budget int) (states int, complete bool) {
	e := m.e
	m.trail.count, e.work = 0, 0
	clear(m.seen)
	w := walk{s: e.start(), last: -1}
	if from != nil {
		for _, v := range from.moves { // another model found it: it may number goroutines otherwise
			v.thread = e.threads[from.ids[v.thread]]
			if v.partner >= 0 {
				v.partner = e.threads[from.ids[v.partner]]
			}
			m.follow(&w, v)
		}
	}
	m.push(w)
	for len(m.work) > 0 && m.Unknown == nil {
		if len(m.seen) >= budget || e.work >= budget*workPerState {
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
	h := m.e.fingerprint(&w.s)
	for t, d := range w.gone {
		if d.at.node != 0 {
			x := met(uint64(t)<<32|uint64(d.at.node), d.at.key)
			h[0], h[1] = mix(h[0], x), mix(h[1]^x, uint64(t)+3)
		}
	}
	return h
}

func (w *walk) clone() walk {
	out := walk{last: w.last, gone: slices.Clone(w.gone), unsure: slices.Clone(w.unsure)}
	w.s.copyTo(&out.s)
	return out
}

// expand follows the moves of a state, as Engine.expand does.
func (m *Model) expand(w walk) {
	e := m.e
	for m.Unknown == nil {
		all := m.moves[:0]
		for t := range w.s.nodes {
			all = e.enabled(&w.s, int32(t), all)
		}
		if len(w.unsure) > 0 {
			all = slices.DeleteFunc(all, func(v move) bool { return m.touchesUnsure(&w, v) })
		}
		m.moves = all
		if len(all) == 0 {
			m.end(&w)
			return
		}
		chosen := m.picked[:0]
		var set threads
		if !m.Full {
			set = e.choose(&w.s, all, -1)
		}
		for _, v := range all {
			if set == nil || set.has(v.thread) {
				chosen = append(chosen, v)
			}
		}
		m.picked = chosen
		if len(chosen) == 1 && !m.Full {
			m.follow(&w, chosen[0])
			continue
		}
		m.races(&w)
		for _, v := range slices.Clone(chosen) {
			next := w.clone()
			m.follow(&next, v)
			m.push(next)
		}
		return
	}
}

func (m *Model) touchesUnsure(w *walk, v move) bool {
	for _, c := range m.e.actOf(w.s.node(v.thread)).cells {
		if slices.Contains(w.unsure, c) {
			return true
		}
	}
	return false
}

// follow performs a move; who meets in it what the trace does not show departs.
func (m *Model) follow(w *walk, v move) {
	e := m.e
	id, pid, missing := e.edgesFor(&w.s, v)
	if x := missing.key; missing.node != 0 && x == unknownKey(x.kind) {
		p := Prefix{ids: e.ids, moves: append(m.way(w), v)}
		m.Unknown = &p
		return
	}
	ends := false
	switch {
	case missing.node == 0:
		e.apply(&w.s, v, id, pid)
		ends = e.edges[id].kind.EndsProgram()
	case id >= 0: // the partner alone departs
		to := e.edges[id].to
		for _, f := range e.effectsOf(id) {
			e.set(&w.s, f.obj, f.value)
		}
		w.s.setNode(v.thread, to)
		m.depart(w, v.partner, missing)
	default:
		ends = m.meetNew(w, v, missing)
	}
	w.last = m.trail.add(step{v, w.last, ends})
}

func (m *Model) depart(w *walk, t int32, at edgeKey) {
	for len(w.gone) <= int(t) {
		w.gone = append(w.gone, departure{})
	}
	d := departure{at: at}
	op := &m.e.nodes[at.node].op
	d.ends, d.quiet = op.Kind.EndsProgram(), op.Kind.OnlyReads()
	w.gone[t] = d
	w.s.setNode(t, 0)
}

// meetNew performs a move whose edge the trace does not show: what it changes the specification says, except for what the goroutine
// would write.
func (m *Model) meetNew(w *walk, v move, at edgeKey) (ends bool) {
	e := m.e
	n := w.s.node(v.thread)
	a, op := e.actOf(n), &e.nodes[n].op
	x := edge{from: n, key: at.key, kind: op.Kind, child: -1, delta: int64(op.Key), send: sentBy(m.hist[n])}
	switch {
	case v.partner >= 0:
		m.depart(w, v.partner, edgeKey{w.s.node(v.partner), key{kind: event.ChanRecv, kase: v.pcase, val: x.send}})
	case a.comms != nil:
		e.communicate(&w.s, v, a, &x)
	case op.Kind == event.Write, op.Kind == event.AtomicStore, op.Kind == event.AtomicRMW:
		w.unsure = append(slices.Clone(w.unsure), a.cells...)
	case op.Kind.EndsProgram():
		ends = true
	default:
		e.change(&w.s, v.thread, n, a, &x)
	}
	m.depart(w, v.thread, at)
	return ends
}

// races looks for races in a state, and has them confirmed.
func (m *Model) races(w *walk) {
	one := func(t int32) seed.Step { return seed.Step{Thread: m.e.ids[t], Case: -1, PartnerCase: -1} }
	for _, p := range m.e.lookForRaces(&w.s) {
		if !m.e.raced[p.sites] {
			way := m.way(w)
			m.Race(append(seedOf(m.e.ids, way), one(p.who[0]), one(p.who[1])), p.sites)
		}
	}
}

// way lists the moves of a walk, without those that end the program.
func (m *Model) way(w *walk) (moves []move) {
	for st := range m.trail.back(w.last) {
		if !st.ends {
			moves = append(moves, st.m)
		}
	}
	slices.Reverse(moves)
	return moves
}

// end reports the end of a walk.
func (m *Model) end(w *walk) {
	e := m.e
	moves := m.way(w)
	done := make([]int, len(e.ids)) // by thread: the number of its moves
	for _, v := range moves {
		done[v.thread]++
		if v.partner >= 0 {
			done[v.partner]++
		}
	}
	gone, ending, whole := 0, 0, true
	for t, n := range done {
		switch {
		case t >= len(w.gone) || w.gone[t].at.node == 0:
			whole = whole && n == len(m.path[t])-1
		case w.gone[t].ends:
			ending++
		default:
			gone++
		}
	}
	if gone+ending == 0 {
		if !whole && e.get(&w.s, 0) == 0 { // else it is the trace, or a part of it that says no more
			p := m.prefix(w, moves, done, -1)
			p.Blocked = true
			m.Found(p)
		}
		return
	}
	for t := range w.gone {
		if d := &w.gone[t]; d.at.node != 0 && d.ends == (gone == 0) { // UEND1: what ends the program waits until all others are done
			m.Found(m.prefix(w, moves, done, int32(t)))
		}
	}
}

// prefix makes a prefix of the end of a walk in which goroutine t departs. Others that do so too, and nobody can tell, stop before that.
func (m *Model) prefix(w *walk, moves []move, done []int, t int32) Prefix {
	e := m.e
	p := Prefix{ids: e.ids, who: t, gone: make(map[int32]uint64)}
	left := slices.Clone(done)
	for u, n := range done {
		var d departure
		if u < len(w.gone) {
			d = w.gone[u]
		}
		if d.at.node != 0 && (int32(u) == t || !d.quiet && !d.ends) {
			x := met(m.hist[d.at.node], d.at.key)
			p.Needs = append(p.Needs, x)
			p.gone[int32(u)] = x
			continue
		}
		if d.at.node != 0 && !d.ends {
			n--
			left[u]--
		}
		if n > 0 {
			p.Needs = append(p.Needs, m.hist[m.path[u][n]])
		}
	}
	for _, v := range moves {
		if left[v.thread] > 0 {
			p.moves = append(p.moves, v)
			left[v.thread]--
			if v.partner >= 0 {
				left[v.partner]--
			}
		}
	}
	if t >= 0 && w.gone[t].ends {
		p.moves, p.ends = append(p.moves, move{t, -1, -1, -1}), true
	}
	return p
}
