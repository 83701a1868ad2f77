package progen

import (
	"github.com/heddle-go/heddle/analysistest/progen/view"
	"testing"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestViewBesideOutput reads a log between lines that testing printed.
func TestViewBesideOutput(t *testing.T) {
	log := "--- FAIL: P1 (0.00s)\n\x81\x02\x00ab\x81\xff\x7f\n    c\x87\xfe\xff"
	v := view.Of(&trace.Trace{Output: []byte(log + "\nFAIL"), Status: trace.Failed, Failing: trace.Failing{Panic: "panic: Log in goroutine after P12/p has completed [recovered, repanicked]"}})
	if v.Logs[1] != " 2 end" || v.Logs[7] != " -2" || len(v.Logs) != 2 {
		t.Errorf("%v", v.Logs)
	}
	if want := "Log in goroutine after P/p has completed"; v.Failed != want {
		t.Errorf("%q, want %q", v.Failed, want)
	}
}

// TestOwnLogs asks what of a native view is unknown where union alone was exhausted.
func TestOwnLogs(t *testing.T) {
	o := &ownLogs{map[string]bool{ownLog(0, " 1 end"): true, ownLog(1, " 12 3 end"): true}, map[string]bool{"no": true}}
	for _, c := range []struct {
		v    view.View
		want string
	}{
		{view.View{Logs: map[int]string{0: " 1 end", 1: " 12 3 end"}, Failed: ""}, ""},
		{view.View{Logs: map[int]string{0: " 2 end"}, Failed: ""}, "goroutine 0 logs 2 end"},
		{view.View{Logs: map[int]string{1: " 12 3"}, Failed: ""}, "goroutine 1 logs 12 3"}, // blocked
		{view.View{Logs: map[int]string{1: " 12 3"}, Failed: "no"}, ""},                    // cut off
		{view.View{Logs: map[int]string{1: " 1"}, Failed: "no"}, "goroutine 1 logs 1"},
		{view.View{Logs: map[int]string{0: " 1 end"}, Failed: "yes"}, "failure yes"},
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

// TestLateUse gives the comparison a report of a race with the end of a test. Some execution must use the test too
// late, or have that race.
func TestLateUse(t *testing.T) {
	report := `
==================
WARNING: DATA RACE
Read at 0x00c000316dd3 by goroutine 817:
  testing.(*common).destination()
      /go/src/testing/testing.go:1064 +0x1cc
  programs.p0.func1()
      /tmp/programs.go:5 +0xc4

Previous write at 0x00c000316dd3 by goroutine 815:
  testing.tRunner.func1()
      /go/src/testing/testing.go:2023 +0x904
==================
`
	for _, known := range []struct {
		failed   string
		races    map[string]bool
		problems int
	}{
		{"Log in goroutine after P/p has completed: c", nil, 0},
		{"", map[string]bool{linePair("", "+4"): true}, 0},
		{"", map[string]bool{linePair("", "+5"): true}, 1},
		{"", nil, 1},
	} {
		v := view.View{Logs: map[int]string{}, Failed: known.failed}
		x := &Native{Programs: []*Program{{}}, views: []map[string]view.View{{v.String(): v}}, races: []map[string]bool{known.races},
			api: &apiKnown{own: []*ownLogs{nil}, starts: []int{1}}}
		c := &comparison{Native: x, seen: map[string]bool{}, tally: &NativeTally{}}
		c.raceReports(report)
		if reported := c.raceReports(report); len(c.problems) != known.problems || c.tally.Races != 1 || !reported[0] {
			t.Errorf("%+v: %v, %+v, %v", known, c.problems, *c.tally, reported)
		}
	}
}

// TestDiedAfterReport compares a test that panics after a report of the race detector, for which testing has failed it:
// what its t.Run returned is not compared, its panic is.
func TestDiedAfterReport(t *testing.T) {
	known := view.View{Logs: map[int]string{7: " 1 0 end"}, Failed: "send on closed channel"}
	failed := map[int]string{7: " 0 0 end"}
	for _, k := range []struct {
		v        view.View
		reported bool
		problems int
	}{
		{view.View{Logs: failed, Failed: known.Failed}, true, 0},
		{view.View{Logs: failed, Failed: known.Failed}, false, 1},
		{view.View{Logs: failed, Failed: "close of closed channel"}, true, 1},
		{view.View{Logs: failed, Failed: "Fail in goroutine after P has completed"}, true, 0}, // the report alone may do that
		{view.View{Logs: failed, Failed: "Fail in goroutine after P has completed"}, false, 1},
	} {
		for _, own := range []*ownLogs{nil, {map[string]bool{ownLog(7, " 1 0 end"): true}, map[string]bool{known.Failed: true}}} {
			x := &Native{Programs: []*Program{{}}, views: []map[string]view.View{{known.String(): known}}, races: []map[string]bool{nil}, api: &apiKnown{own: []*ownLogs{own}}}
			c := &comparison{Native: x, seen: map[string]bool{}, tally: &NativeTally{}}
			if c.died(0, k.v, k.reported); len(c.problems) != k.problems {
				t.Errorf("%+v: %v", k, c.problems)
			}
		}
	}
}

// TestOneKey gives a Map that is ranged over one key, whatever touches it, and leaves other Maps alone.
func TestOneKey(t *testing.T) {
	store := func() *Stmt { return stmt("sm.Store(2, 2)", "sm") }
	ranging := &Stmt{Text: []string{"sm.Range(func(k, w any) bool {", "return true\n})"}, Bodies: [][]*Stmt{{stmt("l.r(pair(sm.LoadOrStore(2, 1)))")}}}
	p := oneKey(&Program{Body: []*Stmt{store(), ranging, stmt("cm.l.Store(2, 2)")}})
	for i, want := range []string{"sm.Store(1, 2)", "sm.Range(func(k, w any) bool {", "cm.l.Store(2, 2)"} {
		if got := p.Body[i].Text[0]; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got, want := ranging.Bodies[0][0].Text[0], "l.r(pair(sm.LoadOrStore(1, 1)))"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if q := oneKey(&Program{Body: []*Stmt{store()}}); q.Body[0].Text[0] != "sm.Store(2, 2)" {
		t.Errorf("%s of a program without a Range", q.Body[0].Text[0])
	}
}
