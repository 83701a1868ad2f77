package main

import "fmt"

type number interface{ Get() int }

type value struct{ n int }

func (v value) Get() int { return v.n }

type pointer struct{ n int }

func (p *pointer) Get() int { return p.n }

func bind[N number](n N) func() int { return n.Get }

func bound(p *value) func() int { return p.Get }

func main() {
	v, p := &value{1}, &pointer{1}
	f, g, h := bind(*v), bound(v), bind(p)
	v.n, p.n = 2, 2
	fmt.Println(f(), g(), h())
	fmt.Println(bind(v)()) // compiled it is 2, and bind[*value](nil) is no panic
}
