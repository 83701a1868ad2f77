package driver

import (
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
			fs.fset.AddFile(name, -1, len(data)).SetLinesForContent(data)
		}
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
