package program

import (
	"path/filepath"
	"strings"
)

// This file selects the files of user packages. The standard library is always taken without cgo, and with the tags by
// which it does without assembly (stdTags), for the machine interprets it. A user's package is what the user's own go
// command makes of it: with files under //go:build cgo if `go env CGO_ENABLED` is 1, and with those under !purego. But
// a package that has assembly so is taken with the tags, by which modules are asked to do without.
//
// go list has one answer for all packages. So everything is listed without cgo and with the tags first. If a file of a
// user's package asks for cgo, or for one of the tags, everything is listed again, as the user has it, and user
// packages come from the second listing. If both matter, those with assembly come from a third.

// addUsers takes the user's packages from a listing with the user's own settings, if that could be another.
func (l *lister) addUsers(patterns []string) error {
	cgo, pure := "0", stdTags
	if l.env.CGO_ENABLED != "0" && l.asks(asksCgo) {
		cgo = "1"
	}
	if l.asks(asksPure) {
		pure = nil
	}
	if cgo == "0" && pure != nil {
		return nil
	}
	again := func(tags []string) (map[string]*listed, []*listed, error) {
		user := &lister{cfg: l.cfg, env: l.env, all: map[string]*listed{}}
		err := user.run(patterns, cgo, tags)
		return user.all, user.list, err
	}
	user, listed, err := again(pure)
	if err != nil {
		return err
	}
	without := l.all // what packages with assembly are taken from
	if pure == nil && cgo == "1" {
		if without, _, err = again(stdTags); err != nil {
			return err
		}
	}
	l.merge(user, listed, without)
	return nil
}

// merge takes the user's packages from a listing; those with assembly from another one, with what they import there.
func (l *lister) merge(user map[string]*listed, order []*listed, without map[string]*listed) {
	assembly := map[string]bool{} // by path
	for _, p := range order {
		if !p.Standard && len(p.SFiles) > 0 {
			assembly[pathOf(p)] = true
		}
	}
	of := func(p *listed) *listed {
		if q := without[p.ImportPath]; q != nil && assembly[pathOf(p)] {
			return q
		}
		return user[p.ImportPath]
	}
	list := l.list[:0:0]
	all := map[string]*listed{}
	var add func(p *listed)
	add = func(p *listed) {
		if p == nil || all[p.ImportPath] != nil {
			return
		}
		all[p.ImportPath] = p
		list = append(list, p)
		for _, i := range p.Imports {
			if q := without[i]; assembly[pathOf(p)] && user[i] == nil && q != nil && !q.Standard {
				q.DepOnly = true
				add(q)
			}
		}
	}
	for _, p := range l.list {
		if !p.Standard {
			p = of(p) // nil if it is imported without cgo, or with the tags, alone
		}
		add(p)
	}
	for _, p := range order {
		if !p.Standard { // what the standard library lacks then, fill takes from GOROOT
			add(of(p))
		}
	}
	l.list, l.all = list, all
}

// pathOf is the path of a package, whatever it is compiled for.
func pathOf(p *listed) string {
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return path
}

// asks reports whether a file of a user's package, chosen or left out, has a line that asks for something.
func (l *lister) asks(line func(string) bool) bool {
	seen := map[string]bool{}
	for _, p := range l.list {
		if p.Standard || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		for _, names := range [][]string{p.GoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles} {
			for _, name := range names {
				if !filepath.IsAbs(name) {
					name = filepath.Join(p.Dir, name)
				}
				if !seen[name] && fileAsks(name, line) {
					return true
				}
				seen[name] = true
			}
		}
	}
	return false
}
