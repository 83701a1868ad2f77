package sdg_test

import (
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/sdg"
)

// A watched lock knows whether it is held.
type watched struct {
	sync.Mutex
	held  bool
	times int
}

func (w *watched) Lock() {
	w.Mutex.Lock()
	w.held = true
	w.times++
}

func (w *watched) Unlock() {
	w.held = false
	w.Mutex.Unlock()
}

// TestReading shows that Reading is held while the calls of a program are followed, and not while Body is called, which
// waits for those who hold it.
func TestReading(t *testing.T) {
	long.Only(t, "loads a closed program")
	p := closed(t, "errors")
	w := new(watched)
	sdg.NewSystem(sdg.Config{Roots: p.Roots(), Reading: w, Body: func(fn *ssa.Function) *ssa.Function {
		if w.held {
			t.Error("Body is called under Reading")
		}
		return p.Body(fn)
	}})
	if w.held || w.times < 2 {
		t.Errorf("it was held %d times, and is now: %v", w.times, w.held)
	}
}
