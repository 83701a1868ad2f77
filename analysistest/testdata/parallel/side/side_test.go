// Package side holds tests that run side by side, and what they share.
package side

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	plain  int
	table  = map[string]int{}
	cell   = &struct{ n int }{}
	text   strings.Builder
	guard  sync.Mutex
	nested int
	half   int
)

func bump() {
	nested++ // want `data race: nested (?s:.*)\sin TestDeepA\|TestDeepB`
}

// Races.

func TestPlainA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	plain++ // want `data race: plain (?s:.*)\sin TestPlainA\|TestPlainB`
}

func TestPlainB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	_ = plain
}

func TestMapA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	table["a"] = 1 // want `data race: table (?s:.*)\sin TestMapA\|TestMapB`
}

func TestMapB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	_ = len(table)
}

func TestPointerA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	t.Run("sub", func(t *testing.T) {
		t.Parallel()
		cell.n = 1 // want `data race: cell.n (?s:.*)\sin TestPointerA\|TestPointerB`
	})
}

func TestPointerB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	done := make(chan bool)
	go func() { _ = cell.n; close(done) }()
	<-done
}

func TestDeepA(t *testing.T) { // verdict: exhausted
	bump() // before all that runs in parallel
	t.Parallel()
	bump()
}

func TestDeepB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	bump()
}

func TestStdA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	text.WriteString("a")
}

func TestStdB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	text.WriteString("b") // want `data race: (?s:.*)\sin TestStdA\|TestStdB`
}

func TestHalfA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	guard.Lock()
	half++
	guard.Unlock()
}

func TestHalfB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	half++ // want `data race: half (?s:.*)\sin TestHalfA\|TestHalfB`
}

// Near misses.

var (
	locked   int
	count    atomic.Int64
	before   int
	elements [2]int
	once     sync.Once
	lazy     int
	gate     = make(chan bool, 2)
	handed   int
	constant = 7
)

func TestLockedA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	guard.Lock()
	defer guard.Unlock()
	locked++
}

func TestLockedB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	guard.Lock()
	defer guard.Unlock()
	locked++
}

func TestAtomicA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	count.Add(1)
	_ = constant
}

func TestAtomicB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	count.Add(1)
	_ = constant
}

func TestBeforeA(t *testing.T) { // verdict: exhausted
	before++
	t.Parallel()
}

func TestBeforeB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	_ = before
}

func TestElementsA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	elements[0]++
}

func TestElementsB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	elements[1]++
}

func TestOnceA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	once.Do(func() { lazy = 1 })
	_ = lazy
}

func TestOnceB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	once.Do(func() { lazy = 1 })
	_ = lazy
}

func TestHandedA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	handed = 1
	gate <- true
}

func TestHandedB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	select {
	case <-gate:
		handed = 2 // alone it never comes here
	default:
	}
}

func TestSerial(t *testing.T) { // verdict: exhausted
	plain++
	cell.n++
}

func TestSubtestsAlone(t *testing.T) { // verdict: exhausted
	for range 2 {
		t.Run("sub", func(t *testing.T) {
			t.Parallel()
			guard.Lock()
			defer guard.Unlock()
			plain++
		})
	}
}
