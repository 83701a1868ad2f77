package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file runs a test many times in one process, and says in a line each what has failed.

const (
	// hung is how long one run may take. A run that takes longer is taken to wait for ever.
	hung = time.Minute
	// patience is how long a process may go on. After it no run is begun, so that tests which sleep long have fewer
	// runs.
	patience = 2 * time.Minute
	// processors are the values of GOMAXPROCS that runs of one process have by turns.
	processors = "1,2,4"
)

// A binary is a test binary with the race detector and the leak profile.
type binary struct {
	exe, dir, tmp string
	log           io.Writer // gets the output of what fails; nil: nobody
}

// run runs a test k times in one process. It returns how many runs have ended, and what failed.
func (b *binary) run(name string, k int) (ended int, failures []string) {
	tmp, err := os.MkdirTemp(b.tmp, "t")
	if err != nil {
		return 0, []string{err.Error()}
	}
	defer os.RemoveAll(tmp)
	args := []string{"-test.v", "-test.run=^" + name + "$", "-test.timeout=0", "-test.count=" + strconv.Itoa(k)}
	if n := 1 + strings.Count(processors, ","); k%n == 0 {
		args[3] = "-test.count=" + strconv.Itoa(k/n)
		args = append(args, "-test.cpu="+processors)
	}
	leaks := filepath.Join(tmp, "leaks")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cmd := exec.CommandContext(ctx, b.exe, args...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "PWD="+b.dir, "HEDDLE_LEAKS="+leaks, "GORACE=atexit_sleep_ms=0")
	cmd.WaitDelay = time.Second
	in, out := io.Pipe()
	cmd.Stdout, cmd.Stderr = out, out
	w := &watcher{name: name, begun: time.Now(), end: cancel}
	done := make(chan bool)
	go func() { w.read(in); close(done) }()
	err = cmd.Run()
	out.Close()
	<-done
	failures = w.failures
	var exit *exec.ExitError
	switch {
	case w.over == slow:
	case w.over != "":
		failures = append(failures, w.over)
	case err != nil && !errors.As(err, &exit):
		failures = append(failures, err.Error())
	case err != nil && len(failures) == 0:
		failures = append(failures, exitText(w.text, exit))
	case err == nil:
		data, err := os.ReadFile(leaks)
		if err != nil {
			return w.ended, []string{"no leak profile"}
		}
		failures = append(failures, leaksOf(string(data))...)
		w.text = append(w.text, string(data))
	}
	if len(failures) > 0 && b.log != nil {
		fmt.Fprintf(b.log, "%s, %d runs:\n%s\n", name, k, strings.Join(w.text, "\n"))
	}
	return w.ended, failures
}

const slow = "slow"

// A watcher reads what a process prints. It ends the process if a run hangs, or if it has had its time.
type watcher struct {
	name     string
	begun    time.Time
	end      func()
	ended    int      // runs
	failures []string // of runs
	text     []string // of the run, and what failed before

	mu   sync.Mutex
	over string // why the process was ended, "" if it was not
}

var (
	runBegins = regexp.MustCompile(`^=== RUN\s+(\S+)$`)
	runEnds   = regexp.MustCompile(`^--- (PASS|FAIL|SKIP): (\S+)`)
)

func (w *watcher) read(r io.Reader) {
	hangs := time.AfterFunc(hung, func() { w.stop("a run hangs") })
	defer hangs.Stop()
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		line := s.Text()
		if m := runBegins.FindStringSubmatch(line); m != nil && w.is(m[1]) {
			if hangs.Reset(hung); time.Since(w.begun) > patience {
				w.stop(slow)
			}
			if len(w.failures) == 0 {
				w.text = nil
			}
		}
		w.text = append(w.text, line)
		if m := runEnds.FindStringSubmatch(line); m != nil && w.is(m[2]) {
			if w.ended++; m[1] == "FAIL" {
				w.failures = append(w.failures, failuresOf(w.text)...)
			}
		}
	}
	io.Copy(io.Discard, r)
}

// is reports whether testing names the test so. It adds GOMAXPROCS to the name where that is not 1.
func (w *watcher) is(name string) bool {
	rest, ok := strings.CutPrefix(name, w.name)
	return ok && (rest == "" || rest[0] == '-')
}

func (w *watcher) stop(why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over == "" {
		w.over = why
		w.end()
	}
}

// goroot is where the standard library is, in stacks.
var goroot = build.Default.GOROOT

var (
	raceStack = regexp.MustCompile(`(?i)^\s*(previous )?(atomic )?(read|write) at `)
	frameAt   = regexp.MustCompile(`^\s+(\S+\.go):(\d+)`)
	assertion = regexp.MustCompile(`^\s+(\S+\.go:\d+): `)
	leakCount = regexp.MustCompile(`^goroutineleak profile: total (\d+)`)
	leakFrame = regexp.MustCompile(`^#\s+\S+\s+(\S+)\+0x\S+\s+(\S+)$`)
)

// failuresOf says what has failed in a run that printed these lines: its races, or else its first failed assertion.
func failuresOf(lines []string) []string {
	if races := racesOf(lines); len(races) > 0 {
		return races
	}
	for _, l := range lines {
		if m := assertion.FindStringSubmatch(l); m != nil {
			return []string{"test failure: " + strings.TrimSpace(l)}
		}
	}
	return []string{"test failure"}
}

// racesOf finds the reports of the race detector, each by the innermost lines outside of the standard library.
func racesOf(lines []string) []string {
	var races []string
	for block := range strings.SplitSeq(strings.Join(lines, "\n"), "==================") {
		if !strings.Contains(block, "WARNING: DATA RACE") {
			continue
		}
		var at []string
		open := false
		for l := range strings.SplitSeq(block, "\n") {
			m := frameAt.FindStringSubmatch(l)
			switch {
			case raceStack.MatchString(l):
				open = true
			case strings.TrimSpace(l) == "":
				open = false
			case open && m != nil && !strings.HasPrefix(m[1], goroot):
				at = append(at, filepath.Base(m[1])+":"+m[2])
				open = false
			}
		}
		slices.Sort(at)
		races = append(races, "data race: "+strings.Join(at, ", "))
	}
	return races
}

// exitText says why a process has ended before its runs were over.
func exitText(lines []string, err error) string {
	for _, l := range lines {
		if strings.HasPrefix(l, "panic: ") || strings.HasPrefix(l, "fatal error: ") {
			return l
		}
	}
	if races := racesOf(lines); len(races) > 0 {
		return races[0]
	}
	return err.Error()
}

// leaksOf reads a leak profile. It has a line for each stack, which names its innermost function outside of the
// standard library.
func leaksOf(profile string) []string {
	var leaks []string
	if m := leakCount.FindStringSubmatch(profile); m == nil || m[1] == "0" {
		if m == nil {
			leaks = append(leaks, "a leak profile without a count")
		}
		return leaks
	}
	for stack := range strings.SplitSeq(profile, "\n\n") {
		for l := range strings.SplitSeq(stack, "\n") {
			if m := leakFrame.FindStringSubmatch(l); m != nil && !strings.HasPrefix(m[2], goroot) {
				leaks = append(leaks, "leak: "+m[1]+" "+filepath.Base(m[2]))
				break
			}
		}
	}
	if len(leaks) == 0 {
		leaks = append(leaks, "leak")
	}
	return leaks
}
