package exploration

import (
	"fmt"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/mcrs/report"
)

// Report reports the findings of a category as diagnostics of pass, whose
// analyzer requires Analyzer. It is all that most checks do.
func (r *Result) Report(pass *analysis.Pass, c report.Category) {
	positions := newPositions(pass)
	err := protect(func() error {
		r.report(pass, positions, c)
		return nil
	})
	if err != nil {
		pass.Report(analysis.Diagnostic{Pos: positions.fallback, Category: string(report.Internal),
			Message: fmt.Sprintf("findings of category %s cannot be shown: %v", c, err)})
	}
}

func (r *Result) report(pass *analysis.Pass, positions *positions, c report.Category) {
	for _, rep := range r.Reports(c) {
		d := analysis.Diagnostic{Pos: positions.report(&rep), Category: string(c), Message: rep.Message}
		for _, rel := range rep.View.Related(rep.Finding) {
			if p, ok := positions.pos(rel.Position); ok && rel.Position != rep.Position { // go vet writes a line for each
				d.Related = append(d.Related, analysis.RelatedInformation{Pos: p, Message: rel.Message})
			}
		}
		if s, ok := positions.suggestion(rep.Fix); ok {
			d.SuggestedFixes = []analysis.SuggestedFix{s}
		}
		pass.Report(d)
	}
}

// positions maps positions of the closed program to those of a pass, by file
// and offset: the two have parsed the same files, each for itself.
type positions struct {
	files    map[string]*token.File
	fallback token.Pos
}

func newPositions(pass *analysis.Pass) *positions {
	p := &positions{files: map[string]*token.File{}}
	add := func(f *token.File) bool {
		if _, ok := p.files[f.Name()]; !ok {
			p.files[f.Name()] = f
		}
		return true
	}
	if len(pass.Files) == 0 { // Heddle's own driver: the FileSet holds the lines of all files
		pass.Fset.Iterate(add)
		return p
	}
	// Other files of the FileSet come from export data, with made-up offsets.
	for _, f := range pass.Files {
		add(pass.Fset.File(f.FileStart))
	}
	p.fallback = pass.Files[0].Package
	return p
}

// pos returns the pass's position; it fails for files the pass has not parsed. Where a //line directive names another
// file, which may be one of the pass, it is the file that has such a line at that offset.
func (p *positions) pos(posn token.Position) (token.Pos, bool) {
	if posn.Offset < 0 || posn.Line < 1 {
		return token.NoPos, false
	}
	if f := p.files[posn.Filename]; f != nil && stands(posn, f) {
		return f.Pos(posn.Offset), true
	}
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		if f := p.files[name]; stands(posn, f) {
			return f.Pos(posn.Offset), true
		}
	}
	return token.NoPos, false
}

// stands reports whether a position is one of a file.
func stands(posn token.Position, f *token.File) bool {
	return posn.Offset <= f.Size() && f.Position(f.Pos(posn.Offset)) == posn
}

// report returns the position of a finding, or of its entry where the pass does not hold the file.
func (p *positions) report(r *Report) token.Pos {
	if pos, ok := p.pos(r.Position); ok {
		return pos
	}
	return p.entry(r.Entry)
}

// entry returns the position of an entry's name, or of the package where the pass does not hold its file.
func (p *positions) entry(e *EntryResult) token.Pos {
	if pos, ok := p.pos(e.Pos); ok {
		return pos
	}
	return p.fallback
}

// Pos maps a position of the closed program, such as EntryResult.Pos, to one of the pass, for checks with diagnostics
// of their own. If the pass does not hold the file, it returns the pass's package clause.
func (r *Result) Pos(pass *analysis.Pass, p token.Position) token.Pos {
	positions := newPositions(pass)
	if pos, ok := positions.pos(p); ok {
		return pos
	}
	return positions.fallback
}
