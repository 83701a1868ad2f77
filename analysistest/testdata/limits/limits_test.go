// Package limits holds tests that do not end by themselves.
package limits

import (
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
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

// TestEmptiesPool expects a collection to empty a pool.
func TestEmptiesPool(t *testing.T) {
	go func() {}()
	var p sync.Pool
	p.Put(1)
	p.Put(2)
	if p.Get() != 1 || p.Get() != 2 {
		panic("not as on one processor")
	}
	p.Put(3)
	runtime.GC()
	runtime.GC()
	if p.Get() != nil {
		t.Error("not emptied")
	}
}

// TestClocks fails if what a goroutine reads of the clock is not later than what another one read before; with the machine's
// readings, which count for each goroutine, it is not.
func TestClocks(t *testing.T) {
	times, later := make(chan time.Time), make(chan bool)
	go func() {
		before := <-times
		later <- time.Now().After(before)
	}()
	time.Now()
	time.Now()
	times <- time.Now()
	if !<-later {
		t.Error("earlier")
	}
}

// TestMeasures fails where what the machine cannot measure is not what it wants.
func TestMeasures(t *testing.T) {
	go func() {}()
	if n := testing.AllocsPerRun(1, func() { sink = new(int) }); n != 1 {
		t.Errorf("%v allocations", n)
	}
}

var sink *int

// All schedules of it, one, end where its memory is used up.
func TestAllocatesMuch(t *testing.T) {
	c := make(chan []byte, 1)
	c <- make([]byte, 1<<31)
	(<-c)[5] = 1
}
