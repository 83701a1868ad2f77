package main

import (
	"fmt"
	"iter"
	"runtime"
	"sync"
	"unique"
	"weak"
)

func seq(yield func(int) bool) {
	defer fmt.Println("cleanup")
	for i := 0; i < 5; i++ {
		if !yield(i * i) {
			return
		}
	}
}
func main() {
	next, stop := iter.Pull(iter.Seq[int](seq))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	fmt.Println(next())
	next, stop = iter.Pull(func(yield func(int) bool) { yield(1); panic("boom") })
	fmt.Println(next())
	func() { defer func() { fmt.Println("rec", recover()) }(); next() }()
	stop()
	n2, s2 := iter.Pull2(func(yield func(int, string) bool) {
		for i := range 3 {
			yield(i, "x")
		}
	})
	for {
		a, b, ok := n2()
		if !ok {
			break
		}
		fmt.Println(a, b)
	}
	s2()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer fmt.Println("goexit seen")
		next, _ := iter.Pull(func(yield func(int) bool) { runtime.Goexit() })
		next()
		fmt.Println("not reached")
	}()
	wg.Wait()
	h := unique.Make("abc")
	h2 := unique.Make("ab" + string([]byte("c")))
	fmt.Println(h == h2, h.Value())
	x := new(int)
	wp := weak.Make(x)
	fmt.Println(wp.Value() == x)
	runtime.AddCleanup(x, func(i int) {}, 3)
	runtime.SetFinalizer(x, nil)
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
}
