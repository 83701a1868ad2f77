// Package view reads what a random program logs, in the machine and natively.
package view

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A View is an outcome as the program itself sees it: what each goroutine logged, and the failure.
type View struct {
	Logs   map[int]string // " 1 2 end": values, and whether the goroutine ended
	Failed string         // text of the panic or fatal error
}

// Of reads the log of an execution of the machine.
func Of(t *trace.Trace) View {
	v := View{Logs: map[int]string{}}
	for b := t.Output; len(b) >= 3; b = b[3:] {
		for len(b) > 3 && b[0] < logEntry { // what testing prints is ASCII
			b = b[1:]
		}
		if b[0] < logEntry {
			break
		}
		n, x := int(b[0]-logEntry), int16(binary.LittleEndian.Uint16(b[1:]))
		switch x {
		case logBegin:
			v.Logs[n] += ""
		case logEnd:
			v.Logs[n] += " end"
		default:
			v.Logs[n] += fmt.Sprintf(" %d", x)
		}
	}
	if t.Status == trace.Failed {
		v.Failed = prelude.FailureText(t.Panic)
	}
	return v
}

// What the machine's log writes in place of a value.
const (
	logBegin = 0x7ffe
	logEnd   = prelude.LogEnd
	logEntry = 0x80 // added to the goroutine's number
)

func (v View) String() string {
	var parts []string
	for n, l := range v.Logs {
		parts = append(parts, fmt.Sprintf("%d:%s", n, l))
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ") + " " + v.Failed
}

// Parse reads what the harness prints of an outcome. If goroutines failed there is a view for each of them.
func Parse(s string) []View {
	v := View{Logs: map[int]string{}}
	var failures []string
	for _, part := range strings.Split(strings.TrimSuffix(s, ";"), ";") {
		var n int
		name, l, _ := strings.Cut(part, ":")
		fmt.Sscan(name, &n)
		if at := strings.Index(l, " failed "); at >= 0 {
			var text string
			fmt.Sscanf(l[at:], " failed %q", &text)
			failures = append(failures, text)
			l = l[:at]
		}
		v.Logs[n] = l
	}
	if len(failures) == 0 {
		return []View{v}
	}
	var vs []View
	for _, f := range failures {
		vs = append(vs, View{v.Logs, f})
	}
	return vs
}

// Among reports whether a native outcome is one of the machine's. If the program failed, the other goroutines may have
// been stopped anywhere on their way.
func (v View) Among(all map[string]View) bool {
	if v.Failed == "" {
		_, ok := all[v.String()]
		return ok
	}
next:
	for _, w := range all {
		if w.Failed != v.Failed {
			continue
		}
		for n, l := range v.Logs {
			if !strings.HasPrefix(w.Logs[n]+" ", l+" ") {
				continue next
			}
		}
		return true
	}
	return false
}
