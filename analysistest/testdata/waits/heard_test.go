package waits

import (
	"bytes"
	"sync"
	"testing"
)

// An instruction that reads twice: what it has read first is in no register yet, but it is in the name of the
// goroutine's state (HEARD1). Without that the second read led to one state, whatever the first one had found.

// heard looks at two bytes under a lock, beside two goroutines that change one each, step by step.
func heard(t *testing.T, as, bs []byte, bad func(a, b []byte) bool) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	a, b := []byte{0}, []byte{9}
	for i, x := range [][]byte{a, b} {
		wg.Go(func() {
			for _, v := range [][]byte{as, bs}[i] {
				mu.Lock()
				x[0] = v
				mu.Unlock()
			}
		})
	}
	mu.Lock()
	is := bad(a, b)
	mu.Unlock()
	if is {
		t.Error("met")
	}
	wg.Wait()
}

// finds: testfailure
// only: union
func TestHeardEqual(t *testing.T) { heard(t, []byte{1, 0}, []byte{6, 1, 7}, bytes.Equal) }

// finds: testfailure
// only: union
func TestHeardCompare(t *testing.T) {
	heard(t, []byte{3, 5, 4}, []byte{8, 4, 9}, func(a, b []byte) bool { return bytes.Compare(a, b) > 0 })
}

// Nothing is ever equal here.
//
// only: union
func TestHeardNever(t *testing.T) { heard(t, []byte{1, 2, 3}, []byte{6, 7}, bytes.Equal) }

// A copy reads, and writes what it has read: who looks at it later is told.
//
// finds: testfailure
// only: union
func TestHeardCopy(t *testing.T) {
	c := []byte{0}
	heard(t, []byte{1, 0}, []byte{6, 1, 7}, func(a, b []byte) bool {
		copy(c, a)
		return c[0] == b[0]
	})
}
