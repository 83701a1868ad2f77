// Package limits holds tests that do not end by themselves.
package limits

import (
	"reflect"
	"runtime"
	"testing"
)

func TestForever(t *testing.T) {
	go func() {}()
	for {
	}
}

func TestAllocates(t *testing.T) {
	go func() {}()
	var l [][]byte
	for {
		l = append(l, make([]byte, 1<<20))
	}
}

func TestRecurses(t *testing.T) {
	go func() {}()
	var f func(int) int
	f = func(n int) int { return f(n+1) + 1 }
	f(0)
}

func TestLacks(t *testing.T) {
	go func() {}()
	runtime.MemProfile(nil, true)
}

// TestReflects calls t.Failed where nothing in the code says so.
func TestReflects(t *testing.T) {
	reflect.ValueOf(t).MethodByName("Failed").Call(nil)
}
