package main

import (
	"fmt"
	"strings"
)

type number interface {
	Get() int
	Both(a, b int) (int, string)
}

type value struct{ n int }

func (v value) Get() int                    { return v.n }
func (v value) Both(a, b int) (int, string) { return v.n + a, fmt.Sprint(b) }

type pointer struct{ n int }

func (p *pointer) Get() int                    { return p.n }
func (p *pointer) Both(a, b int) (int, string) { return p.n + a, fmt.Sprint(b) }

type embeds struct{ *value }

type embedsPointer struct{ *pointer }

type outer struct{ in inner }

type inner struct{ value }

func (o *outer) Get() int                    { return o.in.Get() }
func (o *outer) Both(a, b int) (int, string) { return o.in.Both(a, b) }

type holds struct{ number }

type twice struct{ *embeds }

func bind[N number](n N) func() int { return n.Get }

func bindBoth[N number](n N) func(int, int) (int, string) { return n.Both }

func bound(p *value) func() int { return p.Get }

func inLiteral[N number](n N) func() int {
	return func() func() int { return n.Get }()
}

func field[N number](s *struct{ n N }) func() int { return s.n.Get }

func elements[N number](s ...N) (all []func() int) {
	for i := range s {
		all = append(all, s[i].Get)
	}
	return all
}

type box[N number] struct{ n N }

func (b box[N]) get() func() int { return b.n.Get }

func (b *box[N]) getLater() func() int { return func() int { return b.n.Get() } }

// explicit says what is read at once.
func explicit[T number, N interface {
	*T
	number
}](n N) func() int {
	return (*n).Get
}

func deferred[N number](n N, change func()) (s string) {
	defer func() { s = fmt.Sprint("deferred ", recover()) }()
	defer change()
	f := n.Get
	change()
	return fmt.Sprint(f())
}

// caught returns what f returns, or panics with.
func caught(f func() any) (v any) {
	defer func() {
		if r := recover(); r != nil {
			v = r
		}
	}()
	return f()
}

func main() {
	v, p := &value{1}, &pointer{1}
	f, g, h := bind(*v), bound(v), bind(p)
	late := []func() int{
		bind(v), bind(embeds{v}), bind(&embeds{v}), bind(embedsPointer{p}), bind(&outer{inner{*v}}), bind(&inner{*v}),
		bind(holds{v}), bind(&holds{v}), bind(twice{&embeds{v}}), bind(&twice{&embeds{v}}), bind[number](v), inLiteral(v),
		field(&struct{ n *value }{v}), box[*value]{v}.get(), (&box[*value]{v}).getLater(), explicit[value](v),
	}
	late = append(late, elements(v, v)...)
	both := bindBoth(v)
	v.n, p.n = 2, 2
	fmt.Println(f(), g(), h())
	for _, f := range late {
		fmt.Print(f(), " ")
	}
	fmt.Println(both(3, 4))

	e := &embeds{v}
	f = bind(e)
	e.value = &value{7}
	fmt.Println(f())

	t := twice{e}
	f = bind(t)
	e.value = &value{8}
	t.embeds = nil
	fmt.Println(f())

	for _, f := range []func() func() int{
		func() func() int { return bind[*value](nil) },
		func() func() int { return bind(embeds{}) },
		func() func() int { return bind[*embeds](nil) },
		func() func() int { return bind(twice{}) },
		func() func() int { return bind(holds{}) },
		func() func() int { return bind[*holds](nil) },
		func() func() int { return bind[*inner](nil) },
		func() func() int { return bind[*pointer](nil) },
		func() func() int { return bind(embedsPointer{}) },
		func() func() int { return bind[number](nil) },
		func() func() int { return inLiteral[*value](nil) },
		func() func() int { return box[*value]{}.get() },
		func() func() int { return explicit[value, *value](nil) },
	} {
		var g func() int
		made := caught(func() any { g = f(); return "made" })
		fmt.Println(made)
		if g != nil {
			fmt.Println(strings.ReplaceAll(fmt.Sprint(caught(func() any { return g() })), "\n", " "))
		}
	}
	fmt.Println(deferred(v, func() { v.n++ }))
}
