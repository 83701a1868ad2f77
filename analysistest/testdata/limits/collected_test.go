package limits

import (
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
	"weak"
)

// This file has tests that pass natively, by what a collection of garbage does. COLLECT1 and COLLECT2.

type cell struct{ next *cell }

func TestCollectsWeak(t *testing.T) {
	w := weak.Make(new(cell))
	runtime.GC()
	if w.Value() != nil {
		t.Fatal("not cleared")
	}
}

func TestCollectsWeakPanics(t *testing.T) {
	w := weak.Make(new(cell))
	runtime.GC()
	if w.Value() != nil {
		panic("not cleared")
	}
}

func TestCollectsWeakPolls(t *testing.T) {
	w := weak.Make(new(cell))
	for w.Value() != nil {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

func TestCollectsWeakWaits(t *testing.T) {
	w := weak.Make(new(cell))
	runtime.GC()
	c := make(chan int)
	go func() {
		if w.Value() == nil {
			c <- 1
		}
	}()
	<-c
}

func TestCollectsPool(t *testing.T) {
	var p sync.Pool
	p.Put(new(cell))
	runtime.GC()
	runtime.GC()
	if p.Get() != nil {
		panic("not emptied")
	}
}

func TestCollectsFinalizer(t *testing.T) {
	c := make(chan int, 1)
	x := new(cell)
	runtime.SetFinalizer(x, func(*cell) { c <- 1 })
	runtime.GC()
	time.Sleep(time.Second)
	select {
	case <-c:
	default:
		os.Exit(3)
	}
}
