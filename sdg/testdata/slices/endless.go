package slices

// What stands behind a branch into an endless loop depends on that branch.
//
// WANT backward after: after cond n
// WANT backward spin: cond n spin
func f(n int) {
	if n > 0 { // @cond
		for {
			println(1) // @spin
		}
	}
	println(2) // @after
}

//	func f(n int):
//	0: entry P:0 S:2
//	    t0 = n > 0:int bool
//	    if t0 goto 2 else 1
//	1: if.done P:1 S:0 idom:0
//	    t1 = println(2:int) ()
//	    return
//	2: for.body P:2 S:1 idom:0
//	    t2 = println(1:int) ()
//	    jump 2
