package vm

import (
	"bytes"
	"io"

	"github.com/heddle-go/heddle/program"
)

// This file names the two modes of a machine.

// A Mode says what an execution is for, and so who looks at it.
type Mode uint8

const (
	// Exploring: an execution under a scheduler, for its trace ([Machine.Entry], [Machine.Pair]). Every visible
	// operation is an event, and everything in the trace depends on the seed alone: addresses, readings of the clock,
	// output.
	Exploring Mode = iota

	// Running: one execution under the deterministic schedule, with the program's own standard streams
	// ([Machine.Exec]). Nobody looks at its trace, so none is kept. What a trace needs is left out:
	//
	//   - Operations on locks that nobody else wants are performed at once (announce), and loops give way at
	//     runtime.GC.
	//   - All goroutines share a segment of memory, and all timers a thread: no names are compared with those of
	//     another execution.
	//   - Polling, quiet states and refusals are not noted: they are for verdicts.
	//   - The clock moves on by a nanosecond at each reading (tick).
	Running
)

// A ProgramRun is what [Machine.Exec] runs.
type ProgramRun struct {
	Out      Streams         // of a running program
	Selected []program.Entry // of Exec

	Kept       *bytes.Buffer // standard output of an example of Exec
	Uncaptured io.Writer
}

// Streams are the standard streams of `heddle run`.
type Streams struct {
	Stdout, Stderr io.Writer
}

// output routes what the program writes to its standard streams.
type output struct {
	m   *Machine
	err bool
}

// Write implements io.Writer.
func (o output) Write(p []byte) (int, error) {
	m := o.m
	if m.Mode == Running {
		if o.err {
			return m.Out.Stderr.Write(p)
		}
		return m.Out.Stdout.Write(p)
	}
	if m.Trace != nil && !o.err {
		if room := m.outputMax - len(m.Trace.Output); room > 0 {
			m.Trace.Output = append(m.Trace.Output, p[:min(room, len(p))]...)
		}
	}
	return len(p), nil
}

// Write2 writes to standard error, as print does.
func Write2(m *Machine, b []byte) { output{m, true}.Write(b) }
