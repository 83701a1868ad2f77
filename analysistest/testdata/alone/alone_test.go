package alone

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

type T struct{ a, b int }

func (t *T) M() int { return t.a }

var global = []int{1, 2, 3}

// goroutine is the first line of the goroutine's stack.
func goroutine() string {
	s := string(debug.Stack())
	return s[:strings.Index(s, " [")]
}

func look(t *testing.T, own string, f func()) {
	var mu sync.Mutex
	var b strings.Builder
	say := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(&b, format+"; ", args...)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		say("G %s", goroutine())
		x := &T{}
		say("heap %p", x)
	})
	wg.Wait()
	wg.Go(func() {
		buf := make([]byte, 1<<14)
		st := string(buf[:runtime.Stack(buf, true)])
		for _, l := range strings.Split(st, "\n") {
			if strings.HasPrefix(l, "goroutine ") {
				say("%s", l)
			}
			if i := strings.Index(l, " in goroutine"); i >= 0 {
				say("%s", l[i:])
			}
		}
	})
	wg.Wait()
	say("func %p", f)
	say("method %p", (*T).M)
	say("global %p", &global)
	say("data %p", global)
	m := map[string]int{own: 1}
	say("map %p", m)
	c := make(chan int)
	say("chan %p", c)
	say("new %p", errors.New(own))
	t.Error(b.String())
}

func TestA(t *testing.T) {
	look(t, "constant A", func() { fmt.Println("a") })
}

func TestB(t *testing.T) {
	x := "constant B"
	look(t, x, func() { fmt.Println(x) })
}

func TestC(t *testing.T) { // goroutines of which each exists in some executions only
	var mu sync.Mutex
	n := 0
	for range 2 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			if n++; n == 2 {
				go func() { t.Log(goroutine()) }()
			}
		}()
	}
	look(t, "C"+fmt.Sprint(1), func() {})
}

func TestD(t *testing.T) {
	look(t, strings.Repeat("D", 3), (&T{}).show)
}

func (t *T) show() { fmt.Println(t.a, "shown") }
