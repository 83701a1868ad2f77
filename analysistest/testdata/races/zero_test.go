package races

import (
	"reflect"
	"testing"
)

// reflect.Value.IsZero calls gc's function of equality of a struct or array (EQUAL1 to EQUAL3 of package equality). What
// the runtime compares for it Go's race detector does not see. Each of these was compared with it.

type (
	zeroTwo  struct{ a, b int }
	zeroText struct {
		a int
		s string
		b int
	}
	zeroAny struct {
		s string
		e any
		b int
	}
	zeroBig struct {
		s string
		a [6]int
		z string
	}
	zeroRuns struct {
		s             string
		a, b, c, d, e int
		f             float64
	}
	zeroPadded struct {
		a int8
		b int64
	}
	zeroBlank struct{ a, _, b int }
	zeroSmall struct {
		s string
		a int32
	}
	zeroNest struct {
		x zeroSmall
		y zeroBig
	}
	zeroOnlyS struct{ s string }
	zeroOnlyA struct{ a [3]string }
	zeroMixed struct {
		a    int8
		b    [3]int16
		s    string
		c, d int32
		e    [2]int32
	}
)

func zero[T any](p *T, write func()) {
	beside(write, func() {
		if reflect.ValueOf(p).Elem().IsZero() {
			sink = 1
		}
	})
}

func TestQuietZeroMemory(t *testing.T) {
	p := new(zeroTwo)
	zero(p, func() { p.a = 1 })
}

func TestRaceZeroField(t *testing.T) {
	p := new(zeroText)
	zero(p, func() { p.a = 1 })
}

func TestRaceZeroLast(t *testing.T) {
	p := new(zeroText)
	zero(p, func() { p.b = 1 })
}

func TestQuietZeroBehindField(t *testing.T) {
	p := &zeroText{a: 1}
	zero(p, func() { p.s = "x" })
}

func TestQuietZeroBehindLength(t *testing.T) {
	p := &zeroText{s: "1"}
	zero(p, func() { p.b = 1 })
}

func TestRaceZeroInterface(t *testing.T) {
	p := new(zeroAny)
	zero(p, func() { p.e = 1 })
}

func TestQuietZeroBehindInterface(t *testing.T) {
	p := &zeroAny{e: 1}
	zero(p, func() { p.b = 1 })
}

func TestQuietZeroRun(t *testing.T) {
	p := new(zeroBig)
	zero(p, func() { p.a[3] = 1 })
}

func TestRaceZeroBehindRun(t *testing.T) {
	p := new(zeroBig)
	zero(p, func() { p.z = "x" })
}

func TestRaceZeroFloat(t *testing.T) {
	p := new(zeroRuns)
	zero(p, func() { p.f = 1 })
}

func TestRaceZeroPadded(t *testing.T) {
	p := new(zeroPadded)
	zero(p, func() { p.b = 1 })
}

func TestRaceZeroBlank(t *testing.T) {
	p := new(zeroBlank)
	zero(p, func() { p.b = 1 })
}

func TestRaceZeroCopied(t *testing.T) {
	p := new(zeroNest)
	zero(p, func() { p.y.a[2] = 1 })
}

func TestQuietZeroNested(t *testing.T) {
	p := &zeroNest{x: zeroSmall{s: "x"}}
	zero(p, func() { p.x.a = 1 })
}

func TestRaceZeroStrings(t *testing.T) {
	p := new([3]string)
	zero(p, func() { p[2] = "x" })
}

func TestQuietZeroBehindString(t *testing.T) {
	p := &[3]string{"x"}
	zero(p, func() { p[2] = "x" })
}

func TestRaceZeroStructs(t *testing.T) {
	p := new([3]zeroSmall)
	zero(p, func() { p[2].a = 1 })
}

func TestQuietZeroBehindStruct(t *testing.T) {
	p := &[3]zeroSmall{{s: "x"}}
	zero(p, func() { p[1].a = 1 })
}

func TestQuietZeroRunOfElement(t *testing.T) {
	p := new([3]zeroBig)
	zero(p, func() { p[2].a[1] = 1 })
}

func TestRaceZeroArrayOfArrays(t *testing.T) {
	p := &[2][2]string{{"x"}}
	zero(p, func() { p[0][1] = "x" })
}

func TestQuietZeroOnlyString(t *testing.T) {
	p := new(zeroOnlyS)
	zero(p, func() { p.s = "x" })
}

func TestRaceZeroOnlyArray(t *testing.T) {
	p := &zeroOnlyA{[3]string{"x"}}
	zero(p, func() { p.a[2] = "x" })
}

func TestRaceZeroOnlyStruct(t *testing.T) {
	p := new([1]zeroSmall)
	zero(p, func() { p[0].a = 1 })
}

func TestRaceZeroSmallArray(t *testing.T) {
	p := new(zeroMixed)
	zero(p, func() { p.b[2] = 1 })
}

func TestQuietZeroBehindElement(t *testing.T) {
	p := &zeroMixed{b: [3]int16{1}}
	zero(p, func() { p.b[2] = 1 })
}

func TestRaceZeroThirdRun(t *testing.T) {
	p := new(zeroMixed)
	zero(p, func() { p.e[1] = 1 })
}
