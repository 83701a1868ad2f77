package locks

import (
	"math"
	"sync"
	"testing"
)

// This file has keys of a sync.Map that are not equal to themselves: nobody finds them again but Range.

// values returns the values that Range visits.
func values(m *sync.Map) (out []any) {
	m.Range(func(_, v any) bool {
		out = append(out, v)
		return true
	})
	return out
}

func TestNaNTwice(t *testing.T) {
	var m sync.Map
	both(func() { m.Store(math.NaN(), 1) }, func() { m.LoadOrStore(math.NaN(), 2) })
	if v := values(&m); len(v) != 2 || v[0] == v[1] {
		t.Error(v)
	}
	if _, ok := m.Load(math.NaN()); ok {
		t.Error("found")
	}
}

// finds: testfailure
func TestNaNInOrder(t *testing.T) { // either may come in first
	var m sync.Map
	both(func() { m.Store(math.NaN(), 1) }, func() { m.Swap(math.NaN(), 2) })
	if v := values(&m); len(v) != 2 {
		panic(v)
	} else if v[0] == 2 {
		t.Error(v)
	}
}

// finds: testfailure
func TestNaNBeside(t *testing.T) { // whether it is met is open
	var m sync.Map
	m.Store(math.NaN(), 1)
	n := 0
	both(func() { m.Store(math.NaN(), 2) }, func() {
		m.Range(func(_, v any) bool {
			n++
			return true
		})
	})
	switch n {
	case 1:
		t.Error("one")
	case 2:
		t.Error("both")
	default:
		panic(n)
	}
}

// finds: testfailure
func TestNaNInCallback(t *testing.T) {
	var m sync.Map
	m.Store(math.NaN(), 1)
	go func() {}()
	n := 0
	m.Range(func(_, v any) bool {
		if n++; n < 3 {
			m.Store(math.NaN(), n+1)
		}
		return true
	})
	if n == 0 || n > 3 {
		panic(n)
	}
	t.Error(n)
}

func TestNaNInStruct(t *testing.T) {
	type key struct {
		name string
		f    float64
	}
	var m sync.Map
	both(func() { m.Store(key{"a", math.NaN()}, 1) }, func() { m.Store(key{"b", 0}, 2) })
	m.Delete(key{"a", math.NaN()})
	m.CompareAndDelete(key{"a", math.NaN()}, 1)
	if v := values(&m); len(v) != 2 {
		t.Error(v)
	}
}

func TestNaNCleared(t *testing.T) { // what was there is met all the same
	var m sync.Map
	m.Store(math.NaN(), 1)
	m.Store(math.NaN(), 2)
	go func() {}()
	n := 0
	m.Range(func(_, v any) bool {
		n++
		m.Clear()
		return true
	})
	if n != 2 || len(values(&m)) != 0 {
		t.Error(n)
	}
}

// finds: datarace
func TestNaNRaces(t *testing.T) { // the value is published by the Map
	var m sync.Map
	both(func() {
		x := new(int)
		*x = 1
		m.Store(math.NaN(), x)
		*x = 2
	}, func() {
		for _, v := range values(&m) {
			*v.(*int)++
		}
	})
}
