package slices

// WANT backward ret: a p ret
// WANT backward unused: a b p unused
// WANT forward b: b print unused
func f(a, b int) int {
	p := a + 1   // @p
	q := p * b   // @unused
	print(q)     // @print
	return p + p // @ret
}

//	func f(a int, b int) int:
//	0: entry P:0 S:0
//	    t0 = a + 1:int int
//	    t1 = t0 * b int
//	    t2 = print(t1) ()
//	    t3 = t0 + t0 int
//	    return t3
