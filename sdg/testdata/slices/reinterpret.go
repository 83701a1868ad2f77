package slices

import "unsafe"

// A pointer that was unsafe may point to what any such pointer points to.
//
// WANT backward ret: a load p put ret
// WANT forward b: b other
func f(a int32, b int64, p *int32, q *int64) float32 {
	*p = a                              // @put
	*q = b                              // @other
	r := *(*float32)(unsafe.Pointer(p)) // @load
	return r                            // @ret
}

//	func f(a int32, b int64, p *int32, q *int64) float32:
//	0: entry P:0 S:0
//	    *p = a
//	    *q = b
//	    t0 = convert unsafe.Pointer <- *int32 (p) unsafe.Pointer
//	    t1 = convert *float32 <- unsafe.Pointer (t0) *float32
//	    t2 = *t1 float32
//	    return t2
