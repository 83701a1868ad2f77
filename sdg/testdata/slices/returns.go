package slices

// Which of several results is returned depends on what leads to them; what is computed does not depend on a later branch.
//
// WANT value show: a b c cond1 cond2 show
// WANT forward c: c show three
func f(a, b, c int) {
	println(g(a, b, c)) // @show
}

func g(a, b, c int) int {
	if a > 0 { // @cond1
		return 1 // @one
	}
	if b > 0 { // @cond2
		return 2 // @two
	}
	return c // @three
}

//	func f(a int, b int, c int):
//	0: entry P:0 S:0
//	    t0 = g(a, b, c) int
//	    t1 = println(t0) ()
//	    return
//	func g(a int, b int, c int) int:
//	0: entry P:0 S:2
//	    t0 = a > 0:int bool
//	    if t0 goto 1 else 2
//	1: if.then P:1 S:0 idom:0
//	    return 1:int
//	2: if.done P:1 S:2 idom:0
//	    t1 = b > 0:int bool
//	    if t1 goto 3 else 4
//	3: if.then P:1 S:0 idom:2
//	    return 2:int
//	4: if.done P:1 S:0 idom:2
//	    return c
