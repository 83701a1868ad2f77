package main

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

type gate struct{}

func (gate) open() {}

type opener interface{ open() }

func nothing() {}

func one(int) {}

func generic[T any]() {}

// again is what telemetry does: it looks at a panic, and lets it go on.
func again() {
	defer nothing()
	defer one(1)
	if r := recover(); r != nil {
		defer panic(r)
		where("in again")
	}
}

func many(o opener) {
	var f func()
	f = nothing
	defer f()
	defer func() {}()
	defer func(int) {}(1)
	defer gate{}.open()
	defer o.open()
	defer generic[int]()
	go nothing()
	go one(2)
	defer print()
	defer recover()
	f = o.open
	defer f()
	defer panic("many")
}

func literal() {
	func() {
		defer one(1)
		defer panic("literal")
	}()
}

func inRange(f func()) {
	defer one(1)
	for range 1 {
		defer panic("in a loop")
	}
	f()
}

func typed[T any](v T) {
	defer one(1)
	defer panic(fmt.Sprint(v))
}

func where(what string) {
	b := make([]byte, 1<<13)
	fmt.Println(what + ":")
	for l := range strings.Lines(string(b[:runtime.Stack(b, false)])) {
		if s, _, ok := strings.Cut(l, "("); ok && !strings.HasPrefix(l, "\t") {
			fmt.Print(" ", s)
		} else if s, _, ok := strings.Cut(l, " +0x"); ok {
			fmt.Print(" ", path.Base(s))
		}
	}
	fmt.Println()
	pcs := make([]uintptr, 30)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for {
		f, more := frames.Next()
		fmt.Print(" ", f.Function, " ", path.Base(f.File), ":", f.Line)
		if !more {
			break
		}
	}
	fmt.Println()
}

func try(what string, f func()) {
	defer func() {
		where(what)
		fmt.Println(recover())
	}()
	f()
}

func main() {
	try("again", func() {
		defer again()
		panic("first")
	})
	try("many", func() { many(gate{}) })
	try("literal", literal)
	try("in a loop", func() { inRange(nothing) })
	try("generic", func() { typed(1) })
	try("other", func() {
		defer one(1)
		panic("other")
	})
}
