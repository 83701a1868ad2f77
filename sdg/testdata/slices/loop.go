package slices

// The sum depends on how often the loop goes round; the limit on nothing in it.
//
// WANT backward ret: add cond n ret s step
// WANT backward cond: cond n step
// WANT forward s: add ret s
func f(n, s int) int {
	for i := 0; i < n; { // @cond
		s = s + i // @add
		i = i + 1 // @step
	}
	return s // @ret
}

//	func f(n int, s int) int:
//	0: entry P:0 S:1
//	    jump 1
//	1: for.loop P:2 S:2 idom:0
//	    t0 = phi [0: s, 2: t3] #s int
//	    t1 = phi [0: 0:int, 2: t4] #i int
//	    t2 = t1 < n bool
//	    if t2 goto 2 else 3
//	2: for.body P:1 S:1 idom:1
//	    t3 = t0 + t1 int
//	    t4 = t1 + 1:int int
//	    jump 1
//	3: for.done P:1 S:0 idom:1
//	    return t0
