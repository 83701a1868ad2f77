package report

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// maxRelated bounds the related positions of a finding.
const maxRelated = 8

// Position is where the finding stands: the innermost line of its witness in
// the analysed package, else the entry's name.
//
// A race has two accesses, and which of them comes first is the explorer's
// accident. So the position does not depend on their order: the access in the
// analysed package wins, then the write, then the one further up.
func (v *View) Position(f *Finding) token.Position {
	for _, frames := range v.keyStacks(f) {
		if i := v.own(frames); i >= 0 {
			return v.Source.Position(frames[i].Site)
		}
	}
	return v.EntryPos
}

// keyStacks returns the stacks that may tell where the finding stands, best first.
func (v *Code) keyStacks(f *Finding) [][]trace.Frame {
	t := f.Witness
	if t == nil {
		return nil
	}
	var stacks [][]trace.Frame
	switch f.Category {
	case DataRace:
		if len(f.Events) == 2 {
			k := v.keyAccess(f)
			stacks = append(stacks, v.frames(t, f.Events[k]), v.frames(t, f.Events[1-k]))
		}
	case Robustness:
		for _, i := range overtaking(f) {
			stacks = append(stacks, v.frames(t, i))
		}
	case Deadlock, GoroutineLeak, Livelock:
		for _, i := range v.byWeight(t, f.Threads) {
			stacks = append(stacks, v.threadFrames(t, i))
		}
		for _, i := range f.Threads {
			stacks = append(stacks, v.startFrames(t, i))
		}
	default:
		stacks = append(stacks, v.failFrames(f))
		if i := int(t.PanicThread); f.Category == Panics && i >= 0 && i < len(t.Threads) {
			stacks = append(stacks, v.startFrames(t, i))
		}
	}
	return stacks
}

// weighed has goroutines in the order of byWeight, of what was asked last: there can be thousands, and one finding asks
// for each of its lines.
type weighed struct {
	of             *trace.Trace
	threads, order []int
}

// byWeight sorts blocked goroutines by how much each says of the cause: one in a
// cycle of locks first, one that waits for others to end last, one in the package's code before one in its tests.
func (v *Code) byWeight(t *trace.Trace, threads []int) []int {
	if w := &v.weighed; w.of != t || !slices.Equal(w.threads, threads) {
		weights := make(map[int]int, len(threads))
		for _, i := range threads {
			weights[i] = weightOf(v, t, i)
		}
		*w = weighed{t, slices.Clone(threads), slices.Clone(threads)}
		slices.SortStableFunc(w.order, func(a, b int) int { return cmp.Compare(weights[a], weights[b]) })
	}
	return slices.Clone(v.weighed.order)
}

func weightOf(v *Code, t *trace.Trace, i int) (w int) {
	if holder(t, i) == "" {
		w += 4
	}
	if p := t.Threads[i].Pending; p != nil && p.Kind == event.WaitGroupWait {
		w += 2
	}
	if p := v.framePosition(v.threadFrames(t, i)); strings.HasSuffix(p.Filename, "_test.go") {
		w++
	}
	return w
}

// keyAccess returns 0 or 1: the access of a race that the finding stands at.
func (v *Code) keyAccess(f *Finding) int {
	t := f.Witness
	a, b := v.frames(t, f.Events[0]), v.frames(t, f.Events[1])
	if own := v.own(a) >= 0; own != (v.own(b) >= 0) {
		return first(own)
	}
	if w := t.Events[f.Events[0]].Kind.IsWrite(); w != t.Events[f.Events[1]].Kind.IsWrite() {
		return first(w)
	}
	return first(comparePositions(v.framePosition(a), v.framePosition(b)) < 0)
}

func first(yes bool) int {
	if yes {
		return 0
	}
	return 1
}

func (v *Code) framePosition(frames []trace.Frame) token.Position {
	if i := v.own(frames); i >= 0 {
		return v.Source.Position(frames[i].Site)
	}
	if i := v.nearest(frames); i >= 0 {
		return v.Source.Position(frames[i].Site)
	}
	return token.Position{}
}

func comparePositions(a, b token.Position) int {
	return cmp.Or(cmp.Compare(a.Filename, b.Filename), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// A Related is a further position of a finding.
type Related struct {
	Position token.Position
	Message  string
}

// Related returns the accesses of a race, the blocked operations of a deadlock
// or leak, and where the goroutines were started: those in the file of the
// finding's own position first, at most eight.
func (v *View) Related(f *Finding) []Related {
	t := f.Witness
	if t == nil {
		return nil
	}
	var rel []Related
	add := func(frames []trace.Frame, format string, args ...any) {
		if i := v.nearest(frames); i >= 0 {
			rel = append(rel, Related{v.Source.Position(frames[i].Site), fmt.Sprintf(format, args...)})
		}
	}
	threads := f.Threads
	switch f.Category {
	case Robustness:
		add(shownFrames(&v.Code, f), "%s", leadsTo(v, f))
	case DataRace:
		for n, i := range f.Events {
			e, other := &t.Events[i], &t.Events[f.Events[len(f.Events)-1-n]]
			add(v.frames(t, i), "%s of %s by %s", verb(e, other), v.raced(e, other), id(t, int(e.Thread)))
		}
	case Deadlock, GoroutineLeak, Livelock:
		for _, i := range f.Threads {
			add(v.threadFrames(t, i), "%s", v.waits(t, i))
		}
	case TestFailure:
		for i := range t.Failures {
			fail := &t.Failures[i]
			add(v.called(fail.Stack), "%s", clip(Assertion(v.said(t, fail)), maxText))
		}
	case Panics:
		add(v.failFrames(f), "%s", clip(oneLine(panicText(t)), maxText))
	}
	relateOvertakings(v, t, add)
	for _, i := range threads {
		if frames := v.startFrames(t, i); v.user(frames) >= 0 { // package testing starts tests
			add(frames, "%s was started here", id(t, i))
		}
	}
	return sortRelated(rel, v.Position(f).Filename)
}

// Elsewhere is Related without what stands at the finding's own position, and with the entry: what text shows below the
// headline.
func (v *View) Elsewhere(f *Finding) []Related {
	own := v.Position(f)
	rel := slices.DeleteFunc(v.Related(f), func(r Related) bool { return r.Position == own })
	if where := v.EntryLine(f); where != "" && v.EntryPos.IsValid() {
		rel = append(rel, Related{v.EntryPos, where})
	}
	return rel
}

// waits is waiting without the place, for a related position, which is the place.
func (v *View) waits(t *trace.Trace, i int) string {
	s := fmt.Sprintf("%s waits here (%s)", id(t, i), waits(&t.Threads[i]))
	if h := holder(t, i); h != "" {
		s += ", held by " + h
	}
	return s
}

func sortRelated(rel []Related, file string) []Related {
	slices.SortStableFunc(rel, func(a, b Related) int {
		same := func(r Related) int {
			if r.Position.Filename == file {
				return 0
			}
			return 1
		}
		return cmp.Compare(same(a), same(b))
	})
	seen := map[Related]bool{}
	rel = slices.DeleteFunc(rel, func(r Related) bool {
		dup := seen[r]
		seen[r] = true
		return dup
	})
	return rel[:min(len(rel), maxRelated)]
}
