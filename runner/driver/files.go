package driver

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"slices"

	"github.com/heddle-go/heddle/program"
)

// files is the FileSet of a run's passes. It holds the lines of the users' files
// and no syntax: the checks report by file and offset, whatever the program's own FileSet is.
type files struct {
	fset *token.FileSet
	seen map[string]bool
}

func newFiles() *files { return &files{token.NewFileSet(), map[string]bool{}} }

// add adds the files of the recipe's packages, except those of the standard library.
func (fs *files) add(r *program.Recipe) {
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.Std {
			continue
		}
		for _, name := range p.Files() {
			if fs.seen[name] {
				continue
			}
			fs.seen[name] = true
			data, err := os.ReadFile(name)
			if err != nil {
				continue // the loader will complain of it
			}
			f := fs.fset.AddFile(name, -1, len(data))
			f.SetLinesForContent(data)
			direct(f, data)
		}
	}
}

// direct gives a file the places that its //line directives name, as a generator of code writes them.
func direct(f *token.File, data []byte) {
	if !bytes.Contains(data, []byte("//line ")) && !bytes.Contains(data, []byte("/*line ")) {
		return
	}
	var s scanner.Scanner
	s.Init(f, data, nil, 0)
	for tok := token.ILLEGAL; tok != token.EOF; {
		_, tok, _ = s.Scan() // it notes the directives that it meets
	}
}

// ownFiles returns the files of the analysed package and its tests.
func ownFiles(r *program.Recipe) []string {
	var names []string
	for i := range r.Packages {
		if p := &r.Packages[i]; p.ID == r.Root || p.ID == r.XTest {
			names = append(names, p.Files()...)
		}
	}
	slices.Sort(names)
	return names
}
