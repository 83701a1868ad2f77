package vm

import (
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file numbers what an address is made of beside a count of allocations. A program can print addresses and compare
// them. So a number must not depend on the executions before, nor on who of two goroutines came first: else a schedule
// could show a failure in one exploration, and not when it is replayed.
//
//	NUMBER1 The segment of a goroutine's memory is made of the goroutine's name. If another one has it, the next one
//	        is taken. That cannot be for G1, the first 8,190 goroutines that it starts, and the first 63 that each of
//	        the first 127 of these starts. Of ten others, two have one segment in one program of seven hundred.
//	NUMBER2 The place of a handle of package unique is made of its type and value. If another one has it, the next one
//	        is taken.
//	NUMBER3 An address is positive as an int, as every native one is. System calls refuse others, and a program may
//	        use the remainder of one as an index.
//	NUMBER4 A number that is made of the address of a local variable, and of which nobody makes a pointer again, is
//	        made of the goroutine's segment and the depth of the call: natively it is that of the goroutine's stack,
//	        as long as that does not grow.

// A Numbering gives goroutines, bubbles and handles the numbers that they have in all executions of an entry. An entry
// has its own: it may then have all of them.
type Numbering struct {
	Segments  map[event.ThreadID]int
	taken     map[int]bool                        // segments
	names     map[event.ThreadID][]event.ThreadID // of the goroutines that one started, in order
	BubbleIDs map[string]int32                    // by name, which does not depend on the schedule
	handles   *handlePlaces
}

// NewNumbering returns one that has numbered nothing yet.
func NewNumbering() Numbering {
	return Numbering{
		Segments: map[event.ThreadID]int{}, taken: map[int]bool{}, names: map[event.ThreadID][]event.ThreadID{}, BubbleIDs: map[string]int32{},
		handles: &handlePlaces{at: map[string]uint64{}, taken: map[uint64]bool{}},
	}
}

// Segments are numbered from mem.First on. The first ones are those of G1, of handles, and of the goroutines that G1
// starts. The next ones are those of the goroutines that these start. Each has beside it the segment of its output
// (SILENT6). What has another name is behind them.
const (
	segments      = mem.Text - mem.First
	children      = 1 << 13
	parents, kids = 1 << 7, 1 << 6
	others        = 2 * (children + parents*kids)
)

// Handles is the name of what handles have their segment by, and outputSuffix follows a goroutine's name in that of its
// output.
const (
	Handles      event.ThreadID = "unique"
	outputSuffix                = "/output"
)

// segmentOf is the segment that a name is made to, from mem.First on.
func segmentOf(id event.ThreadID) int {
	g, isOutput := strings.CutSuffix(string(id), outputSuffix)
	if n, ok := rankOf(event.ThreadID(g)); ok {
		return 2*n + int(Word(isOutput))
	}
	return others + int(HashString(string(id))%(segments-others))
}

// rankOf numbers the goroutines that have segments of their own in all programs.
func rankOf(id event.ThreadID) (n int, ok bool) {
	switch id {
	case "G1":
		return 0, true
	case Handles:
		return 1, true
	}
	for by, child := range id.Ancestry {
		if by == "G1" {
			return 1 + child, 1+child < children
		}
		for top, parent := range by.Ancestry {
			return children + parent*kids + child, top == "G1" && parent < parents && child < kids
		}
		break
	}
	return 0, false
}

// Segment returns the segment of memory of a goroutine's name (NUMBER1).
func (m *Machine) Segment(id event.ThreadID) int {
	if m.Mode == Running { // of Exec, whose addresses are compared with no others
		return mem.First
	}
	s, ok := m.Segments[id]
	if !ok {
		s = segmentOf(id)
		for m.taken[s] && len(m.taken) < segments {
			s = (s + 1) % segments
		}
		m.taken[s] = true
		s += mem.First
		m.Segments[id] = s
	}
	return s
}

// StackNumber is the number of the address of a local variable of g's innermost call (NUMBER4). Stacks do not overlap,
// and calls one within the other are near to each other.
func StackNumber(m *Machine, g *G, slot int) uint64 {
	const first, size, frame, word = 0xc0_0000_0000, 1 << 30, 64, 8
	stack := m.Segment(g.ID)
	if m.Mode == Running {
		stack = int(g.Index)
	}
	return first + uint64(stack+1)*size - uint64(len(g.Frames))*frame + uint64(slot)*word
}

// handlePlaces are the places of handles of package unique, in a segment of their own.
type handlePlaces struct {
	at    map[string]uint64 // by type and value
	taken map[uint64]bool
}

// places is how many places there are, but for those of large handles behind them.
const places = 1 << 20

// HandleAt is the place of the handle of a key (NUMBER2).
func (m *Numbering) HandleAt(key string, size uint64) uint64 {
	h := m.handles
	at, ok := h.at[key]
	if ok {
		return at
	}
	at = HashString(key) % places
	for free := uint64(0); free < mem.Slots(size); {
		if free++; h.taken[at+free-1] {
			at, free = at+free, 0
		}
	}
	for i := range mem.Slots(size) {
		h.taken[at+i] = true
	}
	h.at[key] = at
	return at
}

// ChildID names the newest goroutine that g started.
func (m *Numbering) ChildID(g *G) event.ThreadID {
	kids := m.names[g.ID]
	for len(kids) < g.Kids {
		kids = append(kids, event.ThreadID(fmt.Sprintf("%s.%d", g.ID, len(kids)+1)))
		m.names[g.ID] = kids
	}
	return kids[g.Kids-1]
}
