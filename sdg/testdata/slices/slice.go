package slices

// The elements of all slices of a type are one class; a slice of another type is another.
//
// WANT backward ret: a i put read ret s
// WANT forward b: b putb
func f(a int, b string, s []int, u []string, i int) int {
	s[i] = a  // @put
	u[i] = b  // @putb
	r := s[0] // @read
	return r  // @ret
}

//	func f(a int, b string, s []int, u []string, i int) int:
//	0: entry P:0 S:0
//	    t0 = &s[i] *int
//	    *t0 = a
//	    t1 = &u[i] *string
//	    *t1 = b
//	    t2 = &s[0:int] *int
//	    t3 = *t2 int
//	    return t3
