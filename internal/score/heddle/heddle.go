// Package heddle runs the heddle command on code that is not ours, each entry in a process of its own. So what one
// entry takes cannot harm another, nor the score that asks.
//
// A command that uses it calls [Serve] first thing in main.
package heddle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/runner"
	"github.com/heddle-go/heddle/runner/heap"
)

// environment makes the process the heddle command. Its value is the seconds of processor time that it may take, 0 for
// no bound.
const environment = "HEDDLE_SCORE_BE_HEDDLE"

// MaxMemory is what one entry may take, in bytes: the limits of an exploration do not bound what an explorer remembers.
const MaxMemory = 4 << 30

// The exit codes of a process that took more memory, and more time, than it may.
const (
	exitMemory = 4
	exitTime   = 5
)

// Serve does not return if the process is to be the heddle command.
func Serve() {
	bound := os.Getenv(environment)
	if bound == "" {
		return
	}
	seconds, err := strconv.Atoi(bound)
	if err != nil {
		fmt.Fprintf(os.Stderr, "heddle: %s=%q: %v\n", environment, bound, err)
		os.Exit(1)
	}
	heap.Manage() // as heddle does
	go watch(time.Duration(seconds) * time.Second)
	os.Exit(runner.Main(os.Args[1:], runner.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// watch ends the process when it holds too much memory, or has taken more processor time than bound, if that is not 0.
func watch(bound time.Duration) {
	for range time.Tick(100 * time.Millisecond) {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err == nil && bound > 0 && time.Duration(u.Utime.Nano()+u.Stime.Nano()) > bound {
			fmt.Fprintf(os.Stderr, "heddle: stopped: it took more than %v of processor time\n", bound)
			os.Exit(exitTime)
		}
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapInuse > MaxMemory {
			fmt.Fprintf(os.Stderr, "heddle: stopped: it holds more than %d GB of memory\n", MaxMemory>>30)
			os.Exit(exitMemory)
		}
	}
}

// An Entry is a line of heddle's statistics.
type Entry struct {
	Entry, Verdict, Reason string
	HandOver               string
	HandOverEarly          string `json:"handover_early"`
	Executions, Classes    int    // -1 if the entry was stopped
	// Preemptions is up to how many an incomplete exploration is complete, nil if nothing is known of that.
	Preemptions *int
	Delays      *int // the same for delays
	Early       int  // of what is exhausted in time: firings of a run, and sleeps of each goroutine, that may be early
	Within      *int // the first steps in which that is so for 1 delay, where nothing is known of delays in the whole
	OfSteps     int  `json:"of_steps"` // about how many a run has
	// Sampling says with which probability bugs of depth 1, 2 and 3 were met, nil if no sample counts towards one.
	Sampling *struct {
		Goroutines, Steps, Within int
		Runs                      []int
		Probabilities             []float64
	}
	Work     int64
	States   int
	Findings []Finding
	// Of the process, its loading of the package included.
	ProcessorTime time.Duration `json:"-"`
	MiB           int           `json:"-"` // resident, at most
}

// Stopped is the verdict of an entry whose process was stopped from outside; Reason says why.
const Stopped = "none"

// A Finding is what was found in an entry.
type Finding struct{ Category, Posn, Message, Token string }

// A Package is where entries are explored.
type Package struct {
	Dir  string // where the command is called, in the package's module
	Path string // import path, or a path that begins with ./
	// Wall is the safety net: how long one entry may take; 0 is no limit. An entry that it stops says so.
	Wall time.Duration
	// Processor is how much processor time one entry may take, in whole seconds, the loading of the package included. 0
	// is no limit. An entry that it stops says so.
	Processor time.Duration

	took time.Duration // processor time of the last process
	mib  int           // and its resident memory at most
}

// Entries lists the names of the package's entries; none if Heddle explores none, for no goroutine is started.
func (p *Package) Entries() ([]string, error) {
	cfg := closure.Config(p.Dir)
	cfg.Tests = true
	l, err := program.List(cfg, p.Path)
	if err != nil {
		return nil, err
	}
	if len(l.Errors) > 0 || len(l.Recipes) != 1 {
		return nil, fmt.Errorf("%s: %d packages: %v", p.Path, len(l.Recipes), l.Errors)
	}
	pr, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range pr.Entries {
		names = append(names, e.Name)
	}
	if len(names) == 0 {
		return nil, nil
	}
	first, stopped, err := p.check("-limit.executions=1", "-limit.events=1000", "-run=^"+names[0]+"$")
	if err != nil {
		return nil, err
	}
	if stopped == "" && len(first) == 0 {
		return nil, nil
	}
	return names, nil
}

// Explore explores one entry, with flags of heddle.
func (p *Package) Explore(name string, flags ...string) (Entry, error) {
	all, stopped, err := p.check(append(flags, "-run=^"+name+"$")...)
	switch {
	case err != nil:
		return Entry{}, err
	case stopped != "":
		all = []Entry{{Entry: name, Verdict: Stopped, Reason: stopped, Executions: -1, Classes: -1}}
	case len(all) != 1:
		return Entry{}, fmt.Errorf("%s: %d entries match %s", p.Path, len(all), name)
	}
	all[0].ProcessorTime, all[0].MiB = p.took, p.mib
	return all[0], nil
}

// check runs heddle and returns its statistics, or why it was stopped.
func (p *Package) check(flags ...string) (_ []Entry, stopped string, _ error) {
	f, err := os.CreateTemp("", "heddle-stats")
	if err != nil {
		return nil, "", err
	}
	f.Close()
	defer os.Remove(f.Name())
	code, errs := p.Command(append(append([]string{"-stats=" + f.Name()}, flags...), p.Path)...)
	switch code {
	case 0, 3:
		entries, err := read(f.Name())
		return entries, "", err
	case exitMemory, exitTime:
		return nil, strings.TrimPrefix(errs, "heddle: "), nil
	case exitWall:
		return nil, errs, nil
	}
	return nil, "", fmt.Errorf("%s: exit code %d: %s", p.Path, code, errs)
}

// read reads a file of statistics.
func read(stats string) ([]Entry, error) {
	data, err := os.ReadFile(stats)
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var e Entry
		if err := dec.Decode(&e); err == io.EOF {
			return entries, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", stats, err)
		}
		entries = append(entries, e)
	}
}

// exitWall stands for the exit code of a process that the safety net ended.
const exitWall = -2

// Command runs the heddle command in the package's folder and returns its exit code and the first line of its own that
// it wrote to standard error.
func (p *Package) Command(args ...string) (code int, message string) {
	o, err := p.run("off", args)
	switch {
	case errors.Is(err, errWall):
		return exitWall, err.Error()
	case err != nil:
		return 1, err.Error()
	}
	p.took, p.mib = o.ProcessorTime, o.MiB
	for line := range strings.Lines(o.Stderr) {
		if strings.HasPrefix(line, "heddle") {
			return o.Code, strings.TrimSpace(line)
		}
	}
	return o.Code, ""
}

// taken is the processor time that a process took, and its resident memory at most.
func taken(s *os.ProcessState) (t time.Duration, mib int) {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		mib = int(u.Maxrss >> 10)
	}
	return s.UserTime() + s.SystemTime(), mib
}

// Cell makes text fit for a cell of a table, without folders of this computer.
func (p *Package) Cell(s string) string {
	s = strings.ReplaceAll(s, p.Dir+string(filepath.Separator), "")
	s = strings.ReplaceAll(s, filepath.Join(build.Default.GOROOT, "src")+string(filepath.Separator), "")
	return strings.ReplaceAll(s, "|", `\|`)
}
