package report

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file makes one headline of what a test or an assertion library says of a failure, and knows which frames of a
// failing test are the library's. The messages are those of testify 1.12, gotest.tools 3.5, is 1.4, quicktest 1.14, qt
// 1.102, gomega 1.44 and go-cmp 0.7.

// libraries are the import paths below which functions only make assertions: a failure stands at the line that calls
// them.
var libraries = []string{
	"github.com/stretchr/testify",
	"gotest.tools",
	"github.com/matryer/is",
	"github.com/frankban/quicktest",
	"github.com/go-quicktest/qt",
	"github.com/onsi/gomega",
	"github.com/google/go-cmp",
	"github.com/alecthomas/assert",
	"github.com/shoenig/test",
}

func isLibrary(pkg string) bool {
	return slices.ContainsFunc(libraries, func(l string) bool { return pkg == l || strings.HasPrefix(pkg, l+"/") })
}

// called drops the innermost frames as far as they are the standard library's or an assertion library's, if a line of
// the user's is left.
func (v *Code) called(frames []trace.Frame) []trace.Frame {
	for i, f := range frames {
		if !v.placed(f.Site) || !v.Source.IsUser(f.Site) {
			continue
		}
		if pkg := v.Source.Package(f.Site); slices.Contains(v.Packages, pkg) || !isLibrary(pkg) {
			return frames[i:]
		}
	}
	return frames
}

// said is the message of a failure; package is writes it to the standard output, with the user's line before it.
func (v *Code) said(t *trace.Trace, fail *trace.Failure) string {
	if strings.TrimSpace(fail.Message) != "" {
		return fail.Message
	}
	frames := v.called(fail.Stack)
	i := v.nearest(frames)
	if i < 0 || !slices.ContainsFunc(fail.Stack, func(f trace.Frame) bool { return f.Site != 0 && v.Source.Package(f.Site) == "github.com/matryer/is" }) {
		return ""
	}
	p := v.Source.Position(frames[i].Site)
	mark := filepath.Base(p.Filename) + ":" + strconv.Itoa(p.Line) + ": "
	said := ""
	for l := range strings.Lines(string(t.Output)) {
		if _, text, ok := strings.Cut(escapes.ReplaceAllString(l, ""), mark); ok {
			said = text
		}
	}
	return said
}

// escapes are the colours of a terminal.
var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Assertion makes one line of the message of a failing test.
func Assertion(message string) string {
	message = escapes.ReplaceAllString(message, "")
	for _, form := range []func(string) string{exampleLine, testifyLine, quicktestLine, gomegaLine, diffLine} {
		if s := form(message); s != "" {
			return squeeze(s)
		}
	}
	return squeeze(oneLine(message))
}

// squeeze makes every run of white space one space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// A section is a labelled part of a message.
type section struct {
	label string
	lines []string
}

func find(sections []section, label string) []string {
	for _, s := range sections {
		if s.label == label {
			return s.lines
		}
	}
	return nil
}

// exampleLine: of an example's output and what its comment says, the first line that differs.
func exampleLine(message string) string {
	rest, ok := strings.CutPrefix(message, "got:\n")
	got, want, both := strings.Cut(rest, "\nwant:\n")
	if !ok || !both {
		return ""
	}
	is, wanted := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for n < min(len(is), len(wanted)) && is[n] == wanted[n] {
		n++
	}
	switch {
	case got == "":
		return fmt.Sprintf("the output is empty, want %q", wanted[0])
	case n == len(is) && n == len(wanted):
		return ""
	case n == len(is):
		return fmt.Sprintf("the output ends before %q", wanted[n])
	case n == len(wanted):
		return fmt.Sprintf("the output goes on with %q", is[n])
	}
	return fmt.Sprintf("line %d of the output is %q, want %q", n+1, is[n], wanted[n])
}

var testifyLabel = regexp.MustCompile(`^\s*([A-Z][A-Za-z ]*):\s*\t(.*)$`)

// testifyLine: "Error Trace:", "Error:", "Test:" and "Messages:", each with its text after a tab, and on further lines.
func testifyLine(message string) string {
	if !strings.Contains(message, "Error Trace:") {
		return ""
	}
	var parts []section
	for l := range strings.Lines(message) {
		l = strings.TrimRight(l, " \n")
		if m := testifyLabel.FindStringSubmatch(l); m != nil && isTestifyLabel(m[1]) {
			parts = append(parts, section{m[1], []string{m[2]}})
		} else if n := len(parts) - 1; n >= 0 {
			parts[n].lines = append(parts[n].lines, strings.TrimSpace(l))
		}
	}
	text := find(parts, "Error")
	if i := slices.Index(text, "Diff:"); i >= 0 {
		text = text[:i]
	}
	s := strings.ReplaceAll(listed(text), "actual :", "actual:")
	if said := listed(find(parts, "Messages")); said != "" {
		return said + ": " + s
	}
	return s
}

func isTestifyLabel(s string) bool {
	return s == "Error Trace" || s == "Error" || s == "Test" || s == "Messages"
}

// listed joins lines with commas; a line that ends with a colon introduces the next.
func listed(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		l = squeeze(l)
		switch s := b.String(); {
		case l == "":
			continue
		case s == "":
		case strings.HasSuffix(s, ":"):
			b.WriteString(" ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(l)
	}
	return b.String()
}

var quicktestLabel = regexp.MustCompile(`^([a-z][a-z ]*)(\(-want \+got\))?:$`)

// quicktestLine: labels on lines of their own, "error:" first, with indented text below.
func quicktestLine(message string) string {
	if !strings.HasPrefix(strings.TrimLeft(message, "\n"), "error:\n") {
		return ""
	}
	var parts []section
	for l := range strings.Lines(message) {
		l = strings.TrimRight(l, " \n")
		if m := quicktestLabel.FindStringSubmatch(l); m != nil {
			parts = append(parts, section{label: strings.TrimSpace(m[1])})
		} else if n := len(parts) - 1; n >= 0 {
			parts[n].lines = append(parts[n].lines, strings.TrimSpace(l))
		}
	}
	s := listed(find(parts, "error"))
	if got, want := listed(find(parts, "got")), listed(find(parts, "want")); got != "" && want != "" {
		s += ": got " + got + ", want " + want
	}
	if said := listed(find(parts, "comment")); said != "" {
		return said + ": " + s
	}
	return s
}

var gomegaValue = regexp.MustCompile(`(?m)^ {4}<[^>\n]+>: ?`)

// gomegaLine: what was expected, with values indented and headed by their types.
func gomegaLine(message string) string {
	if !gomegaValue.MatchString(message) {
		return ""
	}
	var words []string
	for l := range strings.Lines(message) {
		if l = squeeze(l); l != "" && (len(words) == 0 || words[len(words)-1] != l) {
			words = append(words, l)
		}
	}
	return strings.Join(words, " ")
}

// maxChanged is the number of changed lines of a difference in a headline.
const maxChanged = 2

// diffLine takes a text with a difference below it, as diff and package cmp write it. The text and the first changed
// lines are the headline.
func diffLine(message string) string {
	var text, changed []string
	more := false
	for l := range strings.Lines(message) {
		l = strings.TrimRight(strings.ReplaceAll(l, "\u00a0", " "), " \n")
		switch {
		case l == "" || strings.HasPrefix(l, "---") || strings.HasPrefix(l, "+++") || strings.HasPrefix(l, "@@"):
		case isChanged(l) && len(changed) == maxChanged:
			more = true
		case isChanged(l):
			changed = append(changed, l[:1]+strings.TrimSuffix(squeeze(l[1:]), ","))
		case len(changed) == 0 && l[0] != ' ' && l[0] != '\t':
			text = append(text, l)
		}
	}
	if len(text) == 0 || len(changed) == 0 {
		return ""
	}
	s := oneLine(strings.Join(text, "\n")) + " " + strings.Join(changed, " ")
	if more {
		s += " ..."
	}
	return s
}

func isChanged(l string) bool {
	return len(l) > 1 && (l[0] == '-' || l[0] == '+') && (l[1] == ' ' || l[1] == '\t')
}

// withoutTrace drops testify's stack, which holds folders of the computer that the test ran on.
func withoutTrace(message string) string {
	var b strings.Builder
	trace := false
	for l := range strings.Lines(message) {
		m := testifyLabel.FindStringSubmatch(strings.TrimRight(l, "\n"))
		if m != nil && isTestifyLabel(m[1]) {
			trace = m[1] == "Error Trace"
		}
		if !trace {
			b.WriteString(l)
		}
	}
	return b.String()
}
