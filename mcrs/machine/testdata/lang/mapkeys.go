// Keys without a hash: what maps and sync.Maps say of them.

package main

import (
	"fmt"
	"sync"
)

func try(n string, f func()) { defer func() { fmt.Println(n, recover()) }(); f() }
func main() {
	m := map[any]int{}
	k := any([]int{1})
	try("load", func() { _ = m[k] })
	try("store", func() { m[k] = 1 })
	try("delete", func() { delete(m, k) })
	var s sync.Map
	try("sload", func() { s.Load(k) })
	try("sstore", func() { s.Store(k, 1) })
	try("sdelete", func() { s.Delete(k) })
	try("slos", func() { s.LoadOrStore(k, 1) })
	try("sswap", func() { s.Swap(k, 1) })
	try("scas", func() { s.CompareAndSwap(k, 1, 2) })
	try("scas", func() { s.CompareAndDelete(k, 1) })
	s.Store(1, k)
	try("scasval", func() { s.CompareAndSwap(1, k, 2) })
	try("scadval", func() { s.CompareAndDelete(1, k) })
	try("scasval0", func() { s.CompareAndSwap(7, k, 2) })
	try("sload", func() { s.Load(k) })
	try("sstore", func() { s.Store(k, 1) })
	try("sdelete", func() { s.Delete(k) })
	type T struct{ a any }
	try("sT", func() { s.Store(T{k}, 1) })
	try("mT", func() { m[T{k}] = 1 })
}
