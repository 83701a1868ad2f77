package pairgen

import (
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// This file explores programs as a user would, with the outcomes that they have natively.

// A Result is what the comparison of a program gave.
type Result struct {
	Program  *Program
	Native   Native
	Verdict  string   // of the default explorer: exhausted, or why it is not
	Problems []string // what differs
	Notes    []string // what differs, and may
	Races    bool     // a race was found
}

// stuck is the outcome of goroutines that wait for each other.
const stuck = "stuck"

// entries is a file of tests, one for each program. A test panics at another line for each outcome.
func entries(ps []*Program, ns []Native) ([]byte, error) {
	var b strings.Builder
	b.WriteString("package programs\n\nimport (\n\"testing\"\n\"testing/synctest\"\n)\n\nvar _ = synctest.Wait\n\n" +
		"type run struct{}\n\nfunc (*run) begin() {}\n\nfunc (*run) slot(int, int) {}\n\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "func TestP%d(t *testing.T) {\n", i)
		if p.bubble {
			b.WriteString("synctest.Test(t, func(t *testing.T) {\n")
		}
		fmt.Fprintf(&b, "switch s := P%d(t, nil); s {\n", i)
		for _, o := range slices.Sorted(maps.Keys(ns[i].Outcomes)) {
			fmt.Fprintf(&b, "case %q:\npanic(%q)\n", o, outcomePrefix+o)
		}
		fmt.Fprintf(&b, "default:\npanic(%q + s)\n}\n", otherPrefix)
		if p.bubble {
			b.WriteString("})\n")
		}
		b.WriteString("}\n\n")
	}
	return format.Source([]byte(b.String()))
}

const (
	outcomePrefix = "outcome "
	otherPrefix   = "other "
)

// A loaded is programs in the machine.
type loaded struct {
	m       *machine.Machine
	entries map[string]program.Entry
	starts  []int
}

func load(ps []*Program, ns []Native) (*loaded, error) {
	tests, err := entries(ps, ns)
	if err != nil {
		return nil, err
	}
	dir, text, err := write(ps, map[string]string{"main_test.go": string(tests)})
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cfg := closure.Config(dir)
	cfg.Tests, cfg.Env = true, environment()
	l, err := program.List(cfg, ".")
	if err != nil {
		return nil, err
	}
	if len(l.Errors) > 0 {
		return nil, fmt.Errorf("%v", l.Errors)
	}
	p, err := closure.NewUniverse().Build(l.Recipes[0])
	if err != nil {
		return nil, err
	}
	x := &loaded{machine.New(p, machine.Config{}), map[string]program.Entry{}, starts(text)}
	for _, e := range p.Entries {
		x.entries[e.Name] = e
	}
	return x, x.m.Prepare()
}

// work is the limit of work for one program.
const work = 150_000_000

// compare explores the i-th program with an explorer.
func (l *loaded) compare(i int, r *Result, explorer string) {
	next := func() explore.Explorer {
		x, err := explorers.New(explorer)
		if err != nil {
			panic(err)
		}
		return x
	}
	e := l.entries[fmt.Sprint("TestP", i)]
	res := explore.ExploreRegimes(next, l.m.Entry(e), explore.Limits{Work: work}, explore.TimingStructural)
	r.Verdict = "exhausted"
	switch {
	case res.Refused != nil:
		r.Verdict = fmt.Sprint("refused: ", res.Refused.What)
	case res.Verdict != explore.Exhausted:
		r.Verdict = cmp.Or(res.Reason, "not exhausted")
	}
	name := ""
	if explorer != "" {
		name = explorer + ": "
	}
	problem := func(format string, args ...any) {
		r.Problems = append(r.Problems, name+fmt.Sprintf(format, args...))
	}
	note := func(format string, args ...any) { r.Notes = append(r.Notes, name+fmt.Sprintf(format, args...)) }
	found, races := map[string]bool{}, map[string]bool{}
	for _, f := range res.Findings {
		if f.Category == report.DataRace {
			races[l.pair(i, &f)] = true
		}
	}
	for _, f := range res.Findings {
		switch f.Category {
		case report.Deadlock, report.GoroutineLeak, report.Livelock:
			found[stuck] = true
			if f.Category == report.Deadlock && r.Native.Outcomes[stuck] == "" && r.Program.exact() {
				problem("a deadlock that no order has")
			}
		case report.Internal:
			problem("%s", f.Witness.Panic)
		case report.Panics, report.TestFailure:
			text := f.Witness.Panic
			line := firstLine(text)
			if o, ok := strings.CutPrefix(line, "panic: "+outcomePrefix); ok {
				found[o] = true
			} else if strings.HasPrefix(line, "panic: deadlock: ") { // of a bubble
				found[stuck] = true
			} else if o, ok := strings.CutPrefix(line, "panic: "+otherPrefix); !ok {
				found[line] = true
				if r.Native.Outcomes[line] == "" && len(races) == 0 && r.Program.exact() && !r.Program.has(fails) {
					problem("what no order natively ends with: %s", line)
				}
			} else if found[other] = true; r.Program.exact() && len(races) == 0 && !f.Timing {
				problem("an outcome that no order has: %s", o)
			}
		}
	}
	r.Races = len(races) > 0
	missing := problem
	if r.Verdict != "exhausted" {
		missing = note
	}
	for _, o := range slices.Sorted(maps.Keys(r.Native.Outcomes)) {
		if !found[o] && len(races) == 0 {
			missing("the outcome of order %s is missing: %s", r.Native.Outcomes[o], o)
		}
	}
	for _, pair := range slices.Sorted(maps.Keys(r.Native.Races)) {
		switch {
		case len(races) == 0:
			missing("the race of lines %s is missing\n%s", pair, r.Native.Races[pair])
		case !races[pair]:
			note("the race of lines %s is missing beside others", pair)
		}
	}
	for _, pair := range slices.Sorted(maps.Keys(races)) {
		if len(r.Native.Races) == 0 {
			note("the race of lines %s is not reported natively", pair)
		}
	}
}

const other = "other"

// firstLine is the first line of a text that Go writes of a failure.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSuffix(strings.TrimSuffix(s, " [recovered, repanicked]"), " [recovered]")
}

// pair is the lines of a race, counted from the first of its program.
func (l *loaded) pair(i int, f *report.Finding) string {
	var lines []string
	for _, e := range f.Events {
		lines = append(lines, l.line(i, f.Witness.Stacks[e]))
	}
	slices.Sort(lines)
	return strings.Join(lines, " ")
}

func (l *loaded) line(i int, stack []trace.Frame) string {
	for _, f := range stack {
		if p := l.m.Position(f.Site); filepath.Base(p.Filename) == "programs.go" {
			return relative(fmt.Sprint(p.Line), l.starts[i])
		}
	}
	return "?"
}

// Compare runs programs natively, and explores them.
func Compare(ps []*Program, explorer string, pace pace) ([]*Result, error) {
	ns, err := natives(ps, false, pace)
	if err != nil {
		return nil, err
	}
	rs, err := natives(ps, true, pace)
	if err != nil {
		return nil, err
	}
	for i := range ns {
		ns[i].Races = rs[i].Races
		if len(ns[i].Races) == 0 {
			maps.Copy(ns[i].Outcomes, rs[i].Outcomes)
		}
	}
	return compareAll(ps, ns, explorer)
}

// compareAll compares what the compiled programs did with what each explorer shows.
func compareAll(ps []*Program, ns []Native, explorers ...string) ([]*Result, error) {
	l, err := load(ps, ns)
	if err != nil {
		return nil, err
	}
	out := make([]*Result, len(ps))
	for i, p := range ps {
		out[i] = &Result{Program: p, Native: ns[i]}
		for _, x := range explorers {
			l.compare(i, out[i], x)
		}
	}
	return out, nil
}
