package outcomes

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
)

// Writes to maps are named by what they write (UMAP2). Each of these reads a map after writes in any order, of which
// some do the same.

// both runs two functions, each in its own order under one lock.
func both(f, g []func()) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, fs := range [][]func(){f, g} {
		wg.Go(func() {
			for _, f := range fs {
				mu.Lock()
				f()
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// ranged is a map as a range sees it, in its order.
func ranged[K comparable, V any](m map[K]V) string {
	var b strings.Builder
	for k, v := range m {
		fmt.Fprintf(&b, "%v:%v ", k, v)
	}
	return b.String()
}

func TestMapOrder(t *testing.T) {
	m := map[string]int{}
	both([]func(){func() { m["a"] = 1 }, func() { delete(m, "a") }}, []func(){func() { m["b"] = 1 }, func() { m["a"] = 1 }})
	if s := ranged(m); len(s) > 20 {
		t.Error(s)
	}
	if m["a"] == 0 {
		t.Error("gone")
	}
}

func TestMapEqualWrites(t *testing.T) {
	m := map[int]string{}
	both([]func(){func() { m[1] = "x" }, func() { m[1] = "y" }}, []func(){func() { m[1] = "x" }})
	if m[1] == "x" {
		t.Error(ranged(m))
	}
}

// Keys that are equal and differ in their bytes.
func TestMapZeroKeys(t *testing.T) {
	m := map[float64]int{}
	zero := 0.0
	both([]func(){func() { m[zero] = 1 }}, []func(){func() { m[math.Copysign(zero, -1)] = 1 }})
	for k := range m {
		if math.Signbit(k) {
			t.Error("minus")
		}
	}
}

// Elements that are equal but for what they point to.
func TestMapPointers(t *testing.T) {
	m := map[string]*int{}
	x, y := 1, 2
	both([]func(){func() { m["k"] = &x }}, []func(){func() { m["k"] = &y }})
	if *m["k"] == 2 {
		t.Error("y")
	}
}

// Texts at one address with different contents.
func TestMapTexts(t *testing.T) {
	var mu sync.Mutex
	m, n := map[any]string{}, 0
	both([]func(){func() { mu.Lock(); n++; mu.Unlock(); m[fmt.Sprint("k", n)] = fmt.Sprint("v", n) }}, []func(){func() { n++ }})
	if m["k2"] == "v2" {
		t.Error(ranged(m))
	}
}

func TestMapCleared(t *testing.T) {
	m := map[int]bool{3: true}
	both([]func(){func() { clear(m) }, func() { m[1] = true }}, []func(){func() { clear(m) }, func() { m[3] = true }})
	if len(m) == 1 {
		t.Error(ranged(m))
	}
}

func TestMapNaN(t *testing.T) {
	m := map[float64]int{}
	both([]func(){func() { m[math.NaN()] = 1 }}, []func(){func() { m[math.NaN()] = 2 }})
	if s := ranged(m); strings.HasPrefix(s, "NaN:2") {
		t.Error(s)
	}
}
