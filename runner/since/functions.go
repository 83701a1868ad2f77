package since

import (
	"fmt"
	"go/token"
	"path/filepath"

	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/digest"
)

// This file tells which functions of a program have changed, whatever the text of them says: one has too where a
// constant, a type or a variable that it names has (DIG1).

// Functions returns what reports whether a position is in a function that has changed, or that was not there. all says
// that nothing else has changed on which the executions of a program depend: no type, initialiser, set of methods,
// embedded file, setting of the module, nor a file that tests may read.
func (s *Since) Functions(r *program.Recipe, p *program.Program) (changed func(token.Position) bool, all bool) {
	s.past.mu.Lock()
	defer s.past.mu.Unlock()
	if x, ok := s.past.functions[r]; ok {
		return x.changed, x.all
	}
	changed, all = s.functions(r, p)
	if s.past.functions == nil {
		s.past.functions = map[*program.Recipe]functions{}
	}
	s.past.functions[r] = functions{changed, all}
	return changed, all
}

// functions is what Functions returns.
type functions struct {
	changed func(token.Position) bool
	all     bool
}

func (s *Since) functions(r *program.Recipe, p *program.Program) (changed func(token.Position) bool, all bool) {
	dir := ""
	for i := range r.Packages {
		if r.Packages[i].ID == r.Root {
			dir = r.Packages[i].Dir
		}
	}
	then, err := s.past.program(resolved(dir))
	if err != nil {
		return s.Changed, false
	}
	now, was := digest.New(p), digest.New(then)
	spans := map[string][]span{}
	for _, name := range now.Names() {
		if now.Of(name) != was.Of(name) {
			from, to := now.Range(name)
			spans[from.Filename] = append(spans[from.Filename], span{from.Line, to.Line})
		}
	}
	all = now.Shell() == was.Shell() && now.AllTypes() == was.AllTypes() && s.codeAlone(r)
	for _, name := range was.Names() { // who called it has changed; but nobody calls TestMain
		all = all && (now.Of(name) != "" || !digest.IsTestMain(name))
	}
	return func(p token.Position) bool {
		for _, x := range spans[p.Filename] {
			if x.from <= p.Line && p.Line <= x.to {
				return true
			}
		}
		return s.Changed(p)
	}, all
}

// codeAlone reports whether what has changed, of the files that a program's entries can depend on, is Go files.
func (s *Since) codeAlone(r *program.Recipe) bool {
	for _, c := range s.changed {
		if filepath.Ext(c.path) == ".go" {
			continue
		}
		if (&Since{repo: s.repo, changed: []change{c}, ignored: s.ignored}).mayTouch(r) {
			return false
		}
	}
	return true
}

// program loads the package that was in a folder.
func (p *past) program(dir string) (*program.Program, error) {
	then, ok, err := p.folder(dir)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("%s was not there", dir)
	}
	cfg := closure.Config(then, p.buildFlags...)
	l, err := program.List(cfg, ".")
	if err != nil {
		return nil, err
	}
	if len(l.Errors) > 0 || len(l.Recipes) != 1 {
		return nil, fmt.Errorf("%s: %d packages: %v", dir, len(l.Recipes), l.Errors)
	}
	return program.NewUniverse(cfg).Build(l.Recipes[0])
}
