package ignored

import (
	"reflect"
	"sync/atomic"
)

// Loads whose value nothing acts upon are @ignored, others @act.

type plain struct{ hits, seq int }

func counts(p *plain) {
	p.hits++              // @ignored
	p.seq = 2*p.hits - 1  // @ignored
	k := int64(p.seq) + 1 // @ignored
	if p == nil {
		k = 2
	}
	p.hits = int(k)
}

// IGN1

type conditions struct{ a, b int }

func condition(p *conditions) int {
	p.b++        // @ignored
	p.a++        // @act
	if p.a > 1 { // @act
		return 1
	}
	return 2
}

type indices struct{ a, b, c, d, e int }

func index(p *indices, s []int, m map[int]int) {
	s[p.a&1] = 1            // @act
	m[p.b] = 1              // @act
	_ = make([]int, p.c)    // @act
	_ = s[p.d:]             // @act
	println(6 / (p.e + 10)) // @act
}

type given struct{ a, b, c, d, e, f int }

func give(p *given, c chan int, m map[int]int, f func(int)) {
	c <- p.a        // @act
	m[1] = p.b      // @act
	f(p.c)          // @act
	go use(p.d)     // @act
	defer use(p.e)  // @act
	var x any = p.f // @act
	_ = x
}

func use(n int) {}

// IGN2

type shifts struct{ a, b, c int }

func shift(p *shifts) {
	p.a = 1 << p.b         // @act
	p.c = 8 >> uint(p.c&1) // @ignored
	p.a = p.c % 3          // @ignored
}

type phis struct{ a, b int }

func phi(p *phis, c bool) int {
	k := p.a // @act
	if c {
		k = p.b // @act
	}
	return []int{1, 2}[k] // @ignored
}

// IGN3

type passed struct{ a, b, c, d int }

func pass(p *passed) {
	drop(p.a)            // @ignored
	keep(p.b)            // @act
	p.c = same(p.c)      // @ignored
	if other(p.d) == 1 { // @act
		drop(1)
	}
}

func drop(n int)       {}
func keep(n int)       { println(n) }
func same(n int) int   { return n + 1 }
func other(n int) int  { return n + 1 }
func valued(n int) int { return n }

type returned struct{ a, b, c int }

func asValue(p *returned) func(int) int {
	drop(valued(p.a)) // @act
	return valued
}

func (p *returned) Method() int  { return p.b } // @act
func (p *returned) another() int { return p.c } // @ignored reflect

func invoke(x interface{ Method() int }, p *returned) {
	x.Method()
	p.Method()
	p.another()
}

// IGN4

type places struct {
	a, b int
	n, m atomic.Int32
}

func store(p *places) {
	p.b = p.a     // @act
	if p.b == 1 { // @act
		println()
	}
}

func atomics(p *places) {
	p.n.Add(1)                // @ignored
	p.n.Store(p.n.Load() + 1) // @ignored
	p.m.Add(1)                // @ignored
	p.m.Store(int32(p.a))     // @act
	if p.m.Load() == 1 {      // @act
		println()
	}
}

type swapped struct {
	a int32
	n atomic.Int32
}

func swap(p *swapped) {
	p.n.Store(p.a) // @act
	p.n.CompareAndSwap(1, 2)
}

var global, alive int

func globals() {
	global++       // @ignored
	alive++        // @act
	println(alive) // @act
}

func captured() {
	n, k := 0, 0
	f := func() {
		n++ // @ignored
		k++ // @act
	}
	f()
	func() { println(k) }() // @act
}

func bound() {
	var n atomic.Int32
	add := n.Add
	println(add(1))
	var a int32
	n.Store(a)
	other := func() { n.Store(a) } // @act
	a++                            // @act
	other()
}

// IGN5

type escaped struct{ a, b int }

func escape(p *escaped) {
	p.b = p.a // @act
	q := &p.b
	println(*q) // @act
}

type copied struct{ a, b int }

func whole(p *copied) copied {
	p.b = p.a // @act
	return *p
}

type converted struct{ a, b int }
type similar struct{ a, b int }

func convert(p *converted) {
	p.b = p.a // @act
	q := (*similar)(p)
	println(q.b) // @act
}

type element struct{ a int }

func elsewhere(p *element, s []int) {
	s[0] = p.a // @act
}

type atomicCopy struct{ a int32 }

func copyAtomic(p *atomicCopy) {
	var n, m atomic.Int32
	n.Store(p.a) // @act
	m = n
	println(m.Load()) // @act
}

// IGN6

type boxed struct {
	a, b int
	next *reached
}

type reached struct{ a, b int }

func box(p *boxed, x any) {
	x = p
	p.b = p.a           // @ignored reflect
	p.next.b = p.next.a // @ignored reflect
	_ = x
}

func reflects(x any) { reflect.ValueOf(x).Int() }
