package main

import (
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// Conversions, arithmetic at the edges, copies, maps and strings.

type pair struct{ a, _, c int }

var blank = pair{1, 2, 3}

type inner struct{ b int }

type outer[K any] struct {
	a K
	inner
}

func offsets[K any](o *outer[K]) (uintptr, uintptr, uintptr, uintptr) {
	return unsafe.Offsetof(o.b), unsafe.Offsetof(o.inner), unsafe.Offsetof(o.inner.b), unsafe.Sizeof(o.a)
}

func floats() {
	for _, f := range []float64{0, -0.5, 1.9, -1.9, 255.5, 300, 1e10, 1e19, -1e19, math.MaxInt32 + 1} {
		fmt.Println(int(f), int8(int(f)), uint8(int(f)), int32(int64(f)))
	}
	fmt.Println(math.Inf(1), -math.Inf(1), math.NaN(), math.Copysign(0, -1))
	print(1.5, " ", float32(0.1), " ", 1e100, " ", complex(1, -2), " ", complex64(complex(0.5, 3)), "\n")
	println(uint8(200), int8(-3), true, 'x', uintptr(7), "s")
	a, b := complex(1, 2), complex(0, 0)
	fmt.Println(a*a, a/b, a == complex(1, 2), -a)
}

func ints() {
	var i8 int8 = -128
	var u8 uint8 = 200
	var n uint = 70
	fmt.Println(i8/-1, -i8, u8+100, u8<<n, i8>>n, 1<<n>>n, ^u8, u8&^15, int8(u8))
	var i64 int64 = math.MinInt64
	var m1 int64 = -1
	fmt.Println(i64/m1, i64%m1, i64*m1, uint32(i64>>31), -7/2, -7%2, 7%-2)
}

func copies() {
	a := [3]int{1, 2, 3}
	b := a
	b[0] = 9
	for i, x := range a {
		a[2] = 10
		fmt.Print(i, x, " ")
	}
	fmt.Println(a, b, a == b, a != [3]int{1, 2, 10})
	type s struct {
		x [2]string
		y any
	}
	p := s{[2]string{"a", "b"}, 1}
	q := p
	q.x[1] = "c"
	fmt.Println(p == q, p.x, q.x)
	big := func(x [100]int) [100]int { x[50]++; return x }
	var y [100]int
	fmt.Println(big(big(y))[50], y[50])
}

func maps() {
	nan := math.NaN()
	m := map[float64]int{nan: 1, 0: 2}
	m[nan] = 3
	m[math.Copysign(0, -1)] = 4
	_, ok := m[nan]
	fmt.Println(len(m), ok, m[0])
	clear(m)
	fmt.Println(len(m))
	k := map[any]string{1: "int", int8(1): "int8", "1": "string", [1]int{1}: "array", struct{ x any }{2}: "struct", nil: "nil"}
	fmt.Println(k[1], k[int8(1)], k["1"], k[[1]int{1}], k[struct{ x any }{2}], k[nil], k[int16(1)] == "")
	d := map[int]int{}
	for i := range 100 {
		d[i] = i
	}
	seen := 0
	for i := range d {
		delete(d, i)
		delete(d, (i+50)%100)
		seen++
	}
	fmt.Println(len(d), seen)
}

func text() {
	s := "a\xffé\u65e5\U0001f600"
	for i, r := range s {
		fmt.Print(i, ":", r, " ")
	}
	fmt.Println(len(s), []rune(s), []byte(s), string([]rune{65, 0x10ffff + 1, -1}), string(rune(0x65e5)))
	fmt.Println(s[1:3] == "\xff\xc3", s < "b", s+"x" > s, strings.Repeat("ab", 3), min("b", "a", "c"), max(2.5, math.Inf(-1)))
}

func flow() (r string) {
	i := 0
again:
	for {
		switch {
		case i < 3:
			i++
			continue again
		case i == 3:
			i++
			goto again
		default:
			break again
		}
	}
	x, y := 1, 2
	x, y = y, x
	a := []int{0, 1, 2}
	i, a[0] = 1, 7
	f := [3]func() int{}
	for i := range f {
		f[i] = func() int { i *= 2; return i }
	}
	return fmt.Sprint(i, x, y, a, f[2](), f[2](), f[1]())
}

func deep(n int) int {
	if n == 0 {
		return 0
	}
	return deep(n-1) + 1
}

var held = 7

// What was loaded by an earlier statement is stored, even into where it came from.
func restored() (n int) {
	v := held
	held = 0
	held = v
	n = 3
	w := n
	n = 0
	n = w
	held = held
	return n
}

func main() {
	fmt.Println(blank.a, blank.c, *(*int)(unsafe.Add(unsafe.Pointer(&blank), 8)))
	fmt.Println(offsets(new(outer[int8])))
	floats()
	ints()
	copies()
	maps()
	text()
	fmt.Println(flow())
	fmt.Println(restored(), held)
	fmt.Println(deep(1_000_000))
	p := unsafe.Pointer(uintptr(0x234))
	fmt.Println(uintptr(p))
}
