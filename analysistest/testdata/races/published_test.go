package races

import (
	"sync"
	"testing"
)

// A call is what singleflight keeps of a call that is under way.
type call struct {
	group sync.WaitGroup
	val   int
}

// calls are those that are under way.
type calls struct {
	mu sync.Mutex
	of *call
}

// make makes a call, unless one is under way.
func (cs *calls) make(c chan int) int {
	cs.mu.Lock()
	if x := cs.of; x != nil {
		cs.mu.Unlock()
		x.group.Wait()
		return x.val
	}
	x := new(call)
	x.group.Add(1)
	cs.of = x
	cs.mu.Unlock()
	x.val = len(c)
	x.group.Done()
	return x.val
}

func TestQuietGroupPublished(t *testing.T) { // who knows of a call knows that it was added
	var cs calls
	c := make(chan int, 3)
	for range 3 {
		go func() {
			cs.make(c)
			c <- 1
		}()
	}
	for range 3 {
		<-c
	}
}

func TestRaceGroupPublished(t *testing.T) { // the Add comes later, and so does val
	var mu sync.Mutex
	var of *call
	c := make(chan int, 1)
	go func() {
		x := new(call)
		mu.Lock()
		of = x
		mu.Unlock()
		c <- 1
		x.group.Add(1)
		x.val = 1
		x.group.Done()
	}()
	if len(c) > 0 {
		mu.Lock()
		x := of
		mu.Unlock()
		x.group.Wait()
		sink = x.val
	}
}
