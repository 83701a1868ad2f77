package testdata

func call(int) int

// Without ImplicitExits the first call decides nothing.
//
// WANT:
// one: control entry; data a
// two: control entry; data b
// WANT implicit:
// one: control entry; data a
// two: control one; data b
func calls(a, b int) {
	call(a) // @one
	call(b) // @two
}

// A division may fail, one by a constant may not; nor may a variable's address be nil.
//
// WANT:
// half: control entry; data a
// div: control entry; data half b
// load: control entry; data p
// ret: control entry; data div load
// WANT implicit:
// half: control entry; data a
// div: control entry; data half b
// load: control div; data p
// ret: control load; data div load
func checks(a, b int, p *int) (int, int) {
	h := a / 2  // @half
	d := h / b  // @div
	l := *p     // @load
	return d, l // @ret
}

// Deferred calls depend on the statements that deferred them.
//
// WANT:
// cond: control entry; data a
// put: control cond; data a
// end: control entry; data put
func defers(a int) {
	if a > 0 { // @cond
		defer call(a) // @put
	}
	call(1)
} // @end

// A free variable is a parameter.
//
// WANT closure$1:
// load: control entry; data a
// ret: control entry; data load
func closure() func() int {
	a := call(1)
	f := func() int {
		x := a   // @load
		return x // @ret
	}
	a++
	return f
}

// A pointer that was followed on every way is not nil, and a string can be hashed.
//
// WANT implicit:
// one: control entry; data p
// cond: control one; data b
// two: control cond; data p
// look: control one; data m k
// ret: control one; data look
func followed(p *int, b int, m map[string]int, k string) int {
	*p = 1     // @one
	if b > 0 { // @cond
		*p = 2 // @two
	}
	v := m[k] // @look
	return v  // @ret
}

// On one way it was not.
//
// WANT implicit:
// cond: control entry; data b
// one: control cond; data p
// two: control cond one; data p
// end: control two
func followedOnce(p *int, b int) {
	if b > 0 { // @cond
		*p = 1 // @one
	}
	*p = 2  // @two
	call(1) // @end
}
