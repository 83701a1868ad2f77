package waits

// This file defers and starts builtins, which stand in no function of the program, beside panics.

import (
	"sync"
	"testing"
)

// finds: panics
func TestShownDeferredClose(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				panic(r)
			}
		}()
		panic("x")
	}()
	<-done
}

// finds: panics
func TestShownDeferredDelete(t *testing.T) {
	var wg sync.WaitGroup
	m := map[int]int{}
	wg.Go(func() {
		defer delete(m, 1)
		defer panic("second")
		panic("first")
	})
	wg.Wait()
}

// finds: panics
func TestShownDeferredCloseTwice(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer close(done)
	}()
	<-done
}

// finds: panics
func TestShownStartedClose(t *testing.T) {
	done := make(chan bool)
	go close(done)
	close(done)
}

// finds:
func TestShownRecovered(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { recover() }()
		panic("x")
	}()
	<-done
}
