// Package worker runs the entries of test binaries in the machine, each binary in a process of its own which loads it
// once. Nothing that a test does to the machine takes the score down that asked for it.
//
// A command that uses it calls [Serve] first thing in main.
package worker

import (
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"
)

// Limits of one entry. They are counts, so that a score does not depend on the host's load.
type Limits struct {
	Steps  int64 // instructions
	Memory int64 // bytes
	// CPU is the processor time of one entry, 0 for any. It is for those whose instructions take long, as those of a
	// loop that waits for the clock: so one slow entry costs only itself.
	CPU time.Duration
	// Wall is the safety net: how long an answer may take. An entry that it stops says so.
	Wall time.Duration
}

// A Job is a test binary and how its entries are run.
type Job struct {
	Package string   // import path, or a path that begins with ./
	Dir     string   // where the go command is called
	Args    []string // of the test binary
	Asks    []string // functions of the boundary whose calls are noted: "testing.AllocsPerRun"
	Limits  Limits

	cancelled *atomic.Bool // ends an execution
}

// An Entry is what a test binary can be started at.
type Entry struct{ Name, Kind string }

// An Outcome is how an entry ended in the machine.
type Outcome struct {
	// End is pass, skip or fail, as go test -v prints it; unsupported or limit if the machine could not go on; died if
	// the worker did not answer.
	End    string
	Reason string   `json:",omitempty"` // unless it passed or was skipped
	Output string   `json:",omitempty"` // of what did not pass, its first bytes
	Asked  []string `json:",omitempty"` // those of the job's Asks that it called
	Took   time.Duration
	CPU    time.Duration // processor time, which another process's work makes little longer
}

const environment = "HEDDLE_SCORE_WORKER"

// A Client is the parent's side of a worker.
type Client struct {
	job  Job
	list []Entry
	p    *Process
}

// New returns the client of a worker, which is started when it is needed.
func New(j Job) *Client { return &Client{job: j} }

// Entries returns the entries of the binary.
func (c *Client) Entries() ([]Entry, error) {
	if c.p != nil {
		return c.list, nil
	}
	job, err := json.Marshal(c.job)
	if err != nil {
		return nil, err
	}
	p, err := Start(c.job.Dir, nil, environment+"="+string(job))
	if err != nil {
		return nil, err
	}
	if err := p.Answer(&c.list, c.job.Limits.Wall); err != nil {
		return nil, fmt.Errorf("%s: %w", c.job.Package, err)
	}
	c.p = p
	return c.list, nil
}

// Run runs one entry once.
func (c *Client) Run(name string) Outcome {
	if _, err := c.Entries(); err != nil {
		return Outcome{End: "died", Reason: err.Error()}
	}
	var o Outcome
	err := c.p.Ask(name, &o, c.job.Limits.Wall)
	if err == nil {
		return o
	}
	c.p = nil
	if err == ErrWall {
		return Outcome{End: "limit", Reason: "safety net: " + c.job.Limits.Wall.String() + " of wall time"}
	}
	return Outcome{End: "died", Reason: "the worker died", Output: err.Error()}
}

// Stop ends the worker. The next entry gets a fresh one.
func (c *Client) Stop() {
	if c.p != nil {
		c.p.Stop()
		c.p = nil
	}
}
