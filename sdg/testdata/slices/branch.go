package slices

// What a branch assigns is chosen by it; what is computed in it is not used elsewhere.
//
// WANT backward ret: a b cond neg ret
// WANT backward call: b cond call
// WANT value call: call
// WANT forward b: b call cond neg ret
func f(a, b int) int {
	if b > 0 { // @cond
		a = -a     // @neg
		println(1) // @call
	}
	return a // @ret
}

//	func f(a int, b int) int:
//	0: entry P:0 S:2
//	    t0 = b > 0:int bool
//	    if t0 goto 1 else 2
//	1: if.then P:1 S:1 idom:0
//	    t1 = -a int
//	    t2 = println(1:int) ()
//	    jump 2
//	2: if.done P:2 S:0 idom:0
//	    t3 = phi [0: a, 1: t1] #a int
//	    return t3
