package slices

type speaker interface{ speak(int) int }

type loud int

func (l loud) speak(n int) int { return n * int(l) } // @loud

type silent int

func (s silent) speak(m int) int { return 0 }

// Both methods can be called through the interface, and only one of them uses its argument.
//
// WANT backward ret: a call cond l loud n ret which
// WANT forward m: m
func f(a int, which int) int {
	var s speaker = loud(3)
	if which > 0 { // @cond
		s = silent(4)
	}
	r := s.speak(a) // @call
	return r        // @ret
}

//	func f(a int, which int) int:
//	0: entry P:0 S:2
//	    t0 = make speaker <- loud (3:loud) speaker
//	    t1 = which > 0:int bool
//	    if t1 goto 1 else 2
//	1: if.then P:1 S:1 idom:0
//	    t2 = make speaker <- silent (4:silent) speaker
//	    jump 2
//	2: if.done P:2 S:0 idom:0
//	    t3 = phi [0: t0, 1: t2] #s speaker
//	    t4 = invoke t3.speak(a) int
//	    return t4
//	func (l loud) speak(n int) int:
//	0: entry P:0 S:0
//	    t0 = changetype int <- loud (l) int
//	    t1 = n * t0 int
//	    return t1
//	func (s silent) speak(m int) int:
//	0: entry P:0 S:0
//	    return 0:int
