// Package quiet holds correct programs in which an explorer that is not careful finds something.
package quiet

import (
	"fmt"
	"sync"
	"testing"
)

// A group is errgroup.Group in a few lines.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error {
	g.wg.Wait()
	return g.err
}

// gather returns a variable that its goroutines write beside the call that waits for them: gc reads it after the call.
func gather() (int, error) {
	var g group
	v := 0
	g.Go(func() error { v = 42; return nil })
	return v, g.Wait()
}

func gatherSlice() ([]string, error) {
	var g group
	v := make([]string, 2)
	for i := range v {
		g.Go(func() error { v[i] = "x"; return nil })
	}
	return v, g.Wait()
}

type result struct{ n int }

func gatherField() (int, error) {
	var g group
	r := new(result)
	g.Go(func() error { r.n = 7; return nil })
	return r.n, g.Wait()
}

func TestReturnAndWait(t *testing.T) {
	if v, err := gather(); v != 42 || err != nil {
		t.Error(v, err)
	}
	if v, err := gatherSlice(); v[0]+v[1] != "xx" || err != nil {
		t.Error(v, err)
	}
	if v, err := gatherField(); v != 7 || err != nil {
		t.Error(v, err)
	}
}

func two(f func()) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() {
			f()
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
}

func TestPlain(t *testing.T) { two(func() {}) }

func TestPrinting(t *testing.T) {
	two(func() {
		s := fmt.Sprintf("%d %s %v %x", 1, "a", []int{1, 2}, 3.5)
		t.Log(s)
		fmt.Println(s)
	})
}
