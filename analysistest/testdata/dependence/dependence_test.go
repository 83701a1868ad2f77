// Package dependence holds small programs in which what a goroutine reads flows, or does not, into what it does afterwards. Shared
// variables are plain, and race on purpose.
package dependence

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// start runs goroutines and waits for them.
func start(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() {
			f()
			wg.Done()
		}()
	}
	wg.Wait()
}

var (
	x, y, z, u int
	arr        [4]int
	sl         = make([]int, 4)
	ptr        *int
	text       string
	face       any
	m          map[int]int
	mu         sync.Mutex
	n64        atomic.Int64
)

func reset() {
	x, y, z, u = 0, 0, 0, 0
	arr, sl = [4]int{}, make([]int, 4)
	ptr, text, face, m = nil, "", nil, map[int]int{}
	n64.Store(0)
}

func writer() { x = 1; y = 2; x = 2 }

// TestRedundant is the example of section 4.3: nothing depends on the first read.
func TestRedundant(t *testing.T) {
	reset()
	start(func() { x = 1 }, func() {
		r1 := x
		r2 := x
		_, _ = r1, r2
	})
}

// TestCopied: the value of y is that of x.
func TestCopied(t *testing.T) {
	reset()
	start(writer, func() { y = x; z = y })
}

// TestPhi: which constant is written is chosen by a branch; no path of data leads from x to y.
func TestPhi(t *testing.T) {
	reset()
	start(writer, func() {
		v := 1
		if x == 1 {
			v = 2
		}
		y = v
		z = 3
	}, func() { u = y })
}

// TestIndex: where is written is chosen by what was read.
func TestIndex(t *testing.T) {
	reset()
	start(writer, func() {
		i := x
		arr[i] = 1
		z = 3
	}, func() { u = arr[0]; y = arr[1] })
}

func sign(v int) int {
	if v > 0 {
		return 1
	}
	return -1
}

// TestReturn: the value is chosen by a return in a callee.
func TestReturn(t *testing.T) {
	reset()
	start(writer, func() {
		y = sign(x)
		z = 3
	}, func() { u = y })
}

// TestImplicit: a variable that closures share is not assigned because a branch was not taken.
func TestImplicit(t *testing.T) {
	reset()
	start(writer, func() {
		v := 0
		set := func() { v = 1 }
		if x == 1 {
			set()
		}
		y = v
	}, func() { u = y })
}

// TestPanic: whether z is written depends on an index that is in range or not.
func TestPanic(t *testing.T) {
	reset()
	start(writer, func() {
		defer func() { recover(); u = 1 }()
		s := sl[:x]
		_ = s[0]
		z = 3
	}, func() { y = z })
}

// TestNil: whether z is written depends on a pointer.
func TestNil(t *testing.T) {
	reset()
	start(func() { ptr = new(int) }, func() {
		defer func() { u = 1 }()
		defer func() { _ = recover() }()
		p := ptr
		*p = 2
		z = 3
	}, func() { y = z })
}

// TestLoop: how often is decided by what was read.
func TestLoop(t *testing.T) {
	reset()
	start(writer, func() {
		n := x
		for i := 0; i < n; i++ {
			z = i
		}
		u = 1
	}, func() { y = z })
}

// TestPureLoop: the loop computes a value alone.
func TestPureLoop(t *testing.T) {
	reset()
	start(writer, func() {
		n, s, last := x, 0, 0
		for i := 0; i < n; i++ {
			s += 2
			last = i
		}
		u = 1
		z = s
		y = last
	}, func() { y = z })
}

// TestConstantLoop: reads in a loop whose bound is fixed.
func TestConstantLoop(t *testing.T) {
	reset()
	start(func() {
		for range 2 {
			c := x
			x = c + 1
		}
	}, func() { x = 5; z = x })
}

// TestBubble: compare and swap.
func TestBubble(t *testing.T) {
	reset()
	arr[0] = 2
	start(func() {
		for i := range 2 {
			if arr[i] > arr[i+1] {
				arr[i], arr[i+1] = arr[i+1], arr[i]
			}
		}
		z = 1
	}, func() { arr[1] = 3 }, func() { y = z })
}

// TestPublished: what others find in a new object was read.
func TestPublished(t *testing.T) {
	reset()
	start(writer, func() {
		p := new(int)
		*p = x
		ptr = p
	}, func() {
		if p := ptr; p != nil {
			y = *p
		}
	})
}

// TestGiven: a goroutine is started with what was read.
func TestGiven(t *testing.T) {
	reset()
	start(writer, func() {
		v := x
		w := y
		start(func() { z = w })
		go func(v int) { u = v }(v)
	}, func() { y = u })
}

// TestInterface: what a dynamic type is decides what is called.
func TestInterface(t *testing.T) {
	reset()
	start(func() { face = 1 }, func() {
		v := face
		if n, ok := v.(int); ok {
			z = n
		} else {
			y = 2
		}
		u = 1
	}, func() { y = z })
}

// TestText: strings, built and compared.
func TestText(t *testing.T) {
	reset()
	start(func() { text = "a" }, writer, func() {
		s := text + "b"
		if s == "ab" {
			z = len(s)
		}
		u = len(s)
	})
}

// TestSprint: through the standard library.
func TestSprint(t *testing.T) {
	reset()
	start(writer, func() {
		s := fmt.Sprint(x, "-")
		y = int(s[0])
	}, func() { z = y })
}

// TestMap: a private map and a shared one.
func TestMap(t *testing.T) {
	reset()
	start(writer, func() {
		own := map[int]int{}
		own[1] = x
		own[2] = 7
		z = own[1]
		mu.Lock()
		m[own[1]] = 2
		mu.Unlock()
	}, func() {
		mu.Lock()
		u = m[1]
		mu.Unlock()
	})
}

// TestAppend: slices that grow.
func TestAppend(t *testing.T) {
	reset()
	start(writer, func() {
		var s []int
		for i := range 3 {
			s = append(s, i)
		}
		s = append(s, x)
		s = append(s, 9)
		y = s[4]
		z = s[3]
	}, func() { u = z })
}

// TestAtomics: updates whose results are used, or not.
func TestAtomics(t *testing.T) {
	reset()
	start(func() { n64.Add(1); z = 1 }, func() {
		v := n64.Load()
		n64.Store(v + 1)
		if n64.CompareAndSwap(2, 5) {
			u = 1
		}
		y = int(n64.Add(1))
	})
}

type pair struct{ a, b int }

// TestFields: one field is what was read, the other is not.
func TestFields(t *testing.T) {
	reset()
	start(writer, func() {
		p := pair{a: x, b: 3}
		q := p
		q.b++
		z = q.b
		u = q.a
		f := func() (int, int) { return q.b, q.a }
		b, a := f()
		y = b
		x = a
	}, func() { y = u })
}

// TestEarlyReturn: what stands behind a return.
func TestEarlyReturn(t *testing.T) {
	reset()
	work := func() {
		if x == 1 {
			return
		}
		y = 1
	}
	start(writer, func() { work(); z = 1 }, func() { u = z })
}

// TestDeferred: arguments of deferred calls.
func TestDeferred(t *testing.T) {
	reset()
	start(writer, func() {
		defer func(v int) { z = v }(x)
		y = 1
	}, func() { u = z })
}

// TestNamed: a named result that a deferred call changes.
func TestNamed(t *testing.T) {
	reset()
	get := func() (v int) {
		defer func() {
			if recover() != nil {
				v = 7
			}
		}()
		if x == 2 {
			panic("two")
		}
		return 3
	}
	start(writer, func() { y = get(); z = 1 }, func() { u = y })
}

// TestSwitch: a value chosen among several, with short-circuit conditions.
func TestSwitch(t *testing.T) {
	reset()
	start(writer, func() {
		a, b := x, y
		v := 0
		switch {
		case a == 1 && b == 2 || a == 0:
			v = 10
		case b == 2:
			v = 20
		}
		c := max(a, b)
		z = v
		u = c
	}, func() { y = z })
}

// TestChannels: through buffers and by meeting.
func TestChannels(t *testing.T) {
	reset()
	c, d := make(chan int, 1), make(chan int)
	start(writer, func() { c <- x; d <- 1 }, func() {
		v := <-c
		<-d
		z = v
		select {
		case w := <-c:
			y = w
		default:
			y = 3
		}
	})
}

// TestLocked: a counter under a lock; a copied lock pointer.
func TestLocked(t *testing.T) {
	reset()
	add := func(n int) func() {
		return func() {
			mu.Lock()
			x += n
			mu.Unlock()
		}
	}
	start(add(1), add(2), func() {
		mu.Lock()
		v := x
		mu.Unlock()
		if v > 1 {
			z = 1
		}
	})
}

func TestAppended(t *testing.T) {
	reset()
	start(func() { x = 1 }, func() { _ = append(sl[:0], x) }, func() { y = sl[0] })
}
