package since

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
)

// A Since tells what is new since a revision. It implements exploration.Since. It is safe for concurrent use.
type Since struct {
	Rev string // as it was asked for

	repo    *repo
	changed []change
	ignored map[string]bool

	mu    sync.Mutex        // of lines
	lines map[string][]span // of changed declarations, by file
	past  past
}

var _ exploration.Since = (*Since)(nil)

// Open looks at what has changed in the repository around a folder since a revision. The build flags are those that
// packages are listed with.
func Open(dir, rev string, buildFlags ...string) (*Since, error) {
	r, err := open(dir, rev)
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev: %w", err)
	}
	s := &Since{Rev: rev, repo: r, lines: map[string][]span{}, ignored: map[string]bool{}}
	if s.changed, err = r.changes(); err != nil {
		return nil, fmt.Errorf("-new-from-rev=%s: %w", rev, err)
	}
	names, err := r.ignored()
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev=%s: %w", rev, err)
	}
	for _, n := range names {
		s.ignored[n] = true
	}
	tmp, err := os.MkdirTemp("", "heddle-rev")
	if err != nil {
		return nil, fmt.Errorf("-new-from-rev=%s: %w", rev, err)
	}
	s.past.of, s.past.buildFlags, s.past.tmp = s, buildFlags, resolved(tmp)
	return s, nil
}

// Close removes what was written.
func (s *Since) Close() error { return s.past.close() }

// Failed says of which packages it could not be told what was there at the revision, and why (SINCE4).
func (s *Since) Failed() []string { return s.past.failed }

// everywhere are files that every package of a module depends on.
var everywhere = []string{"go.mod", "go.sum", "go.work", "go.work.sum", filepath.Join("vendor", "modules.txt")}

// Unchanged says that no change can touch the entries of a program, "" if one may (SINCE1).
func (s *Since) Unchanged(r *program.Recipe) (why string) {
	if s.mayTouch(r) {
		return ""
	}
	return "nothing that it depends on has changed since " + s.Rev
}

func (s *Since) mayTouch(r *program.Recipe) bool {
	for _, c := range s.changed {
		for _, name := range everywhere {
			if filepath.Base(c.path) == name || strings.HasSuffix(c.path, string(filepath.Separator)+name) {
				return true
			}
		}
	}
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.Std {
			continue
		}
		own := p.ID == r.Root || p.ID == r.XTest
		if s.mayHaveChanged(p, own) {
			return true
		}
	}
	return false
}

// mayHaveChanged reports whether a file of a package may have; own says that the entries are of the package.
func (s *Since) mayHaveChanged(p *program.PackageRecipe, own bool) bool {
	dir := resolved(p.Dir)
	if !below(dir, s.repo.top) {
		return !strings.Contains(dir, "@") // in the module cache nothing changes
	}
	if slices.ContainsFunc(p.Files(), func(name string) bool { return s.ignored[filepath.Join(dir, filepath.Base(name))] }) {
		return true
	}
	return slices.ContainsFunc(s.changed, func(c change) bool {
		if below(dir, c.path) {
			return true // a submodule, or a repository in this one
		}
		return filepath.Dir(c.path) == dir || below(c.path, dir) && (own || len(p.EmbedFiles) > 0)
	})
}

// resolved is a path without symbolic links, as git names it.
func resolved(name string) string {
	if r, err := filepath.EvalSymlinks(name); err == nil {
		return r
	}
	return name
}

// below reports whether a path is a folder's or of something in it.
func below(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// Old reports whether a finding was there at the revision (SINCE2, SINCE3).
func (s *Since) Old(r *exploration.Report) bool {
	s.past.mu.Lock()
	defer s.past.mu.Unlock()
	if slices.ContainsFunc(r.View.Stacks(r.Finding), s.Changed) {
		return false
	}
	return s.past.has(r)
}

// Changed reports whether a position is in a declaration that has changed.
func (s *Since) Changed(p token.Position) bool {
	if p.Filename == "" || !filepath.IsAbs(p.Filename) {
		return false
	}
	name := resolved(p.Filename)
	s.mu.Lock()
	defer s.mu.Unlock()
	spans, ok := s.lines[name]
	if !ok {
		spans = s.spansOf(name)
		s.lines[name] = spans
	}
	return slices.ContainsFunc(spans, func(x span) bool { return x.from <= p.Line && p.Line <= x.to })
}

// spansOf are the lines of declarations of a file that have changed.
func (s *Since) spansOf(name string) []span {
	i := slices.IndexFunc(s.changed, func(c change) bool { return c.path == name && !c.gone })
	if i < 0 {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil // it was there a moment ago; no finding stands in it
	}
	then := map[string]bool{}
	for j := range s.changed {
		c := &s.changed[j]
		if c.from == "" || j != i && filepath.Dir(c.path) != filepath.Dir(name) || filepath.Ext(c.from) != ".go" {
			continue
		}
		if old, err := c.then(); err == nil {
			for _, d := range declarations(old) {
				then[d.digest] = true
			}
		}
	}
	var out []span
	for _, d := range declarations(text) {
		if !then[d.digest] {
			out = append(out, d.span)
		}
	}
	return out
}
