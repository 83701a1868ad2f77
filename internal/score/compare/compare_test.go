package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/internal/score/heddle"
)

// TestCompare shows that what one explorer found and another did not is counted and named, whichever it is. An entry
// that was stopped does not count as one without findings.
func TestCompare(t *testing.T) {
	race, leak := heddle.Finding{Category: "datarace", Posn: "a.go:1:2", Token: "h1r"}, heddle.Finding{Category: "goroutineleak", Posn: "a.go:1:2", Token: "h1l"}
	again := race
	again.Token = "h1other"
	g := group{name: "g", tallies: make([]tally, 3)}
	all := []heddle.Entry{
		{Entry: "TestA", Verdict: "exhausted", Executions: 2, Findings: []heddle.Finding{race}},
		{Entry: "TestA", Verdict: "incomplete", Reason: "limit", Executions: 3, Findings: []heddle.Finding{leak, again}},
		{Entry: "TestA", Verdict: heddle.Stopped, Reason: "safety net", Executions: -1},
	}
	for i := range all {
		g.tallies[i].add(&all[i])
	}
	g.compare(&heddle.Package{Path: "./p"}, []string{"union", "systematic", "mcr"}, all)
	want := []tally{
		{exhausted: 1, executions: 2, findings: 1},
		{incomplete: 1, executions: 3, findings: 2, more: 1},
		{stopped: 1, less: 1},
	}
	if !slices.Equal(g.tallies, want) {
		t.Errorf("tallies %+v, want %+v", g.tallies, want)
	}
	notes := []string{
		"p TestA: union (exhausted) lacks goroutineleak at a.go:1:2, which systematic found: h1l",
		"p TestA: mcr was stopped: safety net",
		"p TestA: mcr (none: safety net) lacks datarace at a.go:1:2, which union found: h1r",
	}
	if !slices.Equal(g.notes, notes) {
		t.Errorf("notes:\n%s", strings.Join(g.notes, "\n"))
	}
}

// TestSame shows that a finding stays the same when goroutines change places, or when there is one more at the same
// place. A finding at another place is another one.
func TestSame(t *testing.T) {
	key := func(posn, message string) string {
		for k := range found(&heddle.Entry{Findings: []heddle.Finding{{Category: "goroutineleak", Posn: posn, Message: message}}}) {
			return k
		}
		return ""
	}
	a := key("x.go:3:1", "goroutine leak: G1.1 blocked in sync.Mutex.Lock at x.go:3 (held by G1.2), started at x.go:9; G1.2 blocked in chan receive at x.go:5, started at x.go:9; nothing")
	b := key("x.go:5:1", "goroutine leak: G1.1 blocked in chan receive at x.go:5, started at x.go:9; G1.2 blocked in sync.Mutex.Lock at x.go:3 (held by G1.1), started at x.go:9; nothing")
	if more := key("x.go:3:1", "goroutine leak: G1.1 blocked in sync.Mutex.Lock at x.go:3 (held by G1.2), started at x.go:9; G1.2 blocked in chan receive at x.go:5; G1.3 blocked in chan receive at x.go:5"); more != a {
		t.Errorf("%q, %q", a, more)
	}
	if want := "goroutineleak of chan receive at x.go:5, sync.Mutex.Lock at x.go:3"; a != want || b != want {
		t.Errorf("%q, %q, want %q", a, b, want)
	}
	for _, other := range []string{
		"goroutine leak: G1.1 blocked in sync.Mutex.Lock at x.go:3 (held by G1.2), started at x.go:9",
		"goroutine leak: G1.1 blocked in sync.Mutex.Lock at x.go:4 (held by G1.2), started at x.go:9; G1.2 blocked in chan receive at x.go:5, started at x.go:9",
	} {
		if key("x.go:3:1", other) == a {
			t.Errorf("the same as %s", other)
		}
	}
}

// TestGroups: there is no group of another name.
func TestGroups(t *testing.T) {
	c := comparison{explorers: []string{"union"}, match: regexp.MustCompile(""), progress: new(strings.Builder)}
	if err := c.run(new(strings.Builder), []string{"nosuch"}); err == nil || !strings.Contains(err.Error(), "nosuch") {
		t.Errorf("%v", err)
	}
}
