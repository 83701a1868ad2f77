package litmus

import "math/rand/v2"

// This file draws programs in which a goroutine learns that another has come so far without being synchronised with it.

// Watching draws a program of two or three goroutines that touch variable 0 before they do something that others can
// notice, or after they noticed something. They notice the length of a channel, that no case of a select was ready,
// that a lock was held, that a channel was emptied, which element was left in it, or that an atomic has changed. Some
// are synchronised besides.
func Watching(seed uint64) *Program {
	r := rand.New(rand.NewPCG(seed, 0x9a7c))
	p := &Program{Name: "watching", Caps: []int{0, 1 + r.IntN(2), 0}}
	n := 2 + r.IntN(2)
	for i := range n {
		var ops []Op
		for range 1 + r.IntN(4-n+1) {
			switch k := r.IntN(4); {
			case k == 0:
				ops = append(ops, access(r))
			case k == 1 || i == 0 && len(ops) == 0:
				ops = append(append(ops, access(r)), noticed(r)...)
			default:
				ops = append(append(ops, notices(r)...), access(r))
			}
		}
		p.Threads = append(p.Threads, ops)
	}
	return p
}

func access(r *rand.Rand) Op {
	if r.IntN(3) == 0 {
		return R(0)
	}
	return W(0, 1)
}

// noticed is something that others can notice.
func noticed(r *rand.Rand) []Op {
	switch r.IntN(9) {
	case 0, 1:
		return []Op{S(1, 1+r.IntN(2))}
	case 2:
		return []Op{Rcv(1)}
	case 3:
		return []Op{Cl(1)}
	case 4:
		return []Op{L(0), U(0)}
	case 5:
		return []Op{Do(WLock, 2, 0, 0), Do(WUnlock, 2, 0, 0)}
	case 6:
		return []Op{Do(Store, 1, 1, 0)}
	case 7:
		return []Op{Do(Add, 1, 1, 0)}
	default:
		return []Op{A(0, 1), A(0, -1)}
	}
}

// notices is something by which a goroutine may notice it; what follows is left out where it did not.
func notices(r *rand.Rand) []Op {
	unless := Do(Unless, 0, r.IntN(2), 1)
	switch r.IntN(8) {
	case 0, 1:
		return []Op{Do(Len, 1, 0, 0), unless}
	case 2:
		return []Op{Do(TryLock, 0, 0, 0), Do(Unless, 0, 0, 1)}
	case 3:
		return []Op{{Code: Select, Default: true, Cases: []Case{{r.IntN(2) == 0, 1, 1}}}, unless}
	case 4:
		return []Op{Rcv(1), unless}
	case 5:
		return []Op{Do(Load, 1, 0, 0), unless}
	case 6:
		return []Op{Do(CAS, 1, 0, 2), unless}
	default:
		return []Op{Do(RLock, 2, 0, 0), Do(RUnlock, 2, 0, 0)}
	}
}
