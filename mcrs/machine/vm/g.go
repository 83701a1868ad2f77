package vm

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines goroutines.

// A PanicRec is a panic, or a Goexit, on its way up.
type PanicRec struct {
	Type, Data uint64
	Depth      int // frames below the deferred call that runs now
	Recovered  bool
	Goexit     bool
	Origin     Origin
	Stack      []trace.Frame // when it began
	Links      []PanicLink   // older panics that this one replaced, the oldest first
}

// A PanicLink is what is printed of a panic that another one replaced.
type PanicLink struct {
	Type, Data                    uint64
	Recovered, Repanicked, Goexit bool
}

// An Origin is where a panic was raised. A panic with the value of one just recovered keeps its origin.
type Origin struct {
	Type, Data uint64
	Site       event.Site
	Stack      []trace.Frame
}

// Made counts what a goroutine has made. The numbers are parts of names, so names are the same in all executions.
type Made struct {
	Kids    int
	Bubbles int // that it has made
	Inet    SocketCount
	Tokens  uint64
}

// A G is a goroutine.
type G struct {
	GoStack
	Pending
	Polling
	StoreBuffer
	OwnTime
	Ends
	Made
	Own

	ID        event.ThreadID
	Index     int32 // in Trace.Threads
	Segment   int   // its segment of memory
	Parent    *G
	Seq       int32
	Bubble    *Bubble
	Rand      uint64            // state of the goroutine's random stream
	Ranged    uint64            // hash of where its iterations over shared maps end (RANGE2 of package objects)
	spare     []uint64          // the chunk that was dropped last
	Indicator uint8             // of crypto/internal/fips140
	Secret    bool              // since its last event it has done something that makes none: see naming/local.go
	Runs      *Func             // what it was started with
	Others    string            // what runtime.Stack has seen of the others
	Object    int               // index of the event of the last ObjectEvent, -1 if it made none
	Outputs   int               // the depth of a frame that makes output of a test, 0 for none (SILENT6)
	Memos     map[uint64]uint64 // its tables of results, by variable (SILENT3)
	Course    *kernel.Course    // of the system call under way, if it is performed in steps
}

// Ends says how far a goroutine has come with its end, and what it says then.
type Ends struct {
	Ended   bool
	Ending  bool // its function has returned: the pending operation is its end
	Dying   bool // it ends the program: the pending operation is the panic
	Exited  bool // by Goexit
	InText  bool
	Text    *string // of a panic's value
	Texts   map[PanicValue]*string
	Message string // of a fatal error
}

// A PanicValue is an interface value that a goroutine panics with.
type PanicValue struct{ Type, Data uint64 }
