package outcomes

import (
	"sync/atomic"
	"testing"
	"time"
)

// In these programs one address has channels of several sorts: in some orders another one is made there (UCHAN2).

// TestSortsCapacity has a channel with room, or without.
func TestSortsCapacity(t *testing.T) {
	var x, y atomic.Int32
	go x.Store(1)
	var c chan int
	if x.Load() == 0 {
		c = make(chan int, 1)
	} else {
		c = make(chan int)
	}
	done := make(chan bool)
	go func() {
		c <- 1
		y.Store(1)
		done <- true
	}()
	select {
	case <-c:
		y.Load()
	case <-done:
		return
	}
	<-done
}

// TestSortsCapacitySent has it go from one goroutine to another, beside a number.
func TestSortsCapacitySent(t *testing.T) {
	type request struct {
		n     int
		reply chan int
	}
	var x atomic.Int32
	go x.Store(1)
	requests := make(chan request)
	go func() {
		r := <-requests
		select {
		case r.reply <- r.n:
			x.Add(1)
		default:
		}
		close(requests)
	}()
	r := request{2, nil}
	if x.Load() == 0 {
		r.reply = make(chan int, r.n)
	} else {
		r.reply = make(chan int, r.n-1)
	}
	r.reply <- 1
	requests <- r
	<-requests
}

// TestSortsCapacityValue has it in an interface, in a closure.
func TestSortsCapacityValue(t *testing.T) {
	var x atomic.Int32
	go x.Store(1)
	n := int(x.Load())
	c := make(chan int, n)
	var v any = c
	f := func() {
		select {
		case v.(chan int) <- 1:
			x.Store(2)
		default:
		}
	}
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	<-done
}

// TestSortsTimerOrChannel has a timer there, or a channel.
func TestSortsTimerOrChannel(t *testing.T) {
	var x, y atomic.Int32
	go x.Store(1)
	if x.Load() == 1 {
		c := make(chan time.Time)
		go func() {
			c <- time.Time{}
			y.Store(1)
		}()
		<-c
		y.Load()
		return
	}
	tm := time.NewTimer(time.Second)
	go func() { y.Add(int32(len(tm.C))) }()
	<-tm.C
}

// TestSortsChannelOrTimer has them in the opposite order.
func TestSortsChannelOrTimer(t *testing.T) {
	var x, y atomic.Int32
	go x.Store(1)
	if x.Load() == 0 {
		c := make(chan time.Time, 1)
		go func() {
			c <- time.Time{}
			y.Store(1)
		}()
		<-c
		y.Load()
		return
	}
	tm := time.NewTimer(time.Second)
	go func() {
		if tm.Stop() {
			tm.Reset(time.Minute)
		}
	}()
	<-tm.C
}

// TestSortsCapacityAsked asks for the capacity alone, which is no event.
func TestSortsCapacityAsked(t *testing.T) {
	var x, y atomic.Int32
	go x.Store(1)
	var c chan int
	if x.Load() == 0 {
		c = make(chan int, 2)
	} else {
		c = make(chan int)
	}
	l := []chan int{c}
	done := make(chan bool)
	go func() {
		y.Store(int32(cap(l[0])))
		close(done)
	}()
	y.Load()
	<-done
}
