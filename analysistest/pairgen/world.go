// Package pairgen draws programs in which one goroutine performs an operation of the standard library, or two, beside
// operations of others on the same objects, and compares them with their compiled selves.
//
// Natively the operations of a program are performed one after the other, in each order that the goroutines allow. What
// comes of such an order is an outcome that Heddle must find: a program prints its outcome, and panics at a line of its
// own for each. "Exhausted" with an outcome missing is false comfort. If each operation is one step, no other outcome
// exists. What the race detector reports in any of the orders must be a finding.
//
// The tables of operations are the files of the folder worlds.
package pairgen

import (
	"embed"
	"fmt"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed worlds/*.txt
var tables embed.FS

// A World is objects of one part of the standard library, and operations on them. Its text has one line for each:
//
//	world NAME
//	import PATH PATH=NAME …   what it needs; fmt and testing are there
//	trait NAME …
//	top DECLARATION           of the package
//	: STATEMENT               makes the objects; t is the test
//	do STATEMENTS             an operation
//	op EXPRESSIONS            an operation, whose values are part of the outcome
//	fn STATEMENTS             an operation, which returns vals(…)
//	end EXPRESSIONS           part of the outcome when all goroutines have ended
//
// An operation behind a ~ consists of several steps that others can come between: more outcomes exist than its program
// shows in any order of whole operations. A ~ at end says so of the whole world. New operations come last, since an
// operation is named by its number (mutex.2).
type World struct {
	name    string
	imports []string
	traits  []string
	tops    []string
	setup   []string
	ops     []op
	end     string
}

// The traits of worlds.
const (
	alone    = "alone"    // the state is the process's: natively each run has a process of its own
	fatal    = "fatal"    // an operation may end the process: likewise
	bubble   = "bubble"   // in bubbles of testing/synctest only
	nobubble = "nobubble" // outside of bubbles only
	loose    = "loose"    // every operation is of several steps
	fails    = "fails"    // a test may fail
	slow     = "slow"     // exploring takes long
	pooled   = "pooled"   // the compiled program may see less than there is
)

// An op is an operation of a world.
type op struct {
	text  string // statements that return values
	loose bool
}

func (w *World) has(trait string) bool { return slices.Contains(w.traits, trait) }

// names are the names of the objects.
func (w *World) names() (names []string) {
	for _, s := range w.setup {
		m := declared.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		for n := range strings.SplitSeq(m[1]+m[2], ",") {
			if n = strings.TrimSpace(n); n != "_" {
				names = append(names, n)
			}
		}
	}
	return names
}

// declared finds the names that a statement declares.
var declared = regexp.MustCompile(`^(?:((?:\w+, )*\w+) :=|var (\w+) )`)

// worlds are all worlds, by name and in order.
var worlds = sync.OnceValues(func() ([]*World, error) {
	files, err := tables.ReadDir("worlds")
	if err != nil {
		return nil, err
	}
	var all []*World
	for _, f := range files {
		text, err := tables.ReadFile("worlds/" + f.Name())
		if err != nil {
			return nil, err
		}
		ws, err := parse(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		all = append(all, ws...)
	}
	return all, nil
})

// parse reads worlds.
func parse(text string) (all []*World, err error) {
	var w *World
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if word == "world" {
			w = &World{name: rest}
			all = append(all, w)
			continue
		}
		if w == nil {
			return nil, fmt.Errorf("line %d: no world", n)
		}
		word, several := strings.CutPrefix(word, "~")
		switch word {
		case "import":
			w.imports = append(w.imports, strings.Fields(rest)...)
		case "trait":
			w.traits = append(w.traits, strings.Fields(rest)...)
		case "top":
			w.tops = append(w.tops, rest)
		case ":":
			w.setup = append(w.setup, rest)
		case "do":
			w.ops = append(w.ops, op{rest + "; return nil", several})
		case "op":
			w.ops = append(w.ops, op{"return vals(" + rest + ")", several})
		case "fn":
			w.ops = append(w.ops, op{rest, several})
		case "end":
			if w.end = rest; several {
				w.traits = append(w.traits, loose)
			}
		default:
			return nil, fmt.Errorf("line %d: %q", n, word)
		}
	}
	return all, nil
}

// imports returns the import lines that a text needs, of those that worlds name. The text may be no valid file.
func imports(text string, ws []*World) []string {
	used := map[string]bool{}
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", -1, len(text)), []byte(text), nil, 0)
	last, dotted := "", false
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.PERIOD && last != "" && !dotted {
			used[last] = true
		}
		dotted = tok == token.PERIOD
		if last = ""; tok == token.IDENT {
			last = lit
		}
	}
	var lines []string
	for _, w := range ws {
		for _, i := range append(w.imports, "testing", "fmt") {
			file, name, ok := strings.Cut(i, "=")
			line := fmt.Sprintf("%s %q", name, file)
			if !ok {
				name = path.Base(file)
			}
			if used[name] && !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}
