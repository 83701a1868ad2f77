package rlockwrite

import (
	"sync"
	"testing"
)

func TestWrite(t *testing.T) {
	var mu sync.RWMutex
	n, done := 0, make(chan bool)
	add := func() {
		mu.RLock()
		n++ // want "data race"
		mu.RUnlock()
	}
	go func() {
		add()
		done <- true
	}()
	add()
	<-done
}
