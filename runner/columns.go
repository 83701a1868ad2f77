package runner

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/cmdline"
)

// This file lays out what the summary says of a package's entries: one line each, their verdicts below each other.

// A row is the line of an entry.
type row struct {
	name, word, runs, rest string
	given                  string // the environment
	kind                   verdict.Kind
	cached                 bool
}

func newRow(e *exploration.EntryResult) row {
	r, v := e.Result, e.Verdict()
	out := row{name: e.Name + ":", word: v.Word() + ",", runs: count(r.Stats.Executions, "run", "runs"), rest: v.Why(), given: v.Given(), kind: v.Kind}
	if v.Kind == verdict.NotExplored {
		return row{name: out.name, word: v.Word() + " (" + v.Reason + ")", kind: v.Kind}
	}
	out.cached = e.Cached
	if len(r.Findings) > 0 {
		out.rest = ", " + count(len(r.Findings), "finding", "findings") + out.rest
	}
	return out
}

// maxNameColumn bounds the column of names; what is longer shifts its own line only.
const maxNameColumn = 40

// nameColumn is how wide the column of names is.
func nameColumn(names []string) (n int) {
	for _, name := range names {
		n = max(n, min(width(name+":"), maxNameColumn))
	}
	return n
}

// line writes the row. It may not depend on the rows that follow: each is written when it is known.
func (r row) line(column int, style cmdline.Style) string {
	s := fmt.Sprintf("  %s %s", pad(r.name, column), painted(r, style))
	if r.runs != "" {
		s += " " + r.runs + r.rest + r.given + cachedWord(r)
	}
	return s
}

// cachedWord says of an entry that was not explored again what go test says of a package.
func cachedWord(r row) string {
	if r.cached {
		return " (cached)"
	}
	return ""
}

func painted(r row, style cmdline.Style) string {
	if r.kind == verdict.Exhausted {
		return style.Good(r.word)
	}
	return style.Warn(r.word)
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-width(s))) }
