package slices

// MODE implicit
//
// What is recovered is a value that somebody panicked with; what follows a call that may panic depends on what decides it.
//
// WANT backward after: after call check n other
// WANT backward show: boom call check d n show
func f(n, other int) {
	defer func() { // @d
		println(recover() != nil) // @show
	}()
	fail(n)        // @call
	println(other) // @after
}

func fail(n int) {
	if n > 3 { // @check
		panic(n) // @boom
	}
}

//	func f(n int, other int):
//	0: entry P:0 S:0
//	    defer f$1()
//	    t0 = fail(n) ()
//	    t1 = println(other) ()
//	    rundefers
//	    return
//	1: recover P:0 S:0
//	    return
//	func f$1():
//	0: entry P:0 S:0
//	    t0 = recover() interface{}
//	    t1 = t0 != nil:interface{} bool
//	    t2 = println(t1) ()
//	    return
//	func fail(n int):
//	0: entry P:0 S:2
//	    t0 = n > 3:int bool
//	    if t0 goto 1 else 2
//	1: if.then P:1 S:0 idom:0
//	    t1 = make interface{} <- int (n) interface{}
//	    panic t1
//	2: if.done P:1 S:0 idom:0
//	    return
