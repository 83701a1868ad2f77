package datarace

import (
	"sync"
	"testing"
)

// What a literal captures is read where it stands, if something is written behind it.

func TestCaptureAssignedLater(t *testing.T) {
	var wg sync.WaitGroup
	x := 1
	wg.Go(func() { _ = x + 1 })
	x = 2 // want `data race: x written here by G1, read at captures_test.go:13 by G1\.1\n.*\n\tin TestCaptureAssignedLater`
	wg.Wait()
}

func TestCaptureAssignedBefore(t *testing.T) {
	var wg sync.WaitGroup
	x := 1
	if len(t.Name()) > 3 {
		x = 2
	}
	wg.Go(func() { _ = x + 1 })
	wg.Go(func() { _ = x + 1 })
	wg.Wait()
	_ = x + 1
}

func TestCaptureAssignedInside(t *testing.T) {
	var wg sync.WaitGroup
	x := 1
	wg.Go(func() { _ = x + 1 })
	wg.Go(func() { func() { x = 2 }() }) // want `data race: x written here by G1\.2, read at captures_test.go:33 by G1\.1\n.*\n\tin TestCaptureAssignedInside`
	wg.Wait()
}

func TestCaptureByAddress(t *testing.T) {
	var wg sync.WaitGroup
	x := 1
	p := &x
	wg.Go(func() { _ = x + 1 })
	wg.Go(func() { *p = 2 }) // want `data race: p written here by G1\.2, read at captures_test.go:42 by G1\.1\n.*\n\tin TestCaptureByAddress`
	wg.Wait()
}

func TestCaptureRoundChanges(t *testing.T) {
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Go(func() { _ = i + 1 })
		i++ // want `data race: i written here by G1, read at captures_test.go:50 by G1\.1\n.*\n\tin TestCaptureRoundChanges`
	}
	wg.Wait()
}

func TestCaptureRounds(t *testing.T) {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Go(func() { _ = i + 1 })
	}
	wg.Wait()
}

func TestCaptureOneForAllRounds(t *testing.T) {
	var wg sync.WaitGroup
	var x int
	for i := range 2 {
		x = i // want `data race: x written here by G1, read at captures_test.go:69 by G1\.1\n.*\n\tin TestCaptureOneForAllRounds`
		wg.Go(func() { _ = x + 1 })
	}
	wg.Wait()
}

func TestCaptureField(t *testing.T) {
	var wg sync.WaitGroup
	p := struct{ a, b int }{1, 2}
	q := p
	wg.Go(func() { _ = p.a + q.a })
	p.b = 3
	q.a = 3 // want `data race: q\.a written here by G1, read at captures_test.go:78 by G1\.1\n.*\n\tin TestCaptureField`
	wg.Wait()
}

// The literal captures what another one has captured.
func TestCaptureNested(t *testing.T) {
	var wg sync.WaitGroup
	x, y := 1, 1
	wg.Go(func() {
		wg.Go(func() { _ = x + y })
	})
	y = 2 // want `data race: y written here by G1, read at captures_test.go:89 by G1\.1\.1\n.*\n\tin TestCaptureNested`
	wg.Wait()
}

// It is made before the variable has its value.
func TestCaptureResult(t *testing.T) {
	captureResult()
}

func captureResult() (n int) {
	var wg sync.WaitGroup
	wg.Go(func() { _ = n + 1 })
	defer wg.Wait()
	return 3 // want `data race: n written here by G1, read at captures_test.go:102 by G1\.1\n.*\n\tin TestCaptureResult`
}
