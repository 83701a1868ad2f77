package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// This file defines the workers: a process for each package, which loads it once and runs the functions that it is asked for.
// Nothing that a test does takes the score down.

// Limits of one function.
const (
	maxSteps  = 2_000_000_000
	maxMemory = 1 << 30
	wallTime  = 10 * time.Minute // the safety net
)

// An outcome is how a function ended in the machine.
type outcome struct {
	End    string // pass, skip, fail; unsupported or limit
	Reason string `json:",omitempty"` // unless it passed or was skipped
	Output string `json:",omitempty"`
	Allocs bool   `json:",omitempty"` // it called testing.AllocsPerRun
	Took   time.Duration
}

// A client is the parent's side of a worker.
type client struct {
	path string
	list []verdict
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	errs *tail
}

// names starts a worker, if there is none, and returns the functions of its package.
func (c *client) names() ([]verdict, error) {
	if c.cmd != nil {
		return c.list, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c.errs = &tail{}
	c.cmd = exec.Command(exe, "-worker="+c.path)
	c.cmd.Dir = os.TempDir() // outside of any module
	c.cmd.Stderr = c.errs
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := c.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &c.list)
	}
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("%s: worker: %w\n%s", c.path, err, c.errs)
	}
	return c.list, nil
}

func (c *client) run(name string) outcome {
	if _, err := c.names(); err != nil {
		return outcome{End: "fail", Reason: err.Error()}
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
	var o outcome
	select {
	case a := <-ch:
		if a.err == nil && json.Unmarshal(a.line, &o) == nil {
			return o
		}
		o = outcome{End: "fail", Reason: "the worker died: " + c.errs.String()}
	case <-time.After(wallTime):
		o = outcome{End: "limit", Reason: "safety net: " + wallTime.String() + " of wall time"}
	}
	c.stop()
	return o
}

func (c *client) stop() {
	if c.cmd == nil {
		return
	}
	c.in.Close()
	c.cmd.Process.Kill()
	c.cmd.Wait()
	c.cmd = nil
}

// tail keeps the first bytes of what is written.
type tail struct{ buf bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	if room := 4000 - t.buf.Len(); room > 0 {
		t.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (t *tail) String() string { return strings.TrimSpace(t.buf.String()) }

// work is the worker's side: it writes the list of functions, then an outcome for each name that it reads.
func work(path string) {
	m, p, err := load(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	enc := json.NewEncoder(os.Stdout)
	list := []verdict{}
	for _, e := range p.Entries {
		list = append(list, verdict{Name: e.Name, Kind: e.Kind.String()})
	}
	enc.Encode(list)
	for s := bufio.NewScanner(os.Stdin); s.Scan(); {
		for _, e := range p.Entries {
			if e.Name == s.Text() {
				start := time.Now()
				o := runInMachine(m, e)
				o.Took = time.Since(start)
				if err := enc.Encode(o); err != nil {
					return
				}
				break
			}
		}
	}
}

func load(path string) (*machine.Machine, *program.Program, error) {
	cfg := closure.Config("")
	listing, err := program.List(cfg, path)
	if err != nil {
		return nil, nil, err
	}
	if len(listing.Errors) > 0 {
		return nil, nil, listing.Errors
	}
	for _, r := range listing.Recipes {
		if !r.HasTests {
			continue
		}
		p, err := program.NewUniverse(cfg).Build(r)
		if err != nil {
			return nil, nil, err
		}
		k := exploration.KernelConfig(r, nil)
		k.Args = append(k.Args, "-test.short", "-test.v")
		return machine.New(p, machine.Config{Kernel: k, Exec: sched.Options{MaxSteps: maxSteps, MaxMemory: maxMemory}}), p, nil
	}
	return nil, nil, errors.New(path + " has no tests")
}

var ended = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\S+)`)

func runInMachine(m *machine.Machine, e program.Entry) (o outcome) {
	var out, errs tail
	defer func() {
		if v := recover(); v != nil {
			o.End, o.Reason = "fail", fmt.Sprintf("fault of the machine: %v", v)
			o.Output = string(debug.Stack())
		}
	}()
	ends := &finder{w: &out, name: e.Name}
	code, err := m.Exec(machine.Streams{Stdout: ends, Stderr: &errs}, []program.Entry{e})
	o.Allocs = m.Asked("testing.AllocsPerRun")
	o.Output = strings.TrimSpace(out.String() + "\n" + errs.String())
	switch {
	case err != nil:
		o.End, o.Reason = "unsupported", err.Error()
		if strings.Contains(o.Reason, "limit") {
			o.End = "limit"
		}
		if i := strings.Index(o.Reason, "incomplete: "); i >= 0 {
			o.Reason = o.Reason[i+len("incomplete: "):]
		}
	case code == 0 && ends.end != "":
		o.End, o.Output = ends.end, ""
	default:
		o.End, o.Reason = "fail", fmt.Sprintf("exit code %d: %s", code, lastLines(o.Output))
	}
	return o
}

// finder notes how go test -v says that the test ended.
type finder struct {
	w         io.Writer
	name, end string
	part      []byte
}

func (f *finder) Write(p []byte) (int, error) {
	f.w.Write(p)
	f.part = append(f.part, p...)
	for {
		i := bytes.IndexByte(f.part, '\n')
		if i < 0 {
			return len(p), nil
		}
		if m := ended.FindSubmatch(f.part[:i]); m != nil && string(m[2]) == f.name {
			f.end = strings.ToLower(string(m[1]))
		}
		f.part = f.part[i+1:]
	}
}

// lastLines are the first lines that say what failed.
func lastLines(s string) string {
	var keep []string
	for l := range strings.Lines(s) {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "=== ") || strings.HasPrefix(l, "--- ") || l == "FAIL" {
			continue
		}
		if keep = append(keep, l); len(keep) == 3 {
			break
		}
	}
	return strings.Join(keep, " | ")
}
