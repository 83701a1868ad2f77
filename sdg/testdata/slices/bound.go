package slices

type counter struct{ n, step int }

func (c *counter) add(v int) { c.n += v } // @add

// A method value keeps its receiver: calling it changes the counter's field, but not the step.
//
// WANT backward shown: a add c call recv shown v
// WANT backward showstep: c showstep
func f(c *counter, a int) {
	g := c.add      // @bind
	g(a)            // @call
	println(c.n)    // @shown
	println(c.step) // @showstep
}

//	func (c *counter) add(v int):
//	0: entry P:0 S:0
//	    t0 = &c.n [#0] *int
//	    t1 = *t0 int
//	    t2 = t1 + v int
//	    t3 = &c.n [#0] *int
//	    *t3 = t2
//	    return
//	func f(c *counter, a int):
//	0: entry P:0 S:0
//	    t0 = make closure (*counter).add$bound [c] func(v int)
//	    t1 = t0(a) ()
//	    t2 = &c.n [#0] *int
//	    t3 = *t2 int
//	    t4 = println(t3) ()
//	    t5 = &c.step [#1] *int
//	    t6 = *t5 int
//	    t7 = println(t6) ()
//	    return
