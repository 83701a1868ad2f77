package code

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file says which words of a frame the rest of its function can still read: live variables of the SSA form, by the usual equations
// (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.2.5), looked up in the registers of the frame.
//
// A value without a register (an address that is part of its load, a condition that is part of its branch) is used where it is used: so its operands are. Words
// that are no SSA value's are never dead.

// A Liveness is what is known of one function.
type Liveness struct {
	layouts *layout.Layouts
	fn      *ssa.Function
	f       *Code
	numbers map[ssa.Value]int // of values with a register
	out     []wordSet         // by block: values alive at its end
	rescue  wordSet           // alive at the start of the Recover block: any instruction may panic
	dead    map[Point][]bool  // by word of the frame
}

// A Point is a place in a function at which a goroutine can stand.
type Point struct {
	In    ssa.Instruction
	After bool // of a call that has begun: it has what it needs
	Own   bool // what the instruction computes may be there in part
}

type wordSet []uint64

func (s wordSet) set(i int)      { s[i/64] |= 1 << (i % 64) }
func (s wordSet) clear(i int)    { s[i/64] &^= 1 << (i % 64) }
func (s wordSet) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }

func (s wordSet) add(o wordSet) (grew bool) {
	for i, w := range o {
		grew = grew || w&^s[i] != 0
		s[i] |= w
	}
	return grew
}

// NewLiveness solves the equations for fn, which is compiled to f.
func NewLiveness(ls *layout.Layouts, fn *ssa.Function, f *Code) *Liveness {
	l := &Liveness{layouts: ls, fn: fn, f: f, numbers: make(map[ssa.Value]int), dead: make(map[Point][]bool)}
	for v := range f.Regs {
		l.numbers[v] = len(l.numbers)
	}
	l.out = make([]wordSet, len(fn.Blocks))
	for i := range l.out {
		l.out[i] = l.newSet()
	}
	for again := true; again; {
		again = false
		for _, b := range slices.Backward(fn.Blocks) {
			in := l.at(b, 0)
			for _, p := range b.Preds {
				again = l.out[p.Index].add(in) || again
				for _, instr := range b.Instrs {
					phi, ok := instr.(*ssa.Phi)
					if !ok {
						break
					}
					edge := l.newSet()
					l.use(phi.Edges[slices.Index(b.Preds, p)], edge)
					again = l.out[p.Index].add(edge) || again
				}
			}
		}
	}
	l.rescue = l.newSet()
	if r := fn.Recover; r != nil {
		l.rescue = l.at(r, 0)
	}
	return l
}

func (l *Liveness) newSet() wordSet { return make(wordSet, (len(l.numbers)+63)/64) }

// at returns the values alive before the i-th instruction of a block.
func (l *Liveness) at(b *ssa.BasicBlock, i int) wordSet {
	s := slices.Clone(l.out[b.Index])
	for _, in := range slices.Backward(b.Instrs[i:]) {
		l.defines(in, s)
		if _, ok := in.(*ssa.Phi); !ok { // those use their operands at the ends of other blocks
			l.uses(in, s)
		}
	}
	return s
}

func (l *Liveness) defines(in ssa.Instruction, s wordSet) {
	if v, ok := in.(ssa.Value); ok {
		if i, ok := l.numbers[v]; ok {
			s.clear(i)
		}
	}
}

func (l *Liveness) uses(in ssa.Instruction, s wordSet) {
	if _, ok := in.(*ssa.DebugRef); ok {
		return
	}
	for _, o := range in.Operands(nil) {
		if *o != nil {
			l.use(*o, s)
		}
	}
}

func (l *Liveness) use(v ssa.Value, s wordSet) {
	if i, ok := l.numbers[v]; ok {
		s.set(i)
	} else if in, ok := v.(ssa.Instruction); ok {
		l.uses(in, s)
	}
}

// DeadAt reports of each word of the frame whether it is dead at a point, nil if nothing is known.
func (l *Liveness) DeadAt(p Point) []bool {
	if d, ok := l.dead[p]; ok {
		return d
	}
	b := p.In.Block()
	i := slices.Index(b.Instrs, p.In)
	if i < 0 || b.Parent() != l.fn {
		return nil
	}
	alive := l.at(b, i)
	if p.After {
		alive = l.at(b, i+1)
		l.defines(p.In, alive)
	}
	alive.add(l.rescue)
	if v, ok := p.In.(ssa.Value); ok && p.Own {
		l.use(v, alive)
	}
	d := make([]bool, l.f.Frame/8)
	mark := func(v ssa.Value, dead bool) {
		at := l.f.Regs[v] / 8
		for w := range int32(l.layouts.Of(v.Type()).Words()) {
			d[at+w] = dead
		}
	}
	for v := range l.numbers {
		mark(v, true)
	}
	for w := l.f.Params / 8; w < (l.f.Params+l.f.Results)/8; w++ { // they are set by the last instructions, which do not stop
		d[w] = true
	}
	for v, i := range l.numbers {
		if alive.has(i) {
			mark(v, false)
		}
	}
	l.dead[p] = d
	return d
}
