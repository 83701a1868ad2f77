package slices

// Nothing is known of a function without a body: what it returns may depend on all that it is given, and on what lies behind its pointers, and it may write
// there. What it cannot reach it leaves alone.
//
// WANT backward read: call k m n p read x
// WANT backward ret: a b back call k m n own p plain read ret safe text x
// WANT backward back: back own safe text
// WANT backward plain: a b n plain
// WANT value plain: a b n plain
// WANT forward m: call k m read ret
// WANT forward n: a call n plain read ret x
func f(n, m int, text string) (int, int, string, bool) {
	x := n             // @x
	own := "a"         // @own
	keep := &own       // @keep
	*keep = text       // @safe
	r := hidden(&x, m) // @call
	s := x             // @read
	t := *keep         // @back
	b := plain(n, 7)   // @plain
	return r, s, t, b  // @ret
}

func hidden(p *int, k int) int

func plain(a, b int) bool

//	func f(n int, m int, text string) (int, int, string, bool):
//	0: entry P:0 S:0
//	    t0 = new int (x) *int
//	    *t0 = n
//	    t1 = new string (own) *string
//	    *t1 = "a":string
//	    *t1 = text
//	    t2 = hidden(t0, m) int
//	    t3 = *t0 int
//	    t4 = *t1 string
//	    t5 = plain(n, 7:int) bool
//	    return t2, t3, t4, t5
//	func hidden(p *int, k int) int:
//	    (external)
//	func plain(a int, b int) bool:
//	    (external)
