package format

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/runner/outcome"
)

// The elements of JUnit XML, as far as the tools that show it agree on them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Failure *junitText    `xml:"failure"`
		Error   *junitText    `xml:"error"`
		Skipped *junitSkipped `xml:"skipped"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",cdata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// JUnit writes JUnit XML: a suite for each package, a case for each entry. An entry with a finding has failed; if it
// has several, the others stand in the text. An entry that is not exhausted is skipped, and the message says why: no
// report may read as "all is well" where that is not known.
func JUnit(w io.Writer, r *outcome.Run) error {
	all := junitSuites{Name: "heddle"}
	suites := make([]junitSuite, 0, len(r.Packages)+1)
	for i := range r.Packages {
		suites = append(suites, junitPackage(&r.Packages[i]))
	}
	if len(r.Errors) > 0 {
		suites = append(suites, junitErrors(r.Errors))
	}
	for _, s := range suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		all.Skipped += s.Skipped
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitErrors is a suite of what heddle could not do.
func junitErrors(errs []string) junitSuite {
	s := junitSuite{Name: "heddle", Tests: len(errs), Errors: len(errs)}
	for _, text := range errs {
		s.Cases = append(s.Cases, junitCase{Class: "heddle", Name: text, Error: &junitText{text, "error", text}})
	}
	return s
}

func junitPackage(p *outcome.Package) junitSuite {
	s := junitSuite{Name: p.Path}
	add := func(c junitCase) {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	if p.Note != "" {
		add(junitCase{Class: p.Path, Name: "(package)", Skipped: &junitSkipped{"not explored: " + p.Note}})
	}
	for i := range p.Entries {
		add(junitEntry(p, &p.Entries[i]))
	}
	for _, n := range p.Notices {
		if n.Category == "suppression" {
			add(junitCase{Class: p.Path, Name: place(n.Position), File: n.Position.File, Line: n.Position.Line, Failure: &junitText{n.Message, n.Category, n.Message}})
		}
	}
	return s
}

func junitEntry(p *outcome.Package, e *outcome.Entry) junitCase {
	c := junitCase{Class: p.Path, Name: e.Name, File: e.Position.File, Line: e.Position.Line}
	c.Output = fmt.Sprintf("%s, %d runs%s", e.Word(), e.Runs, e.Because())
	for i := range p.Findings {
		f := &p.Findings[i]
		if f.Entry != e.Name || f.Accepted != nil {
			continue
		}
		text := place(f.Position) + ": " + atLength(f)
		switch {
		case f.Check == "internal":
			c.Error = &junitText{f.Message, f.Check, text}
		case c.Failure == nil:
			c.Failure = &junitText{f.Message, f.Check, text}
		default:
			c.Failure.Text += "\n" + text
		}
	}
	if c.Failure == nil && c.Error == nil && e.Findings > 0 {
		text := fmt.Sprintf("findings: %d, which stand with another entry that shows them too", e.Findings)
		c.Failure = &junitText{text, "other", text}
	}
	if c.Failure != nil {
		c.Error = nil // an element may have one of them
	}
	if c.Failure == nil && c.Error == nil && e.Verdict.Kind != verdict.Exhausted {
		c.Skipped = &junitSkipped{e.Verdict.String()}
	}
	return c
}
