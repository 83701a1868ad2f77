// Package merging has programs in which two histories of a goroutine lead to what looks like one state, and is not; and some where it is.
package merging

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// write starts a goroutine that writes 1 and then 2, and returns what it writes.
func write() *atomic.Int32 {
	v := new(atomic.Int32)
	go func() {
		v.Store(1)
		v.Store(2)
	}()
	return v
}

// TestOwnMemory: what was read is kept in memory that others could reach, and that nobody else touches.
func TestOwnMemory(t *testing.T) {
	v := write()
	own := new(int32)
	go func() { _ = &own }()
	go func() {
		*own = v.Load()
		v.Load()
		if *own == 1 {
			panic("one")
		}
	}()
}

// TestOwnVariable: likewise, in a variable of the package.
func TestOwnVariable(t *testing.T) {
	v := write()
	kept = v.Load()
	v.Load()
	if kept == 2 {
		panic("two")
	}
}

var kept int32

// TestIndexLater: an index is part of a store that comes later.
func TestIndexLater(t *testing.T) {
	v := write()
	var mu sync.Mutex
	a := make([]int, 3)
	k := v.Load()
	p := &a[k]
	mu.Lock()
	*p = 1
	mu.Unlock()
	if a[1] == 1 {
		panic("one")
	}
}

// TestConditionLater: a comparison is part of a branch that comes later.
func TestConditionLater(t *testing.T) {
	v := write()
	var mu sync.Mutex
	k := v.Load()
	one := k == 1
	mu.Lock()
	mu.Unlock()
	if one {
		panic("one")
	}
}

// TestPhi: which way was taken is in a phi.
func TestPhi(t *testing.T) {
	v := write()
	k := 0
	if v.Load() == 1 {
		k = 1
	}
	v.Load()
	if k == 1 {
		panic("one")
	}
}

// TestPhiLater: what was read is an operand of a phi, and the block does more before its end.
func TestPhiLater(t *testing.T) {
	v := write()
	k := int32(0)
	if kept == 0 {
		k = v.Load()
		v.Load()
	}
	if k == 1 {
		panic("one")
	}
}

// TestDeferred: what was read is an argument of a deferred call.
func TestDeferred(t *testing.T) {
	v := write()
	func() {
		k := v.Load()
		defer func(k int32) {
			v.Load()
			if k == 1 {
				panic("one")
			}
		}(k)
		k = 0
		v.Load()
	}()
}

// TestRecovered: what was read is a named result, which a recovered panic returns.
func TestRecovered(t *testing.T) {
	v := write()
	got := func() (k int32) {
		defer func() { recover() }()
		k = v.Load()
		v.Load()
		panic("recovered")
	}()
	v.Load()
	if got == 1 {
		panic("one")
	}
}

// TestOuterFrame: what was read is in the frame of a caller.
func TestOuterFrame(t *testing.T) {
	v := write()
	k := v.Load()
	again(v)
	if k == 1 {
		panic("one")
	}
}

//go:noinline
func again(v *atomic.Int32) { v.Load() }

// TestClosure: what was read is in a closure, a slice, an interface, a map and a string.
func TestClosure(t *testing.T) {
	v := write()
	k := v.Load()
	f := func() bool { return k == 1 }
	v.Load()
	if f() {
		panic("one")
	}
}

func TestSlice(t *testing.T) {
	v := write()
	s := []*int32{new(int32)}
	*s[0] = v.Load()
	v.Load()
	if *s[0] == 1 {
		panic("one")
	}
}

func TestInterface(t *testing.T) {
	v := write()
	var x any = v.Load()
	v.Load()
	if x.(int32) == 1 {
		panic("one")
	}
}

func TestMap(t *testing.T) {
	v := write()
	m := map[int32]bool{v.Load(): true}
	v.Load()
	if m[1] {
		panic("one")
	}
}

func TestString(t *testing.T) {
	v := write()
	s := string([]byte{byte(v.Load())})
	v.Load()
	if s == "\x01" {
		panic("one")
	}
}

// TestChannel: what was read is in a channel of the goroutine's own.
func TestChannel(t *testing.T) {
	v := write()
	c := make(chan int32, 1)
	c <- v.Load()
	v.Load()
	if <-c == 1 {
		panic("one")
	}
}

// TestLocks: what was read decides which lock is held.
func TestLocks(t *testing.T) {
	v := write()
	var a, b sync.Mutex
	go func() {
		a.Lock()
		a.Unlock()
	}()
	if v.Load() == 1 {
		a.Lock()
	} else {
		b.Lock()
	}
}

// TestChildren: what was read decides how many goroutines were started.
func TestChildren(t *testing.T) {
	v := write()
	if v.Load() == 1 {
		go func() {}()
	} else {
		v.Load()
	}
	go func() {
		if v.Load() == 0 {
			panic("zero")
		}
	}()
}

// TestSilence: what was read is kept by package testing, which makes no events.
func TestSilence(t *testing.T) {
	v := write()
	if v.Load() == 1 {
		t.Fail()
	} else {
		v.Load()
	}
	v.Load()
	if t.Failed() {
		panic("one")
	}
}

// TestReachable: a register that is not read again keeps a channel reachable, for which a goroutine waits.
func TestReachable(t *testing.T) {
	v := write()
	go func() {
		c := wait(v)
		if len(c) > 0 {
			panic("full")
		}
		<-never // never is reachable, so this is no leak
	}()
}

var never = make(chan int)

//go:noinline
func wait(v *atomic.Int32) chan int {
	a, b := make(chan int), make(chan int)
	go func() { <-a }()
	go func() { <-b }()
	if v.Load() == 1 {
		return b
	}
	return a
}

// TestAllocated: what was read decides how many objects were made, and so what the next one is called.
func TestAllocated(t *testing.T) {
	v := write()
	if v.Load() == 1 {
		shared.Store(new(int32))
	} else {
		shared.Store(nil)
	}
	p := new(int32)
	shared.Store(p)
	go func() { *p = 1 }()
	if *p == 1 {
		panic("one")
	}
}

var shared atomic.Pointer[int32]

// TestEqual: what was read does not matter any more.
func TestEqual(t *testing.T) {
	var v atomic.Int32
	for range 2 {
		go func() {
			for range 2 {
				v.Store(v.Load() + 1)
			}
		}()
	}
}

// What the goroutine does next depends on the time behind the operation, and one operation is made at two times: rule UTIME4 of package spec.
func TestToldBehind(t *testing.T) {
	var mu sync.Mutex
	began := time.Now()
	go func() {
		mu.Lock()
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}()
	mu.Lock()
	if time.Since(began) >= time.Millisecond {
		panic("late")
	}
	mu.Unlock()
}

// Two states differ in the time alone, and somebody reads the clock later: rule RED14 of package reduce.
func TestToldLater(t *testing.T) {
	began := time.Now()
	late(time.Millisecond)
	late(2 * time.Millisecond)
	late(4 * time.Millisecond)
	panic([]string{"at once", "1 ms", "2 ms", "3 ms", "4 ms", "5 ms", "6 ms", "7 ms"}[time.Since(began)/time.Millisecond])
}

// late may take long.
func late(d time.Duration) {
	var x atomic.Int32
	done := make(chan bool)
	go func() {
		if x.Load() == 1 {
			time.Sleep(d)
		}
		close(done)
	}()
	x.Store(1)
	<-done
}

// Two states differ in how long somebody still sleeps: rule UTIME9 of package spec.
func TestSleepsOn(t *testing.T) {
	var w, x, y, z atomic.Int32
	for _, v := range []*atomic.Int32{&y, &z} {
		go func() {
			if x.Load() == 1 {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(2 * time.Millisecond)
			v.Store(1)
		}()
	}
	go func() {
		time.Sleep(1200 * time.Microsecond)
		w.Store(1)
	}()
	x.Store(1)
	time.Sleep(1200 * time.Microsecond)
	w.Load()
	time.Sleep(1300 * time.Microsecond)
	panic([]string{"neither", "the second", "the first", "both"}[2*y.Load()+z.Load()])
}

// Who has waited for a timer looks at what it sent.
func TestTickSeen(t *testing.T) {
	var mu sync.Mutex
	began := time.Now()
	go func() {
		mu.Lock()
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}()
	mu.Lock()
	mu.Unlock()
	if (<-time.After(time.Millisecond)).Sub(began) >= 2*time.Millisecond {
		panic("late")
	}
}

// TestFreePlace: which of two addresses is free again is a matter of what was read.
func TestFreePlace(t *testing.T) {
	v := write()
	far(v.Load(), 1, 2, 3, 4, 5, 6, 7)
	v.Load()
	if place(new(int32))%2 == 1 {
		v.Load()
		panic("one")
	}
}

// far has give leave nothing behind where its caller goes on.
//
//go:noinline
func far(k int32, a, b, c, d, e, f, g int) int {
	give(k)
	return a + b + c + d + e + f + g
}

// give gives one of two to others, and forgets the other one.
//
//go:noinline
func give(k int32) {
	a, b := new(int32), new(int32)
	*a, *b = 1, 1
	if k == 1 {
		a, b = b, a
	}
	*b = 2
	given.Store(a)
}

var given atomic.Pointer[int32]

// place is the place of an address among those of its goroutine.
func place(p *int32) uintptr { return uintptr(unsafe.Pointer(p)) >> 16 }

// TestRangesCleared: whether a range that has begun meets another entry depends on when those came in, and the map is
// the same (RANGE2).
func TestRangesCleared(t *testing.T) {
	var mu sync.Mutex
	c, saw := make(chan int, 1), make(chan int, 1)
	go func() { c <- 1 }()
	go func() {
		m := map[int]bool{1: true, 2: true}
		n := 0
		for range m {
			if n++; n == 2 {
				break
			}
			select {
			case <-c:
			default:
				clear(m)
				m[1], m[2] = true, true
			}
			mu.Lock()
			mu.Unlock()
		}
		saw <- n
	}()
	if <-saw == 1 {
		panic("one")
	}
	panic("two")
}

// TestRangesCopied: likewise, where a copy of the iteration has come to its end.
func TestRangesCopied(t *testing.T) {
	var mu sync.Mutex
	c, saw := make(chan int, 1), make(chan int, 1)
	go func() { c <- 1 }()
	go func() {
		m := map[int]bool{1: true, 2: true}
		it := reflect.ValueOf(m).MapRange()
		it.Next()
		for other := *it; other.Next(); {
		}
		select {
		case <-c:
		default:
			clear(m)
			m[1], m[2] = true, true
		}
		mu.Lock()
		mu.Unlock()
		n := 1
		for it.Next() {
			n++
		}
		saw <- n
	}()
	if <-saw == 1 {
		panic("one")
	}
	panic("two")
}

// TestRangesBeside: likewise, and another goroutine takes an entry out and puts it in again, before the range or within.
func TestRangesBeside(t *testing.T) { rangesBeside(map[int]int{1: 1, 2: 1}) }

var registry = map[int]int{1: 1, 2: 1}

// TestRangesSnapshot: likewise, of a map that package initialisation has made.
func TestRangesSnapshot(t *testing.T) { rangesBeside(registry) }

func rangesBeside(m map[int]int) {
	done := make(chan bool)
	go func() {
		delete(m, 2)
		m[2] = 2
		done <- true
	}()
	sum := 0
	for _, v := range m {
		sum += v
	}
	if <-done; sum == 3 {
		panic("met again")
	}
}
