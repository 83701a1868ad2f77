package rtype

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines itabs: abi.ITab {Inter, Type, Hash, Fun[…]}.

const (
	itabType = 8
	itabHash = 16
	// ItabFun is the offset of the first method's text address in an itab.
	ItabFun = 24
)

type pair struct{ inter, concrete *info }

type itab struct {
	pair
	addr mem.Addr // 0: concrete does not implement inter
	miss *types.Func
}

// Itab returns the itab of a concrete type for an interface type with methods; 0 if the type does not implement it.
func (ts *Types) Itab(iface, concrete types.Type) mem.Addr {
	return ts.itab(ts.info(iface), ts.info(concrete)).addr
}

// MissingMethod returns the first method, in abi's order, that concrete lacks to implement iface; nil if it lacks none.
func (ts *Types) MissingMethod(iface, concrete types.Type) *types.Func {
	return ts.itab(ts.info(iface), ts.info(concrete)).miss
}

func (ts *Types) itab(inter, concrete *info) *itab {
	p := pair{inter, concrete}
	if it, ok := ts.pairs[p]; ok {
		return it
	}
	it := &itab{pair: p}
	ts.pairs[p] = it
	want, have := ts.methods(inter), ts.methods(concrete)
	found := make([]*method, 0, len(want))
	for i := range want {
		w := &want[i]
		for len(have) > 0 && (ts.compareNames(&have[0], w) < 0 || concrete.made && have[0].name != w.name) {
			have = have[1:]
		}
		if len(have) == 0 || ts.compareNames(&have[0], w) != 0 || !types.Identical(have[0].fn.Type(), w.fn.Type()) {
			it.miss = w.fn
			return it
		}
		found = append(found, &have[0])
	}
	if isInterface(concrete.t) {
		return it
	}
	interAddr, typeAddr := ts.Of(inter.t), ts.Of(concrete.t)
	addr, bytes := ts.alloc("itab "+ts.Link(inter.t)+","+ts.Link(concrete.t), ItabFun+8*uint64(max(1, len(found))))
	b := writer(bytes)
	b.u64(0, interAddr)
	b.u64(itabType, typeAddr)
	b.u32(itabHash, ts.hash(concrete))
	it.addr = addr
	ts.itabs[addr] = it
	for i, m := range found {
		b.u64(ItabFun+8*uint64(i), ts.funcs.MethodText(concrete.t, ts.selection(concrete, m)))
	}
	return it
}

// ItabMethod returns the index in Fun of an interface's method; -1 if it has none of that name.
func (ts *Types) ItabMethod(iface types.Type, name *types.Func) int {
	want := newMethod(name)
	ms := ts.methods(ts.info(iface))
	for i := range ms {
		if ts.compareNames(&ms[i], &want) == 0 {
			return i
		}
	}
	return -1
}

// ItabType returns the concrete type of an itab, nil if there is no itab at the address.
func (ts *descriptors) ItabType(addr mem.Addr) types.Type {
	if it := ts.itabs[addr]; it != nil {
		return it.concrete.t
	}
	return nil
}

// ItabInter returns the interface type of an itab, nil if there is no itab at the address.
func (ts *descriptors) ItabInter(addr mem.Addr) types.Type {
	if it := ts.itabs[addr]; it != nil {
		return it.inter.t
	}
	return nil
}
