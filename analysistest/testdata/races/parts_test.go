package races

import (
	"testing"
	"unsafe"
)

// gc compares small structs and arrays where they stand, part by part, and stops at the first difference.

type two struct{ a, b int }

func TestQuietParts(t *testing.T) {
	p := &two{1, 2}
	beside(func() { p.b = 3 }, func() {
		if *p == (two{5, 2}) || *p == (two{}) {
			sink = 1
		}
	})
}

func TestRaceParts(t *testing.T) { // the first ones are equal
	p := &two{5, 2}
	beside(func() { p.b = 3 }, func() {
		if (two{5, 2}) != *p {
			sink = 1
		}
	})
}

func TestRacePartsMayBeEqual(t *testing.T) { // in one order of two
	p, c := &two{1, 2}, make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 5 }()
	p.a = <-c
	beside(func() { p.b = 3 }, func() {
		if *p != (two{5, 2}) {
			sink = 1
		}
	})
}

func TestRacePartsFirst(t *testing.T) {
	p, y := &two{1, 2}, two{5, 2}
	beside(func() { p.a = 3 }, func() {
		if *p == y {
			sink = 1
		}
	})
}

func TestQuietPartsOfBoth(t *testing.T) {
	p, q := &two{1, 2}, &two{5, 2}
	beside(func() { q.b = 3 }, func() {
		for *p == *q {
			sink++
		}
	})
}

func TestRacePartsOfBoth(t *testing.T) {
	p, q := &two{1, 2}, &two{1, 3}
	beside(func() { q.b = 4 }, func() {
		for *p == *q {
			sink++
		}
	})
}

func TestQuietPartsBlank(t *testing.T) { // never read
	type padded struct {
		a int
		_ int
		b int
	}
	p := &padded{a: 1, b: 2}
	between := (*int)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(p.a)))
	beside(func() { *between = 1 }, func() {
		if *p == (padded{a: 1, b: 2}) {
			sink = 1
		}
	})
}

func TestRacePartsCopied(t *testing.T) { // q is a copy of all
	p := &two{1, 2}
	beside(func() { p.b = 3 }, func() {
		q := *p
		if q == (two{5, 2}) {
			sink = 1
		}
	})
}

func TestRacePartsOfLoop(t *testing.T) { // so is v
	a := []two{{1, 2}}
	beside(func() { a[0].b = 3 }, func() {
		for _, v := range a {
			if v == (two{5, 2}) {
				sink = 1
			}
		}
	})
}

func TestQuietPartsOfElement(t *testing.T) {
	a := []two{{1, 2}}
	beside(func() { a[0].b = 3 }, func() {
		for i := range a {
			if a[i] == (two{5, 2}) {
				sink = 1
			}
		}
	})
}

func TestQuietPartsOfPackage(t *testing.T) {
	ofTwo.a = 1
	beside(func() { ofTwo.b = 3 }, func() {
		if y := (two{5, sink}); ofTwo == y {
			sink = 1
		}
	})
}

var ofTwo two

func TestRacePartsOfClosure(t *testing.T) {
	x, y := two{1, 2}, two{5, 2}
	beside(func() { x.b = 3 }, func() {
		z := x
		sink = len(map[bool]int{z == y: 1})
	})
}

func TestRacePartsConverted(t *testing.T) {
	p := &two{1, 2}
	beside(func() { p.b = 3 }, func() {
		if two(*p) == (two{5, 2}) {
			sink = 1
		}
	})
}

func TestRacePartsInInterface(t *testing.T) {
	p, y := &two{1, 2}, any(two{5, 2})
	beside(func() { p.b = 3 }, func() {
		if *p == y {
			sink = 1
		}
	})
}

func TestRacePartsOfSwitch(t *testing.T) {
	p := &two{1, 2}
	beside(func() { p.b = 3 }, func() {
		switch *p {
		case two{5, 2}:
			sink = 1
		}
	})
}

func TestQuietPartsOfCase(t *testing.T) {
	p := &two{1, 2}
	beside(func() { p.b = 3 }, func() {
		switch (two{5, 2}) {
		case *p:
			sink = 1
		}
	})
}

func TestRacePartsLarge(t *testing.T) {
	p, y := &struct{ a, b, c, d, e int }{}, struct{ a, b, c, d, e int }{a: 1}
	beside(func() { p.e = 3 }, func() {
		if *p == y {
			sink = 1
		}
	})
}

func TestQuietPartsNested(t *testing.T) {
	p, y := &struct{ x, y two }{}, struct{ x, y two }{x: two{a: 1}}
	beside(func() { p.x.b = 3 }, func() {
		if *p == y {
			sink = 1
		}
	})
}

func TestRacePartsNestedLarge(t *testing.T) { // an array of pointers is read as one
	type pointers struct {
		in [3]*int
		x  int
	}
	p, y := &pointers{}, pointers{in: [3]*int{&sink}}
	beside(func() { p.in[2] = &sink }, func() {
		if *p == y {
			sink = 1
		}
	})
}

// The bytes of strings are compared behind other fields.

type named struct {
	name string
	n    int
}

func TestRacePartsBehindText(t *testing.T) {
	p := &named{"ab", 1}
	beside(func() { p.n = 3 }, func() {
		if *p == (named{"ac", 1}) {
			sink = 1
		}
	})
}

func TestQuietPartsBehindLength(t *testing.T) {
	p := &named{"ab", 1}
	beside(func() { p.n = 3 }, func() {
		if *p == (named{"abc", 1}) {
			sink = 1
		}
	})
}

func TestQuietPartsInterfaceBehindText(t *testing.T) { // it may panic
	type boxed struct {
		name string
		v    any
	}
	p := &boxed{"ab", 1}
	beside(func() { p.v = 3 }, func() {
		if *p == (boxed{"ac", 1}) {
			sink = 1
		}
	})
}

// Small integers are read together.

func TestRacePartsOfWord(t *testing.T) {
	p := &[3]int32{1, 2, 3}
	beside(func() { p[1] = 3 }, func() {
		if *p == [3]int32{5, 2, 3} {
			sink = 1
		}
	})
}

func TestQuietPartsOtherWord(t *testing.T) {
	p := &[3]int32{1, 2, 3}
	beside(func() { p[2] = 4 }, func() {
		if *p == [3]int32{5, 2, 3} {
			sink = 1
		}
	})
}

func TestQuietPartsElements(t *testing.T) {
	p := &[3]int{1, 2, 3}
	beside(func() { p[1] = 3 }, func() {
		if *p == [3]int{5, 2, 3} {
			sink = 1
		}
	})
}
