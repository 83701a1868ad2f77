package report

import (
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// asked counts how often positions are asked for.
type asked struct {
	*places
	n int
}

func (a *asked) Position(s event.Site) token.Position {
	a.n++
	return a.places.Position(s)
}

// TestManyBlocked reports thousands of blocked goroutines in one line. What that takes grows with their number, and not
// with its square: for each goroutine some positions are asked for.
func TestManyBlocked(t *testing.T) {
	const many = 1000
	b := new(builder)
	f := &Finding{Category: GoroutineLeak, Witness: &b.t}
	start, wait := b.code("TestWait", "cache_test.go", 12, ""), b.code("(*Cache).Wait", "cache.go", 30, "ch")
	b.thread("G1", -1, -1)
	for i := range many {
		b.t.Events = append(b.t.Events, event.Event{Kind: event.Spawn, Other: int64(i + 1), Seq: int32(i), Site: start.Site})
		b.t.Stacks = append(b.t.Stacks, []trace.Frame{start})
		x := b.thread(fmt.Sprintf("G1.%d", i+1), 0, i)
		b.block(x, event.Op{Kind: event.ChanRecv, Loc: ch}, "chan receive", -1, wait)
		b.t.Threads[x].Leaked = true
		f.Threads = append(f.Threads, x)
	}
	v := b.view()
	src := &asked{places: &b.src}
	v.Source = src
	if got := v.Message(f); !strings.Contains(got, "G1.1 blocked") || !strings.Contains(got, "more") {
		t.Error(got)
	}
	if related := v.Related(f); len(related) != maxRelated {
		t.Errorf("%d related positions", len(related))
	}
	if src.n > 50*many {
		t.Errorf("positions were asked for %d times, for %d goroutines", src.n, many)
	}
}
