// Handles of package unique that initialisers make before one of them starts a goroutine: the machine runs them twice then.
package main

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"unique"
	"unsafe"
	"weak"
)

type pair struct {
	name string
	of   [2]string
}

var (
	early  = unique.Make("early")
	pairs  = unique.Make(pair{"pair", [2]string{"a", "b"}})
	number = unique.Make(42)
	boxed  = unique.Make(any("boxed"))
	unlike = unique.Make(math.NaN())
	empty  = unique.Make(struct{}{})
	table  = map[unique.Handle[string]]int{unique.Make("k"): 1}
	zoned  = netip.MustParseAddr("fe80::1%eth0")
	object = new([4]int)
	hint   = weak.Make(object)
	later  unique.Handle[string]
)

func init() {
	done := make(chan bool)
	go func() {
		later = unique.Make("later")
		close(done)
	}()
	<-done
}

func main() {
	fmt.Println(early.Value(), pairs.Value(), number.Value(), boxed.Value(), later.Value(), empty.Value())
	fmt.Println(early == unique.Make("ear"+strings.ToLower("LY")), later == unique.Make("later"), number == unique.Make(42))
	fmt.Println(pairs == unique.Make(pair{"pair", [2]string{"a", "b"}}), boxed == unique.Make(any("boxed")))
	fmt.Println(unlike == unlike, unlike == unique.Make(math.NaN()), early == unique.Make("late"))
	fmt.Println(table[unique.Make("k")], zoned, zoned.Zone(), zoned == netip.MustParseAddr("fe80::1%eth0"))
	hint.Value()[1] = 7
	fmt.Println(*object, hint == weak.Make(object), hint == weak.Make(new([4]int)))

	// The strings in a handle are the handle's own.
	b := []byte("changed")
	h := unique.Make(unsafe.String(&b[0], len(b)))
	b[0] = 'C'
	fmt.Println(h.Value(), string(b))
}
