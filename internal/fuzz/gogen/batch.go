package gogen

import (
	"fmt"
	"strings"
)

// Mark begins a line of both outputs that says which program comes next.
const Mark = "\x01program "

// Batch returns the files of a main package that runs programs one after the other. Each stands behind a line with Mark
// and its index. A panic ends one program. Programs to be run alone are left out. With an argument, the index of a
// program, the package runs that program only, whichever it is.
func Batch(progs []Program) map[string]string {
	files := map[string]string{"main.go": support}
	var table strings.Builder
	table.WriteString("package main\n\nvar programs = []func(){\n")
	for i, p := range progs {
		files[File(i)] = "package main\n\n" + p.Source
		if p.Alone {
			fmt.Fprintf(&table, "%d: nil,\n", i)
		} else {
			fmt.Fprintf(&table, "%d: %s,\n", i, p.Entry)
		}
	}
	table.WriteString("}\n\nvar alone = []func(){\n")
	for i, p := range progs {
		fmt.Fprintf(&table, "%d: %s,\n", i, p.Entry)
	}
	table.WriteString("}\n")
	files["table.go"] = table.String()
	return files
}

// File is the name of the file of program i.
func File(i int) string { return fmt.Sprintf("p%d.go", i) }

// support is what generated programs use.
const support = `package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
)

func main() {
	if len(os.Args) > 1 {
		i, _ := strconv.Atoi(os.Args[1])
		begin(i)
		alone[i]()
		return
	}
	for i, f := range programs {
		if f != nil {
			begin(i)
			Try(f)
		}
	}
}

var (
	fuel, prints int
	running      bool
)

func begin(i int) {
	running, fuel, prints = true, 1500, 0
	mark := "\x01program " + strconv.Itoa(i) + "\n"
	os.Stdout.WriteString(mark)
	os.Stderr.WriteString(mark)
}

// step pays for a call or a round.
func step() {
	if fuel--; fuel < 0 && running {
		panic("out of fuel")
	}
}

// Try runs f and prints what it panics with.
func Try(f func()) {
	defer func() {
		if e := recover(); e != nil {
			P("panic", E(e))
		}
	}()
	f()
}

// P prints.
func P(args ...any) {
	if prints++; prints > 200 {
		return
	}
	s := ""
	for _, a := range args {
		s += S(a) + " "
	}
	os.Stdout.WriteString(s + "\n")
}

// S is the text of a value.
func S(a any) string { return fmt.Sprintf("%+v", a) }

// E is the text of what was recovered.
func E(e any) string {
	if r, ok := e.(runtime.Error); ok {
		return r.Error()
	}
	return fmt.Sprintf("%T %v", e, e)
}

// T prints its name when it is evaluated.
func T[X any](name string, x X) X {
	step()
	P(name)
	return x
}

type I interface{ M(int) int }

var NaN, Inf, NegInf, NegZero = math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)

//go:noinline
func id[X any](x X) X { return x }

func zero[X any]() (x X) { return }

func as[X any](a any) X {
	x, _ := a.(X)
	return x
}

//go:noinline
func pick[X any](c bool, a, b X) X {
	if c {
		return a
	}
	return b
}

func ref[X any](x X) *X { return &x }

func box[X any](x X) chan X {
	c := make(chan X, 1)
	c <- x
	return c
}

func room[X any](yes bool) chan X {
	if !yes {
		return nil
	}
	return make(chan X, 1)
}

func closed[X any](xs ...X) chan X {
	c := make(chan X, len(xs))
	for _, x := range xs {
		c <- x
	}
	close(c)
	return c
}

//go:noinline
func seq[X any](xs ...X) func(func(X) bool) {
	return func(yield func(X) bool) {
		for _, x := range xs {
			step()
			if !yield(x) {
				return
			}
		}
	}
}

//go:noinline
func seq2[X any](xs ...X) func(func(int, X) bool) {
	return func(yield func(int, X) bool) {
		defer P("end of seq2")
		for i, x := range xs {
			step()
			if !yield(i, x) {
				return
			}
		}
	}
}

// clip leaves no room behind the elements of x. How much there is after append or a conversion depends on whether the
// compiler has put them on the stack.
func clip[X ~[]E, E any](x X) X { return x[:len(x):len(x)] }

func lim[X ~string](s X) X { return s[:min(len(s), 60)] }

func lims[X ~[]E, E any](s X) X {
	if len(s) > 20 {
		return s[:20:20]
	}
	return s
}

func sum[X ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](xs ...X) (s X) {
	for _, x := range xs {
		s += x
	}
	return s
}

// async runs f in a goroutine and waits for it.
func async[X any](f func() X) X {
	done := make(chan X, 1)
	go func() {
		var x X
		defer func() {
			if e := recover(); e != nil {
				P("panic", E(e))
			}
			done <- x
		}()
		x = f()
	}()
	return <-done
}
`
