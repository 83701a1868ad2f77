package pairgen

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
)

// This file compiles programs and runs each in all orders of its operations.

// harness runs the programs natively. Its arguments are runs: the number of a program, and an order. It prints when a
// run begins and when it ends.
//
// An operation has a slot of real time. Its goroutine waits for that in a system call, which orders nothing to the race
// detector, and holds the clock of a bubble. If an operation has not come back when the next one's slot begins,
// the next one goes ahead: what comes of it is an outcome of some schedule all the same.
const harness = `package programs

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

type run struct {
	order [4][4]int64
	base  int64
}

func now() int64 {
	var t syscall.Timeval
	syscall.Gettimeofday(&t)
	return t.Nano()
}

const slot = SLOT * 1_000_000

func (x *run) begin() { x.base = now() + slot/2 }

func (x *run) slot(g, k int) {
	until := x.base + x.order[g][k]*slot
	for d := until - now(); d > 0; d = until - now() {
		t := syscall.NsecToTimespec(d)
		syscall.Nanosleep(&t, nil)
	}
}

// one runs a program in a subtest, in a bubble or not. stuck is whether its goroutines wait for each other.
func one(t *testing.T, p int, order string) (out string) {
	x := &run{}
	var done [4]int
	for i, c := range order {
		g := c - '0'
		x.order[g][done[g]] = int64(i)
		done[g]++
	}
	out = "nothing"
	t.Run("P", func(t *testing.T) {
		if !bubbles[p] {
			out = programs[p](t, x)
			return
		}
		defer func() {
			if e := recover(); e != nil && out == "nothing" {
				if out = fmt.Sprint("panic: ", e); strings.HasPrefix(out, "panic: deadlock") {
					out = "stuck"
				}
			}
		}()
		synctest.Test(t, func(t *testing.T) { out = programs[p](t, x) })
	})
	return out
}

// The name is that of an entry: no test of the machine's own file is here.
func TestAll(t *testing.T) {
	stdout := os.NewFile(3, "results")
	null, _ := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	os.Stdout = null
	runs := strings.Split(os.Getenv("RUNS"), ",")
	var mu sync.Mutex
	open := map[int]bool{}
	last := time.Now()
	free := make(chan bool, 24)
	for i, r := range runs {
		var p int
		var order string
		fmt.Sscanf(r, "%d:%s", &p, &order)
		free <- true
		mu.Lock()
		open[i] = true
		fmt.Fprintf(stdout, "begin %d\n", i)
		last = time.Now()
		mu.Unlock()
		over := make(chan bool)
		go func() {
			select {
			case <-over:
			case <-time.After(time.Second):
			}
			<-free
		}()
		go func() {
			out := one(t, p, order)
			mu.Lock()
			delete(open, i)
			fmt.Fprintf(stdout, "end %d %q\n", i, out)
			mu.Unlock()
			close(over)
		}()
	}
	for {
		mu.Lock()
		if len(open) == 0 || time.Since(last) > WAIT*time.Millisecond {
			for i := range open {
				fmt.Fprintf(stdout, "end %d %q\n", i, "stuck")
			}
			fmt.Fprintln(stdout, "done")
			os.Exit(0)
		}
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
}
`

// A Native is what the compiled program did.
type Native struct {
	Outcomes map[string]string // by outcome, an order that has it
	Races    map[string]string // by pair of lines, a report
}

// A pace is how long an operation's slot is, and how long goroutines wait that are taken to be stuck, in milliseconds.
type pace struct{ slot, wait int }

var (
	quick   = pace{4, 1000}
	careful = pace{15, 3000}
)

// natives compiles programs and runs them in all orders.
func natives(ps []*Program, race bool, pace pace) ([]Native, error) {
	var list strings.Builder
	list.WriteString("package programs\n\nimport \"testing\"\n\nvar programs = []func(*testing.T, *run) string{\n")
	for i := range ps {
		fmt.Fprintf(&list, "P%d,\n", i)
	}
	list.WriteString("}\n\nvar bubbles = []bool{\n")
	for _, p := range ps {
		fmt.Fprintf(&list, "%t,\n", p.bubble)
	}
	list.WriteString("}\n")
	dir, text, err := write(ps, map[string]string{
		"list.go":      list.String(),
		"harness.go":   strings.NewReplacer("SLOT", strconv.Itoa(pace.slot), "WAIT", strconv.Itoa(pace.wait)).Replace(harness),
		"main_test.go": "package programs\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) { m.Run() }\n\nfunc TestRuns(t *testing.T) { TestAll(t) }\n",
	})
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"test", "-c", "-vet=off", "-o", "native"}
	if race {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, ".")...)
	build.Dir, build.Env = dir, environment()
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	out := make([]Native, len(ps))
	for i := range out {
		out[i] = Native{map[string]string{}, map[string]string{}}
	}
	starts := starts(text)
	var mu sync.Mutex
	note := func(r result) {
		mu.Lock()
		defer mu.Unlock()
		for _, x := range r.ended {
			out[x.program].Outcomes[x.outcome] = x.order
		}
		for _, b := range strings.Split(r.stderr, "==================") {
			if p, pair, ok := raced(b, starts); ok {
				out[p].Races[pair] = b
			}
		}
	}
	var wait sync.WaitGroup
	var failed error
	jobs := make(chan []job)
	for range 6 {
		wait.Go(func() {
			for js := range jobs {
				if err := attempt(dir, js, note); err != nil {
					mu.Lock()
					failed = err
					mu.Unlock()
				}
			}
		})
	}
	var together, perilous []job
	for i, p := range ps {
		for _, o := range p.orders() {
			switch j := (job{i, o}); {
			case p.has(alone):
				jobs <- []job{j}
			case p.has(fatal):
				perilous = append(perilous, j)
			default:
				together = append(together, j)
			}
		}
	}
	for js := range slices.Chunk(together, 400) {
		jobs <- js
	}
	for js := range slices.Chunk(perilous, 24) {
		jobs <- js
	}
	close(jobs)
	wait.Wait()
	return out, failed
}

// A job is one run.
type job struct {
	program int
	order   string
}

// A result is what a process did.
type result struct {
	ended []struct {
		job
		outcome string
	}
	stderr string
}

// attempt performs runs in one process. If that ends early, the runs that were under way have a process each.
func attempt(dir string, js []job, note func(result)) error {
	for len(js) > 0 {
		var runs []string
		for _, j := range js {
			runs = append(runs, fmt.Sprintf("%d:%s", j.program, j.order))
		}
		own, err := os.MkdirTemp(dir, "run")
		if err != nil {
			return err
		}
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		cmd := exec.Command(filepath.Join(dir, "native"), "-test.run", "TestRuns")
		cmd.Dir = own
		cmd.Env = append(os.Environ(), "RUNS="+strings.Join(runs, ","), "GORACE=halt_on_error=0 atexit_sleep_ms=0", "TMPDIR="+own)
		var stdout, stderr bytes.Buffer
		cmd.Stderr, cmd.ExtraFiles = &stderr, []*os.File{w}
		if err := cmd.Start(); err != nil {
			return err
		}
		w.Close()
		stdout.ReadFrom(r)
		r.Close()
		cmd.Wait()
		os.RemoveAll(own)
		var res result
		res.stderr = stderr.String()
		began, over := map[int]bool{}, false
		for line := range strings.Lines(stdout.String()) {
			var i int
			var text string
			if n, _ := fmt.Sscanf(line, "begin %d", &i); n == 1 {
				began[i] = true
			} else if n, _ := fmt.Sscanf(line, "end %d %q", &i, &text); n == 2 {
				delete(began, i)
				res.add(js[i], text)
				js[i].order = ""
			} else if line == "done\n" {
				over = true
			}
		}
		if over {
			note(res)
			return nil
		}
		if len(began) == 0 { // a goroutine that was left behind has ended it
			left := slices.DeleteFunc(slices.Clone(js), func(j job) bool { return j.order == "" })
			if note(res); len(left) == len(js) {
				return fmt.Errorf("a process ended: %s", res.stderr)
			}
			js = left
			continue
		}
		if len(js) == 1 {
			text := failure(res.stderr)
			if text == "" {
				return fmt.Errorf("a process ended: %s", res.stderr)
			}
			res.add(js[0], text)
			note(res)
			return nil
		}
		note(res)
		for _, i := range slices.Sorted(maps.Keys(began)) {
			if err := attempt(dir, []job{js[i]}, note); err != nil {
				return err
			}
			js[i].order = ""
		}
		js = slices.DeleteFunc(js, func(j job) bool { return j.order == "" })
	}
	return nil
}

func (r *result) add(j job, outcome string) {
	r.ended = append(r.ended, struct {
		job
		outcome string
	}{j, outcome})
}

// failure is the first line of what a process that died printed.
func failure(stderr string) string {
	for line := range strings.Lines(stderr) {
		if strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "panic: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// raced reads a report of the race detector: the program, and the lines of it that race, counted from its first.
func raced(block string, starts []int) (program int, pair string, ok bool) {
	m := inProgram.FindStringSubmatch(block)
	if m == nil || !strings.Contains(block, "WARNING: DATA RACE") {
		return 0, "", false
	}
	program, _ = strconv.Atoi(m[1])
	var lines []string
	for _, a := range prelude.Accesses(block) {
		lines = append(lines, relative(a.Line, starts[program]))
	}
	slices.Sort(lines)
	return program, strings.Join(lines, " "), true
}

func relative(line string, start int) string {
	n, err := strconv.Atoi(line)
	if err != nil {
		return "?"
	}
	return fmt.Sprintf("%+d", n-start)
}

// inProgram finds a function of a program in a report.
var inProgram = regexp.MustCompile(`programs\.P(\d+)[.(]`)

// starts are the lines at which programs begin.
func starts(text []byte) (lines []int) {
	n := 0
	for line := range strings.Lines(string(text)) {
		if n++; startsProgram.MatchString(line) {
			lines = append(lines, n)
		}
	}
	return lines
}

var startsProgram = regexp.MustCompile(`^func P\d+\(`)

// write makes a folder with a module of the programs and files besides. It returns the programs' text, too.
func write(ps []*Program, files map[string]string) (dir string, text []byte, err error) {
	if text, err = file(ps); err != nil {
		return "", nil, err
	}
	if dir, err = os.MkdirTemp("", "pairgen"); err != nil {
		return "", nil, err
	}
	files["go.mod"], files["programs.go"], files["shared.go"] = "module programs\n\ngo 1.26\n", string(text), shared
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			os.RemoveAll(dir)
			return "", nil, err
		}
	}
	return dir, text, nil
}

func environment() []string {
	return append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
}
