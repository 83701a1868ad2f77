package vm

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"golang.org/x/tools/go/ssa"
)

// This file defines addresses of code, and the sites in it. A program can print them, so they do not depend on what the
// machine has met before.
//
//	TEXT1  The address of a function is made of its name. If another function has it, the next one is taken.
//	TEXT2  A pc is the address of its function and the number of the instruction in it. It stands for an instruction
//	       once the program has it. So does the address before it, which is what programs look up.

// textBase is where addresses of code begin, and textSize is how many there are.
const (
	textBase = mem.Text << mem.SegmentBits
	textSize = 1 << mem.SegmentBits
)

// instrSize is the distance of the pcs of two instructions.
const instrSize = 4

// Text is what lies in the segment of code.
type Text struct {
	Funcs     []*Func    // by number
	SiteTable []SiteInfo // by event.Site

	funcs  map[uint64]*Func      // by address
	recent [1 << 10]*Func        // functions that were looked up, by the last bits of their addresses
	pcs    map[uint64]event.Site // that the program was given
	pseudo map[string]event.Site // see PseudoSite
}

// add gives a function an address.
func (im *Text) add(f *Func, name string) {
	f.ID = uint32(len(im.Funcs))
	f.Text = textBase | HashString(name)>>21<<4
	for im.funcs[f.Text] != nil {
		f.Text = textBase | (f.Text+1<<4)%textSize
	}
	im.funcs[f.Text] = f
	im.Funcs = append(im.Funcs, f)
}

// TextFunc returns the function of a code address, nil if it is none.
func (im *Text) TextFunc(at uint64) *Func {
	slot := &im.recent[at>>4%uint64(len(im.recent))]
	if f := *slot; f != nil && f.Text == at {
		return f
	}
	f := im.funcs[at]
	if f != nil {
		*slot = f
	}
	return f
}

// PC returns the pc of a site, for the program.
func (im *Text) PC(s event.Site) uint64 {
	pc := im.SiteTable[s].Func.Text + im.Offset(s)
	im.pcs[pc] = s
	return pc
}

// PCSite returns the site of a pc that the program has, 0 if it is none.
func (im *Text) PCSite(pc uint64) event.Site {
	return im.pcs[(pc+instrSize-1)/instrSize*instrSize]
}

// usualSites is how many sites a small program has once it is initialised.
const usualSites = 1 << 15

// A SiteInfo is what a site stands for.
type SiteInfo struct {
	Func  *Func
	Instr ssa.Instruction
	at    uint32 // its number in the function
}

// Calculates reports whether the site is in a package of the standard library that only calculates (SPIN5).
func (x *SiteInfo) Calculates() bool { return x.Func != nil && x.Func.Calculates }

// Site returns the number of an instruction.
func (im *Text) Site(f *Func, in ssa.Instruction) event.Site {
	id := event.Site(len(im.SiteTable))
	im.SiteTable = append(im.SiteTable, SiteInfo{f, in, f.sites})
	f.sites++
	return id
}

// sitesOf numbers the instructions of f one after the other, and returns the number before the first one's.
func (im *Text) sitesOf(f *Func, places []ssa.Instruction) event.Site {
	before := event.Site(len(im.SiteTable)) - 1
	for _, in := range places {
		im.Site(f, in)
	}
	return before
}

// Offset is how far a site is from the beginning of its function.
func (im *Text) Offset(s event.Site) uint64 { return instrSize * uint64(im.SiteTable[s].at+1) }

// PseudoSite is a site in a function of the runtime that the machine does not have.
func (im *Text) PseudoSite(name string) event.Site {
	if s, ok := im.pseudo[name]; ok {
		return s
	}
	f := &Func{Name: name, Std: true}
	im.add(f, name)
	s := im.Site(f, nil)
	if im.pseudo == nil {
		im.pseudo = map[string]event.Site{}
	}
	im.pseudo[name] = s
	return s
}

// A twin is the function of the method values, or of the method expressions, of one method and one type.
type twin struct {
	fn    *ssa.Function
	recv  types.Type
	bound bool
}

// Twin returns the first function that was asked for with this method and this type of receiver: bound for a method
// value.
func (m *Image) Twin(fn *ssa.Function, recv types.Type, bound bool) *ssa.Function {
	method := fn.Object().(*types.Func).Origin()
	for _, t := range m.twins[method] {
		if t.bound == bound && types.Identical(t.recv, recv) {
			return t.fn
		}
	}
	if m.twins == nil {
		m.twins = map[*types.Func][]twin{}
	}
	m.twins[method] = append(m.twins[method], twin{fn, recv, bound})
	return fn
}
