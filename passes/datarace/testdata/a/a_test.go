package a

import (
	"maps"
	"sync"
	"testing"
)

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

func TestLen(t *testing.T) { // verdict: exhausted
	var c C
	both(c.Add, func() { _ = c.Len() })
}

func TestLocked(t *testing.T) { // verdict: exhausted
	var c C
	both(c.Add, func() { _ = c.LockedLen() })
	_ = c.n // after both
}

func TestMixed(t *testing.T) { // verdict: exhausted
	var f Flag
	both(func() { f.Mixed() }, func() { f.Mixed() })
}

func TestAtomic(t *testing.T) { // verdict: exhausted
	var f Flag
	both(func() { f.Atomic() }, func() { f.Atomic() })
}

func TestMap(t *testing.T) { // verdict: exhausted
	m := map[string]int{"a": 1}
	both(
		func() { m["b"] = 2 }, // want `data race: m written here by G1\.1, read at \S+:\d+ by G1\.2\n.*\n\tin TestMap`
		func() { _ = m["a"] },
	)
}

func TestReadsOnly(t *testing.T) { // verdict: exhausted
	m := map[string]int{"a": 1}
	both(func() { _ = m["a"] }, func() { _ = m["a"] })
}

func TestChannelOrders(t *testing.T) { // verdict: exhausted
	x := 0
	ch := make(chan bool)
	go func() {
		x = 1
		ch <- true
	}()
	<-ch
	x++
	_ = x
}

// A builtin function that a go statement starts stands at the statement.
func TestGoBuiltin(t *testing.T) { // verdict: exhausted
	m := map[string]int{"a": 1}
	c := make(chan bool)
	go delete(m, "a") // want `data race: m written here by G1\.1, read at a_test.go:\d+ by G1\.2\n.*\n\tin TestGoBuiltin`
	go func() {
		_ = m["a"]
		c <- true
	}()
	<-c
}

// The variable of a range over a function is called what the range statement calls it.
func TestRangeFunc(t *testing.T) { // verdict: exhausted
	m := map[string]*int{"a": new(int)}
	c := make(chan bool)
	go func() {
		*m["a"] = 1 // want `data race: number written here by G1\.1, read at a_test.go:\d+ by G1\n.*\n\tin TestRangeFunc`
		c <- true
	}()
	for number := range maps.Values(m) {
		_ = *number
	}
	<-c
}
