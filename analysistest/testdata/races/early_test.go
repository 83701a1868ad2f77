package races

import "testing"

// These programs read a variable beside a receive that orders it, in one statement. Whether it is read before the
// receive is for the compiler to say.

type table struct {
	m map[string]int
	n int
}

//go:noinline
func useTable(t *table) {}

func TestRaceEntryBesideReceive(t *testing.T) {
	m := map[string]int{}
	c := make(chan int)
	go func() { m["a"] = 1; c <- 1 }()
	if m["a"]+<-c > 2 { // built with -race, gc reads the entry before the receive
		t.Error("two")
	}
}

func TestRaceEntryOfField(t *testing.T) {
	x := &table{m: map[string]int{}}
	x.n = 1
	c := make(chan int)
	go func() { x.m["a"] = 1; c <- 1 }()
	if n := max(x.m["a"], <-c); n > 1 { // x has been used above, so it is not nil
		t.Error("two")
	}
}

func TestRaceAssertionBesideReceive(t *testing.T) {
	var v any = &table{}
	c := make(chan int)
	go func() { v = &table{n: 1}; c <- 1 }()
	if v.(*table).n+<-c > 2 {
		t.Error("two")
	}
}

func TestRaceBoundBesideReceive(t *testing.T) {
	x := new(table)
	useTable(x)
	c := make(chan int)
	go func() { x.n = 1; c <- 1 }()
	if s := "abc"[x.n : <-c+1]; s == "" {
		t.Error("empty")
	}
}

func TestRaceEntryOfBytes(t *testing.T) {
	m, b := map[string]int{"x": 1}, []byte("x")
	c := make(chan int)
	go func() { b[0] = 'y'; c <- 1 }()
	if m[string(b)]+<-c > 2 {
		t.Error("two")
	}
}

func TestRaceAppendToEntry(t *testing.T) {
	x := &struct{ m map[int][]int }{map[int][]int{}}
	c := make(chan int)
	go func() { x.m = map[int][]int{}; c <- 1 }()
	x.m[1] = append(x.m[1], <-c) // one x.m for both, before the receive
}

func TestQuietFieldBesideReceive(t *testing.T) {
	x := new(table)
	useTable(x)
	c := make(chan int)
	go func() { x.n = 1; c <- 1 }()
	if x.n+<-c != 2 {
		t.Error("not two")
	}
}

func TestQuietBoundBesideReceive(t *testing.T) {
	n, c := 0, make(chan int)
	go func() { n = 1; c <- 1 }()
	if s := "abc"[n : <-c+1]; s == "" { // a variable is read after it
		t.Error("empty")
	}
}

func TestQuietEntryPlus(t *testing.T) {
	m := map[string]int{}
	c := make(chan int)
	go func() { m["a"] = 1; c <- 1 }()
	m["a"] += <-c
	if m["a"] != 2 {
		t.Error("not two")
	}
}

func TestQuietAppendToEntry(t *testing.T) {
	m := map[int][]int{}
	c := make(chan int)
	go func() { m[1] = append(m[1], 1); c <- 1 }()
	m[1] = append(m[1], <-c)
	if len(m[1]) != 2 {
		t.Error("not two")
	}
}

func TestQuietEntryBehindReceive(t *testing.T) {
	m := map[string]int{}
	c := make(chan int)
	go func() { m["a"] = 1; c <- 1 }()
	if <-c+m["a"] != 2 {
		t.Error("not two")
	}
}

//go:noinline
func useBoth(n int, b bool) {}

func TestRaceEntryBesideAnd(t *testing.T) {
	m := map[string]int{}
	c := make(chan int)
	go func() { m["a"] = 1; c <- 1 }()
	useBoth(m["a"], t != nil && <-c > 0)
}

func TestRaceEntryBesideAndAnd(t *testing.T) {
	m, b := map[string]int{}, t != nil
	c := make(chan int)
	go func() { m["a"] = 1; c <- 1 }()
	useBoth(m["a"], b && (!b || <-c > 0))
}

func TestQuietAddressOfDereferenced(t *testing.T) {
	x := new(table)
	c := make(chan int)
	go func() { x.n = 1; c <- 1 }()
	p, q := &*x, &*(&x.n) // these read nothing, and panic if x is nil
	<-c
	if p.n != 1 || *q != 1 {
		t.Error("not one")
	}
}

type readByValue struct{ n int }

func (v readByValue) get() int { return v.n }

func methodValue[N interface{ get() int }](n N) func() int { return n.get }

func TestQuietBoundLate(t *testing.T) { // of a type parameter it reads what is behind the pointer when it is called
	p, c := &readByValue{1}, make(chan bool)
	var get func() int
	beside(func() { p.n = 2; close(c) }, func() { get = methodValue(p); <-c })
	sink = get()
}

func TestRaceBoundLate(t *testing.T) {
	p := &readByValue{1}
	get := methodValue(p)
	beside(func() { p.n = 2 }, func() { sink = get() })
}

func TestRaceBound(t *testing.T) {
	p, c := &readByValue{1}, make(chan bool)
	var get func() int
	beside(func() { p.n = 2; close(c) }, func() { get = p.get; <-c })
	sink = get()
}
