package main

import (
	"context"
	"fmt"
	"hash/maphash"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"time"
)

// What a goroutine that has parked goes on with.
func main() {
	runtime.GOMAXPROCS(1)

	// A select that a close has woken is in no other queue any more.
	ctx, cancel := context.WithCancel(context.Background())
	control, stopped := make(chan int), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-control:
			case <-ctx.Done():
				return
			}
		}
	}()
	control <- 1
	parked("main.main.func1", "[select]")
	cancel()
	select {
	case control <- 2:
		fmt.Println("sent to one that is gone")
	case <-stopped:
		fmt.Println("stopped")
	}
	select {
	case control <- 3:
		fmt.Println("sent to one that has ended")
	default:
		fmt.Println("nobody there")
	}

	// A stack dump has all goroutines, and what each waits for.
	var mu sync.Mutex
	mu.Lock()
	go lockIt(&mu)
	parked("main.lockIt", "[sync.Mutex.Lock]")
	for _, s := range stacks() {
		head, _, _ := strings.Cut(s, "\n")
		_, state, _ := strings.Cut(head, " [")
		fmt.Println(state, strings.Contains(s, "main.lockIt"), strings.Contains(s, "created by main.main in goroutine"))
	}
	mu.Unlock()

	// No two readings of the clock are equal, and it comes to no deadline before its time.
	a := time.Now()
	b := time.Now()
	fmt.Println(b.After(a), time.Since(a) > 0)
	began := time.Now()
	time.Sleep(time.Millisecond)
	fmt.Println(time.Since(began) >= time.Millisecond)

	// Nobody wakes at the very instant that he waited for, so more has passed for who began a little later, too.
	look := func() chan time.Time {
		c := make(chan time.Time, 1)
		go func() { c <- time.Now() }()
		return c
	}
	first := look()
	time.Sleep(10 * time.Millisecond)
	fmt.Println((<-look()).After((<-first).Add(10 * time.Millisecond)))

	metered()

	// What the compiler has for hash/maphash.Comparable.
	seed := maphash.MakeSeed()
	type key struct {
		s string
		p *int
	}
	p := new(int)
	fmt.Println(maphash.Comparable(seed, key{"a", p}) == maphash.Comparable(seed, key{"a", p}), maphash.Comparable(seed, "a") == maphash.Comparable(seed, "b"))
}

// parked waits until the goroutine that runs a function waits for something.
func parked(function, state string) {
	for {
		for _, s := range stacks() {
			if strings.Contains(s, function+"(") && strings.Contains(s, state) {
				return
			}
		}
		runtime.Gosched()
	}
}

func stacks() []string {
	buf := make([]byte, 1<<16)
	return strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
}

func metered() {
	var s debug.GCStats
	s.PauseQuantiles = make([]time.Duration, 5)
	debug.ReadGCStats(&s)
	fmt.Println(s.NumGC >= 0, len(s.Pause) == len(s.PauseEnd))
	all := metrics.All()
	ms := make([]metrics.Sample, len(all)+1)
	for i, d := range all {
		ms[i].Name = d.Name
	}
	metrics.Read(ms)
	for i, d := range all {
		if ms[i].Value.Kind() != d.Kind {
			fmt.Println(d.Name, ms[i].Value.Kind())
		}
		if d.Kind == metrics.KindFloat64Histogram {
			if h := ms[i].Value.Float64Histogram(); len(h.Counts) != len(h.Buckets)-1 {
				fmt.Println(d.Name, len(h.Counts), len(h.Buckets))
			}
		}
	}
	fmt.Println(ms[len(all)].Value.Kind() == metrics.KindBad)
}

func lockIt(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
}
