// Command compare explores the same entries with several explorers, and says what each found, and which findings one of
// them lacks.
//
//	go run -C internal ./score/compare [-explorers union,systematic] [-run regexp] [-events n]
//		[-wall duration] [group ...]
//
// The groups are examples (the packages of ./examples), xsync (golang.org/x/sync, downloaded), and goker (the blocking
// bugs that GOROOT carries; see package bugs). All are the default. Each entry has a process of its own for each
// explorer, with the default limits, or with -events. One that takes longer than -wall, or more memory than
// heddle.MaxMemory, is stopped, and that is said. If no entry was stopped for its time, the same toolchain gives the
// same table. docs/explorers.md holds one.
//
// Two findings are the same if their category and their place are. The place of goroutines that are blocked is what
// they wait for, and where, whichever and however many they are: heddle reports such once. A finding that one explorer
// lacks is named with its token.
package main

import (
	"flag"
	"fmt"
	"go/build"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/goker/bugs"
	"github.com/heddle-go/heddle/internal/score/heddle"
	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/internal/tree"
)

func main() {
	heddle.Serve()
	explorers := flag.String("explorers", "union,systematic", "explorers, comma-separated; findings are compared with those of the first")
	only := flag.String("run", "", "explore only the entries whose names match this `regexp`")
	events := flag.Int("events", 0, "limit of events of one exploration; 0: the default one")
	wall := flag.Duration("wall", 5*time.Minute, "safety net: how long one exploration may take")
	flag.Parse()
	groups := flag.Args()
	if len(groups) == 0 {
		groups = []string{"examples", "xsync", "goker"}
	}
	match, err := regexp.Compile(*only)
	if err == nil {
		err = tree.Enter()
	}
	if err == nil {
		c := comparison{explorers: strings.Split(*explorers, ","), match: match, events: *events, wall: *wall, progress: os.Stderr}
		err = c.run(os.Stdout, groups)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// A comparison is what is asked for.
type comparison struct {
	explorers []string
	match     *regexp.Regexp
	events    int
	wall      time.Duration
	progress  io.Writer
}

// run compares the groups and prints the table and what differs.
func (c *comparison) run(w io.Writer, groups []string) error {
	tmp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fmt.Fprintln(w, "| group | entries | explorer | exhausted | incomplete | stopped | executions | findings | not found by "+c.explorers[0]+" | found by it alone |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	var notes []string
	for _, name := range groups {
		packages, err := packagesOf(name, filepath.Join(tmp, name))
		if err != nil {
			return err
		}
		g := group{name: name, tallies: make([]tally, len(c.explorers))}
		for _, p := range packages {
			p.Wall = c.wall
			if err := c.explore(&g, p); err != nil {
				return err
			}
		}
		g.print(w, c.explorers)
		notes = append(notes, g.notes...)
	}
	for _, n := range notes {
		fmt.Fprintln(w, n)
	}
	return nil
}

// packagesOf returns the packages of a group; tmp is a folder for them.
func packagesOf(name, tmp string) (out []*heddle.Package, err error) {
	switch name {
	case "examples":
		list := exec.Command("go", "list", "./examples/...")
		list.Stderr = os.Stderr
		text, err := list.Output()
		if err != nil {
			return nil, err
		}
		dir, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		for _, path := range strings.Fields(string(text)) {
			out = append(out, &heddle.Package{Dir: dir, Path: path})
		}
	case "xsync":
		if err := module.Fetch(module.XSync, tmp); err != nil {
			return nil, err
		}
		if err := module.StandAlone(); err != nil {
			return nil, err
		}
		for _, path := range module.XSyncPackages {
			out = append(out, &heddle.Package{Dir: tmp, Path: "./" + path})
		}
	case "goker":
		all, err := bugs.Read(build.Default.GOROOT)
		if err != nil {
			return nil, err
		}
		if err := bugs.Write(tmp, all); err != nil {
			return nil, err
		}
		if err := module.StandAlone(); err != nil {
			return nil, err
		}
		for i := range all {
			out = append(out, &heddle.Package{Dir: tmp, Path: all[i].Package()})
		}
	default:
		return nil, fmt.Errorf("no group %q: want examples, xsync or goker", name)
	}
	return out, nil
}

// A group is a row for each explorer.
type group struct {
	name    string
	entries int
	tallies []tally // by explorer
	notes   []string
}

type tally struct {
	exhausted, incomplete, stopped, executions, findings int
	more, less                                           int // than the first explorer found
}

// explore explores the entries of a package with each explorer.
func (c *comparison) explore(g *group, p *heddle.Package) error {
	names, err := p.Entries()
	if err != nil {
		return err
	}
	for _, name := range names {
		if !c.match.MatchString(name) {
			continue
		}
		g.entries++
		var all []heddle.Entry
		for i, x := range c.explorers {
			began := time.Now()
			e, err := p.Explore(name, "-explorer="+x, fmt.Sprintf("-limit.events=%d", c.events))
			if err != nil {
				return err
			}
			fmt.Fprintf(c.progress, "%s %s %s: %s %s: %d executions, %d findings, %.1fs\n", p.Path, name, x, e.Verdict, e.Reason, e.Executions, len(e.Findings), time.Since(began).Seconds())
			g.tallies[i].add(&e)
			all = append(all, e)
		}
		g.compare(p, c.explorers, all)
	}
	return nil
}

func (t *tally) add(e *heddle.Entry) {
	switch e.Verdict {
	case "exhausted":
		t.exhausted++
	case heddle.Stopped:
		t.stopped++
	default:
		t.incomplete++
	}
	t.executions += max(e.Executions, 0)
	t.findings += len(e.Findings)
}

// waits finds in a message what goroutines are blocked in.
var waits = regexp.MustCompile(`blocked in (.*?) at ([^ ,;]+:\d+)`)

// found returns the findings of an entry by what makes them the same. (As report.View.Identity has it: the position of
// blocked goroutines is that of the first one, and alike goroutines may have changed places.)
func found(e *heddle.Entry) map[string]*heddle.Finding {
	out := make(map[string]*heddle.Finding)
	for i := range e.Findings {
		f := &e.Findings[i]
		key := f.Category + " at " + f.Posn
		if blocked := waits.FindAllStringSubmatch(f.Message, -1); blocked != nil {
			var all []string
			for _, b := range blocked {
				all = append(all, b[1]+" at "+b[2])
			}
			slices.Sort(all)
			key = f.Category + " of " + strings.Join(slices.Compact(all), ", ")
		}
		out[key] = f
	}
	return out
}

// compare notes how what the explorers say of an entry differs from what the first says.
func (g *group) compare(p *heddle.Package, explorers []string, all []heddle.Entry) {
	say := func(format string, args ...any) {
		g.notes = append(g.notes, fmt.Sprintf("%s %s: ", strings.TrimPrefix(p.Path, "./"), all[0].Entry)+p.Cell(fmt.Sprintf(format, args...)))
	}
	first := found(&all[0])
	for i := range all {
		if e := &all[i]; e.Verdict == heddle.Stopped {
			say("%s was stopped: %s", explorers[i], e.Reason)
		}
		other := found(&all[i])
		for _, key := range slices.Sorted(maps.Keys(other)) {
			if first[key] == nil {
				g.tallies[i].more++
				say("%s (%s) lacks %s, which %s found: %s", explorers[0], verdict(&all[0]), key, explorers[i], other[key].Token)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(first)) {
			if other[key] == nil {
				g.tallies[i].less++
				say("%s (%s) lacks %s, which %s found: %s", explorers[i], verdict(&all[i]), key, explorers[0], first[key].Token)
			}
		}
	}
}

func verdict(e *heddle.Entry) string {
	if e.Reason == "" {
		return e.Verdict
	}
	return e.Verdict + ": " + e.Reason
}

// print prints the rows.
func (g *group) print(w io.Writer, explorers []string) {
	for i, t := range g.tallies {
		fmt.Fprintf(w, "| %s | %d | %s | %d | %d | %d | %d | %d | %d | %d |\n", g.name, g.entries, explorers[i], t.exhausted, t.incomplete, t.stopped, t.executions, t.findings, t.more, t.less)
	}
}
