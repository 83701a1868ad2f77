package page

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// This file makes the diff of a suggested fix: the lines that go and come, each with a few lines around it.

// A Fix is a suggested fix, as the page shows it.
type Fix struct {
	Message string
	Files   []FileDiff
}

// A FileDiff is what becomes of a file.
type FileDiff struct {
	Name  string // as positions have it
	Lines []DiffLine
}

// A DiffLine is a line of a diff. Sign is "-" for one that goes, "+" for one that comes, " " for one that stays, and
// "@" where lines were left out.
type DiffLine struct {
	Sign string
	Text string
}

// Kind is the name of the line's class on the page.
func (l DiffLine) Kind() string {
	return map[string]string{"-": "gone", "+": "new", " ": "same", "@": "gap"}[l.Sign]
}

// around is how many lines are shown before and after a change.
const around = 3

// Diff compares two texts line by line. It returns nil if they are the same.
func Diff(from, to string) []DiffLine {
	u, err := udiff.ToUnifiedDiff("", "", from, udiff.Lines(from, to), around)
	if err != nil {
		return nil // edits of the same text do fit it
	}
	signs := map[udiff.OpKind]string{udiff.Delete: "-", udiff.Insert: "+", udiff.Equal: " "}
	var out []DiffLine
	for i, h := range u.Hunks {
		if i > 0 {
			out = append(out, DiffLine{Sign: "@"})
		}
		for _, l := range h.Lines {
			out = append(out, DiffLine{signs[l.Kind], strings.TrimSuffix(l.Content, "\n")})
		}
	}
	return out
}
