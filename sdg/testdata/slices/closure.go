package slices

// A captured variable is the variable: the closure's assignment is seen where it was declared.
//
// WANT backward show: add call n put show sum v
// WANT forward n: call n put show v
func f(n, m int) {
	sum := 0             // @sum
	add := func(v int) { // @add
		sum += v // @put
	}
	add(n)       // @call
	println(m)   // @other
	println(sum) // @show
}

//	func f(n int, m int):
//	0: entry P:0 S:0
//	    t0 = new int (sum) *int
//	    *t0 = 0:int
//	    t1 = make closure f$1 [t0] func(v int)
//	    t2 = t1(n) ()
//	    t3 = println(m) ()
//	    t4 = *t0 int
//	    t5 = println(t4) ()
//	    return
//	func f$1(v int):
//	0: entry P:0 S:0
//	    t0 = *sum int
//	    t1 = t0 + v int
//	    *sum = t1
//	    return
