package slices

// A deferred function changes the result after the return statement has set it.
//
// WANT backward ret: a b defer end p put ret v
// WANT forward b: b defer put ret v
func f(a, b int) (r int) {
	defer set(&r, b) // @defer
	println(a)       // @say
	return a         // @ret
} // @end

func set(p *int, v int) {
	*p = v // @put
}

//	func f(a int, b int) (r int):
//	0: entry P:0 S:0
//	    t0 = new int (r) *int
//	    defer set(t0, b)
//	    t1 = println(a) ()
//	    *t0 = a
//	    rundefers
//	    t2 = *t0 int
//	    return t2
//	1: recover P:0 S:0
//	    t3 = *t0 int
//	    return t3
//	func set(p *int, v int):
//	0: entry P:0 S:0
//	    *p = v
//	    return
