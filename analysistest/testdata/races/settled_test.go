package races

import (
	"sync"
	"testing"
)

// In this file goroutines always learn of an access before they make theirs; or they do so mostly, and not always.

func TestQuietLenAndClosed(t *testing.T) { // by what another one has closed
	x, c, d, e := 0, make(chan int, 1), make(chan bool), make(chan bool)
	beside(func() { x = 1; c <- 1; close(d) }, func() {
		go func() { <-d; close(e) }()
		n := len(c)
		<-e
		sink = x + n
	})
}

func TestQuietLenAndMeeting(t *testing.T) { // both learn of the other
	x, y, c, d := 0, 0, make(chan int, 1), make(chan int)
	beside(func() { x = 1; c <- 1; d <- 1; _ = y }, func() {
		y = len(c)
		<-d
		sink = x
	})
}

func TestQuietLenBeforeAndAfter(t *testing.T) { // one is made before, and again after
	x, c, d, e := 0, make(chan int, 1), make(chan int, 1), make(chan int, 1)
	beside(func() {
		for range 2 {
			x++
			c <- 1
			<-d
		}
	}, func() {
		e <- len(c)
		<-c
		sink = x
		d <- 1
		<-c
		d <- 1
	})
}

func TestRaceLenAndOther(t *testing.T) { // the element may be another's
	x, c, d := 0, make(chan int, 1), make(chan int, 2)
	beside(func() { x = 1; c <- 1; d <- 1 }, func() {
		go func() { d <- 2 }()
		if len(c) == 1 {
			<-d
			sink = x
		}
	})
}

func TestRaceLenOfLater(t *testing.T) { // made after the element was sent
	x, c, d := 0, make(chan int, 1), make(chan int, 1)
	beside(func() { d <- 1; x = 1; c <- 1 }, func() {
		<-d
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLenOfSecond(t *testing.T) { // made before, and again after
	x, c, d, e := 0, make(chan int, 1), make(chan int, 1), make(chan int, 1)
	beside(func() {
		for range 2 {
			<-e
			x++
			c <- 1
			d <- 1
		}
	}, func() {
		e <- 1
		<-d
		<-c
		e <- 1
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLenOrReceived(t *testing.T) { // one way leads past the receive
	x, c, d := 0, make(chan int, 1), make(chan int, 1)
	beside(func() { x = 1; c <- 1; d <- 1 }, func() {
		n := len(c)
		select {
		case <-d:
		default:
		}
		if n == 1 {
			sink = x
		}
	})
}

func TestRaceLenAndTaken(t *testing.T) { // who sends to a buffer does not learn who has received
	x, c, d := 0, make(chan int, 1), make(chan int, 1)
	beside(func() { x = 1; c <- 1; <-d }, func() {
		d <- 1
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceLenOfStarted(t *testing.T) { // made after the start
	x, c := 0, make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		if len(c) == 1 {
			sink = x
		}
	})
	x = 1
	c <- 1
	wg.Wait()
}

func TestRaceLenAndDone(t *testing.T) { // the Once was done before, by another one
	var once sync.Once
	x, c := 0, make(chan int, 1)
	once.Do(func() {})
	beside(func() { x = 1; once.Do(func() { x = 2 }); c <- 1 }, func() {
		if len(c) == 1 {
			once.Do(func() {})
			sink = x
		}
	})
}
