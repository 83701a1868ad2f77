package runner

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
)

// This file interrupts heddle by a signal, at moments that are counted in executions.

// A cut is what heddle wrote that got a signal after so many executions, 0 for none.
type cut struct {
	out, err   string
	all        string // both, in order
	before     string // of all, what was there when the signal came
	stats      []statsLine
	code       int
	executions int
}

func cutAfter(t *testing.T, n int, args ...string) cut {
	t.Helper()
	return cutIn(t, moduleDir(t), n, func(stop *explore.Stop) {
		if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
			stop.Ask()
		}
		for !stop.Asked() {
			runtime.Gosched()
		}
	}, args...)
}

// cutIn is cutAfter in a folder, where ask interrupts.
func cutIn(t *testing.T, dir string, n int, ask func(*explore.Stop), args ...string) (r cut) {
	t.Helper()
	t.Chdir(dir)
	file := filepath.Join(t.TempDir(), "stats")
	o := new(options)
	fs, enabled := o.flagSet()
	if err := fs.Parse(append([]string{"-stats=" + file}, args...)); err != nil {
		t.Fatal(err)
	}
	if err := o.take(fs.Args(), fs, enabled, func(string) bool { return true }, nil); err != nil {
		t.Fatal(err)
	}
	var out, errs, all bytes.Buffer
	std := Streams{Out: io.MultiWriter(&out, &all), Err: io.MultiWriter(&errs, &all)}
	stop := new(explore.Stop)
	defer onSignal(stop.Ask)()
	c := &checking{opts: o, std: std, stop: stop, told: newProgress(std.Err)}
	c.each = func() {
		if r.executions++; r.executions == n {
			r.before = all.String()
			ask(stop)
		}
	}
	code, err := c.run()
	if err != nil {
		t.Fatal(err)
	}
	r.all = all.String()
	r.out, r.err, r.code = out.String(), errs.String(), code
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		var s statsLine
		if err := json.Unmarshal([]byte(l), &s); err != nil {
			t.Fatalf("%v in %s", err, l)
		}
		s.MachineNS, s.WallNS = nil, nil
		r.stats = append(r.stats, s)
	}
	return r
}

// of is the line of the same entry. Where entries are explored side by side, one that had not begun is missing.
func (r *cut) of(s statsLine) statsLine {
	for _, x := range r.stats {
		if x.Package == s.Package && x.Entry == s.Entry {
			return x
		}
	}
	return statsLine{}
}

// TestInterrupt shows that a signal may come at any moment: what had been settled is written as without it, and nothing
// else is called explored.
func TestInterrupt(t *testing.T) {
	args := []string{"-p=1", "./racy", "./user"}
	whole := cutAfter(t, 0, args...)
	if whole.code != exitFindings || len(whole.stats) != 3 || whole.executions < 4 {
		t.Fatalf("without a signal: exit code %d, %d entries, %d executions\n%s%s", whole.code, len(whole.stats), whole.executions, whole.out, whole.err)
	}
	moments := []int{1, whole.executions / 2, whole.executions - 1}
	if long.On() {
		moments = nil
		for n := 1; n < whole.executions; n++ {
			moments = append(moments, n)
		}
	}
	for i, n := range append(moments, whole.executions/2) {
		if i == len(moments) {
			args[0] = "-p=3" // the moment is one of what was told then
		}
		r := cutAfter(t, n, args...)
		left := 0
		for _, s := range r.stats {
			if s.Verdict == "exhausted" {
				if was, is := marshal(t, whole.of(s)), marshal(t, s); was != is {
					t.Errorf("after %d executions: an entry that had ended is in the statistics as\n%s\nwithout a signal\n%s", n, is, was)
				}
				if row := rowOf(whole.err, s.Entry); row == "" || row != rowOf(r.err, s.Entry) {
					t.Errorf("after %d executions: the line of %s, which had ended, is not that of a run without a signal:\n%s", n, s.Entry, r.err)
				}
			} else if s.Reason != explore.Interrupted {
				t.Errorf("after %d executions: %s is %s: %s", n, s.Entry, s.Verdict, s.Reason)
			} else {
				left++
			}
		}
		missed := left > 0 || len(r.stats) < len(whole.stats)
		if missed != strings.HasSuffix(r.err, "; interrupted\n") {
			t.Errorf("after %d executions: %d entries are not explored to the end, and the last line does not say so, or else it does:\n%s", n, left, r.err)
		}
		switch want := strings.Contains(lastLine(r.err), ", 0 findings"); {
		case !want && (r.code != exitFindings || r.out == ""), want && (r.code != exitFailure || r.out != ""):
			t.Errorf("after %d executions: exit code %d\n%s%s", n, r.code, r.out, r.err)
		}
	}
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// rowOf is the line of an entry.
func rowOf(text, entry string) string {
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, "  "+entry+":") {
			return l
		}
	}
	return ""
}

func marshal(t *testing.T, s statsLine) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
