package vm

import (
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the goroutines of an execution, and the operations at which they stand.

// A SelCase is a communication that a goroutine stands at. at is a register: the value to send, or the place for the
// received one.
type SelCase struct {
	Chan uint64
	Elem *layout.Layout
	Send bool
	At   unsafe.Pointer
}

// Bytes returns the value to send, or the place for the received one.
func (c *SelCase) Bytes() []byte { return unsafe.Slice((*byte)(c.At), c.Elem.Size) }

// A Budget is how far an execution may go.
type Budget struct {
	Steps     int64
	Allocated int64 // bytes
	LookedAt  int64 // words looked at for names of states (naming/local.go), and for addresses that are free again
	Vacating  int64 // the latter alone (naming/reuse.go)
	Among     int64 // live goroutines among which one was chosen, summed over all choices
	MaxSteps  int64 // where the interpreter stops: the limit, or the end of a time slice
	HardSteps int64 // the limit where there are time slices
	Looking   bool  // each jump back ends a time slice in which no time passes: BUSY1 of package loop
	Options   sched.Options
}

// Cost is what the execution has taken.
func (b *Budget) Cost() trace.Cost {
	return trace.Cost{Steps: b.Steps, Allocated: b.Allocated, LookedAt: b.LookedAt, Among: b.Among}
}

// Retire takes goroutines that have ended from the list of the live.
func (m *Goroutines) Retire() {
	if m.dead++; m.dead < 32 || m.dead < len(m.Live)/2 {
		return
	}
	live := m.Live[:0]
	for _, g := range m.Live {
		if !g.Ended {
			live = append(live, g)
		}
	}
	clear(m.Live[len(live):])
	m.Live, m.dead = live, 0
}

// A Delivery is what another goroutine, or the clock, completed on this one's behalf.
type Delivery struct {
	Has   bool
	OK    bool
	Case  int
	Value []byte
}

// Pseudo reports whether g is the thread of a timer or of a store buffer, and no goroutine.
func (g *G) Pseudo() bool { return g.Fires != nil || g.Buffers != nil }

// IsRW reports whether an operation is one on an RWMutex.
func IsRW(o *event.Op) bool { return o.Key == event.RWMutexKey || o.Key == event.ReadersKey }

// First reports whether the operation that was announced when g was at a stage is performed now, and not in a former
// attempt.
func (g *Pending) First(stage int) bool { return g.Stage > stage }

// A Kept is what the operation with a number, of those of one instruction, has read at an address.
type Kept struct {
	Operation int
	Addr      uint64
	Bytes     []byte
}

// Keep keeps a copy of what the operation performed last has read.
func (g *Pending) Keep(addr uint64, b []byte) {
	g.Kept = append(g.Kept, Kept{g.Cursor, addr, slices.Clone(b)})
}

// KeptOf returns what an operation of a former attempt has read.
func (g *Pending) KeptOf(operation int) []byte {
	i := slices.IndexFunc(g.Kept, func(k Kept) bool { return k.Operation == operation })
	return g.Kept[i].Bytes
}

// A Fill is what a goroutine has read of a file and not written to the program's memory yet (FILL1 of package host).
type Fill struct {
	From       uint64 // the internal/poll.FD, 0 for none
	Addr, Size uint64 // where it goes
}

// Goroutines are those of an execution.
type Goroutines struct {
	Threads  []*G
	Live     []*G // of gs, those that have not ended, and a few others
	dead     int  // in live
	Left     []*G // under a scheduler, those that have ended since it was asked last
	Stood    []*G // and those that have come to stand at an operation, or to leave one, without performing it
	Ran      *G   // took the last transition
	Spun     []*G // those whose spins are not 0
	arrivals int  // pending operations so far
	Fresh    []*G // goroutines that have not run yet
	Main     *G
}

// A Pending is the operation at which a goroutine stands, and how far it has come with it.
type Pending struct {
	Op         event.Op         // the pending operation
	Waiting    bool             // op is set
	Permit     bool             // the scheduler chose this goroutine's operation
	Transition sched.Transition // and how
	Stage      int              // visible operations of the current instruction already performed
	Cursor     int              // those met in this attempt
	Heard      uint64           // a hash of what the current instruction has read so far (HEARD1)
	Kept       []Kept           // what it has read so far (KEPT1 of package access)
	Taken      []byte           // what a call of the host has read of the program's memory and not made use of yet
	Fill       Fill
	Holds      uint64 // a sum of hashes of the sockets that it works on (NET14 of package inet)
	Got        Delivery
	Sel        []SelCase // of a pending select or channel operation
	Arrived    int       // when it came to its pending operation, in arrivals
	Parked     bool      // it has surely begun to wait at its pending operation
	Queued     int       // by the rules of testing/synctest: its place in the queues of its channels, 0 if none
	Woken      int       // 1 + the case of its select that it goes on with, 0 if that is open
	Unbegun    bool      // it was started, and stands at a Yield before its first instruction (SEEN5 of package boundary)
	Preempted  bool      // its time slice is over: the pending operation is no instruction of its own
}

// SliceEvents is the number of transitions in a row after which a goroutine counts as polling though they had
// effects: it may be waiting for another one to run. Each time it is one more: else goroutines that go round could
// always stop at the same point of their rounds, in which none of them gets what it waits for.
const SliceEvents = 1000

// Slice is the number of transitions in a row after which g counts as polling.
func (g *Polling) Slice() int { return SliceEvents + g.Slices }

// StandsAt returns the first case of g's pending operation that communicates on ch in the given direction, -1 if none.
func (g *Pending) StandsAt(ch uint64, send bool) int {
	for i := range g.Sel {
		if g.Sel[i].Chan == ch && g.Sel[i].Send == send {
			return i
		}
	}
	return -1
}

// ToldTo reports whether g was told to perform an operation of one of some kinds that it has announced.
func (g *Pending) ToldTo(kinds ...event.Kind) bool {
	return g.Permit && slices.Contains(kinds, g.Op.Kind)
}

// Stand makes o the pending operation of g.
func (m *Machine) Stand(g *G, o event.Op) {
	meets(m, &o)
	if o.Order == event.ByKind {
		o.Order = g.order()
	}
	m.arrivals++
	g.Op, g.Waiting, g.Arrived = o, true, m.arrivals
	Restood(m, g)
}

// Restood notes that g has come to stand at an operation, or has left one without performing it.
func Restood(m *Machine, g *G) {
	if m.Mode == Exploring {
		m.Stood = append(m.Stood, g)
	}
}

// SliceSteps is the length of a time slice of Exec, where no access to memory lets another goroutine run: a goroutine
// that computes gives way after so many instructions, and the clock goes on meanwhile.
const SliceSteps = 1_000_000

// Cancelled reports whether nobody waits for the execution any more.
func (m *Budget) Cancelled() bool { return m.Options.Cancelled != nil && m.Options.Cancelled.Load() }
