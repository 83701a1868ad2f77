package slices

// A recursive call passes on what the next one needs: the step is in the slice, the label is not.
//
// WANT backward show: acc again cond n next show start sum
// WANT forward label: again label say
func f(start int) {
	println(g(start, 0, 7)) // @show
}

func g(n, acc, label int) int {
	if n == 0 { // @cond
		return acc // @ret1
	}
	println(label)           // @say
	next := n - 1            // @next
	sum := acc + n           // @sum
	r := g(next, sum, label) // @again
	return r                 // @ret2
}

//	func f(start int):
//	0: entry P:0 S:0
//	    t0 = g(start, 0:int, 7:int) int
//	    t1 = println(t0) ()
//	    return
//	func g(n int, acc int, label int) int:
//	0: entry P:0 S:2
//	    t0 = n == 0:int bool
//	    if t0 goto 1 else 2
//	1: if.then P:1 S:0 idom:0
//	    return acc
//	2: if.done P:1 S:0 idom:0
//	    t1 = println(label) ()
//	    t2 = n - 1:int int
//	    t3 = acc + n int
//	    t4 = g(t2, t3, label) int
//	    return t4
