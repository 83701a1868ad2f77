// Every place from which an object may be reached alone while others are allocated.
package main

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unique"
	"unsafe"
	"weak"
)

type node struct {
	next *node
	n    int
}

func list(n int) *node {
	var l *node
	for i := range n {
		l = &node{l, i}
	}
	return l
}

func (l *node) Sum() int {
	s := 0
	for ; l != nil; l = l.next {
		s += l.n
	}
	return s
}

// churn allocates, so that what is not reached is overwritten.
func churn() {
	var keep []*node
	for i := range 40 {
		keep = append(keep, &node{nil, i})
	}
	_ = fmt.Sprint(len(keep), keep[3].n)
}

var global *node
var once sync.Once
var pool = sync.Pool{New: func() any { return list(3) }}

type big struct {
	pad [70000]byte
	p   *node
}

func main() {
	global = list(10)
	churn()
	fmt.Println("global", global.Sum())

	m := map[string]*node{}
	byNode := map[*node]string{}
	for i := range 20 {
		l := list(i)
		m[fmt.Sprint("k", i)] = l
		byNode[l] = strings.Repeat("x", i)
	}
	churn()
	n := 0
	for _, k := range slices.Sorted(maps.Keys(m)) {
		n += m[k].Sum() + len(byNode[m[k]])
	}
	fmt.Println("maps", n)
	for k := range maps.Clone(m) {
		churn()
		n += len(k)
	}
	fmt.Println("range", n)
	rv := reflect.ValueOf(m)
	for it := rv.MapRange(); it.Next(); {
		churn()
		n += int(it.Value().Type().Size()) + it.Key().Len()
	}
	fmt.Println("reflect range", n)

	c := make(chan *node, 3)
	c <- list(4)
	c <- list(5)
	churn()
	fmt.Println("channel", (<-c).Sum(), (<-c).Sum())

	un := make(chan *node)
	go func() { churn(); un <- list(6) }()
	churn()
	fmt.Println("rendezvous", (<-un).Sum())
	go func() { x := list(7); runtime.Gosched(); churn(); un <- x }()
	select {
	case x := <-un:
		churn()
		fmt.Println("select", x.Sum())
	case <-make(chan int):
	}

	defer func(l *node) {
		churn()
		fmt.Println("deferred", l.Sum())
		fmt.Println("recovered", recover().(*node).Sum())
	}(list(8))

	next, stop := iter.Pull(func(yield func(*node) bool) {
		l := list(9)
		for yield(list(2)) {
			churn()
		}
		fmt.Println("coroutine", l.Sum())
	})
	for range 3 {
		l, _ := next()
		churn()
		fmt.Println("pulled", l.Sum())
	}
	stop()

	f := func(l *node) func() int { return func() int { churn(); return l.Sum() } }(list(11))
	churn()
	fmt.Println("closure", f(), reflect.ValueOf(f).Call(nil)[0].Int())
	method := list(12).Sum
	churn()
	fmt.Println("method value", method(), reflect.ValueOf(list(13)).MethodByName("Sum").Call(nil)[0].Int())
	mk := reflect.MakeFunc(reflect.TypeOf(f), func([]reflect.Value) []reflect.Value { churn(); return []reflect.Value{reflect.ValueOf(14)} })
	churn()
	fmt.Println("MakeFunc", mk.Interface().(func() int)())

	var a atomic.Pointer[node]
	a.Store(list(15))
	churn()
	fmt.Println("atomic", a.Load().Sum())
	l := list(16)
	inner := &l.next.n
	l = nil
	churn()
	fmt.Println("interior", *inner)
	l = list(17)
	hidden := uintptr(unsafe.Pointer(l))
	l = nil
	holder := &struct{ h uintptr }{hidden}
	churn()
	fmt.Println("uintptr", (*node)(unsafe.Pointer(holder.h)).Sum())
	b := &big{p: list(18)}
	churn()
	fmt.Println("large", b.p.Sum(), len(b.pad))
	s := append([]*node(nil), list(19), list(20))[1:]
	churn()
	fmt.Println("slice", s[0].Sum())
	str := strings.Repeat("ab", 10)[3:]
	churn()
	fmt.Println("string", str)
	h := unique.Make(fmt.Sprint("u", 1))
	churn()
	fmt.Println("unique", h.Value(), h == unique.Make("u1"))
	x := list(21)
	w := weak.Make(x)
	churn()
	fmt.Println("weak", w.Value().Sum(), w == weak.Make(x))
	p := pool.Get().(*node)
	pool.Put(p)
	churn()
	fmt.Println("pool", pool.Get().(*node).Sum())
	var sm sync.Map
	sm.Store("k", list(22))
	churn()
	v, _ := sm.Load("k")
	fmt.Println("sync.Map", v.(*node).Sum())
	once.Do(func() { churn() })

	done := make(chan int)
	late := list(23)
	time.AfterFunc(time.Millisecond, func() { churn(); done <- late.Sum() })
	churn()
	fmt.Println("timer", <-done)
	tm := time.NewTimer(time.Hour)
	tm.Stop()
	churn()
	tm.Reset(time.Millisecond)
	churn()
	<-tm.C
	tk := time.NewTicker(time.Millisecond)
	for range 3 {
		churn()
		<-tk.C
	}
	tk.Stop()

	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for i := range 5 {
		l := list(i)
		wg.Add(1)
		go func() {
			defer wg.Done()
			churn()
			mu.Lock()
			defer mu.Unlock()
			churn()
			total += l.Sum()
		}()
	}
	wg.Wait()
	fmt.Println("goroutines", total)
	err := fmt.Errorf("outer: %w", errors.New("inner"))
	churn()
	fmt.Println(err, errors.Unwrap(err))
	ss := []string{"c" + fmt.Sprint(1), "a" + fmt.Sprint(2), "b" + fmt.Sprint(3)}
	sort.Slice(ss, func(i, j int) bool { churn(); return ss[i] < ss[j] })
	fmt.Println(ss, deep(200).Sum())
	panic(list(24))
}

func deep(n int) *node {
	if n == 0 {
		churn()
		return nil
	}
	l := list(n % 3)
	r := deep(n - 1)
	return &node{r, l.Sum()}
}
