package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/heddle-go/heddle/runner/outcome"
)

// GitHub writes workflow commands, which GitHub shows beside the lines of a change (docs.github.com, "Workflow commands
// for GitHub Actions", "Setting an error message"). Findings are errors, and all else is warnings.
func GitHub(w io.Writer, r *outcome.Run) error {
	for _, p := range r.Packages {
		for i := range p.Findings {
			f := &p.Findings[i]
			if f.Accepted != nil {
				continue
			}
			text := f.Message
			if f.Token != "" {
				text += "\nreplay: heddle replay " + f.Token
			}
			for _, rel := range f.Related {
				text += "\n" + place(rel.Position) + ": " + rel.Message
			}
			if err := annotation(w, "error", f.Position, title(f.Check)+" ("+f.Check+")", text); err != nil {
				return err
			}
		}
		for _, n := range p.Notices {
			if err := annotation(w, "warning", n.Position, n.Category, n.Message); err != nil {
				return err
			}
		}
	}
	for _, text := range r.Errors {
		if _, err := fmt.Fprintf(w, "::error title=heddle::%s\n", data(text)); err != nil {
			return err
		}
	}
	return nil
}

func annotation(w io.Writer, level string, p outcome.Position, title, text string) error {
	_, err := fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", level, property(p.File), max(p.Line, 1), max(p.Column, 1), property(title), data(text))
	return err
}

// data and property escape as the toolkit of GitHub's actions does (actions/toolkit, packages/core/src/command.ts,
// escapeData and escapeProperty).
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}

func place(p outcome.Position) string {
	if p.Column > 0 {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}
