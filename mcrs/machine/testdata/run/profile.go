package main

import (
	"bytes"
	"fmt"
	"path"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"
)

func receives(c chan int) { <-c }

// main prints where goroutines wait, by both profiles of them.
func main() {
	c, d := make(chan int), make(chan int)
	var none chan int
	go receives(c)
	go func() { v, ok := <-c; fmt.Println(v, ok) }()
	go func() {
		for range c {
		}
	}()
	go func() { d <- 1 }()
	go func() { <-none }()
	go func() { none <- 1 }()
	go func() { select {} }()
	go func() {
		select {
		case <-c:
		case <-none:
		}
	}()
	go func() { time.Sleep(time.Hour) }()
	var mu, condMu sync.Mutex
	mu.Lock()
	go func() { mu.Lock() }()
	go func() { mu.Lock() }()
	var read, written sync.RWMutex
	written.Lock()
	go func() { written.RLock() }()
	read.RLock()
	go func() { read.Lock() }()
	time.Sleep(50 * time.Millisecond)
	go func() { read.Lock() }()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { wg.Wait() }()
	cond := sync.NewCond(&condMu)
	go func() { condMu.Lock(); cond.Wait() }()
	time.Sleep(50 * time.Millisecond)

	some, ok := runtime.GoroutineProfile(make([]runtime.StackRecord, 5))
	fmt.Println(some, ok)
	rs := make([]runtime.StackRecord, 30)
	n, ok := runtime.GoroutineProfile(rs)
	m, _ := runtime.GoroutineProfile(nil)
	fmt.Println(n, ok, m, runtime.NumGoroutine(), len(rs[n].Stack()))
	var all []string
	for i := range n {
		var stack []string
		for fs, more := runtime.CallersFrames(rs[i].Stack()), true; more; {
			var f runtime.Frame
			f, more = fs.Next()
			stack = append(stack, fmt.Sprintf("%s %s:%d", f.Function, path.Base(f.File), f.Line))
		}
		all = append(all, strings.Join(stack, ", "))
	}
	fmt.Println(all[0])
	slices.Sort(all)
	fmt.Println(strings.Join(all, "\n"))

	p := pprof.Lookup("goroutine")
	var b bytes.Buffer
	fmt.Println(p.Count(), p.WriteTo(&b, 1))
	all = all[:0]
	for line := range strings.Lines(b.String()) {
		switch f := strings.Fields(line); {
		case len(f) > 2 && f[0] == "#":
			name, _, _ := strings.Cut(f[2], "+")
			all = append(all, name+" "+path.Base(f[3]))
		case len(f) > 2 && f[1] != "@":
			fmt.Print(line)
		}
	}
	slices.Sort(all)
	fmt.Println(strings.Join(all, "\n"))
}
