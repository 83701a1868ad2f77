package code

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file defines links: the places in code where a number stands that each machine has its own of, such as the
// address of a variable.
//
// What a function is compiled to depends on the function alone (and on layouts, and on the library of intrinsics, which
// all machines have in common). So it is compiled once for all machines of a process. A machine that is about to run it
// fills the links, in their order. It gives addresses and numbers to what it has not met before, and so they are the
// same whether this machine compiled the function or another one did.

// A Link is a number of a machine's in code.
type Link struct {
	Place Place
	At    int32 // an index of Consts, or a pc
	Name  any   // what the number is of
}

// A Place says where a link's number goes.
type Place uint8

// The places.
const (
	InConst Place = iota // a constant
	InK                  // the operand k
	InHigh               // the high half of k
	InC                  // the operand c
	InCall               // the operand k of a static call, which is OpIntrinsic where the machine performs the function itself
)

// What links name, beside the machine's own: a *ssa.Global is the address of a variable, a *ssa.Function the address of
// the value of a function that is no closure, and in a call its index among those that this one calls. A
// *layout.Layout is its number (see OpNew), and so is a *mem.PtrMap (see OpStN).
type (
	Text   string // the address of a string constant's bytes
	Method struct {
		Iface  types.Type
		Method *types.Func
	} // its index in an itab
)

// A Linker has the numbers of one machine.
type Linker interface {
	Number(name any) uint64
	Callee(fn *ssa.Function) (index uint64, intrinsic bool) // of a static call
}

// Link fills the links of code. Its instructions and constants have to be its own.
func (f *Code) Link(l Linker) {
	for i := range f.Links {
		k := &f.Links[i]
		switch k.Place {
		case InConst:
			f.Consts[k.At] = l.Number(k.Name)
		case InK:
			f.Instrs[k.At].K = l.Number(k.Name)
		case InHigh:
			f.Instrs[k.At].K |= l.Number(k.Name) << 32
		case InC:
			f.Instrs[k.At].C = int32(l.Number(k.Name))
		case InCall:
			in := &f.Instrs[k.At]
			index, intrinsic := l.Callee(k.Name.(*ssa.Function))
			if in.K = index; intrinsic {
				in.Op = OpIntrinsic
			}
		}
	}
}

// link notes that the instruction emitted last has a number of the machine's.
func link(f *Code, at Place, name any) {
	f.Links = append(f.Links, Link{at, int32(len(f.Instrs)) - 1, name})
}

// Named returns the place of a constant that is a number of the machine's.
func (c *Registers) Named(name any) int32 {
	at, ok := c.named[name]
	if !ok {
		at = c.NamedPair(name, nil)
		c.f.Consts = c.f.Consts[:len(c.f.Consts)-1]
		c.named[name] = at
	}
	return at
}

// NamedPair returns the place of two words, of which the machine has the numbers. Nil names a word that is zero.
func (c *Registers) NamedPair(a, b any) int32 {
	i := int32(len(c.f.Consts))
	c.f.Consts = append(c.f.Consts, 0, 0)
	for j, name := range []any{a, b} {
		if name != nil {
			c.f.Links = append(c.f.Links, Link{InConst, i + int32(j), name})
		}
	}
	return i*8 + constTag
}

// text returns the place of the header of a string constant.
func (c *Registers) text(s string) int32 {
	if s == "" {
		return c.Pool(0, 0)
	}
	at, ok := c.named[Text(s)]
	if !ok {
		at = c.NamedPair(Text(s), nil)
		c.f.Consts[len(c.f.Consts)-1] = uint64(len(s))
		c.named[Text(s)] = at
	}
	return at
}
