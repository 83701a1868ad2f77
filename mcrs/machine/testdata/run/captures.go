// Variables that function literals capture, by value and by reference.
package main

import "fmt"

type point struct{ x, y int8 }

type large struct{ a [40]int }

type small struct {
	b    bool
	name string
	p    point
	list [3]uint16
}

func main() {
	assigned()
	loops()
	nested()
	structs()
	results()
	again()
	labelled()
	ranges()
	generic(7)
	generic("seven")
	generic(point{7, 8})
	inClauses()
	recovered()
	late()
	fields()
}

func assigned() {
	once := 1
	twice := 1
	twice = 2
	var never int
	after := 1
	maybe := 1
	if once == 1 {
		maybe = 5
	}
	f := func() []int { return []int{once, twice, never, after, maybe} }
	after = 9
	fmt.Println(f(), once, twice, never, after, maybe)
	inside := 1
	g := func() int { inside++; return inside }
	fmt.Println(g(), g(), inside)
}

func loops() {
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	for i := 0; i < 6; i++ {
		fs = append(fs, func() int { return 10 * i })
		i++ // the literal sees it
	}
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		fs = append(fs, func() int { return 100*i + j })
	}
	var i int
	for i = 0; i < 2; i++ {
		fs = append(fs, func() int { return i })
	}
	for i := 0; i < 4; i++ {
		if i == 1 {
			continue
		}
		k := i * i
		fs = append(fs, func() int { return k + i })
		if i == 3 {
			break
		}
	}
	var x int
	for n := range 3 {
		x = n
		fs = append(fs, func() int { return x })
	}
	for i := 0; i < 3; i++ {
		f := func() int { return -i }
		i := i + 1
		fs = append(fs, f, func() int { return -i })
	}
	for i := 0; i < 2; func() { i++ }() { // it assigns the variable of the next round
		fs = append(fs, func() int { return 1000 + i })
	}
	for p := (point{}); p.x < 3; p.x++ {
		fs = append(fs, func() int { return int(p.x) - 50 })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()
}

func nested() {
	a, b := 1, 2
	f := func() func() func() int {
		c := a + b
		return func() func() int {
			d := c * 10
			return func() int { return a + b + c + d }
		}
	}
	fmt.Println(f()()())
	g := func() func() { return func() { b++ } }
	g()()
	fmt.Println(a, b)
	for i := 0; i < 2; i++ {
		defer func() {
			func() { fmt.Println("deferred", i, a, b) }()
		}()
	}
}

func structs() {
	s := small{true, "s", point{-1, 2}, [3]uint16{1, 2, 65535}}
	var l large
	l.a[3] = 4
	e := struct{}{}
	ptr := &s
	f := func() { fmt.Println(s.b, s.name, s.p.x, s.p.y, s.list[2], l.a[3], e, ptr == &s, s) }
	s.name = "t"
	f()
	q := small{name: "q", p: point{3, -4}}
	g := func() { fmt.Println(q.b, q.name, q.p.x, q.p.y, q.list[1], q) }
	g()
	var c complex64 = complex(1.5, -2)
	var i8 int8 = -3
	var u16 uint16 = 65535
	var f32 float32 = 0.5
	var err error = fmt.Errorf("error %d", 1)
	h := func() { fmt.Println(c, i8, u16, f32, err, i8+100, u16+1) }
	h()
}

func results() {
	fmt.Println(named(1))
	fmt.Println(named(-1))
}

func named(n int) (r int, err error) {
	defer func() {
		if err != nil {
			r = -r
		}
	}()
	if n < 0 {
		return 5, fmt.Errorf("negative")
	}
	r = n
	return r + 1, nil
}

func again() {
	var fs []func() int
	n := 0
top:
	v := n
	fs = append(fs, func() int { return v })
	n++
	if n < 3 {
		goto top
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()
}

func labelled() {
	var fs []func() int
outer:
	for i := 0; i < 3; i++ {
		for j := 0; j < 3; j++ {
			fs = append(fs, func() int { return 10*i + j })
			if j == i {
				continue outer
			}
		}
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()
}

func ranges() {
	var fs []func() string
	for i, s := range []string{"a", "b"} {
		fs = append(fs, func() string { return fmt.Sprint(i, s) })
	}
	for k, v := range map[string]int{"k": 1} {
		fs = append(fs, func() string { return fmt.Sprint(k, v) })
	}
	for i, r := range "é!" {
		fs = append(fs, func() string { return fmt.Sprint(i, string(r)) })
	}
	seq := func(yield func(int) bool) {
		for i := 0; i < 3 && yield(i); i++ {
		}
	}
	total := 0
	for i := range seq {
		k := i * 2
		total += k
		fs = append(fs, func() string { return fmt.Sprint(i, k, total) })
	}
	c := make(chan int, 2)
	c <- 1
	c <- 2
	close(c)
	for v := range c {
		fs = append(fs, func() string { return fmt.Sprint(v) })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()
}

func generic[T any](v T) {
	w := v
	f := func() any { return []any{v, w} }
	for i := 0; i < 1; i++ {
		g := func() any { return []any{i, w, f()} }
		fmt.Println(g())
	}
}

func inClauses() {
	var x any = 5
	var f func() any
	switch y := x.(type) {
	case int:
		f = func() any { return y + 1 }
	case string:
		f = func() any { return y + "1" }
	}
	fmt.Println(f())
	if v, ok := x.(int); ok {
		f = func() any { return v }
	}
	select {
	case v, ok := <-func() chan int { c := make(chan int, 1); c <- 3; return c }():
		f = func() any { return fmt.Sprint(v, ok) }
	}
	fmt.Println(f())
}

func recovered() {
	step := "first"
	defer func() { fmt.Println(recover(), step) }()
	where := "here"
	defer func() { panic("again " + where) }()
	step = "second"
	var m map[string]int
	m[where] = 1
}

func late() {
	var f func() int
	n := 1
	f = func() int {
		if n > 3 {
			return n
		}
		n++
		return f()
	}
	fmt.Println(f(), n)
	v := 1
	g := func() func() int { return func() int { return v } }
	h := g()
	v = 2
	fmt.Println(h(), g()())
}

func fields() {
	var p point
	p.x = 1
	f := func() int8 { return p.x + p.y }
	var a [2]int
	a[1] = 7
	g := func() int { return a[1] }
	k := 1
	h := func() int { return a[k] }
	p2 := p
	p2.y = 9
	i := func() point { return p2 }
	fmt.Println(f(), g(), h(), i())
	var q point
	j := func() int8 { return q.y }
	q.y = 3
	fmt.Println(j())
	for r := (small{name: "r"}); len(r.name) < 4; r.name += "r" {
		defer func() { fmt.Print(r.name, " ") }()
		r.list[1]++
	}
	for r := (small{name: "s"}); len(r.name) < 4; r.name += "s" {
		defer func() { fmt.Print(r.name, r.list[0], " ") }()
	}
}
