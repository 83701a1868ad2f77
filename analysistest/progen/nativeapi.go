package progen

import (
	"fmt"
	"github.com/heddle-go/heddle/analysistest/progen/view"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares compiled tests over the API of the standard library with the machine. What the machine can show is
// what an exhausted explorer met. The systematic explorer meets every outcome. Where it does not end, union meets what
// each goroutine can log.

// apiKnown is what is known of tests beside their views.
type apiKnown struct {
	// own is, for each program, what its goroutines log, each for itself; nil if the views are all.
	own []*ownLogs
	// starts are the lines at which programs begin. Their pairs of lines are relative to these, since the machine may
	// have had them in another file.
	starts []int
}

// ownLogs is what union meets: each goroutine's logs, and the failures.
type ownLogs struct {
	logs     map[string]bool
	failures map[string]bool
}

// lacks returns what of a view is not among them, "" if nothing. If the view failed, its logs may have been cut off
// anywhere.
func (o *ownLogs) lacks(v view.View) string {
	if v.Failed != "" && !o.failures[v.Failed] {
		return "failure " + v.Failed
	}
	for _, n := range slices.Sorted(maps.Keys(v.Logs)) {
		key := ownLog(n, v.Logs[n])
		if !o.logs[key] && (v.Failed == "" || !o.begins(key)) {
			return key
		}
	}
	return ""
}

func (o *ownLogs) begins(key string) bool {
	for k := range o.logs {
		if strings.HasPrefix(k+" ", key+" ") {
			return true
		}
	}
	return false
}

// ownLog names a log of a goroutine.
func ownLog(n int, l string) string { return fmt.Sprintf("goroutine %d logs%s", n, l) }

// relative makes a line of the programs' file relative to the beginning of a program; others stay as they are.
func (a *apiKnown) relative(i int, line string) string { return relativeTo(a.starts[i], line) }

func relativeTo(start int, line string) string {
	n, err := strconv.Atoi(line)
	if err != nil {
		return line
	}
	return fmt.Sprintf("%+d", n-start)
}

var programStart = regexp.MustCompile(`^// P\d+: seed`)

// programStarts returns the lines at which the programs of a file begin.
func programStarts(file []byte) (starts []int) {
	n := 0
	for line := range strings.Lines(string(file)) {
		if n++; programStart.MatchString(line) {
			starts = append(starts, n)
		}
	}
	return starts
}

// NewNativeAPI explores the tests of GenerateAPI that wall time cannot touch. A test that no explorer exhausts is drawn
// smaller. Tests that are never exhausted are counted.
func NewNativeAPI(from uint64, n, executions int, files bool) (x *Native, large int, err error) {
	var ps []*Program
	for s := from; s < from+uint64(n); s++ {
		ps = append(ps, oneKey(generateAPI(s, min(Size(s), 6), files)))
	}
	x = &Native{api: &apiKnown{}}
	for len(ps) > 0 {
		ps = slices.DeleteFunc(ps, func(p *Program) bool { return p.Notes.Timed || p.Notes.Pool })
		again, l, err := x.exploreAPI(ps, executions)
		if err != nil {
			return nil, 0, err
		}
		ps, large = again, large+l
	}
	if x.file, err = File(x.Programs); err != nil {
		return nil, 0, err
	}
	x.api.starts = programStarts(x.file)
	return x, large, nil
}

// exploreAPI adds those programs that are exhausted. It returns smaller ones in place of the others, and how many
// cannot be drawn smaller.
func (x *Native) exploreAPI(ps []*Program, executions int) (again []*Program, large int, err error) {
	if len(ps) == 0 {
		return nil, 0, nil
	}
	file, err := File(ps)
	if err != nil {
		return nil, 0, err
	}
	l, err := LoadWith(file, prelude.MachineLog, machine.Config{CleanFrames: true})
	if err != nil {
		return nil, 0, err
	}
	starts := programStarts(file)
	for i, p := range ps {
		switch {
		case x.knowAPI(l, i, p, starts[i], executions):
		case p.Size <= 2:
			large++
		default:
			again = append(again, oneKey(generateAPI(p.Seed, p.Size-max(1, p.Size/3), p.Files)))
		}
	}
	return again, large, nil
}

// knowAPI adds the i-th program of l, if it is exhausted.
func (x *Native) knowAPI(l *Loaded, i int, p *Program, start, executions int) bool {
	m, e := l.Entry(i)
	for _, whole := range []bool{true, false} {
		got := newShows()
		observe := func(t *trace.Trace) {
			got.add(t)
			got.addFailed(t)
		}
		var explorer explore.Explorer = &systematic.Explorer{Observe: observe}
		if !whole {
			explorer = &union.Explorer{Observe: observe, Alone: true}
		}
		res := explorer.Explore(m.Entry(e), explore.Limits{Executions: executions, Events: 50 * executions})
		if res.Verdict != explore.Exhausted {
			continue
		}
		own.AddRaces(got.Result, res)
		races, closes := racyLines(got.Result, func(s event.Site) string { return relativeTo(start, l.Line(s)) })
		for _, f := range res.Findings { // of races within testing the detector's reports name the program's lines
			if f.Category == report.DataRace && f.Witness.Events[f.Events[0]].Kind != event.ChanClose && f.Witness.Events[f.Events[1]].Kind != event.ChanClose {
				races[linePair(relativeTo(start, l.programLine(f.Witness.Stacks[f.Events[0]])), relativeTo(start, l.programLine(f.Witness.Stacks[f.Events[1]])))] = true
			}
		}
		var own *ownLogs
		if !whole {
			own = &ownLogs{got.own, got.failures}
		}
		x.Programs, x.races, x.closes = append(x.Programs, p), append(x.races, races), append(x.closes, closes)
		x.views, x.api.own = append(x.views, got.views), append(x.api.own, own)
		return true
	}
	return false
}

// programLine is Line of the innermost frame in the programs' file or the prelude, "" if there is none.
func (l *Loaded) programLine(stack []trace.Frame) string {
	for _, f := range stack {
		switch filepath.Base(l.m.Position(f.Site).Filename) {
		case programs, "prelude.go":
			return l.Line(f.Site)
		}
	}
	return ""
}

// addFailed adds how far everyone had come where a test failed by a panic.
func (x *shows) addFailed(t *trace.Trace) {
	if t.Status != trace.Failed {
		return
	}
	v := view.Of(t)
	x.views[v.String()] = v
	for n, l := range v.Logs {
		x.own[ownLog(n, l)] = true
	}
}

// lateUse compares a race with the end of a test. testing marks the test as completed without a lock, so that the
// detector points at a goroutine that may use it too late. In the machine such a use panics in some execution, or is a
// race as well.
func (c *comparison) lateUse(i int, lines []string, block string) {
	if key := fmt.Sprint("late ", i); !c.seen[key] {
		c.seen[key] = true
		c.tally.Races++
		if !c.failsLate(i) && !(len(lines) == 2 && c.races[i][linePair(lines[0], lines[1])]) {
			c.show(i, "a race with the end of a test, where no execution uses it too late", block)
		}
	}
}

func (x *Native) failsLate(i int) bool {
	for _, v := range x.views[i] {
		if strings.Contains(v.Failed, " has completed") {
			return true
		}
	}
	return false
}

// deaths is how often a program may end its process by a failure before its other runs are dropped. A test does so by
// every panic.
func (x *Native) deaths() int {
	if x.api != nil {
		return maxDeaths / 4
	}
	return maxDeaths
}

// writeAPI writes the package of compiled tests: a test binary, whose TestMain is the harness.
func (x *Native) writeAPI(dir string) error {
	var list strings.Builder
	list.WriteString("package main\n\nimport \"testing\"\n\nvar programs = []func(*testing.T){\n")
	for i := range x.Programs {
		list.WriteString(Name(i) + ",\n")
	}
	list.WriteString("}\n")
	main := strings.Replace(prelude.Native(), prelude.NativeStart, prelude.APIStart, 1)
	return writePackage(dir, map[string][]byte{
		"programs.go":  toMain(string(x.file)),
		"prelude.go":   toMain(strings.Replace(main, "\"strings\"\n", "\"strings\"\n\t\"testing\"\n", 1)),
		"list.go":      []byte(list.String()),
		"main_test.go": []byte(prelude.APIMain),
	})
}
