package exploration

import (
	"cmp"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file lets entries take turns, so that a large one does not keep the others waiting. It also deals the work of a
// run among them:
//
//	TURN1 In its first turn an entry is explored with a twentieth of its limit of work. If no bound on work has
//	      influenced the result, that is its result: with the whole limit it would be the same, its work and its
//	      witnesses with it. (Whoever compares with a bound on work says so: explore.Session.OfWork.)
//	TURN2 Else it is begun again, with its whole limit, when all entries of the run have had their first turn. Nothing
//	      of the first turn is in its result.
//	TURN3 A budget of the run counts both turns. What is left of it after the first ones is dealt evenly among those
//	      that wait, in their order. What one does not use goes to those after it. An entry that would not get more
//	      than in the first turn keeps the result of that.
//
// So a result depends on the entry's own limits and, where there is a budget, on the work of the entries before it.
// Under go vet, which explores packages in processes of their own, there are no turns.

// firstTurn is the part of the limit of work that the first turn has.
const firstTurn = 20

// overBudget is why an entry ends at a limit that the budget sets.
const overBudget = "stopped at the budget of the run (-budget)"

// A Turns deals the work of a run. The zero value has no budget.
type Turns struct {
	Budget  int64 // as mcrs/explore counts work; 0 is none
	spent   int64
	waiting int // entries
}

// left is what is left of the budget.
func (t *Turns) left() int64 { return max(0, t.Budget-t.spent) }

// first is the work of an entry's first turn (TURN1), 0 if there are no turns.
func (t *Turns) first(limit int64) int64 {
	if t == nil {
		return 0
	}
	work := max(1, limit/firstTurn)
	if t.Budget > 0 {
		work = max(1, min(work, t.left()))
	}
	return work
}

// usual reports whether the first turn of an entry is what it is in a run without a budget.
func (t *Turns) usual(limit int64) bool {
	return t == nil || t.Budget == 0 || t.first(limit) == (&Turns{}).first(limit)
}

// bounded reports whether a budget is shared out.
func (t *Turns) bounded() bool { return t != nil && t.Budget > 0 }

// second is the work of the second turn of the entry that is next (TURN3).
func (t *Turns) second(limit int64) int64 {
	if t.Budget == 0 {
		return limit
	}
	n := int64(t.waiting)
	t.waiting--
	return min(limit, t.left()/n)
}

// over reports whether nothing is left for an entry that has not begun.
func (t *Turns) over() bool { return t != nil && t.Budget > 0 && t.left() == 0 }

// wait notes that so many entries wait.
func (t *Turns) wait(n int) {
	if t.bounded() {
		t.waiting += n
	}
}

// spend counts what an entry has taken. Without a budget nobody asks.
func (t *Turns) spend(e *EntryResult) { t.use(e.Result.Stats.Work) }

func (t *Turns) use(work int64) {
	if t.bounded() {
		t.spent += work
	}
}

// A turn is an entry that waits for its second one.
type turn struct {
	entry
	p     *parallelTest // nil if it is no test
	at    explore.Place
	index int
	limit int64 // of work
	had   int64 // work that the first turn may take
	took  int64 // and what it took
	first EntryResult
	kept  *EntryResult // what the cache has of it, nil if nothing; first is not there then
}

// stands reports whether what came of the first turn is what comes of the entry. That of one that was interrupted
// behind the limit of its turn does not: nobody has set that limit.
func (e *EntryResult) stands() bool { return e.failed || !e.Result.OfWork }

// limitOfWork is that of an entry.
func limitOfWork(c *closure.Result, e entry) int64 {
	return cmp.Or(limitsOf(specialOf(c, e), e).Work, explore.DefaultWork)
}

// secondTurns explores the entries that wait (TURN2).
func (r *Result) secondTurns(c *closure.Result, t target, k *keeper, w Watcher, waiting []*turn) {
	w.fset = r.fset
	s := newCrew(t, k, w)
	for _, x := range waiting {
		s.explore(x.index, x.p != nil && x.p.parallel, func(l *lane, w Watcher) func() {
			out := r.secondTurn(c, l, w, x)
			if x.p != nil && x.p.parallel && !l.first {
				return nil
			}
			out = alsoChanged(c, l.t, x.entry, w, x.at, out)
			return func() { w.settled(r, x.index, out) }
		})
	}
	s.wait()
}

// secondTurn explores an entry that waits.
func (r *Result) secondTurn(c *closure.Result, l *lane, w Watcher, x *turn) EntryResult {
	out, work := x.first, w.Turns.second(x.limit)
	switch {
	case x.kept != nil && (work == x.limit || w.Stop.Asked()):
		w.Turns.spend(x.kept)
		return *x.kept
	case w.Stop.Asked():
		res := *out.Result // the first turn's stays as it is
		res.Interrupt()
		out.Result = &res
		return out
	case work > x.had || x.kept != nil:
		m := l.t.machine(x.entry)
		if x.p != nil {
			*x.p = *l.test(x.entry, m, w, x.at, x.index) // what the first turn has noted is forgotten (TURN2)
			m = x.p
		}
		l.k.begin()
		out = exploreEntry(c, l.t, x.entry, m, w, x.at, max(work, x.had))
		if work > x.had {
			w.Turns.spend(&out)
		}
	}
	if work == x.limit || out.stands() {
		if !w.Stop.Asked() {
			l.k.keep(x.entry, &out, x.p, x.index, x.took)
		}
	} else if out.Result.OfWork && !out.Result.Interrupted {
		out.Result.OverBudget(overBudget)
	}
	return out
}

// Waits reports whether entries wait for their second turn.
func (r *Result) Waits() bool { return r.waitsForTurn }
