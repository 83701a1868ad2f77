package progen

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestViewBesideOutput reads a log between lines that testing printed.
func TestViewBesideOutput(t *testing.T) {
	log := "--- FAIL: P1 (0.00s)\n\x81\x02\x00ab\x81\xff\x7f\n    c\x87\xfe\xff"
	v := viewOf(&trace.Trace{Output: []byte(log + "\nFAIL"), Status: trace.Failed, Panic: "panic: Log in goroutine after P12/p has completed [recovered, repanicked]"})
	if v.logs[1] != " 2 end" || v.logs[7] != " -2" || len(v.logs) != 2 {
		t.Errorf("%v", v.logs)
	}
	if want := "Log in goroutine after P/p has completed"; v.failed != want {
		t.Errorf("%q, want %q", v.failed, want)
	}
}

// TestOwnLogs asks what of a native view is unknown where union alone was exhausted.
func TestOwnLogs(t *testing.T) {
	o := &ownLogs{map[string]bool{ownLog(0, " 1 end"): true, ownLog(1, " 12 3 end"): true}, map[string]bool{"no": true}}
	for _, c := range []struct {
		v    view
		want string
	}{
		{view{map[int]string{0: " 1 end", 1: " 12 3 end"}, ""}, ""},
		{view{map[int]string{0: " 2 end"}, ""}, "goroutine 0 logs 2 end"},
		{view{map[int]string{1: " 12 3"}, ""}, "goroutine 1 logs 12 3"}, // blocked
		{view{map[int]string{1: " 12 3"}, "no"}, ""},                    // cut off
		{view{map[int]string{1: " 1"}, "no"}, "goroutine 1 logs 1"},
		{view{map[int]string{0: " 1 end"}, "yes"}, "failure yes"},
	} {
		if got := o.lacks(c.v); got != c.want {
			t.Errorf("%v lacks %q, want %q", c.v, got, c.want)
		}
	}
}

// TestRelativeLines names lines by the distance from their program.
func TestRelativeLines(t *testing.T) {
	starts := programStarts([]byte("package p\n\n// P0: seed 1\nfunc p0() {}\n// P1: seed 2\n"))
	if len(starts) != 2 || relativeTo(starts[0], "4") != "+1" || relativeTo(starts[1], "testing.go:7") != "testing.go:7" {
		t.Errorf("%v", starts)
	}
}
