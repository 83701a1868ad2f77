// Package hidden keeps a pointer as a number.
package hidden

import (
	"runtime"
	"testing"
	"unsafe"
)

type object struct{ n, m int }

// A collection between the two lines would run the finalizer.
func TestHidden(t *testing.T) {
	o := new(object)
	runtime.SetFinalizer(o, func(*object) {})
	n := uintptr(unsafe.Pointer(o))
	o = (*object)(unsafe.Pointer(n))
	runtime.SetFinalizer(o, nil)
}
