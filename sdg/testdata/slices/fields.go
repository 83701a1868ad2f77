package slices

type pair struct{ x, y int }

// The fields of a type are classes of their own, whichever value they belong to.
//
// WANT backward showx: a p putx q showx
// WANT backward showy: b p puty q showy
// WANT backward whole: a b p putx puty q whole
func f(p, q *pair, a, b int) {
	p.x = a      // @putx
	q.y = b      // @puty
	println(q.x) // @showx
	println(p.y) // @showy
	r := *q      // @whole
	_ = r
}

//	func f(p *pair, q *pair, a int, b int):
//	0: entry P:0 S:0
//	    t0 = &p.x [#0] *int
//	    *t0 = a
//	    t1 = &q.y [#1] *int
//	    *t1 = b
//	    t2 = &q.x [#0] *int
//	    t3 = *t2 int
//	    t4 = println(t3) ()
//	    t5 = &p.y [#1] *int
//	    t6 = *t5 int
//	    t7 = println(t6) ()
//	    t8 = *q pair
//	    return
