package report

import (
	"cmp"
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A View says from where findings of one entry are looked at: which package is
// being analysed decides where a finding stands and which lines are "deeper".
// The same finding always gives the same text. A View is used by one goroutine at a time.
type View struct {
	Code
	// Entry is the name of the test, example, fuzz target or main, EntryPos where it is declared.
	Entry    string
	EntryPos token.Position
	// Token is the replay token of the finding, "" if it has none.
	Token string
	// Race is, of a finding of category Robustness, the token of a sequentially consistent schedule in which its two
	// accesses race, "" if none is known.
	Race string
	// Width bounds the lines of tables, in characters; 0 means 110.
	Width int
}

// A Code is the source, and which of it is being analysed: it says where stacks stand in it.
type Code struct {
	Source Source
	// Packages are the import paths that count as the analysed package: the
	// package itself and, where the driver has both at hand, its external tests.
	Packages []string
	// ReadFile reads source text for the table's snippets; nil means none are shown.
	ReadFile func(filename string) ([]byte, error)

	lines   map[event.Site][2]string // line and source text of sites, as far as asked for
	weighed weighed
}

const defaultWidth = 110

func (v *View) width() int {
	if v.Width <= 0 {
		return defaultWidth
	}
	return max(v.Width, 40)
}

// frames returns the stack of event i of t, innermost first. Without a
// recorded stack it is the event's own site.
func (v *Code) frames(t *trace.Trace, i int) []trace.Frame {
	if i < 0 || i >= len(t.Events) {
		return nil
	}
	if i < len(t.Stacks) && len(t.Stacks[i]) > 0 {
		return t.Stacks[i]
	}
	return siteFrames(t.Events[i].Site)
}

// threadFrames returns the stack at which thread i stands.
func (v *Code) threadFrames(t *trace.Trace, i int) []trace.Frame {
	th := &t.Threads[i]
	if len(th.Stack) > 0 {
		return th.Stack
	}
	if th.Pending != nil {
		return siteFrames(th.Pending.Site)
	}
	return nil
}

func siteFrames(s event.Site) []trace.Frame {
	if s == 0 {
		return nil
	}
	return []trace.Frame{{Site: s}}
}

// analysed reports whether the site is in the analysed package.
func (v *Code) analysed(s event.Site) bool {
	return v.placed(s) && slices.Contains(v.Packages, v.Source.Package(s))
}

// placed reports whether the site has a position.
func (v *Code) placed(s event.Site) bool {
	p := v.Source.Position(s)
	return s != 0 && p.IsValid()
}

// user returns the index of the innermost frame in user code, -1 if there is none.
func (v *Code) user(frames []trace.Frame) int {
	return slices.IndexFunc(frames, func(f trace.Frame) bool {
		return v.placed(f.Site) && v.Source.IsUser(f.Site)
	})
}

// own returns the index of the innermost frame in the analysed package, -1 if there is none.
func (v *Code) own(frames []trace.Frame) int {
	return slices.IndexFunc(frames, func(f trace.Frame) bool { return v.analysed(f.Site) })
}

// nearest is the frame that best tells people where they are: the innermost
// one of user code, else the innermost one with a position.
func (v *Code) nearest(frames []trace.Frame) int {
	if i := v.user(frames); i >= 0 {
		return i
	}
	return slices.IndexFunc(frames, func(f trace.Frame) bool { return v.placed(f.Site) && !v.ours(f.Site) })
}

// ours reports whether a site is in a file of Heddle's own, which stands beside the standard library's and which nobody
// can open.
func (v *Code) ours(s event.Site) bool {
	return strings.HasPrefix(filepath.Base(v.Source.Position(s).Filename), "heddle_")
}

// around reports whether a stack is that of what runs a test or an example, around its own code: all of it is in files
// of Heddle's own. Natively that is package testing.
func around(v *Code, frames []trace.Frame) bool {
	return len(frames) > 0 && !slices.ContainsFunc(frames, func(f trace.Frame) bool { return !v.ours(f.Site) })
}

// Line writes the position of a site as people do: the bare file name within
// the analysed package, with its import path elsewhere. It never holds a
// directory of the machine that Heddle runs on.
func (v *Code) Line(s event.Site) string {
	return v.LineAt(v.Source.Position(s), v.Source.Package(s))
}

// LineAt is Line of a position in the package of that path.
func (v *Code) LineAt(p token.Position, pkg string) string {
	if !p.IsValid() {
		return "an unknown line"
	}
	name := filepath.Base(p.Filename)
	if pkg != "" && !slices.Contains(v.Packages, pkg) {
		name = path.Join(pkg, name)
	}
	return fmt.Sprintf("%s:%d", name, p.Line)
}

// at says where a stack stands: the innermost line of user code, the function
// of the standard library called there, and the line of the analysed package
// that led to it, as far as these differ.
func (v *Code) at(frames []trace.Frame) string {
	return v.where(frames, v.callee(frames))
}

// unwinding is the function of the runtime that runs deferred calls while a panic unwinds the stack. It has no
// position, and nobody called it by name.
const unwinding = "runtime.gopanic"

// place is at without the function.
func (v *Code) place(frames []trace.Frame) string { return v.where(frames, "") }

func (v *Code) where(frames []trace.Frame, callee string) string {
	near := v.nearest(frames)
	if near < 0 && around(v, frames) {
		return "a line of package testing"
	}
	if near < 0 {
		return "an unknown line"
	}
	s := v.Line(frames[near].Site) + callee
	if own := v.own(frames); own > near {
		s += fmt.Sprintf(" (called at %s)", v.Line(frames[own].Site))
	}
	return s
}

func (v *Code) startFrames(t *trace.Trace, i int) []trace.Frame {
	th := &t.Threads[i]
	if th.Spawn >= 0 && int(th.Spawn) < len(t.Events) {
		return v.frames(t, int(th.Spawn))
	}
	if th.Parent < 0 {
		return nil
	}
	return siteFrames(th.Site)
}

// id returns the name of thread i.
func id(t *trace.Trace, i int) string {
	if i < 0 || i >= len(t.Threads) {
		return "an unknown goroutine"
	}
	if o := ownerOf(t, int32(i)); int(o) != i {
		return string(t.Threads[o].ID) + "'s buffer"
	}
	return string(t.Threads[i].ID)
}

// raced returns the name of what an access and another race about: the other's name if the source has none at the
// access.
func (v *Code) raced(e, other *event.Event) string {
	return cmp.Or(v.variable(e, ""), v.variable(other, "memory"))
}

// variable returns the name of what the event accesses, unknown if the source does not name it.
func (v *Code) variable(e *event.Event, unknown string) string {
	if name := v.Source.Variable(e.Site); name != "" {
		return name
	}
	return unknown
}

// oneLine makes text fit on a line: it joins its lines with "; ".
func oneLine(s string) string {
	var parts []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			parts = append(parts, l)
		}
	}
	return strings.Join(parts, "; ")
}

// clip shortens s to n characters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n <= 3 {
		return string(r[:max(n, 0)])
	}
	return strings.TrimRight(string(r[:n-3]), " ") + "..."
}
