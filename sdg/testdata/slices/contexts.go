package slices

// The second call's result does not depend on the first call's argument, though both go through the same body
// (Horwitz, Reps and Binkley's reason for summary edges).
//
// WANT backward show2: add b show2 sum2 x y
// WANT backward show1: a add show1 sum1 x y
// WANT forward a: a add show1 sum1 x
// WANT forward y: add show1 show2 sum1 sum2 y
func f(a, b int) {
	sum1 := g(a, 1) // @sum1
	sum2 := g(b, 2) // @sum2
	println(sum1)   // @show1
	println(sum2)   // @show2
}

func g(x, y int) int {
	return x + y // @add
}

//	func f(a int, b int):
//	0: entry P:0 S:0
//	    t0 = g(a, 1:int) int
//	    t1 = g(b, 2:int) int
//	    t2 = println(t0) ()
//	    t3 = println(t1) ()
//	    return
//	func g(x int, y int) int:
//	0: entry P:0 S:0
//	    t0 = x + y int
//	    return t0
