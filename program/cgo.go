package program

import (
	"os"
	"path/filepath"
	"strings"
)

// This file selects the files of user packages where cgo matters. The standard library is always taken without cgo, for
// the machine interprets it. A user's package is what the user's own go command makes of it: with files under
// //go:build cgo if `go env CGO_ENABLED` is 1, and with those under !cgo if it is 0.
//
// go list has one answer for all packages. So everything is listed without cgo first. If a file of a user's package
// asks for cgo, everything is listed again, as the user has it, and user packages come from the second listing.

// addCgo takes the user's packages from a listing with cgo, if that could be another.
func (l *lister) addCgo(patterns []string) error {
	if l.env.CGO_ENABLED == "0" || !l.asksCgo() {
		return nil
	}
	user := &lister{cfg: l.cfg, env: l.env, all: map[string]*listed{}}
	if err := user.run(patterns, "CGO_ENABLED=1"); err != nil {
		return err
	}
	list := l.list[:0:0]
	all := map[string]*listed{}
	add := func(p *listed) {
		if p != nil && all[p.ImportPath] == nil {
			all[p.ImportPath] = p
			list = append(list, p)
		}
	}
	for _, p := range l.list {
		if !p.Standard {
			p = user.all[p.ImportPath] // nil if it is imported without cgo alone
		}
		add(p)
	}
	for _, p := range user.list {
		if !p.Standard { // what the standard library lacks then, fill takes from GOROOT
			add(p)
		}
	}
	l.list, l.all = list, all
	return nil
}

// asksCgo reports whether a file of a user's package is chosen, or left out, for want of cgo.
func (l *lister) asksCgo() bool {
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
				if !seen[name] && fileAsksCgo(name) {
					return true
				}
				seen[name] = true
			}
		}
	}
	return false
}

// fileAsksCgo reports whether a file imports "C" or has cgo in its build constraints. It says yes where it is not sure.
func fileAsksCgo(name string) bool {
	text, err := os.ReadFile(name)
	if err != nil {
		return false // who reads it next will say so
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "//go:build"), strings.HasPrefix(line, "// +build"), strings.HasPrefix(line, "//+build"):
			if strings.Contains(line, "cgo") {
				return true
			}
		case strings.HasPrefix(line, `"C"`), strings.HasPrefix(line, "import") && strings.Contains(line, `"C"`):
			return true
		}
	}
	return false
}
