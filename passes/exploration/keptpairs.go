package exploration

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file keeps the results of pairs of parallel tests. They depend on the accesses of all parallel tests of the
// package, which are not kept. So where one of the tests has changed, the others are explored again for their accesses.

// keptPairs is explorePairs, unless the cache has what it would find.
func (r *Result) keptPairs(c *closure.Result, t target, k *keeper, w Watcher, tests []*parallelTest) {
	tests = slices.DeleteFunc(tests, func(p *parallelTest) bool { return !p.parallel })
	with := 0
	for _, p := range tests {
		if p.kept || len(p.accesses)+len(p.order) > 0 {
			with++
		}
	}
	key := ""
	if k != nil && with > 1 {
		key = k.pairsKey(r, tests)
	}
	if key != "" && r.findPairs(k, key) {
		return
	}
	if with > 1 {
		for _, p := range tests {
			if p.kept {
				p.kept = false
				r.Entries[p.result] = exploreEntry(c, t, p.entry, p, w, p.at, k.work(c, w, p))
			}
		}
	}
	k.begin()
	r.explorePairs(c, t, tests, w.Stop)
	if key != "" {
		r.keepPairs(k, key)
	}
}

// work is what the exploration that the cache has of a test could use: that of the first turn, or of the second. With
// another bound the test would do the same, but an explorer may spend more to say so.
func (k *keeper) work(c *closure.Result, w Watcher, p *parallelTest) int64 {
	limit := limitOfWork(c, p.entry)
	if k.first[p.result] > 0 {
		return limit
	}
	return w.Turns.first(limit)
}

// pairsKey is the key of the pairs: the records of all parallel tests, and of the entries with races, which pairs do
// not look for again. It is "" if one of them was not kept.
func (k *keeper) pairsKey(r *Result, tests []*parallelTest) string {
	s := k.base
	s.Entry = "pairs"
	for i := range r.Entries {
		e := &r.Entries[i]
		parallel := slices.ContainsFunc(tests, func(p *parallelTest) bool { return p.result == i })
		races := slices.ContainsFunc(e.Result.Findings, func(f report.Finding) bool { return f.Category == report.DataRace })
		if !parallel && !races {
			continue
		}
		if k.ids[i] == "" {
			return ""
		}
		s.With = append(s.With, e.Name, k.ids[i])
	}
	return s.key()
}

// findPairs takes what the cache has of the pairs.
func (r *Result) findPairs(k *keeper, key string) bool {
	rec, _ := k.store.Find(key, k.cur)
	if rec == nil {
		return false
	}
	var pairs []EntryResult
	entries := k.t.entries()
	for i := range rec.Results {
		a, b, ok := findPair(entries, rec.Results[i].Name)
		if !ok {
			return false
		}
		out := k.entryResult(a, rec.Results[i].Name)
		out.Kind = "pair"
		if !k.restore(&out, &rec.Results[i], k.t.pair(a, b), limits(), "") {
			return false
		}
		pairs = append(pairs, out)
	}
	r.Pairs, r.Conflicts, r.ConflictsLeft = pairs, rec.Conflicts, rec.ConflictsLeft
	k.learn(rec)
	return true
}

func (r *Result) keepPairs(k *keeper, key string) {
	rec := &cache.Record{Conflicts: r.Conflicts, ConflictsLeft: r.ConflictsLeft}
	for i := range r.Pairs {
		if !k.keepable(&r.Pairs[i]) {
			return
		}
		res := k.result(&r.Pairs[i])
		res.Name = r.Pairs[i].Name
		rec.Results = append(rec.Results, res)
	}
	if k.unchanged() && k.depends(&rec.Depends) {
		k.store.Add(key, rec)
		k.learn(rec)
	}
}
