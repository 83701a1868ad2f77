// Package climb has timers that fire many times: all orders are too many where each firing may come early.
package climb

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// jobs runs a job each second, in a goroutine of its own, for some seconds, and keeps what the jobs say.
func jobs(seconds int, job func() string) {
	var mu sync.Mutex
	var lines []string
	tick, stop := time.NewTicker(time.Second), make(chan bool)
	go func() {
		for {
			select {
			case <-tick.C:
				go func() {
					line := job()
					mu.Lock()
					lines = append(lines, fmt.Sprint(time.Now().Unix(), line))
					mu.Unlock()
				}()
			case <-stop:
				tick.Stop()
				return
			}
		}
	}()
	time.Sleep(time.Duration(seconds) * time.Second)
	stop <- true
}

// TestMeet fails if a job is at work when the next one begins. It takes two firings: the second comes early.
func TestMeet(t *testing.T) {
	var busy atomic.Int32
	var at *int
	jobs(12, func() string {
		if busy.Add(1) == 2 {
			*at = 1
		}
		return fmt.Sprint("left ", busy.Add(-1))
	})
}

// TestApart keeps the jobs apart.
func TestApart(t *testing.T) {
	var mu sync.Mutex
	busy := 0
	jobs(12, func() string {
		mu.Lock()
		defer mu.Unlock()
		busy++
		return fmt.Sprint("busy ", busy)
	})
}
