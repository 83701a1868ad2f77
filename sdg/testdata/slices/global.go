package slices

var count, other int

// What a callee writes to a variable is read after the call; the other variable is another.
//
// WANT backward ret: a call put read ret v
// WANT forward b: b putother
func f(a, b int) int {
	set(a)     // @call
	other = b  // @putother
	r := count // @read
	return r   // @ret
}

func set(v int) {
	count = v // @put
}

//	func f(a int, b int) int:
//	0: entry P:0 S:0
//	    t0 = set(a) ()
//	    *other = b
//	    t1 = *count int
//	    return t1
//	func set(v int):
//	0: entry P:0 S:0
//	    *count = v
//	    return
