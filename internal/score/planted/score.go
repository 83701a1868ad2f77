package main

import (
	"errors"
	"fmt"
	"go/token"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/aimed"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// aimedOf and pairsOf are the parts of an entry's limits that -new-from-rev gives to samples in which goroutines are
// held up in changed code, and to pairs.
const (
	aimedOf = 8
	pairsOf = 4
)

// A search is what one explorer found of a bug, and when.
type search struct {
	found      string // "" is nothing
	executions int    // until then, or all
	part       int    // of the entry's limits, in percent
	reason     string // why it ended, "" if all was explored
}

// A row is one bug.
type row struct {
	target  *target
	plant   *plant
	nothing search
	aimed   search
	pairs   search
	deep    search // zero if it was not asked for
}

func score(o options) error {
	var rows []row
	for i := range targets {
		t := &targets[i]
		if !o.match.MatchString(t.version + " " + t.test) {
			continue
		}
		tmp, err := os.MkdirTemp("", "heddle-planted")
		if err != nil {
			return err
		}
		b := &bed{o: o, t: t, module: filepath.Join(tmp, "module")}
		more, err := b.run()
		os.RemoveAll(tmp)
		if err != nil {
			return fmt.Errorf("%s %s: %w", t.version, t.test, err)
		}
		rows = append(rows, more...)
	}
	print(rows)
	return nil
}

// A bed is a test at work.
type bed struct {
	o        options
	t        *target
	module   string
	universe *program.Universe
	cfg      program.Config
	known    map[string]bool   // what the test shows as it is
	done     map[position]bool // the lines of operations that it does
}

func (b *bed) run() (rows []row, err error) {
	if err := module.Fetch(b.t.version, b.module, b.t.requires...); err != nil {
		return nil, err
	}
	dir := filepath.Join(b.module, filepath.FromSlash(b.t.pkg))
	if err := os.Chdir(dir); err != nil { // types of other modules are looked up from there
		return nil, err
	}
	b.cfg = closure.Config(dir)
	b.universe = program.NewUniverse(b.cfg)
	if err := b.asItIs(); err != nil {
		return nil, err
	}
	all, err := plantsIn(dir)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(p plant) bool {
		return !b.o.kind.MatchString(p.kind) || !b.done[position{filepath.Base(p.file), p.line}]
	})
	for _, p := range inTurns(all, rand.New(rand.NewPCG(b.o.seed, 4))) {
		if len(rows) == b.o.n {
			break
		}
		x, err := b.plant(p)
		if err != nil {
			continue // it does not compile
		}
		b.tell(x)
		rows = append(rows, x)
	}
	return rows, nil
}

// inTurns puts plants into a random order, in which the kinds take turns.
func inTurns(all []plant, r *rand.Rand) (out []*plant) {
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	round := map[string]int{}
	rounds := map[int][]*plant{}
	for i := range all {
		p := &all[i]
		rounds[round[p.kind]] = append(rounds[round[p.kind]], p)
		round[p.kind]++
	}
	for n := 0; len(rounds[n]) > 0; n++ {
		out = append(out, rounds[n]...)
	}
	return out
}

// A position is a line of a file.
type position struct {
	file string
	line int
}

// load makes a machine of the package as it stands.
func (b *bed) load() (*machine.Machine, *program.Program, sched.Machine, error) {
	l, err := program.List(b.cfg, ".")
	if err == nil && len(l.Errors) > 0 {
		err = l.Errors[0]
	}
	if err != nil {
		return nil, nil, nil, err
	}
	p, err := b.universe.Build(l.Recipes[0])
	if err != nil {
		return nil, nil, nil, err
	}
	m := machine.New(p, machine.Config{Kernel: exploration.KernelConfig(l.Recipes[0], nil, nil)})
	if err := m.Prepare(); err != nil {
		return nil, nil, nil, err
	}
	for _, e := range p.Entries {
		if e.Name == b.t.test {
			return m, p, m.Entry(e), nil
		}
	}
	return nil, nil, nil, errors.New("there is no such test")
}

// asItIs explores the test without a bug, and notes what it shows and does.
func (b *bed) asItIs() error {
	m, _, e, err := b.load()
	if err != nil {
		return err
	}
	b.known, b.done = map[string]bool{}, map[position]bool{}
	x := &watch{Machine: e, m: m, sites: map[event.Site]bool{}}
	res := b.byDefault(x, explore.Limits{})
	x.take(res)
	for key := range x.met {
		b.known[key] = true
	}
	for s := range x.sites {
		at := m.Position(s)
		b.done[position{filepath.Base(at.Filename), at.Line}] = true
	}
	fmt.Printf("%s %s as it is: %s, %d executions, %d findings\n", b.t.version, b.t.test, res.Reason, res.Stats.Executions, len(res.Findings))
	return nil
}

func (b *bed) byDefault(x *watch, lim explore.Limits) *explore.Result {
	lim.Progress, lim.Stop = x.progress, x.stop
	next := func() explore.Explorer { e, _ := explorers.New(""); return e }
	return explore.ExploreRegimes(next, x, lim, explore.TimingStructural)
}

// plant explores the test with a bug.
func (b *bed) plant(p *plant) (x row, err error) {
	text, err := os.ReadFile(p.file)
	if err != nil {
		return x, err
	}
	if err := errors.Join(os.Chmod(p.file, 0o666), os.WriteFile(p.file, p.apply(text), 0o666)); err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(p.file, text, 0o666)) }()
	m, _, e, err := b.load()
	if err != nil {
		return x, err
	}
	x = row{target: b.t, plant: p}
	fresh := func() *watch { return &watch{Machine: e, m: m, known: b.known, stop: new(explore.Stop)} }
	w := fresh()
	x.nothing = w.search(b.byDefault(w, explore.Limits{}), 1)
	w = fresh()
	x.aimed = w.search((&aimed.Explorer{Changed: changed(m.Position, p)}).Explore(w, w.part(aimedOf)), aimedOf)
	w = fresh()
	x.pairs = w.search((&plain.Pairwise{Changed: changed(m.Position, p)}).Explore(w, w.part(pairsOf)), pairsOf)
	if n := b.o.deep; n > 0 && x.nothing.found == "" && x.aimed.found == "" && x.pairs.found == "" {
		w = fresh()
		x.deep = w.search(b.byDefault(w, explore.Limits{Executions: n * explore.DefaultExecutions, Events: n * explore.DefaultEvents, Work: int64(n) * explore.DefaultWork}), 1)
		x.deep.part *= n
	}
	return x, nil
}

// changed reports whether a site is in the declaration that a plant has changed.
func changed(at func(event.Site) token.Position, p *plant) func(event.Site) bool {
	known := map[event.Site]bool{}
	return func(s event.Site) bool {
		yes, ok := known[s]
		if !ok {
			pos := at(s)
			yes = pos.Filename == p.file && pos.Line >= p.first && pos.Line <= p.last
			known[s] = yes
		}
		return yes
	}
}

// A watch is a machine. It notes the first execution that shows what is not known, and asks for the end then.
type watch struct {
	sched.Machine
	m     *machine.Machine
	known map[string]bool
	met   map[string]bool
	first search
	stop  *explore.Stop       // nil if all is to be seen
	sites map[event.Site]bool // of operations that were done, nil if nobody asks

	before     int // executions of explorations that have ended
	executions int
	percent    int
}

// Run implements sched.Machine.
func (w *watch) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	t := w.Machine.Run(s, o)
	if w.sites != nil {
		for i := range t.Events {
			w.sites[t.Events[i].Site] = true
		}
	}
	for _, f := range slices.Concat(explore.Failures(t), explore.Apart(t)) {
		w.note(&f, search{executions: w.before + w.executions + 1, part: w.percent})
	}
	return t
}

func (w *watch) progress(p explore.Progress) {
	if p.Executions < w.executions {
		w.before += w.executions
	}
	w.executions, w.percent = p.Executions, p.Percent
}

func (w *watch) note(f *report.Finding, at search) {
	key := w.key(f)
	if w.met == nil {
		w.met = map[string]bool{}
	}
	if w.met[key] {
		return
	}
	w.met[key] = true
	if !w.known[key] && w.first.found == "" {
		w.first = at
		w.first.found = key
		if w.stop != nil {
			w.stop.Ask()
		}
	}
}

// take notes the findings of a result that no execution has shown by itself.
func (w *watch) take(r *explore.Result) {
	for i := range r.Findings {
		w.note(&r.Findings[i], search{executions: r.Stats.Executions, part: 100})
	}
}

// part is a part of the default limits. That of work is the only one, as with -new-from-rev.
func (w *watch) part(of int) explore.Limits {
	return explore.Limits{Executions: math.MaxInt, Events: math.MaxInt, Work: explore.DefaultWork / int64(of), Progress: w.progress, Stop: w.stop}
}

// search is what came of an exploration with a part of the limits.
func (w *watch) search(r *explore.Result, of int) search {
	w.take(r)
	if w.first.found == "" {
		w.first.executions, w.first.part = r.Stats.Executions, w.percent
	}
	w.first.part /= of
	w.first.reason = r.Reason
	return w.first
}

var site = regexp.MustCompile(`\b\d+\b`)

// key is that of a finding, with the lines of its sites.
func (w *watch) key(f *report.Finding) string {
	head, rest := f.Key, ""
	if f.Category == report.Panics {
		head, rest, _ = strings.Cut(f.Key[len(f.Category)+1:], " ")
		head = string(f.Category) + " " + head
	}
	return site.ReplaceAllStringFunc(head, func(s string) string {
		n, _ := strconv.Atoi(s)
		at := w.m.Position(event.Site(n))
		return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
	}) + " " + rest
}
