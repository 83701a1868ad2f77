package slices

var g int

// Whether the deferred function runs depends on the branch above the defer statement (DATA2).
//
// WANT backward ret: call c defer end put ret
// WANT backward end: c call defer end
// WANT forward defer: defer end put ret
func f(c bool, v int) int {
	h(c)     // @call
	return g // @ret
}

func h(c bool) {
	if c { // @if
		defer bump() // @defer
	}
} // @end

func bump() {
	g = 1 // @put
}

//	func bump():
//	0: entry P:0 S:0
//	    *g = 1:int
//	    return
//	func f(c bool, v int) int:
//	0: entry P:0 S:0
//	    t0 = h(c) ()
//	    t1 = *g int
//	    return t1
//	func h(c bool):
//	0: entry P:0 S:2
//	    if c goto 1 else 2
//	1: if.then P:1 S:1 idom:0
//	    defer bump()
//	    jump 2
//	2: if.done P:2 S:0 idom:0
//	    rundefers
//	    return
//	3: recover P:0 S:0
//	    return
