package runner

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/cmdline"
)

// This file lays out what the summary says of a package's entries: one line each, in columns.

// A row is the line of an entry.
type row struct {
	name, word, runs, rest string
	kind                   verdict.Kind
}

func newRow(e *exploration.EntryResult) row {
	r, v := e.Result, e.Verdict()
	out := row{name: e.Name + ":", word: v.Word() + ",", runs: count(r.Stats.Executions, "run", "runs"), rest: v.Because(), kind: v.Kind}
	if v.Kind == verdict.NotExplored {
		return row{name: out.name, word: v.Word() + " (" + v.Reason + ")", kind: v.Kind}
	}
	if len(r.Findings) > 0 {
		out.rest = ", " + count(len(r.Findings), "finding", "findings") + out.rest
	}
	return out
}

// maxNameColumn bounds the column of names; what is longer shifts its own line only.
const maxNameColumn = 40

// columns writes the rows with their verdicts, and their numbers of runs, below each other.
func columns(rows []row, style cmdline.Style) []string {
	var name, word, runs int
	for _, r := range rows {
		name = max(name, min(width(r.name), maxNameColumn))
		if r.runs == "" {
			continue
		}
		word = max(word, width(r.word))
		digits, _, _ := strings.Cut(r.runs, " ")
		runs = max(runs, len(digits))
	}
	var out []string
	for _, r := range rows {
		if r.runs == "" {
			out = append(out, fmt.Sprintf("  %s %s", pad(r.name, name), painted(r, style)))
			continue
		}
		digits, _, _ := strings.Cut(r.runs, " ")
		out = append(out, fmt.Sprintf("  %s %s %s%s%s", pad(r.name, name), painted(r, style), strings.Repeat(" ", word-width(r.word)+runs-len(digits)), r.runs, r.rest))
	}
	return out
}

func painted(r row, style cmdline.Style) string {
	if r.kind == verdict.Exhausted {
		return style.Good(r.word)
	}
	return style.Warn(r.word)
}

func width(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-width(s))) }
