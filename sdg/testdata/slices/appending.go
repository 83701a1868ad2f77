package slices

// Appending writes an element and makes a new slice; copying reads one slice and writes another.
//
// WANT backward ret: a app cp dst read ret s
// WANT forward a: a app cp read ret
func f(s, dst []int, a int) int {
	s = append(s, a) // @app
	copy(dst, s)     // @cp
	r := dst[0]      // @read
	return r         // @ret
}

//	func f(s []int, dst []int, a int) int:
//	0: entry P:0 S:0
//	    t0 = new [1]int (varargs) *[1]int
//	    t1 = &t0[0:int] *int
//	    *t1 = a
//	    t2 = slice t0[:] []int
//	    t3 = append(s, t2...) []int
//	    t4 = copy(dst, t3) int
//	    t5 = &dst[0:int] *int
//	    t6 = *t5 int
//	    return t6
