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

// What was read first is not read again when the second operand is (KEPT1). The machine reads each operand at once.

// heardApart compares two bytes, without a lock, beside a goroutine that changes both.
func heardApart(t *testing.T, change func(a, b []byte), bad func(a, b []byte) bool) {
	a, b, done := []byte{5}, []byte{5}, make(chan bool)
	go func() {
		change(a, b)
		close(done)
	}()
	if bad(a, b) {
		t.Error("met")
	}
	<-done
}

func heardUp(a, b []byte) { a[0], b[0] = 6, 6 }

// The first is read before it changes, and the second after it has changed.
//
// finds: datarace testfailure
// only: union
func TestHeardBetween(t *testing.T) {
	heardApart(t, heardUp, func(a, b []byte) bool { return bytes.Compare(a, b) < 0 })
}

// finds: datarace
// only: union
func TestHeardBetweenNever(t *testing.T) {
	heardApart(t, func(a, b []byte) { heardUp(b, a) }, func(a, b []byte) bool { return bytes.Compare(a, b) > 0 })
}

// only: union
func TestHeardBetweenLocked(t *testing.T) {
	var mu sync.Mutex
	locked := func(f func(a, b []byte) bool) func(a, b []byte) bool {
		return func(a, b []byte) bool {
			mu.Lock()
			defer mu.Unlock()
			return f(a, b)
		}
	}
	heardApart(t, func(a, b []byte) { locked(func(a, b []byte) bool { heardUp(a, b); return true })(a, b) },
		locked(func(a, b []byte) bool { return bytes.Compare(a, b) < 0 }))
}
