package slices

// What is received depends on what was sent, in whatever goroutine; a go statement starts what it sends.
//
// WANT backward recv: a c g make recv send v
// WANT forward a: a g recv send show v
func f(a, b int) {
	c := make(chan int) // @make
	go produce(c, a)    // @g
	r := <-c            // @recv
	println(r)          // @show
	println(b)          // @other
}

func produce(c chan int, v int) {
	c <- v // @send
}

//	func f(a int, b int):
//	0: entry P:0 S:0
//	    t0 = make chan int 0:int chan int
//	    go produce(t0, a)
//	    t1 = <-t0 int
//	    t2 = println(t1) ()
//	    t3 = println(b) ()
//	    return
//	func produce(c chan int, v int):
//	0: entry P:0 S:0
//	    send c <- v
//	    return
