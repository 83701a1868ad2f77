package union

import "github.com/heddle-go/heddle/mcrs/race"

// This file walks for races in parts: rule BEHIND8. What is known of accesses to several places multiplies the states.
// A race concerns one place. So where a walk for all accesses in doubt has more than togetherBudget states, there is
// one for each place.
//
// Random programs are too small for that: with a togetherBudget of 1, 2,000 of random -observed from seed 800,001 are
// answered as by brute force.
//
// Nothing is lost. Whether two accesses to a place race depends on who knows of them, which depends on nothing that is
// noted of other places, but for one thing: a race orders its accesses (RACE2), so knowledge passes there too. A walk
// that leaves the other place out knows of fewer orders. It can find too many races, each of which is asked of an
// execution, and never too few.

// togetherBudget bounds the states of the walk for all accesses together.
const togetherBudget = 20_000

// walkParts walks for all accesses in doubt, in no more states than budget. It reports whether it came to the end.
func (w *follower) walkParts(budget int) bool {
	parts := placesOf(w.doubted)
	if len(parts) == 1 || len(w.doubted) <= race.MaxAccesses {
		limit := min(budget, behindBudget)
		if len(parts) > 1 {
			limit = min(limit, togetherBudget)
		}
		if all, crowded := w.walkFor(w.doubted, limit); !crowded || len(parts) == 1 {
			return all
		}
	}
	for _, part := range parts {
		if all, _ := w.walkFor(part, min(budget-w.looked, behindBudget)); !all {
			return false
		}
	}
	return true
}

// walkFor walks for some of the accesses in doubt. It reports whether it came to the end, and if not, whether there
// were too many states.
func (w *follower) walkFor(some []doubt, budget int) (all, crowded bool) {
	if len(some) > race.MaxAccesses {
		return false, false
	}
	clear(w.numbers)
	clear(w.accessing)
	for _, d := range some {
		w.numbers[d] = len(w.numbers)
	}
	w.lacks = false
	w.lookAhead()
	until := w.looked + budget
	all = w.walk(until)
	return all, !all && !w.lacks
}

// placesOf divides accesses by what they touch.
func placesOf(all []doubt) (parts [][]doubt) {
	for _, d := range all {
		part := []doubt{d}
		kept := parts[:0:0]
		for _, p := range parts {
			if touches(d, p) {
				part = append(p, part...)
			} else {
				kept = append(kept, p)
			}
		}
		parts = append(kept, part)
	}
	return parts
}

// touches reports whether an access touches what others touch.
func touches(d doubt, others []doubt) bool {
	for _, o := range others {
		if d.loc.Overlaps(o.loc) || d.loc.Addr == o.loc.Addr {
			return true
		}
	}
	return false
}
