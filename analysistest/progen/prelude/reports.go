package prelude

import (
	"fmt"
	"regexp"
	"strings"
)

// This file reads what Go prints of a failure, and reports of the race detector.

// An Access is one of the two of a report of the race detector.
type Access struct {
	Top  string // innermost function
	Line string // of the innermost frame in the programs' file, or in the prelude
}

// Accesses reads the two stacks of a report.
func Accesses(block string) (out []Access) {
	lines := strings.Split(block, "\n")
	for i, l := range lines {
		head := strings.ToLower(strings.TrimSpace(l))
		if !strings.HasPrefix(head, "read at") && !strings.HasPrefix(head, "write at") && !strings.HasPrefix(head, "previous ") {
			continue
		}
		a := Access{}
		for j := i + 1; j+1 < len(lines) && strings.TrimSpace(lines[j]) != "" && a.Line == ""; j += 2 {
			fn, at := strings.TrimSpace(lines[j]), strings.TrimSpace(lines[j+1])
			if a.Top == "" {
				a.Top = fn
			}
			var n int
			if _, rest, ok := strings.Cut(at, "/programs.go:"); ok {
				a.Line, _, _ = strings.Cut(rest, " ")
			} else if _, rest, ok := strings.Cut(at, "/prelude.go:"); ok {
				fmt.Sscan(rest, &n)
				a.Line = Line(Native(), n)
			}
		}
		out = append(out, a)
	}
	return out
}

// Failure returns what a process that died printed of the failure, "" if it printed none.
func Failure(stderr string) string {
	for part := range strings.SplitSeq("\n"+stderr, "\n\n") {
		for _, start := range []string{"\nfatal error: ", "\npanic: "} {
			if i := strings.LastIndex("\n"+part, start); i >= 0 {
				return ("\n" + part)[i+1:]
			}
		}
	}
	return ""
}

// FailureText reduces what Go prints of a failure to its last line: the value of the panic that nobody recovered, or
// the fatal error.
func FailureText(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	last = strings.TrimPrefix(last, "panic: ")
	for _, again := range []string{" [recovered]", " [recovered, repanicked]"} { // testing does so
		last = strings.TrimSuffix(last, again)
	}
	last = testName.ReplaceAllString(last, "P")
	if last == "Fail in goroutine after  has completed" { // of testing's root: the machine has none once the test has completed
		last = "Fail in goroutine after P has completed"
	}
	return last
}

// testName is the name of a program's test. Its number depends on what it was compiled with.
var testName = regexp.MustCompile(`\bP\d+\b`)
