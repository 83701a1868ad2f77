package program

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// An Error is one fault of the input: a pattern that matches nothing, a file that does not parse, a type error.
type Error struct {
	Path string         // import path of the package, or the pattern
	Pos  token.Position // zero if the fault has no place
	Msg  string         // one line
}

// Error returns "file:line:col: msg", or "path: msg" when there is no position. A file below the current directory is
// named relative to it, as the go command does.
func (e *Error) Error() string {
	if e.Pos.Filename == "" {
		if e.Path == "" || strings.Contains(e.Msg, e.Path) {
			return e.Msg
		}
		return e.Path + ": " + e.Msg
	}
	pos := e.Pos
	pos.Filename = shortPath(pos.Filename)
	return pos.String() + ": " + e.Msg
}

// Errors are the faults of one package, in source order. Its text is the first one's, and the number of the others.
type Errors []*Error

func (l Errors) Error() string {
	switch len(l) {
	case 0:
		return "no errors"
	case 1:
		return l[0].Error()
	}
	return fmt.Sprintf("%s (and %d more errors)", l[0], len(l)-1)
}

// Unwrap lets errors.As find the single errors.
func (l Errors) Unwrap() []error {
	errs := make([]error, len(l))
	for i, e := range l {
		errs[i] = e
	}
	return errs
}

// shortPath returns path relative to the current directory where it lies below it.
func shortPath(path string) string {
	wd, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	rel, err := filepath.Rel(wd, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return "." + string(filepath.Separator) + rel
}

// oneLine joins the lines of a message.
func oneLine(msg string) string {
	return strings.Join(strings.Fields(msg), " ")
}
