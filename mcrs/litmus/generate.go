package litmus

import "math/rand/v2"

// A Mix says which operations Generate draws from.
type Mix uint8

// The mixes.
const (
	Memory  Mix = 1 << iota // variables, atomics, maps
	Locks                   // mutexes, RWMutexes, TryLock
	Chans                   // channels, buffered and not, close, len
	Selects                 // select, with and without default
	Groups                  // wait groups
	Sync                    // Once, Cond
	Panics                  // assertions, panics, exits
	All     Mix = 1<<iota - 1
)

// Generate draws a program: two to four goroutines of one to max operations, of
// about total operations in all.
func Generate(seed uint64, mix Mix, max, total int) *Program {
	r := rand.New(rand.NewPCG(seed, uint64(mix)))
	p := &Program{Name: "random", Caps: []int{0, 1 + r.IntN(2), 0}}
	n := 2 + r.IntN(3)
	for range n {
		var ops []Op
		for range 1 + r.IntN(max) {
			if total--; total < 0 {
				break
			}
			ops = append(ops, draw(r, mix)...)
		}
		p.Threads = append(p.Threads, ops)
	}
	if r.IntN(4) == 0 && n > 2 { // a goroutine started in the middle
		var spawn []Op
		for i := 2; i < n; i++ {
			spawn = append(spawn, Spawn(i))
		}
		at := r.IntN(len(p.Threads[1]) + 1)
		rest := append(spawn, p.Threads[1][at:]...)
		p.Threads[1] = append(p.Threads[1][:at:at], rest...)
		p.Threads[0] = append([]Op{Spawn(1)}, p.Threads[0]...)
	}
	return p
}

// draw returns one operation, or a few that belong together.
func draw(r *rand.Rand, mix Mix) []Op {
	for {
		m := Mix(1) << r.IntN(7)
		if mix&m == 0 {
			continue
		}
		one := func(c Code, x, v, w int) []Op { return []Op{Do(c, x, v, w)} }
		x, v := r.IntN(2), 1+r.IntN(2)
		switch m {
		case Memory:
			switch r.IntN(10) {
			case 0, 1, 2:
				return one(Read, x, 0, 0)
			case 3, 4:
				return one(Write, x, v, 0)
			case 5:
				return []Op{R(x), P(x, 1)}
			case 6:
				return one(Add, x, 1, 0)
			case 7:
				return one(CAS, x, r.IntN(2), v)
			case 8:
				return []Op{R(x), Do(Unless, 0, 1, 1), W(1-x, 2)}
			default:
				if r.IntN(2) == 0 {
					return one(MapGet, 0, r.IntN(3), 0)
				}
				return one(MapSet, 0, r.IntN(3), v)
			}
		case Locks:
			switch r.IntN(8) {
			case 0, 1, 2:
				return []Op{L(x), R(0), P(0, 1), U(x)}[:2+r.IntN(3)]
			case 3:
				return one(Unlock, x, 0, 0)
			case 4:
				return []Op{Do(TryLock, x, 0, 0), Do(Unless, 0, 1, 1), U(x)}
			case 5:
				return []Op{Do(WLock, 2, 0, 0), W(0, v), Do(WUnlock, 2, 0, 0)}
			case 6:
				return []Op{Do(RLock, 2, 0, 0), R(0), Do(RUnlock, 2, 0, 0)}
			default:
				return one([]Code{RLock, RUnlock}[r.IntN(2)], 2, 0, 0)
			}
		case Chans:
			c := r.IntN(3)
			switch r.IntN(9) {
			case 0, 1, 2:
				return []Op{S(c, v)}
			case 3, 4, 5:
				return []Op{Rcv(c)}
			case 6:
				return []Op{Cl(c)}
			case 7:
				return one(Len, 1, 0, 0)
			default:
				return []Op{Rcv(c), Do(Unless, 0, 1, 1), W(0, 1)}
			}
		case Selects:
			op := Op{Code: Select, Default: r.IntN(3) == 0}
			for range 1 + r.IntN(2) {
				op.Cases = append(op.Cases, Case{r.IntN(2) == 0, r.IntN(3), v})
			}
			return []Op{op}
		case Groups:
			return []Op{[]Op{A(0, 1), A(0, -1), A(0, -1), Wait(0)}[r.IntN(4)]}
		case Sync:
			switch r.IntN(5) {
			case 0, 1:
				return one(OnceDo, 0, x, 0)
			case 2:
				return one(CondWait, 0, 0, 0)
			case 3:
				return one(CondSignal, 0, 0, 0)
			default:
				return one(CondAll, 0, 0, 0)
			}
		case Panics:
			switch r.IntN(6) {
			case 0:
				return one(Panic, 0, 0, 0)
			case 1:
				return one(Exit, 0, 0, 0)
			default:
				return []Op{R(x), Do(Assert, 0, r.IntN(2), 0)}
			}
		}
	}
}

// Tallying puts a Tally in the place of each Add and of every other Write of a program.
func Tallying(p *Program) *Program {
	writes := 0
	for _, ops := range p.Threads {
		for i := range ops {
			if ops[i].Code == Write {
				writes++
			}
			if ops[i].Code == Add || ops[i].Code == Write && writes%2 == 1 {
				ops[i].Code = Tally
			}
		}
	}
	return p
}

// Alike has a program send the same element everywhere, on channels with room for two and three.
func Alike(p *Program) *Program {
	p.Caps = []int{2, 3, 2}
	for _, ops := range p.Threads {
		for i := range ops {
			if ops[i].Code == Send {
				ops[i].V = 1
			}
			for j := range ops[i].Cases {
				if c := &ops[i].Cases[j]; c.Send {
					c.V = 1
				}
			}
		}
	}
	return p
}

// Loops returns a program with loops: a thread goes back to one of its operations until it is told a certain value.
// Programs that grow without end are left out.
func Loops(seed uint64, mix Mix, max, total int) *Program {
	p := Generate(seed, mix, max, total)
	r := rand.New(rand.NewPCG(seed, uint64(mix)+1<<32))
	for i, ops := range p.Threads {
		var out []Op
		starts := 0 // of operations before are threads started, which a loop would do again
		for _, op := range ops {
			switch op.Code {
			case Put, Add, WgAdd, CondWait:
				op = W(op.X%2, r.IntN(2))
			case Go:
				starts = len(out) + 1
			}
			out = append(out, op)
			switch op.Code {
			case Read, Load, CAS, TryLock, Recv, Select, Len:
				if back := len(out) - starts; back > 0 && r.IntN(2) == 0 {
					out = append(out, Op{Code: Again, V: r.IntN(2), W: 1 + r.IntN(back)})
				}
			}
		}
		p.Threads[i] = out
	}
	return p
}

// Twins has the first thread of a program start the others, and one of them twice. So two goroutines run the same code.
func Twins(p *Program, which int) *Program {
	if p.spawns() || len(p.Threads) < 2 {
		return p
	}
	var first []Op
	for i := 1; i < len(p.Threads); i++ {
		if first = append(first, Spawn(i)); i == 1+which%(len(p.Threads)-1) {
			first = append(first, Spawn(i))
		}
	}
	p.Threads[0] = append(first, p.Threads[0]...)
	return p
}
