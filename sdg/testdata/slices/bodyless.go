package slices

// Nothing is known of a function without a body: what it returns may depend on all that it is given, and on what lies behind its pointers, and it may write
// there. What it cannot reach it leaves alone.
//
// WANT backward read: call k m n p read x
// WANT backward ret: back call k m n own p read ret safe text x
// WANT backward back: back own safe text
// WANT forward m: call k m read ret
// WANT forward n: call n read ret x
func f(n, m int, text string) (int, int, string) {
	x := n             // @x
	own := "a"         // @own
	keep := &own       // @keep
	*keep = text       // @safe
	r := hidden(&x, m) // @call
	s := x             // @read
	t := *keep         // @back
	return r, s, t     // @ret
}

func hidden(p *int, k int) int

//	func f(n int, m int, text string) (int, int, string):
//	0: entry P:0 S:0
//	    t0 = new int (x) *int
//	    *t0 = n
//	    t1 = new string (own) *string
//	    *t1 = "a":string
//	    *t1 = text
//	    t2 = hidden(t0, m) int
//	    t3 = *t0 int
//	    t4 = *t1 string
//	    return t2, t3, t4
//	func hidden(p *int, k int) int:
//	    (external)
