package worker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// This file defines the worker's side.

// Serve does not return if the process is a worker.
func Serve() {
	text := os.Getenv(environment)
	if text == "" {
		return
	}
	var j Job
	err := json.Unmarshal([]byte(text), &j)
	if err == nil {
		err = j.serve(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve writes the list of entries, then an outcome for each name that it reads.
func (j *Job) serve(r io.Reader, w io.Writer) error {
	m, p, err := j.load()
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	list := []Entry{}
	for _, e := range p.Entries {
		list = append(list, Entry{e.Name, e.Kind.String()})
	}
	if err := enc.Encode(list); err != nil {
		return err
	}
	for s := bufio.NewScanner(r); s.Scan(); {
		o := Outcome{End: "died", Reason: "there is no entry " + s.Text()}
		for _, e := range p.Entries {
			if e.Name == s.Text() {
				start, cpu := time.Now(), processorTime()
				o = j.run(m, e)
				o.Took, o.CPU = time.Since(start), processorTime()-cpu
				break
			}
		}
		if err := enc.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// watch ends an execution that uses too much processor time, until end is called.
func (j *Job) watch() (end func()) {
	j.cancelled.Store(false)
	if j.Limits.CPU == 0 {
		return func() {}
	}
	from, done := processorTime(), make(chan struct{})
	go func() {
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if processorTime()-from > j.Limits.CPU {
					j.cancelled.Store(true)
				}
			}
		}
	}()
	return func() { close(done) }
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func (j *Job) load() (*machine.Machine, *program.Program, error) {
	cfg := closure.Config("")
	listing, err := program.List(cfg, j.Package)
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
		k := exploration.KernelConfig(r, nil, nil)
		k.Args = append(k.Args, j.Args...)
		k.MaxBytes = j.Limits.Memory // as heddle run has it
		j.cancelled = new(atomic.Bool)
		exec := sched.Options{MaxSteps: j.Limits.Steps, MaxMemory: j.Limits.Memory, Cancelled: j.cancelled}
		return machine.New(p, machine.Config{Kernel: k, Exec: exec}), p, nil
	}
	return nil, nil, errors.New(j.Package + " has no tests")
}

func (j *Job) run(m *machine.Machine, e program.Entry) (o Outcome) {
	var out, errs tail
	defer func() {
		if v := recover(); v != nil {
			o.End, o.Reason = "fail", fmt.Sprintf("fault of the machine: %v", v)
			o.Output = string(debug.Stack())
		}
	}()
	ends := &finder{w: &out, name: e.Name}
	end := j.watch()
	code, err := m.Exec(machine.Streams{Stdout: ends, Stderr: &errs}, []program.Entry{e})
	end()
	for _, name := range j.Asks {
		if m.Asked(name) {
			o.Asked = append(o.Asked, name)
		}
	}
	o.Output = strings.TrimSpace(out.String() + "\n" + errs.String())
	switch {
	case j.cancelled.Load():
		o.End, o.Reason = "limit", j.Limits.CPU.String()+" of processor time"
	case err != nil:
		o.End, o.Reason = "unsupported", err.Error()
		if strings.Contains(o.Reason, "limit") {
			o.End = "limit"
		}
	case code == 0 && ends.end != "":
		o.End, o.Output = ends.end, ""
	default:
		o.End, o.Reason = "fail", fmt.Sprintf("exit code %d: %s", code, firstLines(o.Output))
	}
	return o
}

// Ended finds how go test -v says that a test ended.
var Ended = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\S+)`)

// finder notes how the test ended.
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
		if m := Ended.FindSubmatch(f.part[:i]); m != nil && string(m[2]) == f.name {
			f.end = strings.ToLower(string(m[1]))
		}
		f.part = f.part[i+1:]
	}
}

// firstLines are the first lines that say what failed.
func firstLines(s string) string {
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
