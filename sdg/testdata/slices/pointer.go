package slices

// A variable that is passed on by its address may be written by whoever gets it, and by any store through such a pointer.
//
// WANT backward ret: a call n other put read ret v x
// WANT forward n: a call n put read ret
func f(n int, other *int) int {
	x := 1     // @x
	set(&x, n) // @call
	*other = 3 // @other
	r := x     // @read
	return r   // @ret
}

func set(v *int, a int) {
	*v = a // @put
}

//	func f(n int, other *int) int:
//	0: entry P:0 S:0
//	    t0 = new int (x) *int
//	    *t0 = 1:int
//	    t1 = set(t0, n) ()
//	    *other = 3:int
//	    t2 = *t0 int
//	    return t2
//	func set(v *int, a int):
//	0: entry P:0 S:0
//	    *v = a
//	    return
