package main

import (
	"path/filepath"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// This file counts the executions that show something new about changed code.

// aboutChange explores the entries of packages by union causality, each with so many millions of work, and counts those
// executions. The packages are folders of the module in dir, and each has lost an operation. They are loaded together.
func aboutChange(dir string, lost map[string]*deletion, work int) (map[string]int, error) {
	cfg := closure.Config(dir)
	cfg.Tests = true
	var patterns []string
	folders := map[string]string{}
	for folder := range lost {
		patterns = append(patterns, "./"+filepath.ToSlash(folder))
		folders[filepath.Join(dir, folder)] = folder
	}
	slices.Sort(patterns)
	l, err := program.List(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	if len(l.Errors) > 0 {
		return nil, l.Errors[0]
	}
	out := map[string]int{}
	u := program.NewUniverse(cfg)
	for _, r := range l.Recipes {
		folder := folders[r.Package(r.Root).Dir]
		p, err := u.Build(r)
		if err != nil {
			return nil, err
		}
		if out[folder], err = aboutChangeOf(p, lost[folder], work); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func aboutChangeOf(p *program.Program, d *deletion, work int) (n int, err error) {
	m := machine.New(p, machine.Config{})
	if err := m.Prepare(); err != nil {
		return 0, err
	}
	for _, e := range p.Entries {
		s := newStories(func(s event.Site) bool {
			at := m.Position(s)
			return filepath.Base(at.Filename) == filepath.Base(d.file) && at.Line >= d.first && at.Line <= d.last
		})
		x := &union.Explorer{Alone: true, Observe: func(t *trace.Trace) {
			if s.add(t) {
				n++
			}
		}}
		x.Explore(m.Entry(e), explore.Limits{Work: int64(work) * 1_000_000})
	}
	return n, nil
}

// Stories are the histories of goroutines that have come to changed code.
type stories struct {
	changed func(event.Site) bool
	sites   map[event.Site]bool
	seen    map[story]bool
}

// A story is a history of a goroutine, as a hash.
type story struct {
	id   event.ThreadID
	hash uint64
}

func newStories(changed func(event.Site) bool) *stories {
	return &stories{changed, map[event.Site]bool{}, map[story]bool{}}
}

func (s *stories) isChanged(x event.Site) bool {
	yes, ok := s.sites[x]
	if !ok {
		yes = s.changed(x)
		s.sites[x] = yes
	}
	return yes
}

// add adds an execution, and reports whether it has a new story.
func (s *stories) add(t *trace.Trace) (isNew bool) {
	hash, came := make([]uint64, len(t.Threads)), make([]bool, len(t.Threads))
	for i := range t.Events {
		e := &t.Events[i]
		r := trace.ReplyOf(e)
		hash[e.Thread] = known.Mix(known.Mix(hash[e.Thread], uint64(e.Site)<<32|uint64(r.Kind)<<16|uint64(uint16(r.Case))), known.Mix(r.Value, known.OneIf(r.Wrong)))
		came[e.Thread] = came[e.Thread] || s.isChanged(e.Site)
		if at := (story{t.Threads[e.Thread].ID, hash[e.Thread]}); came[e.Thread] && !s.seen[at] {
			s.seen[at], isNew = true, true
		}
	}
	return isNew
}
