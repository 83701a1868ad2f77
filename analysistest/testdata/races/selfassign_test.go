package races

import "testing"

// gc makes x = x of x = x[:] and of x = append(x), and leaves it out. It does so if x is a whole variable.

var ofPackage []int

func TestQuietSelfSlice(t *testing.T) {
	s := []int{1}
	beside(func() { sink = len(s) }, func() { s = s[:] })
}

func TestQuietSelfSliceFromZero(t *testing.T) {
	s, text := []int{1}, "a"
	beside(func() { s, text = nil, "" }, func() { s = (s)[0:]; (text) = text[1-1:] })
}

func TestQuietSelfAppend(t *testing.T) {
	s := []int{1}
	beside(func() { s = nil }, func() { s = (append((s))) })
}

func TestQuietSelfOfPackage(t *testing.T) {
	beside(func() { ofPackage = nil }, func() {
		for ; sink < 0; ofPackage = append(ofPackage) {
		}
		ofPackage = ofPackage[:]
	})
}

func TestQuietSelfConverted(t *testing.T) {
	n, s := numbers{1}, []int{1}
	beside(func() { n, s = nil, nil }, func() { n = numbers(n)[:]; s = []int(s) })
}

func TestQuietSelfFirst(t *testing.T) { // of several
	s := []int{1}
	beside(func() { s = nil }, func() { s, sink = s, 1 })
}

func TestRaceSelfThenRead(t *testing.T) {
	s := []int{1}
	beside(func() { s = nil }, func() {
		if s = s[:]; len(s) > 0 {
			sink = 1
		}
	})
}

func TestRaceSelfField(t *testing.T) {
	var p struct{ s []int }
	beside(func() { sink = len(p.s) }, func() { p.s = p.s[:] })
}

func TestRaceSelfPointed(t *testing.T) {
	p := new([]int)
	beside(func() { sink = len(*p) }, func() { *p = append(*p) })
}

func TestRaceSelfElement(t *testing.T) {
	a := make([][]int, 1)
	beside(func() { sink = len(a[0]) }, func() { a[0] = a[0][:] })
}

func TestRaceSelfTwice(t *testing.T) { // the inner one is copied
	s := []int{1}
	beside(func() { sink = len(s) }, func() { s = s[:][:] })
}

func TestRaceSelfAppendOfSlice(t *testing.T) {
	s := []int{1}
	beside(func() { sink = len(s) }, func() { s = append(s[:]) })
}

func TestRaceSelfUpTo(t *testing.T) {
	s := []int{1}
	beside(func() { sink = len(s) }, func() { s = s[:len(s)] })
}

func TestRaceSelfAppendNothing(t *testing.T) {
	s := []int{1}
	beside(func() { sink = len(s) }, func() { s = append(s, []int{}...) })
}

func TestRaceSelfBesideOther(t *testing.T) { // what a slice expression returns is copied
	s := []int{1}
	beside(func() { sink = len(s) }, func() {
		var y int
		s, y = s[:], 1
		_ = y
	})
}

func TestRaceSelfPlus(t *testing.T) {
	x := 1
	beside(func() { sink = x }, func() { x = +x })
}

func TestRaceSelfByAddress(t *testing.T) {
	x := 1
	beside(func() { sink = x }, func() { x = *&x })
}

func TestRaceSelfAtAddress(t *testing.T) {
	x := 1
	beside(func() { sink = x }, func() { *&x = x })
}

func TestRaceSelfConvertedArray(t *testing.T) {
	x := [2]int{}
	beside(func() { sink = x[1] }, func() { x = [2]int(x) })
}

type numbers []int
