// Package worker runs the entries of test binaries in the machine, each binary in a process of its own which loads it
// once. Nothing that a test does to the machine takes the score down that asked for it.
//
// A command that uses it calls [Serve] first thing in main.
package worker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Limits of one entry. They are counts, so that a score does not depend on the host's load.
type Limits struct {
	Steps  int64 // instructions
	Memory int64 // bytes
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
}

const environment = "HEDDLE_SCORE_WORKER"

// A Client is the parent's side of a worker.
type Client struct {
	job  Job
	list []Entry
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *Tail
}

// New returns the client of a worker, which is started when it is needed.
func New(j Job) *Client { return &Client{job: j} }

// Entries returns the entries of the binary.
func (c *Client) Entries() ([]Entry, error) {
	if c.cmd != nil {
		return c.list, nil
	}
	job, err := json.Marshal(c.job)
	if err != nil {
		return nil, err
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c.errs = &Tail{}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), environment+"="+string(job))
	cmd.Dir = c.job.Dir
	cmd.Stderr = c.errs
	if c.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c.cmd = cmd
	line, err := c.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &c.list)
	}
	if err != nil {
		c.Stop()
		return nil, fmt.Errorf("%s: %w", c.job.Package, errors.New(c.errs.String()))
	}
	return c.list, nil
}

// Run runs one entry once.
func (c *Client) Run(name string) Outcome {
	if _, err := c.Entries(); err != nil {
		return Outcome{End: "died", Reason: err.Error()}
	}
	fmt.Fprintln(c.in, name)
	type answer struct {
		line []byte
		err  error
	}
	ch := make(chan answer, 1)
	go func(r *bufio.Reader) {
		line, err := r.ReadBytes('\n')
		ch <- answer{line, err}
	}(c.out)
	var o Outcome
	select {
	case a := <-ch:
		if a.err == nil && json.Unmarshal(a.line, &o) == nil {
			return o
		}
		c.Stop()
		o = Outcome{End: "died", Reason: "the worker died", Output: c.errs.String()}
	case <-time.After(c.job.Limits.Wall):
		c.Stop()
		o = Outcome{End: "limit", Reason: "safety net: " + c.job.Limits.Wall.String() + " of wall time"}
	}
	return o
}

// Stop ends the worker. The next entry gets a fresh one.
func (c *Client) Stop() {
	if c.cmd == nil {
		return
	}
	c.in.Close()
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.cmd = nil
}

// A Tail is a Writer that keeps the first bytes of what is written, and the last.
type Tail struct{ first, last bytes.Buffer }

const keep = 4000

// Write implements io.Writer.
func (t *Tail) Write(p []byte) (int, error) {
	n := len(p)
	if room := keep - t.first.Len(); room > 0 {
		k := min(room, len(p))
		t.first.Write(p[:k])
		p = p[k:]
	}
	t.last.Write(p)
	if extra := t.last.Len() - keep; extra > keep {
		t.last.Next(extra)
	}
	return n, nil
}

func (t *Tail) String() string {
	s := t.first.String()
	if l := t.last.Bytes(); len(l) > keep {
		s += "\n…\n" + string(l[len(l)-keep:])
	} else {
		s += string(l)
	}
	return strings.TrimSpace(s)
}
