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

func TestQuietLenAndGroup(t *testing.T) { // all that was added is taken by those who have made their accesses
	x, c := 0, make(chan int, 4)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); x = 1; c <- 1 }()
	go func() { defer wg.Done(); c <- len(c) }()
	wg.Wait()
	wg.Add(1)
	go func() { defer wg.Done(); sink = x }()
	wg.Wait()
	x = 2
}

func TestRaceLenAndDoneBefore(t *testing.T) { // who takes his part has not made his access
	x, c := 0, make(chan int, 1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { wg.Done(); x = 1; c <- 1 }()
	wg.Wait()
	if len(c) == 1 {
		sink = x
	}
	<-c
}

func TestRaceLenAndDoneByOther(t *testing.T) { // another one takes it
	x, c := 0, make(chan int, 1)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { x = 1; c <- 1 }()
	go func() { wg.Done(); wg.Done() }()
	wg.Wait()
	if len(c) == 1 {
		sink = x
	}
	<-c
}

func TestRaceLenAndDoneByEither(t *testing.T) { // one of two does, in some order
	x, c := 0, make(chan int, 1)
	var wg, mu = new(sync.WaitGroup), new(sync.Mutex)
	n, end := 0, make(chan bool, 2)
	wg.Add(2)
	take := func() {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 1 {
			wg.Add(-2)
		}
	}
	go func() { x = 1; c <- 1; take(); end <- true }()
	go func() { take(); end <- true }()
	wg.Wait()
	if len(c) == 1 {
		sink = x
	}
	<-end
	<-end
}

func TestRaceLenAndAddBehind(t *testing.T) { // the one who makes the access adds for himself
	x, c := 0, make(chan int, 1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { wg.Add(1); wg.Done(); x = 1; c <- 1 }()
	go wg.Done()
	wg.Wait()
	if len(c) == 1 {
		sink = x
	}
	<-c
}
