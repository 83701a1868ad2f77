package outcomes

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// Operations of atomic.Value (rules VALUE1 to VALUE4 of the machine).

// TestValueFirst: two first stores.
func TestValueFirst(t *testing.T) {
	var v atomic.Value
	done := make(chan bool)
	go func() {
		v.Store(1)
		if v.Load() == any(2) {
			panic("other")
		}
		done <- true
	}()
	v.Store(2)
	sink, _ = v.Load().(int)
	<-done
}

// TestValueTypes: who comes second panics.
func TestValueTypes(t *testing.T) {
	var v atomic.Value
	go v.Store(1)
	v.Store("x")
}

// TestValueSwap: a swap of an empty Value, and one that finds the other's value.
func TestValueSwap(t *testing.T) {
	var v atomic.Value
	go func() {
		if v.Swap(1) == nil {
			v.CompareAndSwap(1, 3)
		}
	}()
	if v.Swap(2) == nil && v.CompareAndSwap(1, 2) {
		panic("second")
	}
}

// TestValueEmpty: compare-and-swap of an empty Value, by two.
func TestValueEmpty(t *testing.T) {
	var v atomic.Value
	done := make(chan bool)
	swap := func(x any) { done <- v.CompareAndSwap(nil, x) }
	go swap(1)
	go swap(2)
	if <-done == <-done {
		panic("both or neither")
	}
}

// TestValueEqual: an equal value in another place makes a compare-and-swap fail.
func TestValueEqual(t *testing.T) {
	var v atomic.Value
	n := 1000
	v.Store(n)
	go v.Store(n)
	if !v.CompareAndSwap(1000, 1) {
		panic("equal, and not the same")
	}
}

// TestValueCopied: a copy is a plain read of both words.
func TestValueCopied(t *testing.T) {
	var v atomic.Value
	go v.Store(1)
	w := v
	w.Store(2)
}

// What is in a string, in an interface or in a method value is read without an event. It may differ where the address is the same.

func TestContentsOfValue(t *testing.T) {
	var n atomic.Int32
	var v atomic.Value
	go func() { v.Store(1000 + int(n.Load())) }()
	n.Store(1)
	switch v.Load() {
	case any(1000):
		panic("before")
	case any(1001):
		panic("after")
	}
}

func TestContentsOfString(t *testing.T) {
	var n atomic.Int32
	var mu sync.Mutex
	var s string
	go func() {
		x := strconv.Itoa(1000 + int(n.Load()))
		mu.Lock()
		s = x
		mu.Unlock()
	}()
	n.Store(1)
	mu.Lock()
	defer mu.Unlock()
	switch s {
	case "1000":
		panic("before")
	case "1001":
		panic("after")
	}
}

type number int

func (n number) get() int { return int(n) }

func TestContentsOfMethod(t *testing.T) {
	var n atomic.Int32
	var f atomic.Pointer[func() int]
	go func() {
		g := number(n.Load()).get
		f.Store(&g)
	}()
	n.Store(1)
	if g := f.Load(); g != nil {
		if (*g)() == 0 {
			panic("before")
		}
		panic("after")
	}
}

// tell panics with what a goroutine found.
func tell(after bool) {
	if after {
		panic("after")
	}
	panic("before")
}

func TestContentsSent(t *testing.T) {
	var n atomic.Int32
	c := make(chan error)
	go func() { c <- errors.New(strconv.Itoa(1000 + int(n.Load()))) }()
	n.Store(1)
	tell((<-c).Error() == "1001")
}

// The text is behind two values in interfaces; what is received has one address.
func TestContentsBehindContents(t *testing.T) {
	var n atomic.Int32
	c := make(chan any)
	go func() {
		var x any = strconv.Itoa(1000 + int(n.Load()))
		c <- [2]any{x, x}
	}()
	n.Store(1)
	tell((<-c).([2]any)[1] == "1001")
}

func TestContentsStarted(t *testing.T) {
	var n atomic.Int32
	go func() {
		x := number(n.Load())
		go func(get func() int) { tell(get() == 1) }(x.get)
	}()
	n.Store(1)
	<-make(chan bool)
}

func TestContentsOfMap(t *testing.T) {
	var n atomic.Int32
	var mu sync.Mutex
	m := map[string]any{"x": nil}
	go func() {
		x := 1000 + int(n.Load())
		mu.Lock()
		defer mu.Unlock()
		m["x"] = x
	}()
	n.Store(1)
	mu.Lock()
	defer mu.Unlock()
	if m["x"] != nil {
		tell(m["x"] == any(1001))
	}
}

func TestTimedContents(t *testing.T) {
	var n atomic.Int32
	go func() {
		x := number(n.Load())
		time.AfterFunc(time.Second, func() { tell(x == 1) })
	}()
	n.Store(1)
	time.Sleep(time.Minute)
}

// The bytes of the text are in memory that two goroutines write.
func TestContentsBuilt(t *testing.T) {
	var b strings.Builder
	var mu sync.Mutex
	b.Grow(8)
	c := make(chan string)
	write := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		if b.WriteString(s); b.Len() == 4 {
			c <- b.String()
		}
	}
	go write("af")
	go write("be")
	tell(<-c == "beaf")
}

// A string as code before unsafe.String makes one of bytes.
func TestContentsCast(t *testing.T) {
	b := make([]byte, 0, 4)
	var mu sync.Mutex
	c := make(chan string)
	write := func(x, y byte) {
		mu.Lock()
		defer mu.Unlock()
		if b = append(b, x, y); len(b) == 4 {
			c <- *(*string)(unsafe.Pointer(&b))
		}
	}
	go write('a', 'f')
	go write('b', 'e')
	tell(<-c == "beaf")
}

// Primitives that are specifications of the machine's own, where a go statement starts them, and not a function that calls them.

func TestStartedStore(t *testing.T) {
	var v atomic.Value
	v.Store(0)
	go v.Store(1)
	if v.Load() == any(0) {
		panic("before")
	}
	panic("after")
}

func TestStartedMap(t *testing.T) {
	var m sync.Map
	go m.Store(1, 1)
	if _, ok := m.Load(1); !ok {
		panic("before")
	}
	panic("after")
}

func TestStartedOnce(t *testing.T) {
	var o sync.Once
	var by atomic.Int32
	go o.Do(func() { by.Store(1) })
	o.Do(func() { by.Store(2) })
	if by.Load() == 2 {
		panic("before")
	}
	panic("after")
}

func TestStartedMethod(t *testing.T) {
	var v atomic.Value
	v.Store(0)
	store := v.Store
	go store(1)
	if v.Load() == any(0) {
		panic("before")
	}
	panic("after")
}
