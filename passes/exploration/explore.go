package exploration

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/depends"
	"github.com/heddle-go/heddle/passes/sequential"
	"github.com/heddle-go/heddle/program"
)

// explorePackage explores the entries of the package that c describes, up to their second turns, and tells w. It notes
// in rest what is left to do.
func explorePackage(c *closure.Result, w Watcher, rest *Rest) *Result {
	res := &Result{fset: w.fset, past: w.Past}
	if len(c.Packages) > 0 {
		res.Package = c.Packages[0]
	}
	switch {
	case c.Err != nil:
		res.Err = c.Err
		return res
	case !c.HasEntries():
		res.Skipped = "it has no tests"
		return res
	}
	if p := c.Partial(); c.Recipe == nil && !flags.sequential && p != nil && !sequential.MayStart(p) {
		res.skip(p, c.Packages)
		return res
	}
	if err := c.Complete(); err != nil {
		res.Err = err
		return res
	}
	k := newKeeper(c, w)
	if kept := k.whole(); kept != nil && !kept.asksChanged(c, w) {
		kept.fset, kept.accepted, kept.conclusive = w.fset, readDirectives(c), kept.concludes(c)
		rest.turns = kept.tell(w)
		return kept.Result
	}
	if NewSince != nil && !w.Past {
		if res.Skipped = NewSince.Unchanged(c.Recipe); res.Skipped != "" {
			res.addDeclared(c.Recipe, c.Packages)
			return res
		}
	}
	sequential := !sequential.MayStart(c.Recipe)
	if sequential && !flags.sequential {
		if c.Universe != nil { // go vet has type-checked it
			if _, res.Err = c.Universe.Build(c.Recipe); res.Err != nil {
				return res
			}
		}
		res.skip(c.Recipe, c.Packages)
		k.keepWhole(res)
		return res
	}
	loading := &slot{order: w.Order}
	w.Slots.take(loading)
	t, err := load(c, flags.given())
	w.Slots.leave(loading)
	if err != nil {
		res.Err = err
		return res
	}
	k = k.loaded(t)
	var entries []entry
	for _, e := range t.entries() {
		if !slices.Contains(c.Packages, e.pkg) {
			continue // another unit of the build tool explores it
		}
		if !res.add(e.name) {
			continue
		}
		if sequential && !t.waits(e) {
			res.Sequential++
			continue
		}
		e.sequential = sequential
		entries = append(entries, e)
	}
	if sequential && len(entries) == 0 && len(res.Names) > 0 {
		res.Skipped, res.Sequential = "nothing in it starts a goroutine, or waits", 0
		k.keepWhole(res)
		return res
	}
	res.accepted = readDirectives(c)
	w.began(res, entries)
	res.Entries = make([]EntryResult, len(entries))
	tests, waiting := res.exploreEntries(c, t, k, w, entries)
	res.waitsForTurn = len(waiting) > 0
	w.Turns.wait(len(waiting))
	rest.turns = func(w Watcher) { res.secondTurns(c, t, k, w, waiting) }
	rest.finish = func(w Watcher) {
		x := &slot{order: -1} // before all others
		w.Slots.take(x)
		defer w.Slots.leave(x)
		res.complete(c, t, k, w, tests)
	}
	return res
}

// complete does what is done when the entries of a package are explored.
func (r *Result) complete(c *closure.Result, t target, k *keeper, w Watcher, tests []*parallelTest) {
	r.keptPairs(c, t, k, w, tests)
	if len(r.Names) == 0 {
		r.Skipped = "it has no tests"
	}
	k.keepWhole(r)
	r.conclusive = r.concludes(c)
	if flags.fixes && !w.Past {
		r.findFixes(c, t, w)
	}
}

// exploreEntries explores the entries that the cache has not. It returns the tests among them, and the entries that
// have a second turn.
func (r *Result) exploreEntries(c *closure.Result, t target, k *keeper, w Watcher, entries []entry) (tests []*parallelTest, waiting []*turn) {
	tests, waiting = make([]*parallelTest, len(entries)), make([]*turn, len(entries))
	s := newCrew(t, k, w)
	for i, e := range entries {
		at := explore.Place{Package: c.Packages[0], Entry: e.name, N: i + 1, Of: len(entries)}
		s.explore(i, false, func(l *lane, w Watcher) func() {
			waiting[i] = nil // of an attempt that was set aside
			x, waits, out := r.firstTurn(c, l, w, e, at, i)
			if x.p != nil && x.p.parallel && !l.first {
				return nil
			}
			if tests[i] = x.p; waits {
				waiting[i] = x
				return func() {}
			}
			out = alsoChanged(c, l.t, e, w, at, out)
			return func() { w.settled(r, i, out) }
		})
	}
	s.wait()
	tests = slices.DeleteFunc(tests, func(p *parallelTest) bool { return p == nil })
	waiting = slices.DeleteFunc(waiting, func(x *turn) bool { return x == nil })
	return tests, waiting
}

// firstTurn asks the cache, or explores an entry. It reports whether the entry has a second turn.
func (r *Result) firstTurn(c *closure.Result, l *lane, w Watcher, e entry, at explore.Place, index int) (x *turn, waits bool, out EntryResult) {
	m := l.t.machine(e)
	limit := limitOfWork(c, e)
	x = &turn{entry: e, at: at, index: index, limit: limit, had: w.Turns.first(limit)}
	if e.kind == "test" {
		x.p = l.test(e, m, w, at, index)
	}
	if kept, rec := l.k.find(e, m, index, limit); kept != nil {
		if x.p != nil {
			x.p.parallel, x.p.left, x.p.kept = rec.Parallel, rec.Left, rec.Accesses
		}
		if rec.First > 0 {
			w.Turns.use(rec.First)
			x.took, x.kept = rec.First, kept
			return x, true, out
		}
		w.Turns.spend(kept)
		return x, false, *kept
	}
	if x.p != nil {
		m = x.p
	}
	l.k.begin()
	out = exploreEntry(c, l.t, e, m, w, at, x.had)
	if w.Turns.spend(&out); w.Turns != nil && !out.stands() {
		x.took, x.first = out.Result.Stats.Work, out
		return x, true, out
	}
	if !w.Stop.Asked() {
		l.k.keep(e, &out, x.p, index, 0)
	}
	return x, false, out
}

// skip notes that the program is sequential, and the entries it has.
func (r *Result) skip(recipe *program.Recipe, packages []string) {
	r.Skipped = "nothing in it starts a goroutine"
	r.waits = sequential.MayWait(recipe)
	r.addDeclared(recipe, packages)
}

// addDeclared notes the entries that a program declares, where it is not loaded.
func (r *Result) addDeclared(recipe *program.Recipe, packages []string) {
	for _, name := range sequential.Declared(recipe, packages) {
		r.add(name)
	}
}

// million is what -limit.work counts in.
const million = 1_000_000

// lookEvery is after how many executions an entry looks at the size of the heap.
const lookEvery = 16

// exploreEntry explores one entry, with so much work; 0 is its limit. A panic within Heddle ends this entry only.
func exploreEntry(c *closure.Result, t target, e entry, m sched.Machine, w Watcher, at explore.Place, work int64) EntryResult {
	out := newEntryResult(c, t, e)
	out.token = func(f *report.Finding) string { return formatToken(c.Recipe.Path, e.name, c.Recipe.Digest, f) }
	special := specialOf(c, e)
	if special.Skip != "" {
		out.leaveOut(special.Skip)
		return out
	}
	if w.leftOut(&out) {
		return out
	}
	err := protect(func() error {
		if _, err := makeExplorer(); err != nil {
			return err
		}
		deps, err := depends.Parse(flags.deps)
		if err != nil {
			return err
		}
		timing, err := explore.ParseTiming(cmp.Or(special.Timing, flags.timing))
		if err != nil {
			return err
		}
		model, err := event.ParseMemoryModel(flags.model)
		if err != nil {
			return err
		}
		leaks, err := explore.ParseLeaks(flags.leaks)
		if err != nil {
			return err
		}
		var ignores union.Ignoring
		if t, ok := t.(*programTarget); ok {
			ignores = deps.Ignores(t.graphs, t.Machine)
		}
		next := func() explore.Explorer {
			x, _ := makeExplorer() // it was made before
			if u, ok := x.(*union.Explorer); ok {
				if w.Slots.Count() > 1 {
					u.Idle = w.Slots.idle
				}
				u.Ignores = ignores
			}
			if f, ok := x.(*formula.Explorer); ok {
				if t, ok := t.(*programTarget); ok {
					f.Needs = deps.OrDefault().Needs(t.graphs, t.Machine)
				}
			}
			if p, ok := x.(*plain.Pairwise); ok && NewSince != nil {
				p.Changed = func(event.Site) bool { return false }
				if !w.Past {
					p.Changed, _ = changedIn(c, t)
				}
			}
			return x
		}
		limits := limitsOf(special, e)
		limits.Work = cmp.Or(work, limits.Work)
		limits.Stop = w.Stop
		limits.Progress = func(p explore.Progress) {
			if p.Executions%lookEvery == 0 {
				w.Slots.look()
			}
			if w.Progress != nil {
				w.Progress(at, p)
			}
		}
		if out.Result = explore.ExploreRegimes(next, leaks.Leaking(m), limits, timing); out.Result != nil {
			out.Result = explore.ExploreMemory(next, leaks.Leaking(m), limits, model, out.Result)
		}
		if out.Result != nil && flags.robustness && !e.sequential {
			out.Result = explore.ExploreRobustness(explorers.Historian(flags.explorer), leaks.Leaking(m), limits, cmp.Or(model, event.TSO), out.Result)
		}
		if out.Result == nil {
			return fmt.Errorf("explorer %q gave no result", flags.explorer)
		}
		if e.sequential {
			onlyStuck(out.Result)
		}
		out.distinct()
		return nil
	})
	if err != nil {
		out.Result, out.failed = failed(err), true
	}
	if name := t.read(); name != "" && c.Cached() {
		readOutside(out.Result, name)
	}
	return out
}

// limitsOf are the limits of an entry.
func limitsOf(special Special, e entry) explore.Limits {
	limits := explore.Limits{
		Executions: cmp.Or(special.Executions, flags.executions), Events: cmp.Or(special.Events, flags.events),
		Work: int64(cmp.Or(special.Work, flags.work)) * million, Memory: int64(cmp.Or(special.Memory, flags.memory)) << 20,
	}
	if e.sequential {
		limits.Executions, limits.Events = cmp.Or(limits.Executions, sequentialLimits.Executions), cmp.Or(limits.Events, sequentialLimits.Events)
		limits.Steps = sequentialLimits.Steps
	}
	return limits
}

// An internalError is a panic within Heddle.
type internalError struct {
	value any
	at    string // where in Heddle's own source
	stack []byte
}

func (e *internalError) Error() string {
	return fmt.Sprintf("Heddle itself failed: %v, at %s; please report it at https://github.com/heddle-go/heddle/issues", e.value, e.at)
}

// protect calls f and turns a panic in it into an error.
func protect(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			stack := debug.Stack()
			if f, ok := v.(*explore.Fault); ok {
				v, stack = f.Value, f.Stack
			}
			err = &internalError{v, panicSite(string(stack)), stack}
		}
	}()
	return f()
}

// panicSite finds in a stack the innermost function below the panic. Its
// address, offset and folder are left out: they differ from run to run.
func panicSite(stack string) string {
	lines := strings.Split(stack, "\n")
	at := "an unknown place"
	for i := 0; i+1 < len(lines); i++ {
		if strings.HasPrefix(lines[i], "panic(") && i+2 < len(lines) {
			fn := lines[i+2]
			if j := strings.LastIndexByte(fn, '('); j > 0 {
				fn = fn[:j]
			}
			at = fn
		}
	}
	return at
}

// failed is the result of an entry whose exploration broke down.
func failed(err error) *explore.Result {
	r := &explore.Result{Verdict: explore.Incomplete, Reason: strings.Join(strings.Fields(err.Error()), " ")}
	w := &trace.Trace{Failing: trace.Failing{Panic: r.Reason}, Diverged: -1}
	var internal *internalError
	if errors.As(err, &internal) {
		w.Output = internal.stack // for -dump; it differs from run to run
	}
	r.Findings = []report.Finding{{Category: report.Internal, Key: "internal: " + r.Reason, Witness: w}}
	return r
}

// CheckFlags reports what is wrong with the flags and only this package can
// tell: an explorer that does not exist, a negative limit.
func CheckFlags() error {
	if _, err := makeExplorer(); err != nil {
		return err
	}
	if _, err := explore.ParseTiming(flags.timing); err != nil {
		return fmt.Errorf("-timing: %w", err)
	}
	if _, err := event.ParseMemoryModel(flags.model); err != nil {
		return fmt.Errorf("-memory: %w", err)
	}
	if _, err := explore.ParseLeaks(flags.leaks); err != nil {
		return fmt.Errorf("-leaks: %w", err)
	}
	if _, err := depends.Parse(flags.deps); err != nil {
		return fmt.Errorf("-deps: %w", err)
	}
	if x, _ := newExplorer(flags.explorer); flags.deps != "" {
		switch x.(type) {
		case *formula.Explorer, *union.Explorer:
		default:
			return fmt.Errorf("-deps: only the explorers union, mcr-s and mcr-s+ ask what depends on an operation")
		}
	}
	for _, limit := range []struct {
		name string
		n    int
	}{{"executions", flags.executions}, {"events", flags.events}, {"work", flags.work}, {"memory", flags.memory}} {
		if limit.n < 0 {
			return fmt.Errorf("-limit.%s=%d: a limit is a positive number, or 0 for the default", limit.name, limit.n)
		}
	}
	if flags.workers < 0 {
		return fmt.Errorf("-workers=%d: want a positive number, or 0 for all processors", flags.workers)
	}
	return nil
}
