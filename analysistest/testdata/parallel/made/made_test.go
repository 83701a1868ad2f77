// Package made holds tests that run side by side, and share what was made before them, or what the first of them makes.
package made

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var (
	cell  *struct{ n, m int }
	text  *strings.Builder
	table map[string]int
)

func TestMain(m *testing.M) {
	cell = &struct{ n, m int }{}
	text = &strings.Builder{}
	table = map[string]int{}
	os.Exit(m.Run())
}

// Made by TestMain.

func TestCellA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	cell.n = 1 // want `data race: cell.n (?s:.*)\sin TestCellA\|TestCellB`
}

func TestCellB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	cell.n = 2
}

func TestTextA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	text.WriteString("a")
}

func TestTextB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	text.WriteString("b") // want `data race: (?s:.*)\sin TestTextA\|TestTextB`
}

func TestTableA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	table["a"] = 1 // want `data race: table (?s:.*)\sin TestTableA\|TestTableB`
}

func TestTableB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	_ = len(table)
}

// Made by the first that needs it.

var lazy = sync.OnceValue(func() *int { return new(int) })

func TestLazyA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*lazy() = 1 // want `data race: memory (?s:.*)\sin TestLazyA\|TestLazyB`
}

func TestLazyB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*lazy() = 2
}

var cache sync.Map

func stored(key string) *int {
	v, _ := cache.LoadOrStore(key, new(int))
	return v.(*int)
}

func TestStoredA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*stored("k") = 1 // want `data race: memory (?s:.*)\sin TestStoredA\|TestStoredB`
}

func TestStoredB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*stored("k") = 2
}

var pointer atomic.Pointer[int]

func TestPointerA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	pointer.CompareAndSwap(nil, new(int))
	*pointer.Load() = 1 // want `data race: memory (?s:.*)\sin TestPointerA\|TestPointerB`
}

func TestPointerB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	pointer.CompareAndSwap(nil, new(int))
	*pointer.Load() = 2
}

// Near misses.

func TestFieldA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	cell.m = 1
}

func TestFieldB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	_ = pointer.Load() == nil
}

var guarded = sync.OnceValue(func() *struct {
	sync.Mutex
	n int
} {
	return new(struct {
		sync.Mutex
		n int
	})
})

func TestGuardedA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	g := guarded()
	g.Lock()
	g.n++
	g.Unlock()
}

func TestGuardedB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	g := guarded()
	g.Lock()
	g.n++
	g.Unlock()
}

func TestOwnKeyA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*stored("a") = 1
}

func TestOwnKeyB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	*stored("b") = 1
}

var published atomic.Pointer[int]

func TestPublishedA(t *testing.T) { // verdict: exhausted
	t.Parallel()
	x := new(int)
	*x = 1
	published.Store(x)
}

func TestPublishedB(t *testing.T) { // verdict: exhausted
	t.Parallel()
	if x := published.Load(); x != nil {
		_ = *x
	}
}
