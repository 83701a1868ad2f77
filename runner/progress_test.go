package runner

import (
	"bytes"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// TestProgressLines: what is written where no terminal is depends on the number of executions alone.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out)
	for n := 1; n <= 4100; n++ {
		p.tell(explore.Place{Package: "example.com/p", Entry: "TestA", N: 1, Of: 2}, explore.Progress{Executions: n})
	}
	for n := 1; n <= 1500; n++ {
		p.tell(explore.Place{Package: "example.com/p", Entry: "TestB", N: 2, Of: 2}, explore.Progress{Executions: n})
	}
	p.clear()
	const want = `heddle: example.com/p: TestA (1 of 2): 1000 runs
heddle: example.com/p: TestA (1 of 2): 2000 runs
heddle: example.com/p: TestA (1 of 2): 4000 runs
heddle: example.com/p: TestB (2 of 2): 1000 runs
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
	p.tell(explore.Place{Package: "example.com/p", Entry: "TestA", N: 3, Of: 41}, explore.Progress{Executions: 812, Percent: 8})
	if !strings.Contains(out.String(), "example.com/p: TestA (3 of 41): 812 runs, 0 s; of its limits   8% |") || strings.Contains(out.String(), "\n") {
		t.Errorf("written: %q", &out)
	}
	out.Reset()
	p.clear()
	p.clear()
	if out.String() != eraseLine {
		t.Errorf("it is not taken away, once: %q", &out)
	}
}
