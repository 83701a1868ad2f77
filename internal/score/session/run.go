package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// This file runs heddle, interrupts it, and says what is lost.

// A subject is heddle in one module.
type subject struct{ exe, dir, stats string }

// A session is one call.
type session struct {
	text       string // what it wrote
	before     int    // how much of that before the interrupt
	lines      int    // of entries
	first      time.Duration
	firstClock time.Duration
	took       time.Duration
	code       int
	stats      []map[string]any
}

// patience is after how long, by the clock, heddle counts as one that does not end when it is interrupted.
const patience = 2 * time.Minute

// run calls heddle. It interrupts it when so many lines of entries have been written, unless that is 0.
func (s *subject) run(interruptAt int) (*session, error) {
	cmd := exec.Command(s.exe, "-cache=off", "-stats="+s.stats, "./...")
	cmd.Dir = s.dir
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	cmd.Stdout, cmd.Stderr = w, w
	began := time.Now()
	if err := errors.Join(cmd.Start(), w.Close()); err != nil {
		return nil, err
	}
	x := &session{}
	err = x.read(r, func() error {
		if x.lines == 1 {
			x.firstClock, x.first = time.Since(began), processorOf(cmd.Process.Pid)
		}
		if x.lines != interruptAt {
			return nil
		}
		x.before = len(x.text)
		time.AfterFunc(patience, func() { cmd.Process.Kill() })
		return cmd.Process.Signal(os.Interrupt)
	})
	ended := cmd.Wait()
	if exit := (*exec.ExitError)(nil); err != nil || ended != nil && !errors.As(ended, &exit) {
		return nil, errors.Join(err, ended)
	}
	x.code, x.took = cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	x.stats, err = statistics(s.stats)
	return x, err
}

// read keeps what is written, and calls each when the line of an entry has ended.
func (x *session) read(r io.Reader, each func() error) error {
	var b strings.Builder
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadString('\n')
		b.WriteString(line)
		x.text = b.String()
		if err != nil {
			return nil
		}
		if isEntry(line) {
			x.lines++
			if err := each(); err != nil {
				return err
			}
		}
	}
}

// isEntry reports whether a line is what is written of an entry that has ended.
func isEntry(line string) bool {
	return strings.HasPrefix(line, "  Test") && strings.Contains(line, ": ")
}

// processorOf is the processor time that a process has taken, 0 where the system does not tell.
func processorOf(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] { // utime and stime, in hundredths of a second
		n, _ := strconv.Atoi(f)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// statistics reads what -stats has written, one object for each entry.
func statistics(file string) (all []map[string]any, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		x := map[string]any{}
		switch err := d.Decode(&x); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, x)
	}
}

// complete reports whether so many entries have a line and a verdict.
func (x *session) complete(entries int) (faults []string) {
	if x.lines != entries || len(x.stats) != entries {
		faults = append(faults, fmt.Sprintf("%d entries have a line and %d are in the statistics, want %d", x.lines, len(x.stats), entries))
	}
	for _, s := range x.stats {
		if v, _ := s["verdict"].(string); v == "" || v == "not explored" {
			faults = append(faults, fmt.Sprintf("%v of %v has no answer: %v", s["entry"], s["package"], s["reason"]))
		}
	}
	return faults
}

// against reports what an interrupted session lacks of what it had written, or says otherwise than a whole one.
func (x *session) against(whole *session) (faults []string) {
	if x.code < 0 {
		return []string{"it does not end by itself"}
	}
	if !strings.HasPrefix(whole.text, x.text[:x.before]) {
		faults = append(faults, "what was written before is not what is written without an interrupt:\n"+x.text[:x.before])
	}
	ended := strings.Count(x.text[:x.before], "\n  Test")
	if len(x.stats) < ended {
		faults = append(faults, fmt.Sprintf("%d entries had their line, and %d are in the statistics", ended, len(x.stats)))
	}
	for i, s := range x.stats {
		if s["reason"] != "interrupted" && (i >= len(whole.stats) || marshal(s) != marshal(whole.stats[i])) {
			faults = append(faults, fmt.Sprintf("entry %d is in the statistics as %s", i, marshal(s)))
		}
	}
	// Where it was interrupted as it ended, nothing was left to be cut off.
	if !strings.Contains(x.text[x.before:], "interrupted") && x.text != whole.text {
		faults = append(faults, "it does not say that it was interrupted:\n"+x.text[x.before:])
	}
	return faults
}

// marshal is a line of statistics without its times.
func marshal(s map[string]any) string {
	s = maps.Clone(s)
	maps.DeleteFunc(s, func(k string, _ any) bool { return strings.HasSuffix(k, "_ns") })
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
