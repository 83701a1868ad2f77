package prelude

import (
	"fmt"
	"strings"
)

// This file reads reports of the race detector.

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
