package copyvariable

import (
	"sync"
	"testing"
)

func TestCapture(t *testing.T) {
	var wg sync.WaitGroup
	name := "a"
	got := make(chan string, 1)
	wg.Add(1)
	go func() {
		defer wg.Done()
		got <- name
	}()
	name = "b"
	wg.Wait()
	if g := <-got; g != "a" {
		t.Error(g, name)
	}
}
