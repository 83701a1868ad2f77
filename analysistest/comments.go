package analysistest

import (
	"fmt"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"text/scanner"

	"github.com/heddle-go/heddle/mcrs/explore"
	verdicts "github.com/heddle-go/heddle/mcrs/verdict"
)

// This file reads the comments. The syntax of want is that of x/tools'
// analysistest, facts left out.

type place struct {
	file string
	line int
}

type expected struct {
	want     map[place][]*regexp.Regexp
	verdicts map[place]verdict
}

// A verdict is what a comment says of an entry.
type verdict struct {
	verdict string
	reason  *regexp.Regexp // nil: any
}

func (v verdict) String() string {
	if v.reason == nil {
		return v.verdict
	}
	return fmt.Sprintf("%s %#q", v.verdict, v.reason)
}

// expectations reads the comments of the files, and returns what is wrong with them.
func expectations(files []string) (*expected, []string) {
	exp := &expected{want: map[place][]*regexp.Regexp{}, verdicts: map[place]verdict{}}
	var problems []string
	for _, name := range files {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			problems = append(problems, err.Error())
			continue
		}
		for _, group := range f.Comments {
			for _, c := range group.List {
				at := place{name, fset.Position(c.Pos()).Line}
				if err := exp.comment(at, c.Text); err != nil {
					problems = append(problems, fmt.Sprintf("%s:%d: %v", name, at.line, err))
				}
			}
		}
	}
	return exp, problems
}

// comment reads one comment. Several directives may follow each other: "// verdict: exhausted // want ...".
func (exp *expected) comment(at place, text string) error {
	for part := range strings.SplitSeq(text, "//") {
		part = strings.TrimSpace(part)
		if rest, ok := strings.CutPrefix(part, "want"); ok && rest != "" && strings.ContainsRune(" +\"`", rune(rest[0])) {
			// The literals of want may hold slashes themselves.
			_, rest, _ = strings.Cut(text, "// want")
			delta, rxs, err := parseWant(rest)
			if err != nil {
				return fmt.Errorf("in a want comment: %w", err)
			}
			at.line += delta
			exp.want[at] = append(exp.want[at], rxs...)
			return nil
		}
		if rest, ok := strings.CutPrefix(part, "verdict:"); ok {
			v, err := parseVerdict(rest)
			if err != nil {
				return fmt.Errorf("in a verdict comment: %w", err)
			}
			exp.verdicts[at] = v
		}
	}
	return nil
}

func parseWant(text string) (delta int, rxs []*regexp.Regexp, err error) {
	sc := new(scanner.Scanner).Init(strings.NewReader(text))
	sc.Mode = scanner.ScanIdents | scanner.ScanStrings | scanner.ScanRawStrings | scanner.ScanInts
	sc.Error = func(_ *scanner.Scanner, msg string) { err = fmt.Errorf("%s", msg) }
	for {
		switch tok := sc.Scan(); tok {
		case scanner.EOF:
			if err == nil && len(rxs) == 0 {
				err = fmt.Errorf("it expects nothing: write a regular expression as a Go string")
			}
			return delta, rxs, err
		case '+':
			if tok := sc.Scan(); tok != scanner.Int {
				return 0, nil, fmt.Errorf("got +%s, want a number of lines after +", scanner.TokenString(tok))
			}
			delta, _ = strconv.Atoi(sc.TokenText()) // the scanner has checked it
		case scanner.String, scanner.RawString:
			rx, rxErr := literal(sc.TokenText())
			if rxErr != nil {
				return 0, nil, rxErr
			}
			rxs = append(rxs, rx)
		default:
			return 0, nil, fmt.Errorf("got %s, want a regular expression as a Go string", scanner.TokenString(tok))
		}
	}
}

func parseVerdict(text string) (verdict, error) {
	word, reason, _ := strings.Cut(strings.TrimSpace(text), " ")
	v := verdict{verdict: word}
	if word != string(explore.Incomplete) && verdicts.Of(verdicts.Kind(word)).Means == "" {
		return v, fmt.Errorf("got %q, want %s, which is all but exhausted, or a verdict as -stats has it", word, explore.Incomplete)
	}
	if reason = strings.TrimSpace(reason); reason != "" {
		rx, err := literal(reason)
		if err != nil {
			return v, err
		}
		v.reason = rx
	}
	return v, nil
}

func literal(text string) (*regexp.Regexp, error) {
	s, err := strconv.Unquote(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not a Go string", text)
	}
	return regexp.Compile(s)
}
