package waits

// This file depends on what the machine does not do: run finalizers and cleanups, clear weak pointers, and change a string whose bytes are written. It must not call such an
// entry exhausted.

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
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

// A closer takes its finalizer back.
type closer struct {
	mu     sync.Mutex
	n      int
	closed bool
}

func openCloser() *closer {
	c := new(closer)
	runtime.SetFinalizer(c, (*closer).Close)
	return c
}

func (c *closer) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func (c *closer) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	runtime.SetFinalizer(c, nil)
}

// finds:
func TestTakenBack(t *testing.T) {
	c := openCloser()
	t.Cleanup(c.Close)
	done := make(chan bool)
	go func() { c.add(); close(done) }()
	c.add()
	<-done
}

// finds:
func TestTakenBackTwice(t *testing.T) {
	c := openCloser()
	go c.add()
	c.Close()
	runtime.SetFinalizer(c, (*closer).Close)
	c.Close()
}

// Nobody takes it back if the other one comes first.
//
// finds:
func TestTakenBackSometimes(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	c, d := openCloser(), make(chan bool, 1)
	go func() { d <- true }()
	select {
	case <-d:
	default:
		c.Close()
	}
}

// finds:
func TestTakenBackByOther(t *testing.T) {
	c := openCloser()
	done := make(chan bool)
	go func() { c.Close(); close(done) }()
	<-done
}

// finds:
func TestTakenBackBesideSet(t *testing.T) {
	done := make(chan bool)
	go func() { openCloser().Close(); close(done) }()
	<-done
}

// finds:
func TestTakenBackByBoth(t *testing.T) {
	c := openCloser()
	done := make(chan bool)
	go func() { c.Close(); close(done) }()
	c.Close()
	<-done
}

// The other one may take it back before it is set (FINAL2).
//
// finds:
func TestTakenBackTooSoon(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	c := new(closer)
	done := make(chan bool)
	go func() { runtime.SetFinalizer(c, nil); close(done) }()
	runtime.SetFinalizer(c, (*closer).Close)
	<-done
}

// Natively it may be set twice, which is the end of the program (FINAL5).
//
// finds:
func TestTakenBackSetByTwo(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	c := new(closer)
	done := make(chan bool)
	both := func() {
		runtime.SetFinalizer(c, (*closer).Close)
		runtime.SetFinalizer(c, nil)
	}
	go func() { both(); close(done) }()
	both()
	<-done
}

// It stays set where the test has come to its end.
//
// finds: goroutineleak
func TestTakenBackBehindLeak(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	go func() {
		c := openCloser()
		<-make(chan bool)
		c.Close()
	}()
}

// finds:
func TestTakenBackLate(t *testing.T) {
	go func() {
		c := openCloser()
		time.Sleep(time.Second)
		c.Close()
	}()
}

// finds: deadlock
func TestTakenBackBehindDeadlock(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	c, d := openCloser(), make(chan bool)
	go c.add()
	<-d
	c.Close()
}

// finds: panics
func TestTakenBackOrPanic(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	c := openCloser()
	go func() { panic("no") }()
	c.Close()
}

// A Pool may drop it (FINAL3).
//
// finds:
func TestTakenBackPooled(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	var p sync.Pool
	p.Put(openCloser())
	go runtime.Gosched()
	if c, ok := p.Get().(*closer); ok {
		c.Close()
	}
}

// Natively that is the end of the program (FINAL5).
//
// finds:
func TestTakenBackOnce(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	c := openCloser()
	go c.add()
	runtime.SetFinalizer(c, (*closer).Close)
	c.Close()
}

// Whether it is set is part of the state, though no event says so, and no word of memory.
//
// finds:
func TestTakenBackElsewhere(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	either := func() (first bool) {
		c := make(chan int)
		go func() { c <- 1 }()
		select {
		case <-c:
			return true
		default:
			<-c
			return false
		}
	}
	c := new(closer)
	f := any((*closer).Close)
	if either() {
		runtime.SetFinalizer(c, f)
	}
	f = nil
	if either() {
		runtime.SetFinalizer(c, nil)
	}
}

// A weak pointer may find it gone (FINAL3).
//
// finds:
func TestTakenBackWeak(t *testing.T) { // incomplete: runtime.SetFinalizer: finalizers and cleanups are never run
	w := weak.Make(openCloser())
	go runtime.Gosched()
	w.Value().Close()
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

func text(b []byte) string { return unsafe.String(&b[0], len(b)) }

// A string of bytes that are written later changes natively, and is a value here.
//
// finds:
func TestRewrittenString(t *testing.T) { // incomplete: unsafe.String, whose bytes are written later
	b := []byte("abc")
	s := text(b)
	done := make(chan bool)
	go func() { b[0] = 'x'; close(done) }()
	if s[0] == 'x' {
		t.Error(s)
	}
	<-done
}

// Natively this never fails.
//
// finds:
func TestRewrittenCopy(t *testing.T) { // incomplete: unsupported function unsafe.String, whose bytes are written later
	b := []byte("abc")
	c, done := make(chan bool), make(chan bool)
	go func() { <-c; b[0] = 'x'; close(done) }()
	s := text(b)
	close(c)
	<-done
	if s != "xbc" {
		t.Error(s)
	}
}

// What is written beside the string is none of its bytes.
//
// finds:
func TestRewrittenBeside(t *testing.T) {
	b := []byte("abcd")
	s := text(b[:3])
	done := make(chan bool)
	go func() { b[3] = 'x'; close(done) }()
	_ = s
	<-done
}

// finds: datarace
func TestRewrittenBefore(t *testing.T) { // incomplete: unsafe.String, whose bytes are written later
	b := []byte("abc")
	done := make(chan bool)
	go func() { b[0] = 'x'; close(done) }()
	_ = text(b)
	<-done
}

// A Builder appends behind the strings that it has made.
//
// finds:
func TestBuilderGoesOn(t *testing.T) {
	var mu sync.Mutex
	var b strings.Builder
	b.Grow(8)
	done := make(chan bool)
	add := func() {
		mu.Lock()
		defer mu.Unlock()
		b.WriteString("a")
		_ = b.String()
	}
	go func() { add(); close(done) }()
	add()
	<-done
}
