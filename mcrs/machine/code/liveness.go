package code

import (
	"math/bits"
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file says which words of a frame the rest of its function can still read. They are the live variables of the SSA
// form, by the usual equations (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 9.2.5), looked up in the
// registers of the frame.
//
// A value without a register is an address that is part of its load, or a condition that is part of its branch. Its
// operands are used where it is used. A step of a range loop reads the string or map that the loop goes over, though
// its only operand is the iterator. Words that are no SSA value's are never dead, but for the address of the closure.

// A Liveness is what is known of one function.
type Liveness struct {
	layouts *layout.Layouts
	fn      *ssa.Function
	f       *Code
	numbers map[ssa.Value]int // of values with a register
	words   []span            // by number: their words of the frame
	out     []Words           // by block: values alive at its end
	rescue  Words             // alive at the start of the Recover block: any instruction may panic
	all     Words             // the words of the frame that a value has, and the results
	dead    map[Point]Words   // the words of the frame
	marks   map[*ssa.BasicBlock][]Words
	ops     []*ssa.Value // memory of uses

	last     Point // that was asked for: a goroutine has one call below for many operations
	lastDead Words
}

// A span is a range of words.
type span struct{ at, n int32 }

// markEvery is the distance of marks, in instructions. A mark says what is alive before its instruction. A point of a
// long block is looked up from the mark before it, so that it takes no longer in a longer block.
const markEvery = 64

// maxDead is how many points are kept, in words of 64 bits. Beyond it the points are computed anew.
const maxDead = 1 << 20

// A Point is a place in a function at which a goroutine can stand.
type Point struct {
	In    ssa.Instruction
	After bool // of a call that has begun: it has what it needs
	Own   bool // what the instruction computes may be there in part
}

// Words is a set of numbers, of values or of words.
type Words []uint64

func (s Words) set(i int)   { s[i/64] |= 1 << (i % 64) }
func (s Words) clear(i int) { s[i/64] &^= 1 << (i % 64) }

// Range is the set of the numbers from one to before another.
func Range(from, to int32) Words {
	s := make(Words, (to+63)/64)
	for i := from; i < to; i++ {
		s.set(int(i))
	}
	return s
}

// Has reports whether a number is in the set.
func (s Words) Has(i int) bool { return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

func (s Words) add(o Words) (grew bool) {
	for i, w := range o {
		grew = grew || w&^s[i] != 0
		s[i] |= w
	}
	return grew
}

// NewLiveness solves the equations for fn, which is compiled to f.
func NewLiveness(ls *layout.Layouts, fn *ssa.Function, f *Code) *Liveness {
	l := &Liveness{layouts: ls, fn: fn, f: f, numbers: make(map[ssa.Value]int), dead: make(map[Point]Words), marks: make(map[*ssa.BasicBlock][]Words)}
	l.all = make(Words, (f.Frame/8+63)/64)
	for v, at := range f.Regs {
		l.number(v, span{at / 8, int32(ls.Of(v.Type()).Words())})
	}
	for _, k := range f.Kept {
		l.number(k.Addr, span{k.At / 8, k.N / 8})
	}
	for w := f.Params / 8; w < (f.Params+f.Results)/8; w++ { // they are set by the last instructions, which do not stop
		l.all.set(int(w))
	}
	if len(fn.FreeVars) > 0 { // its first instructions take what it captured out of the closure
		l.all.set(int(f.Ctx / 8))
	}
	l.out = make([]Words, len(fn.Blocks))
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

// number numbers a value, or a variable in the frame by its address, that has some words of the frame.
func (l *Liveness) number(v ssa.Value, x span) {
	l.numbers[v] = len(l.numbers)
	l.words = append(l.words, x)
	for w := x.at; w < x.at+x.n; w++ {
		l.all.set(int(w))
	}
}

func (l *Liveness) newSet() Words { return make(Words, (len(l.numbers)+63)/64) }

// at returns the values alive before the i-th instruction of a block.
func (l *Liveness) at(b *ssa.BasicBlock, i int) Words {
	s := slices.Clone(l.out[b.Index])
	l.scan(b.Instrs[i:], s)
	return s
}

// scan goes back over instructions; s is what is alive after them, and then before them.
func (l *Liveness) scan(instrs []ssa.Instruction, s Words) {
	for _, in := range slices.Backward(instrs) {
		l.defines(in, s)
		if _, ok := in.(*ssa.Phi); !ok { // those use their operands at the ends of other blocks
			l.uses(in, s)
		}
	}
}

// before is at, once the equations are solved.
func (l *Liveness) before(b *ssa.BasicBlock, i int) Words {
	m, ok := l.marks[b]
	if !ok {
		m = make([]Words, len(b.Instrs)/markEvery+1)
		s := slices.Clone(l.out[b.Index])
		for k := len(m) - 1; k >= 0; k-- {
			l.scan(b.Instrs[k*markEvery:min(len(b.Instrs), (k+1)*markEvery)], s)
			m[k] = slices.Clone(s)
		}
		l.marks[b] = m
	}
	k, s := i/markEvery+1, l.out[b.Index]
	if k < len(m) {
		s = m[k]
	}
	s = slices.Clone(s)
	l.scan(b.Instrs[i:min(len(b.Instrs), k*markEvery)], s)
	return s
}

func (l *Liveness) defines(in ssa.Instruction, s Words) {
	if v, ok := in.(ssa.Value); ok {
		if i, ok := l.numbers[v]; ok {
			s.clear(i)
		}
	}
}

func (l *Liveness) uses(in ssa.Instruction, s Words) {
	if _, ok := in.(*ssa.DebugRef); ok {
		return
	}
	n := len(l.ops)
	l.ops = in.Operands(l.ops)
	for _, o := range l.ops[n:] {
		if *o != nil {
			l.use(*o, s)
		}
	}
	l.ops = l.ops[:n]
	if next, ok := in.(*ssa.Next); ok {
		l.use(next.Iter.(*ssa.Range).X, s)
	}
}

func (l *Liveness) use(v ssa.Value, s Words) {
	if i, ok := l.numbers[v]; ok {
		s.set(i)
	} else if in, ok := v.(ssa.Instruction); ok {
		l.uses(in, s)
	}
}

// DeadAt returns the words of the frame that are dead at a point, none if nothing is known.
func (l *Liveness) DeadAt(p Point) Words {
	if p != l.last {
		l.last, l.lastDead = p, l.deadAt(p)
	}
	return l.lastDead
}

func (l *Liveness) deadAt(p Point) Words {
	if d, ok := l.dead[p]; ok {
		return d
	}
	b := p.In.Block()
	i := slices.Index(b.Instrs, p.In)
	if i < 0 || b.Parent() != l.fn {
		return nil
	}
	var alive Words
	if p.After {
		alive = l.before(b, i+1)
		l.defines(p.In, alive)
	} else {
		alive = l.before(b, i)
	}
	alive.add(l.rescue)
	if v, ok := p.In.(ssa.Value); ok && p.Own {
		l.use(v, alive)
	}
	d := slices.Clone(l.all)
	for i, w := range alive {
		for ; w != 0; w &= w - 1 {
			x := l.words[64*i+bits.TrailingZeros64(w)]
			for at := x.at; at < x.at+x.n; at++ {
				d.clear(int(at))
			}
		}
	}
	if len(l.dead)*len(d) > maxDead {
		clear(l.dead)
	}
	l.dead[p] = d
	return d
}
