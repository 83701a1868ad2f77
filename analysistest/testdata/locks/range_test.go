package locks

import (
	"fmt"
	"sync"
	"testing"
)

// visited returns the keys that Range visits.
func visited(m *sync.Map, f func(k int)) (out string) {
	m.Range(func(k, _ any) bool {
		out += fmt.Sprint(k, " ")
		f(k.(int))
		return true
	})
	return out
}

// finds: testfailure
func TestRangeStoreBeside(t *testing.T) {
	var m sync.Map
	m.Store(1, 0)
	both(func() { m.Store(2, 0); m.Store(3, 0) }, func() {
		if s := visited(&m, func(int) {}); s == "1 3 " {
			t.Error("met the later one alone")
		}
	})
}

// finds: testfailure
func TestRangeStoreMeanwhile(t *testing.T) { // whether the one that came in is met is open
	var m sync.Map
	m.Store(1, 0)
	in, go_ := make(chan bool), make(chan bool)
	go func() { <-go_; m.Store(2, 0); in <- true }()
	s := visited(&m, func(k int) {
		if k == 1 {
			go_ <- true
			<-in
		}
	})
	t.Error(s)
}

// finds: testfailure
func TestRangeStoreInCallback(t *testing.T) {
	var m sync.Map
	m.Store(1, 0)
	m.Store(2, 0)
	go func() {}()
	t.Error(visited(&m, func(k int) {
		if k < 3 {
			m.Store(k+2, 0)
		}
	}))
}

func TestRangeClearInCallback(t *testing.T) { // what was there is met all the same, and what comes after is not
	var m sync.Map
	m.Store(1, 0)
	m.Store(2, 0)
	go func() {}()
	if s := visited(&m, func(int) { m.Clear(); m.Store(3, 0) }); s != "1 2 " {
		t.Error(s)
	}
}

// finds: testfailure
func TestRangeClearBeside(t *testing.T) {
	var m sync.Map
	m.Store(1, 0)
	m.Store(2, 0)
	both(func() { m.Clear(); m.Store(3, 0) }, func() { t.Error(visited(&m, func(int) {})) })
}

func TestRangeDeleteInCallback(t *testing.T) { // a key is met once, and not when it is gone
	var m sync.Map
	m.Store(1, 0)
	m.Store(2, 0)
	go func() {}()
	if s := visited(&m, func(int) { m.Delete(1); m.Delete(2); m.Store(1, 1) }); s != "1 " {
		t.Error(s)
	}
}

// finds: testfailure
func TestRangeEmpty(t *testing.T) {
	var m sync.Map
	both(func() { m.Store(1, 0); m.Store(2, 0) }, func() { t.Error(visited(&m, func(int) {})) })
}

func TestRangeAlone(t *testing.T) { // no other key comes in
	var m sync.Map
	m.Store(1, 0)
	both(func() { m.Load(1); m.Store(1, 2) }, func() {
		if s := visited(&m, func(int) {}); s != "1 " {
			t.Error(s)
		}
	})
}

// finds: testfailure
func TestRangeDeleteBeside(t *testing.T) { // a key that is gone before its turn is not met, and one that was met stays so
	var m sync.Map
	m.Store(1, 0)
	m.Store(2, 0)
	both(func() { m.Delete(2); m.Delete(1) }, func() {
		switch s := visited(&m, func(int) {}); s {
		case "1 ":
			t.Error("the second had gone")
		case "2 ":
			panic("the second goes first")
		}
	})
}

func TestRangeStoreAgain(t *testing.T) { // a key that goes and comes back is met at most once
	var m sync.Map
	m.Store(1, 0)
	both(func() { m.Delete(1); m.Store(1, 2) }, func() {
		if s := visited(&m, func(int) {}); s == "1 1 " {
			t.Error(s)
		}
	})
}

func TestRangeTwo(t *testing.T) { // each goes through the table that it has begun with
	var m sync.Map
	m.Store(1, 0)
	m.Store(2, 0)
	var a, b string
	both(func() { a = visited(&m, func(int) { m.Clear() }) }, func() { b = visited(&m, func(int) {}) })
	if a != "1 2 " || b != "1 2 " && b != "" {
		t.Error(a, b)
	}
}
