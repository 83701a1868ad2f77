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

// A Process is a copy of the running command that answers questions. A question is a line, and its answer a line of
// JSON. A process that has failed to answer is of no further use.
type Process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	errs    tail
	Asked   int // questions so far
	stopped bool
}

// Start starts a process with arguments and environment entries beside its own. dir is where it runs, "" for here.
func Start(dir string, args []string, env ...string) (*Process, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: exec.Command(exe, args...)}
	p.cmd.Dir = dir
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.errs
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	return p, p.cmd.Start()
}

// ErrWall is the error of a question that was not answered in time.
var ErrWall = errors.New("safety net: no answer in time")

// Ask asks a question and decodes the answer. If there is none, the process is stopped. The error is then ErrWall, or
// holds what the process wrote to its standard error.
func (p *Process) Ask(question string, answer any, wall time.Duration) error {
	p.Asked++
	fmt.Fprintln(p.in, question)
	return p.Answer(answer, wall)
}

// Answer waits for a line of the process that nobody asked for, as Ask does for one that somebody did.
func (p *Process) Answer(answer any, wall time.Duration) error {
	type line struct {
		text []byte
		err  error
	}
	ch := make(chan line, 1)
	go func() {
		text, err := p.out.ReadBytes('\n')
		ch <- line{text, err}
	}()
	select {
	case l := <-ch:
		if l.err == nil && json.Unmarshal(l.text, answer) == nil {
			return nil
		}
		p.Stop()
		return errors.New(p.errs.String())
	case <-time.After(wall):
		p.Stop()
		return ErrWall
	}
}

// Stop ends the process.
func (p *Process) Stop() {
	if p.stopped {
		return
	}
	p.stopped = true
	p.in.Close()
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// tail is a Writer that keeps the first bytes of what is written, and the last.
type tail struct{ first, last bytes.Buffer }

const keep = 4000

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
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

func (t *tail) String() string {
	s := t.first.String()
	if l := t.last.Bytes(); len(l) > keep {
		s += "\n…\n" + string(l[len(l)-keep:])
	} else {
		s += string(l)
	}
	return strings.TrimSpace(s)
}
