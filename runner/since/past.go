package since

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/runner/driver"
)

// This file explores packages as they were at the revision (SINCE3).

// A past is what was found at the revision, package by package, when it is asked for.
type past struct {
	mu         sync.Mutex // held while it is asked
	of         *Since
	buildFlags []string
	tmp        string
	out        bool  // the files of the revision were written there
	err        error // why they are not there
	found      map[string]map[string]bool
	failed     []string
	functions  map[*program.Recipe]functions // of programs as they are now
}

// has reports whether a finding was there.
func (p *past) has(r *exploration.Report) bool {
	found := p.told(resolved(filepath.Dir(r.Entry.Pos.Filename)), r.Entry.Package())
	return found[r.View.Likeness(r.Finding, p.moved)]
}

// told is what was found in the package of a folder.
func (p *past) told(dir, pkg string) map[string]bool {
	found, ok := p.found[dir]
	if ok {
		return found
	}
	found, err := p.explore(dir)
	if err != nil {
		p.failed = append(p.failed, fmt.Sprintf("%s: what was there at %s cannot be told, so all is called new: %v", pkg, p.of.Rev, err))
	}
	if p.found == nil {
		p.found = map[string]map[string]bool{}
	}
	p.found[dir] = found
	return found
}

// explore explores the package that was in a folder.
func (p *past) explore(dir string) (map[string]bool, error) {
	then, ok, err := p.folder(dir)
	if err != nil || !ok {
		return nil, err
	}
	found := map[string]bool{}
	err = driver.Run(closure.Config(then, p.buildFlags...), exploration.Watcher{Past: true, Turns: new(exploration.Turns)},
		[]*analysis.Analyzer{exploration.Analyzer}, []string{"."}, func(pkg *driver.Package) error {
			for _, c := range report.Categories {
				for _, r := range pkg.Exploration.Reports(c) {
					found[r.View.Likeness(r.Finding, nil)] = true
				}
			}
			return nil
		})
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return found, errors.New(strings.ReplaceAll(line, p.tmp+string(filepath.Separator), ""))
	}
	return found, nil
}

// folder is where the package of a folder was, in the files of the revision. ok is false if it was not there.
func (p *past) folder(dir string) (then string, ok bool, err error) {
	if !below(dir, p.of.repo.top) {
		return "", false, fmt.Errorf("%s is not in the repository", dir)
	}
	if err := p.checkout(); err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(p.of.repo.top, dir)
	if err != nil {
		return "", false, err
	}
	if there(filepath.Join(p.tmp, rel)) {
		return filepath.Join(p.tmp, rel), true, nil
	}
	if old := p.renamed(dir); old != "" {
		return old, there(old), nil
	}
	return "", false, nil
}

// renamed is where the folder was, in the files of the revision, from which the Go files of a new one come; "" if there
// is none.
func (p *past) renamed(dir string) string {
	for _, c := range p.of.changed {
		if filepath.Dir(c.path) == dir && !c.gone && c.from != "" && filepath.Ext(c.path) == ".go" {
			if c.in.top != p.of.repo.top {
				return "" // of a submodule: these have their own folders there
			}
			return filepath.Join(p.tmp, filepath.Dir(filepath.FromSlash(c.from)))
		}
	}
	return ""
}

// moved is the last part of the path that a package had at the revision whose folder had another name then; "" of
// others.
func (p *past) moved(dir string) string {
	dir = resolved(dir)
	rel, err := filepath.Rel(p.of.repo.top, dir)
	if err != nil || there(filepath.Join(p.tmp, rel)) {
		return ""
	}
	old := p.renamed(dir)
	if old == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(old, "go.mod"))
	if err != nil {
		return filepath.Base(old)
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "module "); ok {
			return path.Base(strings.Trim(strings.TrimSpace(name), `"`))
		}
	}
	return ""
}

// there reports whether a folder has Go files.
func there(dir string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	return err == nil && len(files) > 0
}

// checkout writes the files of the revision, once.
func (p *past) checkout() error {
	if !p.out {
		p.out = true
		if p.err = p.of.repo.checkout(p.tmp); p.err == nil {
			p.err = p.copyIgnored()
		}
	}
	return p.err
}

// copyIgnored adds the files that git ignores, and that are not there.
func (p *past) copyIgnored() error {
	for name := range p.of.ignored {
		rel, err := filepath.Rel(p.of.repo.top, name)
		if err != nil {
			return err
		}
		to := filepath.Join(p.tmp, rel)
		if _, err := os.Lstat(to); err == nil {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue // a link that leads nowhere, or it is gone
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, text, 0o666)); err != nil {
			return err
		}
	}
	return nil
}

func (p *past) close() error { return os.RemoveAll(p.tmp) }

// Then leads from a folder of the checkout to the one that it stands for; other folders it returns as they are.
func (s *Since) Then(dir string) string {
	if rel, err := filepath.Rel(s.past.tmp, dir); err == nil && filepath.IsLocal(rel) {
		return filepath.Join(s.repo.top, rel)
	}
	return dir
}
