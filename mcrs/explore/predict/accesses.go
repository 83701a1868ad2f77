package predict

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file lists the candidates for races.

// mostWords bounds the words of an access that are looked at.
const mostWords = 4

// An owner is a goroutine that has accessed a word of memory.
type owner struct {
	word   uint64
	thread int32
}

// accesses are those of a window so far.
type accesses struct {
	t     *trace.Trace
	locks []held
	last  map[owner][]int    // one for each site, the last
	who   map[uint64][]int32 // by word: goroutines
	pairs map[[2]int]bool    // that are candidates
	of    map[[2]event.Site]int
	found []candidate
}

// races lists the candidates for races in a window: an access, and the last one at each site of each other goroutine
// before it.
func races(t *trace.Trace, locks []held, from, to int) []candidate {
	a := &accesses{t: t, locks: locks, last: make(map[owner][]int), who: make(map[uint64][]int32), pairs: make(map[[2]int]bool), of: make(map[[2]event.Site]int)}
	for i := from; i < to; i++ {
		e := &t.Events[i]
		if !e.Kind.CanRace() || e.Partner >= 0 {
			continue
		}
		first, last := e.Loc.Addr>>3, (e.Loc.Addr+uint64(max(e.Loc.Size, 1))-1)>>3
		for w := first; w <= min(last, first+mostWords-1); w++ {
			for _, th := range a.who[w] {
				a.meet(i, a.last[owner{w, th}])
			}
			a.add(w, i)
		}
	}
	return a.found
}

// meet adds the pairs of an access with those of another goroutine.
func (a *accesses) meet(i int, others []int) {
	e := &a.t.Events[i]
	for _, j := range others {
		o := &a.t.Events[j]
		sites := [2]event.Site{min(o.Site, e.Site), max(o.Site, e.Site)}
		if a.pairs[[2]int{j, i}] || a.of[sites] >= questions || !race.Conflict(o, e) || a.locks[i].exclude(a.locks[j]) {
			continue
		}
		a.pairs[[2]int{j, i}] = true
		a.of[sites]++
		a.found = append(a.found, candidate{key: explore.RaceKey(sites[0], sites[1]), race: true, events: []int{j, i}})
	}
}

// add notes an access to a word.
func (a *accesses) add(word uint64, i int) {
	e := &a.t.Events[i]
	if !slices.Contains(a.who[word], e.Thread) {
		a.who[word] = append(a.who[word], e.Thread)
	}
	at := owner{word, e.Thread}
	before := slices.DeleteFunc(a.last[at], func(j int) bool { return a.t.Events[j].Site == e.Site })
	a.last[at] = append(before, i)
}
