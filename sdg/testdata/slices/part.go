package slices

type pair struct{ a, b int }

// The address of a field is passed on: what is stored through it is read from the field (MEM3).
//
// WANT backward ret: call p put ret t v x
func f(t *pair, v int) int {
	set(&t.a, v) // @call
	return t.a   // @ret
}

func set(p *int, x int) {
	*p = x // @put
}

//	func f(t *pair, v int) int:
//	0: entry P:0 S:0
//	    t0 = &t.a [#0] *int
//	    t1 = set(t0, v) ()
//	    t2 = &t.a [#0] *int
//	    t3 = *t2 int
//	    return t3
//	func set(p *int, x int):
//	0: entry P:0 S:0
//	    *p = x
//	    return
