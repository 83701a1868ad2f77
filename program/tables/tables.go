// Package tables takes large tables out of the source of the standard library: package variables whose initialiser is
// one composite literal of integers. The linker lays them out, and nothing runs for them. A table that is parsed,
// checked, built and executed element by element costs a hundred times the memory that it fills. The text of
//
//	var x = [...]uint16{0x41, 0x5a}
//
// becomes that of a declaration without a value, at the same positions:
//
//	var x [2]uint16
//
// A Table says what the variable holds before the first initialiser runs. No program can tell the difference. Such a
// literal refers to nothing, so no initialiser comes before it, and gc has its value in the data segment. TestTables
// compares the two.
package tables

import (
	"bytes"
	"go/ast"
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
)

// A Table is the value of a package variable, as the steps that write it down.
type Table struct {
	Var    string
	Steps  []Step
	Fields []string // named by FieldStep
}

// A Step is a part of a composite literal.
type Step struct {
	Kind StepKind
	N    uint64
}

// A StepKind says what a Step is.
type StepKind uint8

// A literal is a BeginStep, its elements, and an EndStep. PointerStep stands before one whose address is taken,
// IndexStep and FieldStep before an element with a key.
const (
	IntStep     StepKind = iota // N is an element, in two's complement
	BeginStep                   // N is one more than the largest index
	EndStep                     //
	PointerStep                 //
	IndexStep                   // N is the index of the next element
	FieldStep                   // N is the index of its name in Table.Fields
)

// tableSize is how many integers a literal must have.
const tableSize = 64

// Take returns text, which gofmt has formatted, without its tables, and what they hold. It need not find every table.
func Take(text []byte) ([]byte, []Table) {
	var found []Table
	var steps []Step // their room is used again for the next table
	out := text
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte("\nvar "))
		if i < 0 {
			return out, found
		}
		at += i + 1
		end := at + bytes.IndexByte(text[at:], '\n')
		if end < at {
			return out, found
		}
		if !bytes.Contains(text[at:end], []byte(" = ")) || !bytes.Contains(text[at:end], []byte("{")) {
			continue
		}
		r := newTableReader(text[at:])
		r.table.Steps = steps[:0]
		t, ok := r.declaration()
		if steps = r.table.Steps; ok && r.ints >= tableSize {
			if len(found) == 0 {
				out = bytes.Clone(text)
			}
			if r.erase(out[at:]) {
				t.Steps = slices.Clone(t.Steps)
				found = append(found, t)
			}
		}
	}
}

// A tableReader reads a variable's declaration.
type tableReader struct {
	scan  scanner.Scanner
	off   int // of tok
	tok   token.Token
	lit   string
	ints  int
	table Table

	name, assign, address, dots, open, close int // offsets: end of the name, "=", "&", "...", "{" and "}"; -1 if there is none
	length                                   uint64
}

func newTableReader(text []byte) *tableReader {
	r := &tableReader{address: -1, dots: -1}
	// The rest of the file is not read past the declaration.
	r.scan.Init(token.NewFileSet().AddFile("", 1, len(text)), text, func(token.Position, string) {}, 0)
	r.next()
	return r
}

func (r *tableReader) next() {
	var pos token.Pos
	pos, r.tok, r.lit = r.scan.Scan()
	r.off = int(pos) - 1
}

// took goes on to the next token if the current one is tok.
func (r *tableReader) took(tok token.Token) bool {
	if r.tok != tok {
		return false
	}
	r.next()
	return true
}

// declaration reads "var name = literal".
func (r *tableReader) declaration() (Table, bool) {
	if !r.took(token.VAR) || r.tok != token.IDENT {
		return Table{}, false
	}
	r.table.Var = r.lit
	r.name = r.off + len(r.lit)
	if r.next(); r.tok != token.ASSIGN || r.table.Var == "_" {
		return Table{}, false
	}
	r.assign = r.off
	r.next()
	if r.tok == token.AND {
		r.address = r.off
		r.next()
		r.add(PointerStep, 0)
	}
	if r.tok == token.LBRACK { // [...]T has its length in the literal only
		r.next()
		if r.tok == token.ELLIPSIS {
			r.dots = r.off
			r.next()
		} else if r.tok == token.INT {
			r.next()
		}
		if !r.took(token.RBRACK) {
			return Table{}, false
		}
	}
	r.open = -1
	if !r.typ() || r.tok != token.LBRACE {
		return Table{}, false
	}
	r.open = r.off
	begin := len(r.table.Steps)
	if !r.elements() || r.tok != token.SEMICOLON {
		return Table{}, false
	}
	r.length = r.table.Steps[begin].N
	return r.table, true
}

// typ reads a type of arrays, slices and names.
func (r *tableReader) typ() bool {
	for r.took(token.LBRACK) {
		r.took(token.INT)
		if !r.took(token.RBRACK) {
			return false
		}
	}
	return r.took(token.IDENT)
}

func (r *tableReader) add(k StepKind, n uint64) { r.table.Steps = append(r.table.Steps, Step{k, n}) }

// elements reads the braces of a literal and what is between them.
func (r *tableReader) elements() bool {
	begin := len(r.table.Steps)
	r.add(BeginStep, 0)
	r.next()
	index, size := uint64(0), uint64(0)
	for r.tok != token.RBRACE {
		if r.tok == token.IDENT {
			if !r.named(&index) {
				return false
			}
		} else if !r.element(&index) {
			return false
		}
		index++
		size = max(size, index)
		if r.tok != token.RBRACE && !r.took(token.COMMA) {
			return false
		}
	}
	r.close = r.off
	r.next()
	r.table.Steps[begin].N = size
	r.add(EndStep, 0)
	return true
}

// named reads an element that begins with a name: of its type, or of a field.
func (r *tableReader) named(index *uint64) bool {
	name := r.lit
	r.next()
	if r.tok == token.LBRACE {
		return r.elements()
	}
	if !r.took(token.COLON) {
		return false
	}
	i := slices.Index(r.table.Fields, name)
	if i < 0 {
		i = len(r.table.Fields)
		r.table.Fields = append(r.table.Fields, name)
	}
	r.add(FieldStep, uint64(i))
	return r.value()
}

// element reads an element that does not begin with a name.
func (r *tableReader) element(index *uint64) bool {
	if r.tok != token.INT && r.tok != token.CHAR {
		return r.value()
	}
	n, ok := r.integer()
	if !ok {
		return false
	}
	if !r.took(token.COLON) {
		r.add(IntStep, n)
		r.ints++
		return true
	}
	*index = n
	r.add(IndexStep, n)
	return r.value()
}

// value reads an integer or a literal.
func (r *tableReader) value() bool {
	switch r.tok {
	case token.SUB:
		r.next()
		n, ok := r.integer()
		r.add(IntStep, -n)
		r.ints++
		return ok
	case token.INT, token.CHAR:
		n, ok := r.integer()
		r.add(IntStep, n)
		r.ints++
		return ok
	case token.AND:
		r.next()
		r.add(PointerStep, 0)
	}
	if r.tok != token.LBRACE && !r.typ() || r.tok != token.LBRACE {
		return false
	}
	return r.elements()
}

func (r *tableReader) integer() (n uint64, ok bool) {
	switch r.tok {
	case token.INT:
		v, err := strconv.ParseUint(r.lit, 0, 64)
		n, ok = v, err == nil
	case token.CHAR:
		c, _, _, err := strconv.UnquoteChar(r.lit[1:len(r.lit)-1], '\'')
		n, ok = uint64(c), err == nil
	}
	r.next()
	return n, ok
}

// erase leaves the name and the type of the variable in the text of its declaration. It leaves the text alone if there
// is no room for the length of an array.
func (r *tableReader) erase(text []byte) bool {
	if r.dots >= 0 {
		length := "[" + strconv.FormatUint(r.length, 10) + "]"
		from := r.dots + len("...]") - len(length)
		if from < r.name || r.address >= 0 {
			return false
		}
		Blank(text[r.assign : r.dots+len("...]")])
		copy(text[from:], length)
	}
	if r.address >= 0 {
		text[r.address] = '*'
	}
	if text[r.assign] == '=' {
		text[r.assign] = ' '
	}
	Blank(text[r.open : r.close+1])
	return true
}

// Declared reports whether a file declares all the tables, without a value. Text in a raw string that looks like a
// declaration is none.
func Declared(f *ast.File, found []Table) bool {
	n := 0
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR || n == len(found) {
			continue
		}
		if s := g.Specs[0].(*ast.ValueSpec); s.Values == nil && s.Names[0].Name == found[n].Var {
			n++
		}
	}
	return n == len(found)
}

// Blank overwrites text with spaces. Lines stay.
func Blank(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}
