// Package outcome is what a run of heddle found and how far it came, as data: what all output formats but text are made
// from. It adds no knowledge to that of mcrs/report and mcrs/verdict. Its JSON form is the output of -format=json,
// which docs/output.md describes.
package outcome

import (
	"path/filepath"
	"strings"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/verdict"
)

// Version is the version of the JSON form. It changes when a program that reads the form has to change.
const Version = 1

// A Run is one call of heddle.
type Run struct {
	Version  int       `json:"version"`
	Heddle   string    `json:"heddle"` // version of the tool
	Packages []Package `json:"packages"`
	// Errors are why heddle could not do all its work: a package that does not compile.
	Errors []string `json:"errors,omitempty"`
	// Characters returns the column of a position counted in characters, for forms that count so. It is nil if nobody
	// knows the files.
	Characters func(Position) int `json:"-"`
}

// A Package is what was explored of a package.
type Package struct {
	Path string `json:"path"`
	// Note says why nothing was explored, "" if something was.
	Note     string    `json:"note,omitempty"`
	Entries  []Entry   `json:"entries"`
	Findings []Finding `json:"findings"`
	// Notices are diagnostics that are no findings: entries that are not exhausted (-incomplete), comments without use.
	Notices []Notice `json:"notices,omitempty"`
}

// An Entry is a test, fuzz target, example or main function, and how far it was explored.
type Entry struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`
	Position Position `json:"position"`
	verdict.Verdict
	// Preemptions is the number of preemptions up to which every schedule is accounted for, where that is known of an
	// entry that is not exhausted.
	Preemptions *int `json:"preemptions,omitempty"`
	// Delays is the same for delays.
	Delays *int `json:"delays,omitempty"`
	// Within is the number of first steps in which that is so for 1 delay, where nothing is known of delays in the
	// whole.
	Within   *int `json:"within,omitempty"`
	Runs     int  `json:"runs"`
	Findings int  `json:"findings"` // that are not accepted, whether they stand with this entry or another
	// Cached says that an earlier run explored the entry, and that nothing has changed since on which that depends.
	Cached bool `json:"cached,omitempty"`
}

// A Position is a place in a file.
type Position struct {
	File   string `json:"file"` // with slashes, relative to the run's root, or absolute if it is elsewhere
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"` // in bytes, from 1
}

// A Related is a further position of a finding.
type Related struct {
	Position Position `json:"position"`
	Message  string   `json:"message"`
}

// A Finding is what a run of the machine has shown.
type Finding struct {
	Check    string    `json:"check"`
	Message  string    `json:"message"` // the headline: one line without place, entry and token
	Position Position  `json:"position"`
	Entry    string    `json:"entry"`
	Timing   bool      `json:"timing,omitempty"` // a timer fires while a goroutine could go on
	Token    string    `json:"token,omitempty"`
	Related  []Related `json:"related"`
	// Fingerprint stays the same when lines move.
	Fingerprint string `json:"fingerprint"`
	// Accepted says that the finding is not reported, and why.
	Accepted *Accepted `json:"accepted,omitempty"`
	// Schedule is the witness: lanes, steps and arrows.
	Schedule *report.Diagram `json:"schedule,omitempty"`
	// Text is the finding at length: stacks.
	Text string `json:"text"`
	// Fix repairs the finding: the package with it, explored again, does not show it. It is there with -fix and -fixes
	// alone.
	Fix *Fix `json:"fix,omitempty"`
	// Root is what positions of the schedule are to be taken relative to.
	Root Root `json:"-"`
}

// A Fix is a suggested fix.
type Fix struct {
	Message string   `json:"message"`
	Changes []Change `json:"changes"` // in the order of their positions in each file; none overlap
}

// A Change replaces the text from a position up to another. Both columns count bytes, as all positions do.
type Change struct {
	From Position `json:"from"`
	To   Position `json:"to"`
	Old  string   `json:"old"`
	New  string   `json:"new"`
	// Characters are the columns of From and To counted in characters, for forms that count so.
	Characters [2]int `json:"-"`
}

// An Accepted says by what a finding is accepted: "comment", "baseline", or "revision", which had it already.
type Accepted struct {
	By     string `json:"by"`
	Reason string `json:"reason,omitempty"`
}

// A Notice is a diagnostic that is no finding.
type Notice struct {
	Category string   `json:"category"`
	Position Position `json:"position"`
	Message  string   `json:"message"`
}

// A Root is the folder that positions are relative to.
type Root string

// Position makes a position of a file's full name.
func (r Root) Position(file string, line, column int) Position {
	if rel, err := filepath.Rel(string(r), file); err == nil && filepath.IsAbs(file) && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		file = rel
	}
	return Position{File: filepath.ToSlash(file), Line: line, Column: column}
}

// A Replay is what running the schedule of a token has shown.
type Replay struct {
	Version  int       `json:"version"`
	Heddle   string    `json:"heddle"`
	Package  string    `json:"package"`
	Entry    string    `json:"entry"`
	Findings []Finding `json:"findings"`
}
