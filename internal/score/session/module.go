package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// This file makes the modules.

// tests is how many tests a module has, stress tests among them.
const tests = 100

// A module has so many packages. Their first package has the stress tests, before all others. form is a small test, as
// a function of its number; stress a large one.
type module struct {
	name     string
	packages int
	code     string
	form     string
	stress   string
}

var modules = []module{
	{"locks", 1, locks, locksTest, locksStress},
	{"channels", 10, channels, channelsTest, channelsStress},
	{"timers", 4, timers, timersTest, timersStress},
}

func (m module) write(dir string) error {
	if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/"+m.name+"\n\ngo 1.26\n"), 0o666)); err != nil {
		return err
	}
	for p := range m.packages {
		name := fmt.Sprintf("p%d", p)
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n%s", name, m.code)
		n := tests / m.packages
		if p == 0 {
			fmt.Fprintf(&b, m.stress, 0)
			fmt.Fprintf(&b, m.stress, 1)
			n -= 2
		}
		for i := range n {
			fmt.Fprintf(&b, m.form, i)
		}
		sub := filepath.Join(dir, name)
		if err := errors.Join(os.Mkdir(sub, 0o777), os.WriteFile(filepath.Join(sub, "p_test.go"), []byte(b.String()), 0o666)); err != nil {
			return err
		}
	}
	return nil
}

const locks = `
import (
	"sync"
	"testing"
)

func count(workers, rounds int) (n int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			for j := range rounds {
				mu.Lock()
				n = 3*n + i*j
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return n
}
`

const locksTest = `
func TestSmall%[1]d(t *testing.T) { count(2, 1+%[1]d%%2) }
`

const locksStress = `
func TestStress%d(t *testing.T) { count(50, 200) }
`

const channels = `
import "testing"

func pipe(stages, values int) (sum int) {
	in := make(chan int)
	first := in
	for range stages {
		from, to := in, make(chan int, 1)
		go func() {
			for v := range from {
				to <- v + 1
			}
			close(to)
		}()
		in = to
	}
	go func() {
		for v := range values {
			first <- v
		}
		close(first)
	}()
	for v := range in {
		sum += v
	}
	return sum
}

func merge(producers, values int) (sum int) {
	to := make(chan int, producers)
	for p := range producers {
		go func() {
			for v := range values {
				to <- p * v
			}
		}()
	}
	for range producers * values {
		sum = 3*sum + <-to
	}
	return sum
}
`

const channelsTest = `
func TestSmall%[1]d(t *testing.T) {
	if got := pipe(1, 1+%[1]d%%2); got > 3 {
		t.Error(got)
	}
}
`

const channelsStress = `
func TestStress%d(t *testing.T) { merge(20, 200) }
`

const timers = `
import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

func poll(workers int, d time.Duration) int64 {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	var n atomic.Int64
	done := make(chan bool)
	for range workers {
		go func() {
			defer func() { done <- true }()
			for ctx.Err() == nil {
				n.Add(1)
				time.Sleep(time.Millisecond)
			}
		}()
	}
	for range workers {
		<-done
	}
	return n.Load()
}
`

const timersTest = `
func TestSmall%[1]d(t *testing.T) {
	t.Parallel()
	if poll(1, (1+%[1]d%%2)*time.Millisecond) < 0 {
		t.Error("none")
	}
}
`

const timersStress = `
func TestStress%d(t *testing.T) { poll(30, 200*time.Millisecond) }
`
