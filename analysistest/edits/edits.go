package edits

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// An Edit is one change of a tree.
type Edit struct {
	Kind    string
	Neutral bool // no answer may change, but for what Moves says
	Moves   bool // lines of declarations have moved
	What    string
	Tree    Tree // the tree with the edit

	changes []change
}

// A change is a part of an edit.
type change struct {
	file       string
	start, end int
	text       string
	remove     bool   // the file
	rename     string // the file, to this
}

// A source is a parsed file.
type source struct {
	name   string
	text   string
	fset   *token.FileSet
	syntax *ast.File
}

// A kind is a sort of edits. Exactly one of offer and tree is there: it lists the edits that are possible.
type kind struct {
	name           string
	neutral, moves bool
	weight         int
	offer          func(*source) []Edit
	tree           func(Tree, []string) []Edit
}

// Kinds are the names of all kinds.
func Kinds() (out []string) {
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// Random returns an edit of the Go files in the folders, of all if there are none, or of go.mod. It is nil if nothing
// can be edited.
func Random(r *rand.Rand, t Tree, folders []string) *Edit {
	sources := t.parse(folders)
	left := slices.Clone(kinds)
	for len(left) > 0 {
		i := pick(r, left)
		if e := left[i].random(r, t, folders, sources); e != nil {
			return e
		}
		left = slices.Delete(left, i, i+1)
	}
	return nil
}

// Of returns a random edit of the named kind, nil if there is none.
func Of(name string, r *rand.Rand, t Tree, folders []string) *Edit {
	for _, k := range kinds {
		if k.name == name {
			return k.random(r, t, folders, t.parse(folders))
		}
	}
	return nil
}

// pick chooses a kind by its weight.
func pick(r *rand.Rand, of []kind) int {
	sum := 0
	for _, k := range of {
		sum += k.weight
	}
	n := r.IntN(sum)
	for i, k := range of {
		if n -= k.weight; n < 0 {
			return i
		}
	}
	return len(of) - 1
}

func (t Tree) parse(folders []string) (out []*source) {
	for _, name := range t.goFiles(folders) {
		s := &source{name: name, text: t[name], fset: token.NewFileSet()}
		var err error
		if s.syntax, err = parser.ParseFile(s.fset, name, s.text, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			out = append(out, s)
		}
	}
	return out
}

// random chooses one of the edits of a kind.
func (k *kind) random(r *rand.Rand, t Tree, folders []string, sources []*source) *Edit {
	var all []Edit
	if k.tree != nil {
		all = k.tree(t, folders)
	} else {
		for _, s := range sources {
			all = append(all, k.offer(s)...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	e := all[r.IntN(len(all))]
	e.Kind, e.Neutral, e.Moves = k.name, k.neutral, k.moves
	e.Tree = maps.Clone(t)
	for _, c := range e.changes {
		c.apply(e.Tree)
	}
	if maps.Equal(e.Tree, t) {
		return nil
	}
	e.What = e.describe(t)
	return &e
}

func (c *change) apply(t Tree) {
	text := t[c.file]
	switch {
	case c.remove:
		delete(t, c.file)
	case c.rename != "":
		delete(t, c.file)
		t[c.rename] = text
	default:
		t[c.file] = text[:c.start] + c.text + text[c.end:]
	}
}

// describe says what is changed, with the line before the edit.
func (e *Edit) describe(t Tree) string {
	var parts []string
	for _, c := range e.changes {
		switch {
		case c.remove:
			parts = append(parts, "remove "+c.file)
		case c.rename != "":
			parts = append(parts, "rename "+c.file+" to "+c.rename)
		default:
			line := 1 + strings.Count(t[c.file][:c.start], "\n")
			parts = append(parts, fmt.Sprintf("%s:%d: %.60q -> %.60q", c.file, line, t[c.file][c.start:c.end], c.text))
		}
	}
	return strings.Join(parts, "; ")
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) textOf(n ast.Node) string { return s.text[s.offset(n.Pos()):s.offset(n.End())] }

// replace is the edit that puts text in the place of a node.
func (s *source) replace(n ast.Node, text string) Edit {
	return edit(change{file: s.name, start: s.offset(n.Pos()), end: s.offset(n.End()), text: text})
}

// insert is the edit that puts text at an offset.
func (s *source) insert(at int, text string) Edit {
	return edit(change{file: s.name, start: at, end: at, text: text})
}

// lineEnd is the offset of the end of the line in which p is.
func (s *source) lineEnd(p token.Pos) int {
	at := s.offset(p)
	if i := strings.IndexByte(s.text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(s.text)
}

func edit(changes ...change) Edit { return Edit{changes: changes} }

// isTest reports whether a source is a test file.
func (s *source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// has reports whether the package of a file declares a name at its top, as far as the file can tell.
func (s *source) has(name string) bool { return strings.Contains(s.text, name) }
