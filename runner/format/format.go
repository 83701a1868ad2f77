// Package format writes the outcome of a run in the forms that other tools read: JSON, SARIF 2.1.0, JUnit XML and the
// annotations of GitHub's workflows. docs/output.md describes them. The same outcome gives the same bytes.
package format

import (
	"encoding/json"
	"io"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/runner/outcome"
)

// Writers are the forms by the name that -format has for them.
var Writers = map[string]func(io.Writer, *outcome.Run) error{
	"json":   JSON,
	"sarif":  SARIF,
	"junit":  JUnit,
	"github": GitHub,
}

// JSON writes the outcome in its own JSON form.
func JSON(w io.Writer, r *outcome.Run) error { return indented(w, r) }

func indented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(v)
}

// atLength is the finding with its token, entry and stacks, for forms that have room for a text.
func atLength(f *outcome.Finding) string {
	s := f.Message + "\n"
	if f.Token != "" {
		s += "replay: heddle replay " + f.Token + "\n"
	}
	for _, r := range f.Related {
		s += place(r.Position) + ": " + r.Message + "\n"
	}
	if f.Text != "" {
		s += "\n" + f.Text
	}
	return s
}

// title is a check in words.
func title(check string) string {
	for _, c := range report.Categories {
		if string(c) == check {
			return titles[c]
		}
	}
	return check
}

var titles = map[report.Category]string{
	report.DataRace: "data race", report.Deadlock: "deadlock", report.GoroutineLeak: "goroutine leak", report.Livelock: "livelock",
	report.Panics: "panic", report.Robustness: "weak memory", report.TestFailure: "test failure", report.Internal: "internal error of Heddle",
}
