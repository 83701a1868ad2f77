package exploration

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/meet"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	racing "github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
)

// This file is about tests that go test runs side by side, because they call t.Parallel. Each is explored alone, so
// what two of them do to one another is not seen. Of that, races on what package variables lead to are looked for:
//
//	PAIR1 An access counts from where the test has called t.Parallel. What it did before that comes before all that
//	      other tests do in parallel.
//	PAIR2 An access counts if it is to memory that there was before any test: package variables, and what
//	      initialisers and TestMain have made on the first goroutine. Other memory has another owner in each test, or
//	      was given away through such memory.
//	PAIR3 Two accesses that could race if they met (race.Conflict) are a conflict, if one of the two is in the user's
//	      code, or the memory is the user's: a strings.Builder in a package variable. An execution of both tests in
//	      one machine has to show the race (package meet). A race that none shows is not reported.
//	PAIR4 Each pair of sites is asked about for at most maxTries pairs of tests, until it has raced, and each object
//	      (PAIR5) for maxHandovers. A package has at most maxConflicts questions. The result says how many were left.
//	PAIR5 Two tests that operate on one such object of the user's, which is not a lock and which hands memory over
//	      (meet.Hands), are asked about too, if one of them changes it: what one has made, the other may come to.

const (
	maxAccesses  = 2000 // different ones of one test
	maxTries     = 3
	maxHandovers = 10 // pairs of tests that are asked about one object
	maxConflicts = 100
)

// A parallelTest is what a test did to memory that other tests reach.
type parallelTest struct {
	sched.Machine
	entry    entry
	parallel bool
	seen     map[event.Event]bool
	accesses []event.Event   // in the order in which they were met
	sorted   []int32         // these by their addresses, as indices
	writes   []int32         // those of them that write
	widest   uint64          // the size of the largest
	left     bool            // there were more
	older    [2]uint64       // see trace.TestRun
	objects  map[uint64]bool // those of PAIR5: whether it changes them
	order    []uint64        // these, in the order in which they were met

	elsewhere *explore.Stop // if not nil, it ends here if it is parallel, and is explored elsewhere

	at     explore.Place
	result int  // index in Result.Entries
	kept   bool // the cache has its result; its accesses, of which it has some, are not noted
}

// Run implements sched.Machine.
func (p *parallelTest) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	t := p.Machine.Run(s, o)
	if t.Parallel > 0 && !t.Dropped {
		p.parallel = true
		if p.elsewhere != nil {
			p.elsewhere.Ask()
			return t
		}
		p.older = t.Older
		p.note(t.Events[t.Parallel-1:])
	}
	return t
}

// note keeps the accesses that are PAIR2.
func (p *parallelTest) note(events []event.Event) {
	for i := range events {
		e := &events[i]
		if mem.SegmentOf(e.Loc.Addr) != mem.Init && !p.isOlder(e.Loc.Addr) {
			continue
		}
		if meet.Hands(e.Kind) {
			p.noteObject(e)
		}
		if !e.Kind.CanRace() {
			continue
		}
		a := event.Event{Kind: e.Kind, Loc: e.Loc, Site: e.Site, Case: -1, Partner: -1}
		if e.Kind == event.AtomicRMW {
			a.Value = min(e.Value, 1) // whether it wrote
		}
		switch {
		case p.seen[a]:
		case len(p.accesses) == maxAccesses:
			p.left = true
		default:
			if p.seen == nil {
				p.seen = map[event.Event]bool{}
			}
			p.seen[a] = true
			p.accesses = append(p.accesses, a)
		}
	}
}

// noteObject keeps the object of an operation (PAIR5).
func (p *parallelTest) noteObject(e *event.Event) {
	changes, ok := p.objects[e.Loc.Addr]
	if !ok && len(p.order) == maxAccesses {
		p.left = true
		return
	}
	if p.objects == nil {
		p.objects = map[uint64]bool{}
	}
	if !ok {
		p.order = append(p.order, e.Loc.Addr)
	}
	p.objects[e.Loc.Addr] = changes || !e.Kind.OnlyReads() && e.Kind != event.OnceBegin
}

// objects lists the objects of two tests that are PAIR5.
func objects(t target, a, b *parallelTest) (out []uint64) {
	for _, addr := range a.order {
		changes, ok := b.objects[addr]
		if ok && (changes || a.objects[addr]) && (t.userMemory(addr) || a.isOlder(addr)) {
			out = append(out, addr)
		}
	}
	return out
}

// isOlder reports whether memory was made before the test began, though it is no part of the snapshot.
func (p *parallelTest) isOlder(addr uint64) bool { return addr >= p.older[0] && addr < p.older[1] }

// conflicts lists the conflicts of two tests, each pair of sites once, in the order in which the tests met them.
func conflicts(t target, a, b *parallelTest) (out []meet.Conflict) {
	var pairs [][2]int32 // what is written by one of the two, and overlaps
	a.byAddress()
	b.byAddress()
	for _, i := range a.writes {
		for _, j := range b.overlapping(a.accesses[i].Loc) {
			pairs = append(pairs, [2]int32{i, j})
		}
	}
	for _, j := range b.writes {
		for _, i := range a.overlapping(b.accesses[j].Loc) {
			if !a.accesses[i].Kind.IsWrite() {
				pairs = append(pairs, [2]int32{i, j})
			}
		}
	}
	slices.SortFunc(pairs, func(p, q [2]int32) int { return slices.Compare(p[:], q[:]) })
	seen := map[[2]event.Site]bool{}
	for _, p := range pairs {
		x, y := a.accesses[p[0]], b.accesses[p[1]]
		x.Thread, y.Thread = 0, 1
		key := [2]event.Site{min(x.Site, y.Site), max(x.Site, y.Site)}
		if !seen[key] && racing.Conflict(&x, &y) && (t.IsUser(x.Site) || t.IsUser(y.Site) || t.userMemory(x.Loc.Addr) || a.isOlder(x.Loc.Addr)) {
			seen[key] = true
			out = append(out, meet.Conflict{x, y})
		}
	}
	return out
}

// byAddress sets sorted, writes and widest.
func (p *parallelTest) byAddress() {
	if len(p.sorted) == len(p.accesses) {
		return
	}
	p.sorted, p.writes, p.widest = p.sorted[:0], p.writes[:0], 0
	for i := range p.accesses {
		e := &p.accesses[i]
		p.sorted, p.widest = append(p.sorted, int32(i)), max(p.widest, uint64(e.Loc.Size))
		if e.Kind.IsWrite() {
			p.writes = append(p.writes, int32(i))
		}
	}
	slices.SortStableFunc(p.sorted, func(i, j int32) int { return cmp.Compare(p.accesses[i].Loc.Addr, p.accesses[j].Loc.Addr) })
}

// overlapping lists the accesses that share a byte with a range. byAddress comes first.
func (p *parallelTest) overlapping(loc event.Location) (out []int32) {
	first := loc.Addr - min(loc.Addr, p.widest)
	k, _ := slices.BinarySearchFunc(p.sorted, first, func(i int32, addr uint64) int { return cmp.Compare(p.accesses[i].Loc.Addr, addr) })
	for _, i := range p.sorted[k:] {
		l := p.accesses[i].Loc
		if l.Addr > loc.Addr+uint64(loc.Size) {
			break
		}
		if l.Overlaps(loc) {
			out = append(out, i)
		}
	}
	return out
}

// pairSep stands between the names of the tests of a pair.
const pairSep = "|"

// explorePairs asks about the conflicts of parallel tests.
func (r *Result) explorePairs(c *closure.Result, t target, tests []*parallelTest, stop *explore.Stop) {
	tests = slices.DeleteFunc(tests, func(p *parallelTest) bool { return !p.parallel })
	raced, tries, elsewhere := map[string]bool{}, map[string]int{}, map[[2]ssa.Instruction]bool{}
	for i := range r.Entries {
		e := &r.Entries[i]
		for j := range e.Result.Findings {
			if f := &e.Result.Findings[j]; e.source == report.Source(t) || e.source == nil {
				raced[f.Key] = true
			} else if f.Category == report.DataRace && f.Witness != nil {
				x, y := f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site
				elsewhere[[2]ssa.Instruction{instruction(e.source, x), instruction(e.source, y)}] = true
			}
		}
	}
	for i, a := range tests {
		if a.left {
			r.ConflictsLeft++
		}
		for _, b := range tests[i+1:] {
			var ask []meet.Conflict
			for _, x := range conflicts(t, a, b) {
				key := x.Key()
				in, is := instruction(t, x[0].Site), instruction(t, x[1].Site)
				switch {
				case raced[key], elsewhere[[2]ssa.Instruction{in, is}], elsewhere[[2]ssa.Instruction{is, in}]:
				case stop.Asked(), tries[key] >= maxTries, r.Conflicts+len(ask) >= maxConflicts:
					r.ConflictsLeft++
				default:
					tries[key]++
					ask = append(ask, x)
				}
			}
			var hands []uint64
			for _, addr := range objects(t, a, b) {
				key := fmt.Sprintf("object %x", addr)
				if stop.Asked() || tries[key] >= maxHandovers || r.Conflicts+len(ask)+len(hands) >= maxConflicts {
					r.ConflictsLeft++
					continue
				}
				tries[key]++
				hands = append(hands, addr)
			}
			if len(ask)+len(hands) > 0 {
				r.askPair(c, t, a, b, &meet.Explorer{Conflicts: ask, Objects: hands}, raced)
			}
		}
	}
}

// askPair asks about conflicts and objects of two tests.
func (r *Result) askPair(c *closure.Result, t target, a, b *parallelTest, meet *meet.Explorer, raced map[string]bool) {
	out := newEntryResult(c, t, a.entry)
	out.Name, out.Kind = a.entry.name+pairSep+b.entry.name, "pair"
	out.token = func(f *report.Finding) string { return formatToken(c.Recipe.Path, out.Name, c.Recipe.Digest, f) }
	err := protect(func() error {
		out.Result = meet.Explore(t.pair(a.entry, b.entry), limits())
		out.distinct()
		return nil
	})
	if err != nil {
		out.Result, out.failed = failed(err), true
	}
	r.Conflicts += meet.Asked
	for _, f := range out.Result.Findings {
		raced[f.Key] = true
	}
	if len(out.Result.Findings) > 0 {
		r.Pairs = append(r.Pairs, out)
	}
}

// findPair returns the entries of a pair by its name.
func findPair(entries []entry, name string) (a, b entry, ok bool) {
	first, second, ok := strings.Cut(name, pairSep)
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == first })
	j := slices.IndexFunc(entries, func(e entry) bool { return e.name == second })
	if !ok || i < 0 || j < 0 {
		return a, b, false
	}
	return entries[i], entries[j], true
}

// limits are those of the flags.
func limits() explore.Limits {
	return explore.Limits{Executions: flags.executions, Events: flags.events, Work: int64(flags.work) * million, Memory: int64(flags.memory) << 20}
}
