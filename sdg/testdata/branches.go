package testdata

// Each function's WANT says on what its marked lines depend, seen through what is not marked
// (phis, jumps). Unmarked lines with no WANT must have no dependence to report.

func sink(int)

// WANT:
// cond: control entry; data x
// neg: control cond; data x
// ret: control entry; data neg x; gate cond
func abs(x int) int {
	if x < 0 { // @cond
		x = -x // @neg
	}
	return x // @ret
}

// Of two nested branches both choose the value, the outer directly.
//
// WANT:
// outer: control entry; data a
// inner: control outer; data b
// one: control inner; data a
// two: control inner; data b
// ret: control entry; data one two; gate outer inner
func nested(a, b int) int {
	x := 0
	if a > 0 { // @outer
		if b > 0 { // @inner
			x = a + 1 // @one
		} else {
			x = b + 2 // @two
		}
	}
	return x // @ret
}

// What stands behind a panic depends on the branch before it.
//
// WANT:
// check: control entry; data a
// boom: control check; data a
// ret: control check; data a
func panics(a int) int {
	if a == 0 { // @check
		panic(a) // @boom
	}
	return a // @ret
}

// A branch above the phi's dominator is no gate.
//
// WANT:
// far: control entry; data a
// early: control far
// near: control far; data b
// two: control near; data b
// call: control far; data a two; gate near
func above(a, b int) {
	if a > 0 { // @far
		return // @early
	}
	x := a
	if b > 0 { // @near
		x = b * 2 // @two
	}
	sink(x) // @call
}

// Short-circuit evaluation: the second operand depends on the first.
//
// WANT:
// both: control entry both; data a b
// then: control both; data a
func short(a, b int) {
	if a > 0 && b > 0 { // @both
		sink(a) // @then
	}
}
