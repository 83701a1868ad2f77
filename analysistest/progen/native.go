package progen

import (
	"bytes"
	"fmt"
	"github.com/heddle-go/heddle/analysistest/progen/view"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// goexit is how an example fails that calls runtime.Goexit. Natively the programs are plain functions: it ends, and the
// others go on. In some schedules of the machine they have done so before.
const goexit = "test executed panic(nil) or runtime.Goexit"

// unmodelled are misuses that the machine does not see in the way the runtime does. So no outcome of a program that can
// show them is compared.
//
// The runtime counts who waits for a WaitGroup, and panics when it is used again before they have gone on. The
// machine's Wait is one operation. The runtime misses an RUnlock of a lock that nobody reads while readers wait for a
// writer. In the machine it is fatal.
var unmodelled = []string{
	"sync: WaitGroup is reused before previous Wait has returned",
	"sync: WaitGroup misuse: Add called concurrently with Wait",
	"fatal error: sync: RUnlock of unlocked RWMutex",
}

// oneKey gives the sync.Map of a program that ranges over it one key. The machine ranges in a constant order
// (docs/machine.md, "Constants"), gc in one that it draws for each Map. So what a Range of two keys sees beside stores
// is not among what the machine shows. With one key everything else of Range is compared.
func oneKey(p *Program) *Program {
	ranges := false
	texts := func(f func(*string)) {
		walk(p.Body, func(s *Stmt) {
			for i := range s.Text {
				f(&s.Text[i])
			}
		})
	}
	texts(func(s *string) { ranges = ranges || strings.Contains(*s, "sm.Range(") })
	if !ranges {
		return p
	}
	texts(func(s *string) { *s = mapKey.ReplaceAllString(*s, "${1}1") })
	return p
}

// mapKey finds the key of an operation on a program's sync.Map.
var mapKey = regexp.MustCompile(`(\bsm\.(?:Load|Store|Swap|Delete|LoadOrStore|LoadAndDelete|CompareAndSwap)\()\d+`)

// A Native is a set of programs with all that the machine can show of them, to compare the compiled programs with.
type Native struct {
	Programs []*Program
	views    []map[string]view.View
	races    []map[string]bool // pairs of lines
	closes   []map[string]bool // likewise, of a close and a send: what a program with such a race shows is compared
	file     []byte
	api      *apiKnown // of tests over the API of the standard library
}

// NewNative enumerates the programs of a configuration that wall time cannot touch. Those that the oracle cannot go
// through are drawn smaller.
func NewNative(from uint64, n int, c Config) (*Native, error) {
	var ps, fit []*Program
	for s := from; s < from+uint64(n); s++ {
		ps = append(ps, oneKey(c.Draw(s)))
	}
	for len(ps) > 0 {
		ps = slices.DeleteFunc(ps, func(p *Program) bool { return p.Notes.Timed || p.Notes.Pool || p.Notes.Others || p.Notes.Copies })
		x := &Native{}
		large, err := x.enumerate(ps, c)
		if err != nil {
			return nil, err
		}
		fit, ps = append(fit, x.Programs...), nil
		for _, p := range large {
			if p.Size > 2 {
				ps = append(ps, oneKey(c.draw(p.Seed, p.Size-max(1, p.Size/3))))
			}
		}
	}
	x := &Native{} // with the file as it will be, for its lines
	_, err := x.enumerate(fit, c)
	return x, err
}

// enumerate adds the programs that the oracle can go through, and returns the others.
func (x *Native) enumerate(ps []*Program, c Config) (large []*Program, err error) {
	if x.file, err = File(ps); err != nil {
		return nil, err
	}
	l, err := Load(x.file, prelude.MachineLog)
	if err != nil {
		return nil, err
	}
	for i, p := range ps {
		m, err := l.Machine(i)
		if err != nil {
			return nil, err
		}
		views := map[string]view.View{}
		r := oracle.SearchStates(m, c.Regime.limits(c.Executions), func(t *trace.Trace) {
			v := view.Of(t)
			if v.Failed == goexit {
				v.Failed = ""
			}
			views[v.String()] = v
		})
		if !r.Complete {
			large = append(large, p)
			continue
		}
		races, closes := racyLines(r, l.Line)
		x.Programs, x.views = append(x.Programs, p), append(x.views, views)
		x.races, x.closes = append(x.races, races), append(x.closes, closes)
	}
	return large, nil
}

// racyLines returns the pairs of lines that race, those of a close and a send apart.
func racyLines(r *oracle.Result, line func(event.Site) string) (races, closes map[string]bool) {
	races, closes = map[string]bool{}, map[string]bool{}
	for k := range r.Races {
		var a, b event.Site
		fmt.Sscan(k, &a, &b)
		if pair := linePair(line(a), line(b)); r.Closes[k] {
			closes[pair] = true
		} else {
			races[pair] = true
		}
	}
	return races, closes
}

func linePair(a, b string) string { return min(a, b) + " " + max(a, b) }

// maxDeaths is how often a program may end its process by a fatal error before its other runs are dropped.
const maxDeaths = 100

// A NativeTally counts a native comparison.
type NativeTally struct {
	Programs int // all
	Free     int // without data races: their outcomes were compared
	Runs     int
	Seen     int // distinct outcomes seen natively, of race-free programs
	Known    int // distinct outcomes of the machine, of race-free programs
	Races    int // reports of the race detector that were compared
	Starts   int // of processes
	// Unmodelled counts outcomes that were not compared: see unmodelled.
	Unmodelled int
}

// Run compiles the programs and runs each of them, with random delays in every second run. It returns what the machine
// did not show.
func (x *Native) Run(runs int, race bool) (tally NativeTally, problems []string, err error) {
	dir, err := os.MkdirTemp("", "progen")
	if err != nil {
		return tally, nil, err
	}
	defer os.RemoveAll(dir)
	if err := x.write(dir); err != nil {
		return tally, nil, err
	}
	args := []string{"build", "-o", "native"}
	if x.api != nil {
		args = []string{"test", "-c", "-o", "native"}
	}
	if race {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, ".")...)
	build.Dir = dir
	build.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return tally, nil, fmt.Errorf("%w\n%s", err, out)
	}
	for i := range x.Programs {
		tally.Programs++
		if len(x.races[i]) == 0 && !x.rlockMisuse(i) {
			tally.Free++
			tally.Known += len(x.views[i])
		}
	}
	tally.Runs = tally.Programs * runs
	c := &comparison{Native: x, dir: dir, runs: runs, seen: map[string]bool{}, tally: &tally}
	var wait sync.WaitGroup
	var mu sync.Mutex
	const shards = 4 // mostly they wait
	for i := range shards {
		wait.Go(func() {
			if e := c.shard(i*len(x.Programs)/shards, (i+1)*len(x.Programs)/shards, fmt.Sprint("shared", i)); e != nil {
				mu.Lock()
				err = e
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	slices.Sort(c.problems)
	return tally, c.problems, err
}

// A comparison is one call of Native.Run.
type comparison struct {
	*Native
	dir  string
	runs int

	mu       sync.Mutex
	seen     map[string]bool // outcomes and races
	tally    *NativeTally
	problems []string
}

func (c *comparison) show(i int, kind, what string) {
	p := c.Programs[i]
	c.problems = append(c.problems, fmt.Sprintf("seed %d, size %d: %s: %s\n%s", p.Seed, p.Size, kind, what, p.Func(Name(i))))
}

// outcome compares what a run of program i showed: vs are its views, text tells it apart from others.
func (c *comparison) outcome(i int, vs []view.View, text string) {
	if len(c.races[i]) > 0 || c.seen[fmt.Sprint(i, text)] || c.rlockMisuse(i) {
		return
	}
	for _, v := range vs {
		if slices.Contains(unmodelled, v.Failed) {
			c.tally.Unmodelled++
			return
		}
	}
	c.seen[fmt.Sprint(i, text)] = true
	c.tally.Seen++
	for _, v := range vs {
		if c.api != nil && c.api.own[i] != nil {
			if what := c.api.own[i].lacks(v); what != "" {
				c.show(i, "what no execution of the machine shows", what)
			}
		} else if !v.Among(c.views[i]) {
			c.show(i, "an outcome that the machine does not have", text+" "+v.Failed)
		}
	}
}

// shard runs the programs from p to end, one process after the other. A fatal error ends a process, and so do
// goroutines that were left.
func (c *comparison) shard(p, end int, name string) error {
	sharedFile := filepath.Join(c.dir, name)
	if err := os.WriteFile(sharedFile, nil, 0o600); err != nil {
		return err
	}
	deaths := map[int]int{}
	for r := 0; p < end; {
		cmd := exec.Command("./native", sharedFile, fmt.Sprint(c.runs), fmt.Sprint(p), fmt.Sprint(r), fmt.Sprint(end))
		cmd.Dir = c.dir
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Env = append(os.Environ(), "GORACE=halt_on_error=0 atexit_sleep_ms=0", "TMPDIR="+c.dir)
		runErr := cmd.Run()
		shared, err := prelude.ReadShared(sharedFile)
		if err != nil {
			return err
		}
		reported, more, err := c.read(stdout.String(), stderr.String())
		if err != nil || !more {
			return err
		}
		p, r = shared.Program, shared.Run+1
		if code := cmd.ProcessState.ExitCode(); code == 2 {
			text := prelude.Failure(stderr.String())
			if text == "" {
				return fmt.Errorf("seed %d: %w\n%s", c.Programs[p].Seed, runErr, stderr.String())
			}
			c.mu.Lock()
			c.died(p, view.View{Logs: shared.Logs, Failed: prelude.FailureText(text)}, reported[p])
			if deaths[p]++; deaths[p] == c.deaths() { // a process for each run
				c.tally.Runs -= c.runs - r
				r = c.runs
			}
			c.mu.Unlock()
		} else if code != 3 && code != 66 {
			return fmt.Errorf("seed %d: %w\n%s\n%s", c.Programs[p].Seed, runErr, stdout.String(), stderr.String())
		}
		if r >= c.runs {
			p, r = p+1, 0
		}
	}
	return nil
}

// died compares how a process ended while it ran program i. testing fails a test in which the detector reports, so that
// t.Run returns another value, and a test that began late may fail one that has completed. Then only the failure is
// compared, if that can be of the program alone.
func (c *comparison) died(i int, v view.View, reported bool) {
	if reported {
		if v.Logs = nil; strings.Contains(v.Failed, " has completed") {
			return
		}
	}
	c.outcome(i, []view.View{v}, v.String())
}

// read compares what a process has printed. It returns which tests testing has failed for a report of the race
// detector, and whether the process has left programs to be run.
func (c *comparison) read(stdout, stderr string) (reported map[int]bool, more bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tally.Starts++
	reported = c.raceReports(stderr)
	for line := range strings.SplitSeq(stdout, "\n") {
		if rest, ok := strings.CutPrefix(line, "outcome "); ok {
			var i int
			if _, err := fmt.Sscan(rest, &i); err != nil {
				return nil, false, fmt.Errorf("%q: %w", line, err)
			}
			_, text, _ := strings.Cut(rest, " ")
			if !reported[i] {
				c.outcome(i, view.Parse(text), text)
			}
		}
	}
	return reported, !strings.HasSuffix(stdout, "done\n"), nil
}

// rlockMisuse reports whether a program can unlock a read lock that it does not hold.
func (x *Native) rlockMisuse(i int) bool {
	for _, v := range x.views[i] {
		if v.Failed == unmodelled[2] {
			return true
		}
	}
	return false
}

// write writes the package of the compiled programs.
func (x *Native) write(dir string) error {
	var list strings.Builder
	if x.api != nil {
		return x.writeAPI(dir)
	}
	list.WriteString("package main\n\nvar programs = []func(){\n")
	for i := range x.Programs {
		list.WriteString(Name(i) + ",\n")
	}
	list.WriteString("}\n")
	return writePackage(dir, map[string][]byte{
		"programs.go": toMain(string(x.file)),
		"prelude.go":  toMain(prelude.Native()),
		"list.go":     []byte(list.String()),
	})
}

func toMain(s string) []byte {
	return []byte(strings.Replace(s, "package programs", "package main", 1))
}

// raceReports compares what the race detector says with the oracle's pairs. It returns the tests in which it says
// something.
func (c *comparison) raceReports(text string) (tests map[int]bool) {
	tests = map[int]bool{}
	for _, block := range strings.Split(text, "==================") {
		if !strings.Contains(block, "WARNING: DATA RACE") {
			continue
		}
		var lines []string
		program, misuse, late, channel := -1, false, false, false
		for _, access := range prelude.Accesses(block) {
			// The detector calls an Add beside a Wait of a WaitGroup a race, to point at misuse. The machine shows what
			// comes of it.
			misuse = misuse || strings.HasPrefix(access.Top, "runtime.race") || strings.HasPrefix(access.Top, "sync.(*WaitGroup)")
			channel = channel || strings.HasPrefix(access.Top, "runtime.closechan") || strings.HasPrefix(access.Top, "runtime.chansend")
			late = late || strings.HasPrefix(access.Top, "testing.tRunner.func1")
			lines = append(lines, access.Line)
		}
		if f := inProgram.FindStringSubmatch(block); f != nil {
			program, _ = strconv.Atoi(f[1])
		}
		if c.api != nil && program >= 0 {
			tests[program] = true
			for i, line := range lines {
				lines[i] = c.api.relative(program, line)
			}
			if late {
				c.lateUse(program, lines, block)
				continue
			}
		}
		if misuse || len(lines) != 2 || program < 0 {
			continue
		}
		pair := linePair(lines[0], lines[1])
		key := fmt.Sprint("race ", program, pair)
		if c.seen[key] {
			continue
		}
		c.seen[key] = true
		c.tally.Races++
		// Of a select the detector names another line, and of a deferred close.
		if !c.races[program][pair] && !(channel && len(c.closes[program]) > 0) {
			c.show(program, "a race that the oracle does not have", block)
		}
	}
	return tests
}

// inProgram finds a function of a program in a report.
var inProgram = regexp.MustCompile(`(?:main|programs)\.[Pp](\d+)[.(]`)

// Add adds the counts of another run.
func (t *NativeTally) Add(u NativeTally) {
	t.Programs += u.Programs
	t.Free += u.Free
	t.Runs += u.Runs
	t.Seen += u.Seen
	t.Known += u.Known
	t.Races += u.Races
	t.Starts += u.Starts
	t.Unmodelled += u.Unmodelled
}
