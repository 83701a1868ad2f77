package slices

type point struct{ x, y int }

// A variable whose address goes nowhere shares memory with no other of its type.
//
// WANT backward ret: a first r ret
// WANT forward b: b second
func f(a, b int) int {
	var p, q point
	p.x = a  // @first
	q.x = b  // @second
	r := p.x // @r
	return r // @ret
}

//	func f(a int, b int) int:
//	0: entry P:0 S:0
//	    t0 = local point (p) *point
//	    t1 = local point (q) *point
//	    t2 = &t0.x [#0] *int
//	    *t2 = a
//	    t3 = &t1.x [#0] *int
//	    *t3 = b
//	    t4 = &t0.x [#0] *int
//	    t5 = *t4 int
//	    return t5
