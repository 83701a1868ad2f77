package waits

import (
	"iter"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// This file has goroutines that wait for channels in variables of others (LEAK1). Those others wait at a channel that a
// package variable holds, so they are alive. Whether they will use the variable again decides. Compiled with
// GOEXPERIMENT=goroutineleakprofile, the profile lists the goroutines that the comments say, and no others.

var between sync.Mutex

type inBox struct{ c chan int }

func (b *inBox) send() { b.c <- 1 }

// finds: goroutineleak
func TestUnused(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		<-gate
	}()
}

// Where p was, c is.
// finds: goroutineleak
func TestUnusedAddress(*testing.T) {
	go func() {
		p := new(int)
		*p = 3
		between.Lock()
		between.Unlock()
		receiver()
		<-gate
	}()
}

func receiver() {
	c := make(chan int)
	go func() { <-c }()
}

// finds: goroutineleak
func TestUnusedParameter(*testing.T) { go useOnce(make(chan int)) }

func useOnce(c chan int) {
	go func() { <-c }()
	<-gate
}

// finds: goroutineleak
func TestUnusedOfCaller(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		atGate()
	}()
}

func atGate() { <-gate }

// finds: goroutineleak
func TestUnusedInLoop(*testing.T) {
	go func() {
		for i := range 2 {
			c := make(chan int)
			go func() { <-c }()
			if i == 1 {
				<-gate
			}
		}
	}()
}

// finds: goroutineleak
func TestUnusedInSlice(*testing.T) {
	go func() {
		for _, c := range []chan int{make(chan int), make(chan int)} {
			go func() { <-c }()
		}
		<-gate
	}()
}

// finds: goroutineleak
func TestUnusedField(*testing.T) {
	go func() {
		b := &inBox{make(chan int)}
		go func() { <-b.c }()
		<-gate
	}()
}

// finds: goroutineleak
func TestUnusedCaptured(*testing.T) {
	c := make(chan int)
	go func() {
		go func() { <-c }()
		<-gate
	}()
}

// Of the two that it has captured, it uses d again.
// finds: goroutineleak
func TestUnusedCapturedBesideOther(*testing.T) {
	c, d := make(chan int), make(chan int)
	go func() {
		go func() { <-c }()
		<-gate
		d <- 1
	}()
}

// finds: goroutineleak
func TestUnusedCapturedVariable(*testing.T) {
	var c chan int
	go func() {
		c = make(chan int)
		go func(c chan int) { <-c }(c)
		<-gate
	}()
}

// The lock is in nobody's hands that could unlock it.
// finds: goroutineleak
func TestUnusedLock(*testing.T) {
	go func() {
		var mu sync.Mutex
		mu.Lock()
		go func() { mu.Lock() }()
		<-gate
	}()
}

// finds:
func TestUsed(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		<-gate
		c <- 1
	}()
}

// finds:
func TestUsedInOneCase(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		if <-gate == 3 {
			c <- 1
		}
	}()
}

// finds:
func TestUsedByDeferred(*testing.T) {
	go func() {
		c := make(chan int)
		defer func() { c <- 1 }()
		go func() { <-c }()
		<-gate
	}()
}

// finds:
func TestUsedByDeferredArgument(*testing.T) {
	go func() {
		c := make(chan int)
		defer close(c)
		go func() { <-c }()
		<-gate
	}()
}

// finds:
func TestUsedAfterPanic(*testing.T) { go closesInTheEnd() }

func closesInTheEnd() (c chan int) {
	defer func() {
		recover()
		close(c)
	}()
	c = make(chan int)
	go func(c chan int) { <-c }(c)
	<-gate
	panic("")
}

// finds:
func TestUsedByRecover(*testing.T) {
	go func() {
		defer func() {
			<-gate
			recover().(chan int) <- 1
		}()
		c := make(chan int)
		go func() { <-c }()
		panic(c)
	}()
}

// finds:
func TestUsedByRecoverOfCallee(*testing.T) {
	go func() {
		defer func() {
			<-gate
			recover().(chan int) <- 1
		}()
		panics()
	}()
}

func panics() {
	c := make(chan int)
	go func() { <-c }()
	panic(c)
}

// finds:
func TestUsedByRecoverOfDeferred(*testing.T) {
	go func() {
		defer func() {
			<-gate
			recover().(chan int) <- 1
		}()
		defer panics()
	}()
}

// finds:
func TestUsedByReturn(*testing.T) { go func() { close(returned()) }() }

func returned() chan int {
	c := make(chan int)
	go func() { <-c }()
	<-gate
	return c
}

// finds:
func TestUsedByReturnOfResult(*testing.T) { go func() { close(returnedByName()) }() }

func returnedByName() (c chan int) {
	c = make(chan int)
	go func(c chan int) { <-c }(c)
	<-gate
	return
}

// finds:
func TestUsedByReturnAfterDeferred(*testing.T) { go func() { close(returnedLate()) }() }

func returnedLate() chan int {
	defer atGate()
	c := make(chan int)
	go func() { <-c }()
	return c
}

// finds:
func TestUsedByReturnOfResultAfterDeferred(*testing.T) { go func() { close(returnedLateByName()) }() }

func returnedLateByName() (c chan int) {
	defer func() {
		atGate()
		recover()
	}()
	c = make(chan int)
	go func(c chan int) { <-c }(c)
	panic("")
}

// finds:
func TestUsedByReflection(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		reflect.ValueOf(func(c chan int) { <-gate; close(c) }).Call([]reflect.Value{reflect.ValueOf(c)})
	}()
}

// finds:
func TestUsedByCallback(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		slices.SortFunc([]int{1, 2}, func(int, int) int { <-gate; return 0 })
		close(c)
	}()
}

// finds:
func TestUsedByCoroutine(*testing.T) {
	go func() {
		next, stop := iter.Pull(func(yield func(int) bool) {
			c := make(chan int)
			go func() { <-c }()
			yield(1)
			close(c)
		})
		next()
		<-gate
		stop()
	}()
}

// finds:
func TestUsedBesideCoroutine(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		next, _ := iter.Pull(func(yield func(int) bool) {
			<-gate
			yield(1)
		})
		next()
		close(c)
	}()
}

// finds:
func TestUsedBesideTwoCoroutines(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		outer, _ := iter.Pull(func(yield func(int) bool) {
			inner, _ := iter.Pull(func(yield func(int) bool) {
				<-gate
				yield(1)
			})
			inner()
			yield(1)
		})
		outer()
		close(c)
	}()
}

// finds:
func TestUsedBelowCoroutine(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		next, _ := iter.Pull(func(yield func(int) bool) {
			yield(1)
			<-gate
		})
		next()
		next()
		close(c)
	}()
}

// finds: goroutineleak
func TestUnusedByCoroutine(*testing.T) {
	go func() {
		next, _ := iter.Pull(func(yield func(int) bool) {
			c := make(chan int)
			go func() { <-c }()
			<-gate
			yield(1)
		})
		next()
	}()
}

// finds:
func TestUsedBySend(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		gateOfChannels <- c
	}()
}

// finds:
func TestUsedBySelectedSend(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		select {
		case gateOfChannels <- c:
		case <-gate:
		}
	}()
}

var gateOfChannels = make(chan chan int)

// finds:
func TestUsedByCaller(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		atGate()
		close(c)
	}()
}

// finds:
func TestUsedByCallee(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		closeLater(c)
	}()
}

func closeLater(c chan int) {
	<-gate
	close(c)
}

// finds:
func TestUsedCaptured(*testing.T) {
	c := make(chan int)
	go func() {
		go func() { <-c }()
		<-gate
		close(c)
	}()
}

// finds:
func TestUsedCapturedByAnother(*testing.T) {
	c := make(chan int)
	go func() {
		use := func() { close(c) }
		go func() { <-c }()
		<-gate
		use()
	}()
}

// finds:
func TestUsedByMethodValue(*testing.T) {
	go func() {
		b := &inBox{make(chan int)}
		f := b.send
		go func() { <-b.c }()
		<-gate
		f()
	}()
}

// finds:
func TestUsedInLoop(*testing.T) {
	go func() {
		var all []chan int
		for range 2 {
			c := make(chan int)
			all = append(all, c)
			go func() { <-c }()
		}
		<-gate
		for _, c := range all {
			c <- 1
		}
	}()
}

// finds:
func TestUsedInBodyOfRange(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		for range onceLater {
			c <- 1
		}
	}()
}

func onceLater(yield func() bool) {
	<-gate
	yield()
}

// finds:
func TestUsedInInterface(*testing.T) {
	go func() {
		var x any = make(chan int)
		go func() { <-x.(chan int) }()
		<-gate
		x.(chan int) <- 1
	}()
}

// finds:
func TestUsedInArray(*testing.T) {
	go func() {
		var a [3]chan int
		a[1] = make(chan int)
		go func(c chan int) { <-c }(a[1])
		i := <-gate
		a[i] <- 1
	}()
}

// finds:
func TestUsedKept(*testing.T) {
	go func() {
		c := make(chan int)
		go func() { <-c }()
		<-gate
		runtime.KeepAlive(c)
	}()
}

// finds:
func TestUsedLock(*testing.T) {
	go func() {
		var mu sync.Mutex
		mu.Lock()
		go func() { mu.Lock(); mu.Unlock() }()
		<-gate
		mu.Unlock()
	}()
}
