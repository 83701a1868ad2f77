package runner

import (
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/runner/cmdline"
)

// replay is `heddle replay TOKEN [packages]`.
func replay(args []string, std Streams) (int, error) {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return exitFailure, fmt.Errorf("usage: heddle replay TOKEN [packages]; the token is in the message of a finding")
	}
	tok, err := seed.Parse(args[0])
	if err != nil {
		return exitFailure, fmt.Errorf("replay: %w; copy the whole token from the message of the finding", err)
	}
	patterns, err := cmdline.Packages(args[1:])
	if err != nil {
		return exitFailure, fmt.Errorf("replay: %w", err)
	}
	if len(patterns) == 0 {
		patterns = []string{tok.Package}
	}
	c, err := tokenProgram(tok, patterns)
	if err != nil {
		return exitFailure, fmt.Errorf("replay: %w", err)
	}
	e, err := exploration.Replay(c, tok)
	if err != nil {
		return exitFailure, fmt.Errorf("replay: %w", err)
	}
	if len(e.Result.Findings) == 0 {
		return exitFailure, fmt.Errorf("replay: the schedule was followed to its end, but %s did not fail; heddle's version may be another than the token's", tok.Entry)
	}
	for i := range e.Result.Findings {
		f := &e.Result.Findings[i]
		v := e.View(f)
		writeHead(std.Out, cmdline.Auto.Style(std.Out), v.Position(f), v, f)
		fmt.Fprintf(std.Out, "\n%s\n%s\n", v.Table(f), v.Text(f))
	}
	return exitFindings, nil
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
