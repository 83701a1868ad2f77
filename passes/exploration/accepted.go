package exploration

import (
	"fmt"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/baseline"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/suppress"
	"github.com/heddle-go/heddle/program"
)

// This file leaves out the findings that users have accepted: by a comment at their line, or in a baseline.

// Baseline, if not nil, has the findings that are accepted. A driver sets it.
var Baseline *baseline.File

// DriverHonours, if not nil, says which comments the driver honours itself. The driver gets to see the findings that
// these suppress. Otherwise it would say that the comments have no use.
var DriverHonours func(*suppress.Directive) bool

// accepted is what is accepted of a package's findings.
type accepted struct {
	directives []suppress.Directive
	used       []bool
}

// A Since tells what is new since another version of the code.
type Since interface {
	// Unchanged says that no change can touch the entries of a program; "" if one may.
	Unchanged(*program.Recipe) (why string)
	// Old reports whether a finding was there before.
	Old(*Report) bool
	// Changed reports whether a position is in code that has changed.
	Changed(token.Position) bool
	// Functions returns what reports whether a position is in a function of a program that has changed. all says that
	// nothing else has on which executions of the program depend.
	Functions(*program.Recipe, *program.Program) (changed func(token.Position) bool, all bool)
}

// NewSince, if not nil, leaves findings that are not new among those that are known, and packages that are unchanged
// unexplored. A driver sets it.
var NewSince Since

// IsCheck reports whether a name is that of a check.
func IsCheck(name string) bool {
	return slices.Contains(report.Categories, report.Category(name)) && name != string(report.Internal)
}

// readDirectives reads the comments of the files of the packages of c.
func readDirectives(c *closure.Result) *accepted {
	a := new(accepted)
	if c.Recipe == nil {
		return a
	}
	for i := range c.Recipe.Packages {
		p := &c.Recipe.Packages[i]
		if p.ID != c.Recipe.Root && p.ID != c.Recipe.XTest || !slices.Contains(c.Packages, p.Path) {
			continue
		}
		for _, name := range p.Files() {
			data, err := os.ReadFile(name)
			if err != nil {
				continue // the loader complains of it
			}
			for _, d := range suppress.Parse(name, data, IsCheck) {
				if DriverHonours == nil || !DriverHonours(&d) {
					a.directives = append(a.directives, d)
				}
			}
		}
	}
	a.used = make([]bool, len(a.directives))
	return a
}

// suppressed returns the directive that suppresses a finding, nil if there is none.
func (a *accepted) suppressed(r *Report) *suppress.Directive {
	if a == nil || r.Category == report.Internal {
		return nil
	}
	var found *suppress.Directive
	for i := range a.directives {
		if d := &a.directives[i]; d.Covers(string(r.Category), r.Position.Filename, r.Position.Line) {
			a.used[i] = true
			if found == nil {
				found = d
			}
		}
	}
	return found
}

// split takes the accepted findings out. Those that comments suppress are told before those of the baseline.
func (r *Result) split(all []Report) (reported, suppressed, known []Report) {
	for _, rep := range all {
		if d := r.accepted.suppressed(&rep); d != nil {
			rep.Reason = d.Reason
			suppressed = append(suppressed, rep)
			continue
		}
		if Baseline != nil && !r.past && rep.Category != report.Internal && r.baseline().Take(rep.Fingerprint()) {
			known = append(known, rep)
			continue
		}
		if NewSince != nil && !r.past && rep.Category != report.Internal && NewSince.Old(&rep) {
			rep.Old = true
			known = append(known, rep)
			continue
		}
		reported = append(reported, rep)
	}
	return reported, suppressed, known
}

// baseline returns the baseline as it is before findings were taken out. Each package has its own, so that a finding in
// one takes nothing from another.
func (r *Result) baseline() *baseline.Set { return baseline.NewSet(Baseline) }

// Fingerprint is what the finding is known by after its lines have moved.
func (r *Report) Fingerprint() string { return r.View.Fingerprint(r.Finding) }

// reportDirectives reports comments that are malformed, name no check, or suppress nothing.
func (r *Result) reportDirectives(pass *analysis.Pass, positions *positions) {
	if r.accepted == nil {
		return
	}
	for _, c := range report.Categories {
		r.Accepted(c) // notes which comments are used
	}
	for i := range r.accepted.directives {
		d := &r.accepted.directives[i]
		text := r.wrong(d, r.accepted.used[i])
		if f := positions.files[d.File]; f != nil && text != "" && d.Offset <= f.Size() {
			pass.Report(analysis.Diagnostic{Pos: f.Pos(d.Offset), Category: "suppression", Message: text})
		}
	}
}

// wrong says what is the matter with a directive, "" if nothing is.
func (r *Result) wrong(d *suppress.Directive, used bool) string {
	if d.Wrong != "" {
		return "this comment suppresses nothing: " + d.Wrong
	}
	if u := d.Unknown(IsCheck); len(u) > 0 {
		return fmt.Sprintf("this comment names %s, which is no check (heddle help lists them)", strings.Join(u, ", "))
	}
	if !used && len(d.Checks) > 0 && r.conclusive {
		return "this comment suppresses nothing: every entry of the package is exhausted, and no such finding is here"
	}
	return ""
}

// concludes reports whether it is certain that a comment without use has none: each entry was explored to its end,
// those of the external test package too.
func (r *Result) concludes(c *closure.Result) bool {
	if len(r.Entries) == 0 || len(r.Entries) != len(r.Names) {
		return false
	}
	if c.Recipe.XTest != "" && len(c.Packages) < 2 {
		return false // under go vet another unit explores the entries of p_test, and its findings stand in these files elsewhere
	}
	return !slices.ContainsFunc(r.Entries, func(e EntryResult) bool { return e.Result.Verdict != explore.Exhausted })
}
