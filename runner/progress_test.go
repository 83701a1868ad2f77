package runner

import (
	"bytes"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// TestProgressLines: what is written where no terminal is depends on the number of executions alone.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	for n := 1; n <= 4100; n++ {
		p.tell("example.com/p", "TestA", explore.Progress{Executions: n, Behaviours: 2 * n, Waiting: 7})
	}
	for n := 1; n <= 1500; n++ {
		p.tell("example.com/p", "TestB", explore.Progress{Executions: n, Behaviours: n, Waiting: -1})
	}
	p.clear()
	const want = `heddle: example.com/p TestA: 1000 executions, 2000 behaviours, 7 to look at
heddle: example.com/p TestA: 2000 executions, 4000 behaviours, 7 to look at
heddle: example.com/p TestA: 4000 executions, 8000 behaviours, 7 to look at
heddle: example.com/p TestB: 1000 executions, 1000 behaviours
`
	if out.String() != want {
		t.Errorf("written:\n%swant:\n%s", &out, want)
	}
}

// TestProgressBar: on a terminal one line is drawn, and taken away.
func TestProgressBar(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	p.shown = true
	p.tell("example.com/p", "TestA", explore.Progress{Executions: 1, Behaviours: 3, Waiting: 2})
	if !bytes.Contains(out.Bytes(), []byte("example.com/p TestA: 1 executions, 3 behaviours, 2 to look at")) || bytes.Contains(out.Bytes(), []byte("\n")) {
		t.Errorf("written: %q", &out)
	}
	p.clear()
	if s := out.String(); s[len(s)-1] != '\r' {
		t.Errorf("it is not taken away: %q", s)
	}
}
