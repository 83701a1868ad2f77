package locks

import (
	"fmt"
	"sync"
	"testing"
)

// This file has Onces that are copied beside a Do that does not run the function. One that comes before the function
// has ended takes the Mutex of the Once; where it finds that the function is over, the Unlock may be to come.

func copyOf(o *sync.Once) {
	c := *o
	sink = &c
}

func again(o *sync.Once) { o.Do(func() { panic("again") }) }

func nothing(*sync.Once) {}

// inside has the function of a Once tell another goroutine to go on.
func inside(before, in, after, then func(o *sync.Once)) {
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; /*nap*/ then(o) }, func() {
		before(o)
		o.Do(func() { close(c); /*nap*/ in(o) })
		/*nap*/
		after(o)
	})
}

// finds: datarace
func TestOnceCopiedInFunction(t *testing.T) { inside(nothing, copyOf, nothing, again) }

// finds: datarace
func TestOnceCopiedAfter(t *testing.T) { inside(nothing, nothing, copyOf, again) }

// finds: datarace
func TestOnceCopiedBeforeUnheard(t *testing.T) {
	o, c := new(sync.Once), make(chan int, 1)
	both(func() {
		/*nap*/
		if len(c) == 1 {
			again(o)
		}
	}, func() {
		copyOf(o)
		o.Do(func() { c <- 1; /*nap*/ })
	})
}

// finds: datarace
func TestOncePrintedInFunction(t *testing.T) {
	inside(nothing, func(o *sync.Once) { sink = fmt.Sprint(o) }, nothing, again)
}

// finds: datarace
func TestOnceStartedInFunction(t *testing.T) {
	o, done := new(sync.Once), make(chan int)
	o.Do(func() { go func() { again(o); close(done) }(); /*nap*/ })
	copyOf(o)
	<-done
}

// finds: datarace
func TestOnceOneOfTwo(t *testing.T) {
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; both(func() { again(o) }, func() { again(o) }) }, func() {
		o.Do(func() { close(c); /*nap*/ })
		copyOf(o)
	})
}

// finds: datarace
func TestOnceLocksBefore(t *testing.T) {
	var mu sync.Mutex
	locks := func(*sync.Once) { mu.Lock(); mu.Unlock() }
	inside(nothing, locks, copyOf, func(o *sync.Once) { locks(o); /*nap*/ again(o) })
}

// finds: datarace
func TestOncePanicsAndCopied(t *testing.T) {
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; again(o) }, func() {
		func() {
			defer func() { recover() }()
			o.Do(func() { close(c); /*nap*/ panic(1) })
		}()
		copyOf(o)
	})
}

type lazy struct {
	o sync.Once
	n int
}

func (l lazy) get() int { return l.n }

// finds: datarace
func TestOnceOfReceiver(t *testing.T) {
	x, c := new(lazy), make(chan int)
	both(func() { <-c; x.o.Do(func() {}) }, func() {
		x.o.Do(func() { close(c); /*nap*/ x.n = 1 })
		sink = x.get()
	})
}

// finds: datarace
func TestOnceSnapshots(t *testing.T) { // each copies behind its own Do
	x := new(lazy)
	snapshot := func() int { x.o.Do(func() { x.n = 1; /*nap*/ }); return x.get() }
	both(func() { sink = snapshot() }, func() { snapshot() })
}

// finds: datarace
func TestOnceFoundAndCopied(t *testing.T) { // the Unlock comes after what the Do has found
	inside(nothing, nothing, nothing, func(o *sync.Once) { again(o); copyOf(o) })
}

// finds: datarace
func TestOnceFoundAndTold(t *testing.T) { // likewise a third one, who is told
	inside(nothing, nothing, nothing, func(o *sync.Once) {
		c := make(chan int)
		go func() { <-c; copyOf(o); c <- 1 }()
		again(o)
		c <- 1
		<-c
	})
}

func TestOnceCopiedBeforeTold(t *testing.T) { inside(copyOf, nothing, nothing, again) }

func TestOnceToldAfter(t *testing.T) { // the Do comes when all is over
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; again(o) }, func() { o.Do(func() {}); close(c); copyOf(o) })
}

func TestOnceObservedAfter(t *testing.T) { // likewise, though nothing orders the two
	o, c := new(sync.Once), make(chan int, 1)
	both(func() {
		if len(c) == 1 {
			again(o)
		}
	}, func() {
		o.Do(func() {})
		c <- 1
		/*nap*/
		copyOf(o)
	})
}

func TestOnceCopiedAtEnd(t *testing.T) {
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; /*nap*/ again(o) }, func() { o.Do(func() { close(c); /*nap*/ }) })
	copyOf(o)
}

func TestOnceTwoFind(t *testing.T) {
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; both(func() { again(o) }, func() { again(o) }) }, func() { o.Do(func() { close(c); /*nap*/ }) })
}

func TestOnceBesideField(t *testing.T) {
	x, c := new(lazy), make(chan int)
	both(func() { <-c; x.o.Do(func() {}) }, func() {
		x.o.Do(func() { close(c); /*nap*/ x.n++ })
		x.n++
	})
}

func TestOnceFoundTwice(t *testing.T) { // who has found that it is over takes no lock later
	o, c, d := new(sync.Once), make(chan int), make(chan int)
	both(func() { <-c; again(o); close(d); again(o) }, func() { o.Do(func() { close(c); /*nap*/ }); <-d; copyOf(o) })
}

// finds: datarace
func TestOnceFoundBesideLock(t *testing.T) { // who locks first nobody can tell, but it may order the end and the copy
	var mu sync.Mutex
	o, c := new(sync.Once), make(chan int)
	both(func() { <-c; /*nap*/ mu.Lock(); mu.Unlock(); /*nap*/ again(o); copyOf(o) }, func() {
		o.Do(func() { close(c) })
		/*nap*/
		mu.Lock()
		mu.Unlock()
	})
}

// finds: datarace
func TestOnceFoundBesideLockLate(t *testing.T) { // likewise, the other way round
	var mu sync.Mutex
	o, c := new(sync.Once), make(chan int)
	both(func() {
		o.Do(func() { close(c); /*nap*/ })
		mu.Lock()
		mu.Unlock()
	}, func() { <-c; /*nap*/ mu.Lock(); mu.Unlock(); /*nap*/ again(o); copyOf(o) })
}
