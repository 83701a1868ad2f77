// Command links names what each machine has its own numbers of: variables, functions, constants, types, methods.
package main

import (
	"errors"
	"sync"
	"unsafe"
)

type shape interface {
	area() int
	name() string
}

type square struct {
	side int
	tags []string
}

func (s *square) area() int    { return s.side * s.side }
func (s *square) name() string { return "square" }

type unit struct{ p *int }

func (unit) area() int    { return 1 }
func (unit) name() string { return "unit" }

var (
	count   int
	shapes  = []shape{&square{3, []string{"a"}}, unit{&count}}
	byName  = map[string]shape{}
	boxedIn = []any{1, "two", 3.5, [2]string{"x", "y"}, square{}, nil}
	mu      sync.Mutex
)

func kind(x any) string {
	switch x := x.(type) {
	case int:
		return "int"
	case string:
		return "string " + x
	case [2]string:
		return x[0] + x[1]
	case shape:
		return x.name()
	case square:
		return "a square"
	}
	if _, ok := x.(interface{ area() int }); ok {
		return "area"
	}
	return "other"
}

func deferred(m map[string]shape, out chan<- int) (n int) {
	defer close(out)
	defer delete(m, "square")
	defer func() { n += len(m) }()
	defer shapes[0].area()
	return 40
}

func main() {
	for _, s := range shapes {
		byName[s.name()] = s
	}
	done, end := make(chan int, 2), errors.New("end")
	go deferred(byName, done)
	for range done {
	}
	f := shapes[0].area
	for i, x := range boxedIn {
		mu.Lock()
		count += i
		print(kind(x), " ")
		mu.Unlock()
	}
	wg, own := sync.WaitGroup{}, [3]square{}
	for i := range own {
		wg.Go(func() { own[i] = square{i, append([]string(nil), "t")} })
	}
	wg.Wait()
	text := "a constant"
	println(f(), count, len(byName), own[2].side, end.Error(), min("b", text))
	println(&count, &shapes[0], unsafe.StringData(text), end, shapes[1], kind)
	var e error = end
	if e != end || !errors.Is(e, end) {
		panic("they are equal")
	}
	_ = shapes[5].area()
}
