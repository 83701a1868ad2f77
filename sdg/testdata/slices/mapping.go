package slices

// What is looked up, and how many entries there are, depends on what was put in and taken out.
//
// WANT backward read: a b del m put read
// WANT backward size: a b del m put size
func f(m map[int]int, a, b int) (int, int) {
	m[a] = b     // @put
	delete(m, b) // @del
	r := m[1]    // @read
	n := len(m)  // @size
	return r, n  // @ret
}

//	func f(m map[int]int, a int, b int) (int, int):
//	0: entry P:0 S:0
//	    m[a] = b
//	    t0 = delete(m, b) ()
//	    t1 = m[1:int] int
//	    t2 = len(m) int
//	    return t1, t2
