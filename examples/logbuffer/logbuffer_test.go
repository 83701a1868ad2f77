package logbuffer

import (
	"sync"
	"testing"
)

func TestEveryLineIsWritten(t *testing.T) {
	var b Buffer
	b.Add("one")

	written := 0
	write := func(string) { written++ }

	var wg sync.WaitGroup
	wg.Go(func() { b.Flush(write) })
	b.Add("two")
	wg.Wait()
	b.Flush(write)

	if written != 2 {
		t.Errorf("%d lines written, want 2", written)
	}
}
