package machine

import (
	"bytes"
	"io"

	"github.com/heddle-go/heddle/program"
)

// This file names the two modes of a machine.

// A mode says what an execution is for, and so who looks at it.
type mode uint8

const (
	// exploring: an execution under a scheduler, for its trace ([Machine.Entry], [Machine.Pair]). Every visible operation is an event, and
	// everything in the trace depends on the seed alone: addresses, readings of the clock, output.
	exploring mode = iota

	// running: one execution under the deterministic schedule, with the program's own standard streams ([Machine.Exec]). Nobody looks at
	// its trace, so none is kept. What a trace needs is left out:
	//
	//   - Operations on locks that nobody else wants are performed at once (announce), and loops give way at runtime.GC.
	//   - All goroutines share a segment of memory, and all timers a thread: no names are compared with those of another execution.
	//   - Polling, quiet states and refusals are not noted: they are for verdicts.
	//   - The clock moves on by a nanosecond at each reading (tick), and does not gain (TIME5).
	running
)

// A programRun is what [Machine.Exec] runs.
type programRun struct {
	out      Streams         // of a running program
	selected []program.Entry // of Exec

	kept       *bytes.Buffer // standard output of an example of Exec
	uncaptured io.Writer
}
