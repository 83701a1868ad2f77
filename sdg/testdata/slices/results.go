package slices

// Of two results each depends on its own.
//
// WANT backward one: a calls first one x
// WANT backward two: b calls second two y
// WANT forward x: calls first one x
func f(a, b int) {
	p, q := g(a, b) // @calls
	println(p)      // @one
	println(q)      // @two
}

func g(x, y int) (int, int) {
	r := x + 1 // @first
	s := y + 2 // @second
	return r, s
}

//	func f(a int, b int):
//	0: entry P:0 S:0
//	    t0 = g(a, b) (int, int)
//	    t1 = extract t0 #0 int
//	    t2 = extract t0 #1 int
//	    t3 = println(t1) ()
//	    t4 = println(t2) ()
//	    return
//	func g(x int, y int) (int, int):
//	0: entry P:0 S:0
//	    t0 = x + 1:int int
//	    t1 = y + 2:int int
//	    return t0, t1
