// Package reduction holds the benchmark programs of the dissertation's chapter 4, as Go tests: how many reads must keep their
// value. Shared variables are plain, and race on purpose where no lock guards them.
package reduction

import (
	"sync"
	"testing"
)

// start runs goroutines and waits for them.
func start(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() {
			f()
			wg.Done()
		}()
	}
	wg.Wait()
}

func repeat(n int, f func()) (fs []func()) {
	for range n {
		fs = append(fs, f)
	}
	return fs
}

var count int

func counter(n int) {
	add := func(d int) func() {
		return func() {
			for range n {
				count += d
			}
		}
	}
	start(add(1), add(-1))
}

func TestCounter2(t *testing.T) { counter(2) }
func TestCounter5(t *testing.T) { counter(5) }

// Airline sells more tickets than there are seats.
type airline struct {
	sold, seats int
	full        bool
}

func (a *airline) sell() {
	if !a.full {
		a.sold++
		if a.sold >= a.seats {
			a.full = true
		}
	}
}

func TestAirline3(t *testing.T) { sellers(3) }
func TestAirline4(t *testing.T) { sellers(4) }
func TestAirline6(t *testing.T) { sellers(6) }

func sellers(n int) {
	a := &airline{seats: n - 1}
	start(repeat(n, a.sell)...)
}

// Player is nil for a moment.
type player struct{ hits int }

type table struct{ player *player }

func (b *table) play() {
	if b.player == nil {
		return
	}
	p := b.player
	b.player = nil
	if p != nil {
		p.hits++
		b.player = p
	}
}

func TestPingPong2(t *testing.T) { pingPong(2) }
func TestPingPong4(t *testing.T) { pingPong(4) }
func TestPingPong5(t *testing.T) { pingPong(5) }

func pingPong(n int) {
	b := &table{player: new(player)}
	start(repeat(n, b.play)...)
}

// Sorting goroutines go through one slice, each from its end.
func bubble(a []int, mu *sync.Mutex) {
	for i := 0; i+1 < len(a); i++ {
		if mu != nil {
			mu.Lock()
		}
		if a[i] > a[i+1] {
			a[i], a[i+1] = a[i+1], a[i]
		}
		if mu != nil {
			mu.Unlock()
		}
	}
}

func sorters(n, length int, mu *sync.Mutex) {
	a := make([]int, length)
	for i := range a {
		a[i] = length - i
	}
	start(repeat(n, func() { bubble(a, mu) })...)
}

func TestBubbleSort3(t *testing.T)       { sorters(2, 3, nil) }
func TestBubbleSort4(t *testing.T)       { sorters(2, 4, nil) }
func TestBubbleSortLocked4(t *testing.T) { sorters(3, 4, new(sync.Mutex)) }

// A pool makes more instances than it may: it looks at its numbers under one lock, and acts under another.
type pool struct {
	mu                  sync.Mutex
	idle                []int
	active, made, limit int
}

func (p *pool) borrow() (int, bool) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		x := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.active++
		p.mu.Unlock()
		return x, true
	}
	may := p.active < p.limit
	p.mu.Unlock()
	if !may {
		return 0, false
	}
	p.mu.Lock()
	p.made++
	p.active++
	x := p.made
	p.mu.Unlock()
	return x, true
}

func (p *pool) giveBack(x int) {
	p.mu.Lock()
	p.idle = append(p.idle, x)
	p.active--
	p.mu.Unlock()
}

func TestPool(t *testing.T) {
	p := &pool{limit: 1, idle: make([]int, 0, 4)}
	start(repeat(3, func() {
		if x, ok := p.borrow(); ok {
			p.giveBack(x)
		}
	})...)
}

// A buffer copies another one: it looks at its length, and then at its bytes, under two locks.
type buffer struct {
	mu   sync.Mutex
	data []byte
}

func (b *buffer) length() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.data)
}

func (b *buffer) read(to []byte) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return copy(to, b.data)
}

func (b *buffer) truncate(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data = b.data[:n]
}

func (b *buffer) appendFrom(o *buffer) {
	n := o.length()
	part := make([]byte, n)
	o.read(part)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.data = append(b.data, part...)
}

func TestStringBuffer(t *testing.T) {
	a, b := &buffer{data: make([]byte, 0, 16)}, &buffer{data: []byte("abc")}
	start(func() { a.appendFrom(b) }, func() { b.truncate(1) }, func() { b.truncate(0) })
}

// An account with transfers that are not atomic.
type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) add(n int) {
	a.mu.Lock()
	a.balance += n
	a.mu.Unlock()
}

func (a *account) get() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

func transfer(from, to *account, n int) {
	if from.get() >= n {
		from.add(-n)
		to.add(n)
	}
}

func TestAccount(t *testing.T) {
	a, b := &account{balance: 2}, new(account)
	sum := 0
	start(func() { transfer(a, b, 2) }, func() { transfer(a, b, 1) }, func() { sum = a.get() + b.get() })
	_ = sum
}

// TestStatistics: readings that go nowhere but into sums.
func TestStatistics(t *testing.T) {
	var a, b, sums [2]int
	start(func() { a[0], b[0] = 1, 2 }, func() { sums[0] = a[0] + a[1]; sums[1] = b[0] + b[1] }, func() { a[1], b[1] = 3, sums[0] })
}
