package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/heddle"
)

// This file explores the own tests of packages of the standard library. Most start no goroutine, or one after the
// other. So there is a line for each package, and one for each entry that was not explored to the end or in which
// something was found.

// stdWall is the safety net of one entry: its limits are counts, and do not need it.
const stdWall = 10 * time.Minute

// digits and spot are what reasons that are counted together differ in.
var (
	digits = regexp.MustCompile(`\d+`)
	spot   = regexp.MustCompile(` \(at [^)]*\)`)
)

// scoreStd explores packages of the standard library, the entries that only matches, with flags of heddle.
func scoreStd(w io.Writer, packages []string, only string, flags ...string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "xsync") // in no module
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintln(w, "| package | entries | exhausted | incomplete | stopped | executions | entries with findings |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- |")
	var open []string
	reasons := map[string][]string{}
	for _, pkg := range packages {
		p := &heddle.Package{Dir: dir, Path: pkg, Wall: stdWall}
		names, err := p.Entries()
		if err != nil {
			return err
		}
		var sum totals
		found := 0
		for _, name := range names {
			if !match.MatchString(name) {
				continue
			}
			e, err := p.Explore(name, flags...)
			if err != nil {
				return err
			}
			sum.add(&e, "")
			if len(e.Findings) > 0 {
				found++
			}
			for _, f := range e.Findings {
				open = append(open, fmt.Sprintf("%s %s: %s: %s: %s", pkg, name, p.Cell(f.Posn), f.Category, f.Message))
			}
			if e.Reason != "" {
				k := digits.ReplaceAllString(spot.ReplaceAllString(p.Cell(e.Reason), ""), "N")
				reasons[k] = append(reasons[k], pkg+" "+name)
			}
			fmt.Fprintf(os.Stderr, "%s %s: %s, %d executions, %d findings %s\n", pkg, name, e.Verdict, e.Executions, len(e.Findings), e.Reason)
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", pkg, sum.entries, sum.exhausted, sum.entries-sum.exhausted-sum.stopped, sum.stopped, sum.executions, found)
	}
	fmt.Fprintf(w, "\n%d findings\n%s\n", len(open), strings.Join(open, "\n"))
	fmt.Fprintln(w, "not exhausted, the most frequent reason first:")
	for _, k := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(len(reasons[b])-len(reasons[a]), cmp.Compare(a, b))
	}) {
		fmt.Fprintf(w, "%d: %s: %s\n", len(reasons[k]), k, strings.Join(reasons[k], ", "))
	}
	return nil
}
