package runner

import (
	"embed"
	"flag"
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/verdict"
)

// This file is the help by topic. The texts are those of the folder topics.

// A topic is something that there is help about and is neither a command nor a check.
type topic struct {
	name, title string
	write       func(io.Writer) error
}

//go:embed topics
var topicTexts embed.FS

var topics = []topic{
	{"accept", "comments and baselines: findings that you know and accept", text("accept")},
	{"cache", "verdicts that earlier runs have kept", text("cache")},
	{"config", "heddle.yaml: flags of a project, limits of packages, entries to skip", text("config")},
	{"exit", "the exit codes", text("exit")},
	{"findings", "how to read a finding", text("findings")},
	{"new", "-new-from-rev: what changes since a git revision can touch", text("new")},
	{"verdicts", "what the words of the summary mean, and what to do", helpVerdicts},
	{"vet", "heddle as part of go vet", text("vet")},
}

// text writes a text of the folder topics.
func text(name string) func(io.Writer) error {
	return func(w io.Writer) error {
		data, err := topicTexts.ReadFile("topics/" + name + ".txt")
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	}
}

// helpVerdicts writes what each verdict means.
func helpVerdicts(w io.Writer) error {
	fmt.Fprint(w, "The summary says of each entry how far it was explored. From the most that can be promised to the least:\n")
	for _, x := range verdict.Table {
		fmt.Fprintf(w, "\n%s (%s in -stats)\n", x.Text, x.Kind)
		fill(w, "\t", x.Means)
		if x.Do != "" {
			fill(w, "\t", "What to do: "+x.Do)
		}
	}
	return nil
}

// fill writes text in lines of at most 80 characters.
func fill(w io.Writer, indent, text string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) > 76 && line != indent {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = indent
		}
		line += word + " "
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// helpCheck writes the documentation of a check, and its flags.
func helpCheck(w io.Writer, a *analysis.Analyzer) {
	fmt.Fprintf(w, "%s: %s\n", a.Name, a.Doc)
	fs, n := flag.NewFlagSet(a.Name, flag.ContinueOnError), 0
	a.Flags.VisitAll(func(f *flag.Flag) {
		fs.Var(f.Value, a.Name+"."+f.Name, f.Usage)
		n++
	})
	if n > 0 {
		fmt.Fprint(w, "\nFlags:\n\n")
		fs.SetOutput(w)
		fs.PrintDefaults()
	}
}
