package locks

import (
	"sync"
	"testing"
)

// This file has Onces that are made new by a write. Of those of TestOwn… only one goroutine knows (RENEW1).

type renewed struct {
	once sync.Once
	mu   sync.Mutex
	runs int
}

func (r *renewed) run() {
	r.once.Do(func() {
		r.mu.Lock()
		r.runs++
		r.mu.Unlock()
	})
}

func (r *renewed) renew() { r.once = sync.Once{} }

// beside has f run beside a look at how often the function has run.
func beside(r *renewed, f func()) (seen int) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
	r.mu.Lock()
	seen = r.runs
	r.mu.Unlock()
	wg.Wait()
	return seen
}

// finds: testfailure
func TestOwnOnce(t *testing.T) {
	r := new(renewed)
	seen := beside(r, func() { r.run(); r.run(); r.renew(); r.run(); r.run() })
	if r.runs != 2 || seen == 1 {
		t.Error(r.runs, seen)
	}
}

func TestOwnOnceByWhole(t *testing.T) { // a larger write
	type pair struct {
		n int
		o sync.Once
	}
	r, p := new(renewed), new(pair)
	var other *pair
	seen := beside(r, func() {
		r.mu.Lock()
		other = p
		r.mu.Unlock()
		p.o.Do(r.run)
		*p = pair{}
		r.renew()
		p.o.Do(r.run)
	})
	if r.runs != 2 || seen > 2 || other == nil {
		t.Error(r.runs, seen)
	}
}

func TestOwnOnceSometimes(t *testing.T) { // what the other one did decides
	r := new(renewed)
	beside(r, func() {
		r.run()
		r.mu.Lock()
		more := r.runs > 1
		r.mu.Unlock()
		if more {
			r.renew()
		}
		r.run()
	})
	if r.runs != 1 {
		t.Error(r.runs)
	}
}

func TestRenewedOnceCopiedOver(t *testing.T) { // what is written is no new one
	r, used := new(renewed), new(renewed)
	used.run()
	seen := beside(r, func() {
		r.renew()
		r.once = used.once
		r.run()
	})
	if r.runs != 0 || seen != 0 {
		t.Error(r.runs, seen)
	}
}

// finds: testfailure
func TestRenewedOnceByOther(t *testing.T) { // in order, but who comes first decides
	r := new(renewed)
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		mu.Lock()
		r.renew()
		mu.Unlock()
	}()
	mu.Lock()
	r.run()
	mu.Unlock()
	wg.Wait()
	r.run()
	if r.runs != 1 {
		t.Error(r.runs)
	}
}

// finds: datarace panics
func TestRenewedOnceBeside(t *testing.T) {
	r := new(renewed)
	r.run()
	beside(r, r.renew)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); r.run() }()
	r.renew()
	wg.Wait()
}
