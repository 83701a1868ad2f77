package exploration

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file keeps the result of a package as a whole.

// A whole is what is kept of a package whose files have not changed: it need not even be loaded.
type whole struct {
	Entries                  []wholeEntry
	Names                    []string
	Matched                  int
	Skipped                  string
	Sequential               int
	Waits                    bool
	Conflicts, ConflictsLeft int
	World                    []cache.Seen
	Package                  string
}

type wholeEntry struct {
	Name, Kind string
	Pos        cache.Site
	Special    Special
	Failed     bool
	Result     cache.Result
	Second     bool `json:",omitempty"` // it needed a second turn
}

// A wholeResult is a kept result of a package.
type wholeResult struct {
	*Result
	second []bool // by entry: whether its line comes with the second turns
}

func (k *keeper) wholeKey() string {
	s := k.base
	s.Files, s.Run = k.files, flags.run.String()
	return s.key()
}

// whole returns the kept result of a package of which nothing has changed. It returns nil if there is none, or if
// findings have to be run again.
func (k *keeper) whole() *wholeResult {
	if k == nil || k.turns.bounded() {
		return nil
	}
	var res *wholeResult
	k.store.Records(k.wholeKey(), func(_ string, data []byte) bool {
		w := new(whole)
		if json.Unmarshal(data, w) == nil && cache.Same(w.World) {
			res = k.restoreWhole(w)
		}
		return res != nil
	})
	return res
}

func (k *keeper) restoreWhole(w *whole) *wholeResult {
	res := &wholeResult{Result: &Result{Package: w.Package, Names: w.Names, Matched: w.Matched, Skipped: w.Skipped, Sequential: w.Sequential, waits: w.Waits,
		Conflicts: w.Conflicts, ConflictsLeft: w.ConflictsLeft}}
	for i := range w.Entries {
		e := &w.Entries[i]
		if specialOf(k.c, entry{name: e.Name}) != e.Special {
			return nil
		}
		out := EntryResult{Name: e.Name, Kind: e.Kind, Pos: e.Pos.Pos, packages: k.c.Packages, failed: e.Failed, Cached: !e.Failed, reasonAt: e.Result.At}
		out.Result = e.Result.Restore()
		res.Entries, res.second = append(res.Entries, out), append(res.second, e.Second)
		res.waitsForTurn = res.waitsForTurn || e.Second
	}
	return res
}

// asksChanged reports whether changed code is to be looked at once more in an entry (changed.go).
func (r *wholeResult) asksChanged(c *closure.Result, w Watcher) bool {
	if NewSince == nil || w.Past || !slices.ContainsFunc(r.Entries, func(e EntryResult) bool { return e.hasLimit() }) {
		return false
	}
	return NewSince.Unchanged(c.Recipe) == ""
}

// tell tells of the entries, in the order in which exploring them would. It returns what tells of those that had a
// second turn, nil if there are none.
func (r *wholeResult) tell(w Watcher) (rest func(Watcher)) {
	var entries []entry
	for i := range r.Entries {
		entries = append(entries, entry{name: r.Entries[i].Name})
	}
	w.began(r.Result, entries)
	r.told(w, false)
	if !r.waitsForTurn {
		return nil
	}
	return func(w Watcher) { r.told(w, true) }
}

func (r *wholeResult) told(w Watcher, second bool) {
	for i := range r.Entries {
		if r.second[i] == second {
			w.settled(r.Result, i, r.Entries[i])
		}
	}
}

// keepWhole keeps the result of a package.
func (k *keeper) keepWhole(res *Result) {
	if k == nil || res.Err != nil || len(res.Pairs) > 0 || !k.unchanged() {
		return
	}
	w := &whole{Package: res.Package, Names: res.Names, Matched: res.Matched, Skipped: res.Skipped, Sequential: res.Sequential, Waits: res.waits,
		Conflicts: res.Conflicts, ConflictsLeft: res.ConflictsLeft}
	for i := range res.Entries {
		e := &res.Entries[i]
		special := specialOf(k.c, entry{name: e.Name})
		if e.changed || len(e.Result.Findings) > 0 || e.failed && special.Skip == "" || k.ids[i] == "" && special.Skip == "" {
			return
		}
		kept := wholeEntry{Name: e.Name, Kind: e.Kind, Pos: cache.Site{Pos: e.Pos}, Special: special, Failed: e.failed, Result: cache.KeepResult(e.Result), Second: k.first[i] > 0}
		kept.Result.At = e.reasonAt
		if k.t != nil && e.reasonAt == nil {
			kept.Result.At = k.site(e)
		}
		w.Entries = append(w.Entries, kept)
	}
	w.World = slices.SortedFunc(maps.Values(k.world), func(a, b cache.Seen) int { return strings.Compare(a.Path, b.Path) })
	if text, err := json.Marshal(w); err == nil {
		k.store.Put(k.wholeKey(), text)
	}
}
