package slices

func twice(x int) int { return x + x } // @twice
func never(y int) int { return 1 }     // @never

// Only what is assigned to the variable can be called through it: never is not.
//
// WANT backward ret: a call cond ret twice which x z
// WANT forward z: call ret same z
func f(a int, which int) int {
	g := twice
	if which > 0 { // @cond
		g = same
	}
	r := g(a) // @call
	return r  // @ret
}

func same(z int) int { return z } // @same

//	func f(a int, which int) int:
//	0: entry P:0 S:2
//	    t0 = which > 0:int bool
//	    if t0 goto 1 else 2
//	1: if.then P:1 S:1 idom:0
//	    jump 2
//	2: if.done P:2 S:0 idom:0
//	    t1 = phi [0: twice, 1: same] #g func(x int) int
//	    t2 = t1(a) int
//	    return t2
//	func never(y int) int:
//	0: entry P:0 S:0
//	    return 1:int
//	func same(z int) int:
//	0: entry P:0 S:0
//	    return z
//	func twice(x int) int:
//	0: entry P:0 S:0
//	    t0 = x + x int
//	    return t0
