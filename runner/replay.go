package runner

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/format"
	"github.com/heddle-go/heddle/runner/outcome"
)

// replayOptions are the arguments of `heddle replay`.
type replayOptions struct {
	format   string
	color    cmdline.Color
	token    *seed.Token
	patterns []string
}

// replayForms are the forms of `heddle replay -format` beside text.
var replayForms = map[string]func(io.Writer, *outcome.Replay) error{"json": format.ReplayJSON, "perfetto": format.Perfetto}

// flagSet declares the flags of `heddle replay`.
func (o *replayOptions) flagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("heddle replay", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.format, "format", textFormat, "what to write: text, json, html (a page), or perfetto (a trace for ui.perfetto.dev)")
	o.color = cmdline.Auto
	fs.Var(&o.color, "color", "`when` to use colours: auto, always or never")
	return fs
}

// take takes the token and the packages.
func (o *replayOptions) take(args []string) (err error) {
	if o.format != textFormat && o.format != htmlFormat && replayForms[o.format] == nil {
		return fmt.Errorf("-format=%s: want text, html, %s", o.format, strings.Join(slices.Sorted(maps.Keys(replayForms)), ", "))
	}
	if len(args) == 0 {
		return errors.New("usage: heddle replay TOKEN [packages]; the token is in the message of a finding")
	}
	if o.token, err = seed.Parse(args[0]); err != nil {
		return fmt.Errorf("%w; copy the whole token from the message of the finding", err)
	}
	if o.patterns, err = cmdline.Packages(args[1:]); err != nil {
		return err
	}
	if len(o.patterns) == 0 {
		o.patterns = []string{o.token.Package}
	}
	return nil
}

// replay is `heddle replay TOKEN [packages]`.
func replay(o *replayOptions, std Streams) (int, error) {
	c, err := tokenProgram(o.token, o.patterns)
	if err != nil {
		return exitFailure, err
	}
	e, err := exploration.Replay(c, o.token)
	if err != nil {
		return exitFailure, err
	}
	if len(e.Result.Findings) == 0 {
		return exitFailure, fmt.Errorf("the schedule was followed to its end, but %s did not fail; heddle's version may be another than the token's", o.token.Entry)
	}
	if o.format == htmlFormat {
		return exitFindings, replayPage(std.Out, e)
	}
	if write := replayForms[o.format]; write != nil {
		return exitFindings, write(std.Out, replayOutcome(e))
	}
	for i := range e.Result.Findings {
		f := &e.Result.Findings[i]
		v := e.View(f)
		writeHead(std.Out, o.color.Style(std.Out), v.Position(f), v, f)
		fmt.Fprintf(std.Out, "\n%s\n%s\n", v.Table(f), v.Text(f))
	}
	return exitFindings, nil
}

// replayOutcome is what a replay has shown, as data.
func replayOutcome(e *exploration.EntryResult) *outcome.Replay {
	g := newGatherer()
	out := &outcome.Replay{Version: outcome.Version, Heddle: g.run.Heddle, Package: e.Package(), Entry: e.Name}
	for i := range e.Result.Findings {
		f := &e.Result.Findings[i]
		v := e.View(f)
		out.Findings = append(out.Findings, g.finding(v.Position(f), &exploration.Report{Finding: f, Entry: e, View: v}))
	}
	return out
}

// tokenProgram lists the packages and returns the program of the token's.
func tokenProgram(tok *seed.Token, patterns []string) (*closure.Result, error) {
	cfg := closure.Config("")
	listing, err := program.List(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	for _, r := range listing.Recipes {
		if r.Path == tok.Package {
			return &closure.Result{Recipe: r, Packages: []string{r.Path, r.Path + "_test"}, Universe: closure.NewUniverse()}, nil
		}
	}
	if len(listing.Errors) > 0 {
		return nil, listing.Errors
	}
	return nil, fmt.Errorf("the token is of package %s, which is not among %s", tok.Package, strings.Join(patterns, " "))
}
