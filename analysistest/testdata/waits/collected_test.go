package waits

// This file depends on what the collector does: run finalizers and cleanups, and clear weak pointers. The machine does neither, and must not call such an
// entry exhausted.

import (
	"os"
	"runtime"
	"testing"
	"weak"
)

// finds:
func TestFinalizerRaces(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	x := 0
	_ = x
	p := new([16]int)
	runtime.SetFinalizer(p, func(*[16]int) { x = 1 })
	go runtime.GC()
	x = 2
}

// finds:
func TestCleanupRaces(t *testing.T) { // incomplete: runtime.AddCleanup: finalizers and cleanups are never run
	x := 0
	_ = x
	runtime.AddCleanup(new([16]int), func(int) { x = 1 }, 0)
	go runtime.GC()
	x = 2
}

// finds:
func TestWeakCleared(t *testing.T) { // incomplete: weak.Pointer.Value: weak pointers are never cleared
	w := weak.Make(new([16]int))
	done := make(chan bool)
	go func() {
		if w.Value() == nil {
			t.Error("collected")
		}
		close(done)
	}()
	<-done
}

// finds:
func TestFinalizerTakenBack(t *testing.T) {
	p := new([16]int)
	go runtime.SetFinalizer(p, nil)
}

// The standard library's own finalizers close files, and nobody can tell.
//
// finds:
func TestFinalizerOfFile(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	go f.Close()
}

// finds:
func TestWeakKept(t *testing.T) {
	p := new([16]int)
	a := weak.Make(p)
	done := make(chan bool)
	go func() { defer close(done); _ = weak.Make(p) == a }()
	<-done
}

// finds:
func TestWeakOfNothing(t *testing.T) {
	var w weak.Pointer[int]
	done := make(chan bool)
	go func() { defer close(done); _ = w.Value() == nil }()
	<-done
}
