package enumerate

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/event"
)

// A state is where all goroutines stand, and what there is.
type state struct {
	at      [Goroutines]int8 // -1: not begun
	v       [Goroutines]int
	r       [Goroutines]int8
	memory  [Cells]int
	held    [Locks]bool
	sent    [Channels]bool
	chans   [Channels]int
	buffers [Goroutines][]store
}

// A store is on its way to memory.
type store struct {
	cell, words int8
	v           [2]int
}

func (s *store) overlaps(cell, words int) bool {
	return int(s.cell) < cell+words && cell < int(s.cell)+int(s.words)
}

// A Result is what a program does under a memory model.
type Result struct {
	// Panics are the texts with which it ends.
	Panics map[string]bool
	// Racy says that two goroutines can access a cell at once, not both by loads or by atomics. It is meant for
	// sequential consistency.
	Racy bool
	// Stuck says that it can end otherwise.
	Stuck  bool
	States int
}

// Search goes through all states of a program. Its first goroutine starts the others.
func Search(goroutines [][]Step, model event.MemoryModel) *Result {
	x := &search{goroutines: goroutines, model: model, met: make(map[string]bool), Result: &Result{Panics: make(map[string]bool)}}
	var s state
	for g := 1; g < Goroutines; g++ {
		s.at[g] = -1
	}
	x.visit(&s)
	x.States = len(x.met)
	return x.Result
}

type search struct {
	goroutines [][]Step
	model      event.MemoryModel
	met        map[string]bool
	key        []byte
	*Result
}

func (x *search) visit(s *state) {
	if x.key = s.name(x.key[:0]); x.met[string(x.key)] {
		return
	}
	x.met[string(x.key)] = true
	x.findRaces(s)
	stuck := true
	for g := range x.goroutines {
		if next, ok := x.step(s, g); ok {
			if stuck = false; next != nil {
				x.visit(next)
			}
		}
		for i := range s.buffers[g] {
			if x.mayFlush(s, g, i) {
				stuck = false
				next := s.with(g)
				next.write(&s.buffers[g][i])
				next.buffers[g] = slices.Delete(next.buffers[g], i, i+1)
				x.visit(next)
			}
		}
	}
	x.Stuck = x.Stuck || stuck
}

// with copies a state, for goroutine g to go on.
func (s *state) with(g int) *state {
	next := *s
	next.buffers[g] = slices.Clone(s.buffers[g])
	return &next
}

func (s *state) write(o *store) { copy(s.memory[o.cell:], o.v[:o.words]) }

func (x *search) mayFlush(s *state, g, i int) bool {
	if x.model == event.TSO {
		return i == 0
	}
	o := &s.buffers[g][i]
	return !slices.ContainsFunc(s.buffers[g][:i], func(older store) bool { return older.overlaps(int(o.cell), int(o.words)) })
}

// next returns the step at which a goroutine stands, nil if there is none.
func (x *search) next(s *state, g int) *Step {
	if s.at[g] < 0 || int(s.at[g]) >= len(x.goroutines[g]) {
		return nil
	}
	return &x.goroutines[g][s.at[g]]
}

// step returns what a state becomes when a goroutine does its next step, nil if that ends the program. ok is false if
// it cannot do it.
func (x *search) step(s *state, g int) (next *state, ok bool) {
	p := x.next(s, g)
	if p == nil || x.waits(s, g, p) {
		return nil, false
	}
	if p.Code == Panic {
		text := p.Text
		if text == "" {
			text = strconv.Itoa(s.v[g])
		}
		x.Panics[text] = true
		return nil, true
	}
	next = s.with(g)
	next.at[g]++
	if !x.do(next, g, p) {
		next.at[g] += int8(p.Skip)
	}
	return next, true
}

// waits reports whether a goroutine cannot do a step in a state.
func (x *search) waits(s *state, g int, p *Step) bool {
	full := len(s.buffers[g]) > 0
	switch p.Code {
	case Store, Publish, Unless, AtomicLoad:
		return false
	case Load:
		return stalls(s, g, p.At, p.Words)
	case Pointer:
		return stalls(s, g, p.At, 1)
	case Follow:
		return stalls(s, g, int(s.r[g])+p.At, 1)
	case TryLock:
		return full && !s.held[p.At]
	case Lock:
		return full || s.held[p.At]
	case Receive:
		return full || !s.sent[p.At]
	}
	return full
}

// newest returns the newest store of a goroutine's buffer to some cells, nil if there is none.
func newest(s *state, g, cell, words int) *store {
	for i := len(s.buffers[g]) - 1; i >= 0; i-- {
		if o := &s.buffers[g][i]; o.overlaps(cell, words) {
			return o
		}
	}
	return nil
}

func stalls(s *state, g, cell, words int) bool {
	o := newest(s, g, cell, words)
	return o != nil && (int(o.cell) > cell || int(o.cell)+int(o.words) < cell+words)
}

// load returns what a goroutine finds in a cell. It does not stall.
func (s *state) load(g, cell int) int {
	if o := newest(s, g, cell, 1); o != nil {
		return o.v[cell-int(o.cell)]
	}
	return s.memory[cell]
}

// store is a plain store of a goroutine.
func (x *search) store(s *state, g, cell, words int, v [2]int) {
	o := store{int8(cell), int8(words), v}
	if x.model == event.SC {
		s.write(&o)
		return
	}
	s.buffers[g] = append(s.buffers[g], o)
}

// do does a step. It returns false if what follows is skipped.
func (x *search) do(s *state, g int, p *Step) bool {
	v := &s.v[g]
	switch p.Code {
	case Store:
		x.store(s, g, p.At, p.Words, [2]int{p.V[0], p.V[1]})
	case Publish:
		for i, word := range p.V[:2] {
			o := store{int8(p.V[2] + i), 1, [2]int{word}}
			if x.model != event.PSO {
				s.write(&o)
			} else if word != 0 {
				s.buffers[g] = append(s.buffers[g], o)
			}
		}
		x.store(s, g, p.At, 1, [2]int{p.V[2]})
	case Load:
		*v *= p.Times
		for i := range p.Words {
			*v += p.V[i] * s.load(g, p.At+i)
		}
	case Pointer:
		s.r[g] = int8(s.load(g, p.At))
		return s.r[g] != 0
	case Follow:
		*v = p.Times**v + p.V[0]*s.load(g, int(s.r[g])+p.At)
	case Unless:
		return *v == p.V[0]
	case AtomicStore:
		s.memory[p.At] = p.V[0]
	case AtomicLoad:
		*v = p.Times**v + s.memory[p.At]
	case Swap:
		if *v *= p.Times; s.memory[p.At] == p.V[0] {
			s.memory[p.At] = p.V[1]
			*v++
		}
	case Lock:
		s.held[p.At] = true
	case Unlock:
		s.held[p.At] = false
	case TryLock:
		if s.held[p.At] {
			return false
		}
		s.held[p.At] = true
	case Send:
		s.sent[p.At], s.chans[p.At] = true, *v
	case Receive:
		*v = p.Times**v + s.chans[p.At]
		s.sent[p.At] = false
	case Go:
		s.at[p.At] = 0
	}
	return true
}

// findRaces notes whether two goroutines stand at plain accesses to one cell, one of which is a store.
func (x *search) findRaces(s *state) {
	if x.Racy || x.model != event.SC {
		return
	}
	for a := range x.goroutines {
		ca, wa, plain := x.touches(s, a)
		for b := 0; b < a && plain > 0; b++ {
			cb, wb, words := x.touches(s, b)
			if words > 0 && (wa || wb) && ca < cb+words && cb < ca+plain {
				x.Racy = true
			}
		}
	}
}

// touches returns the cells of a plain access at which a goroutine stands, and whether it is a store.
func (x *search) touches(s *state, g int) (cell int, stores bool, words int) {
	p := x.next(s, g)
	if p == nil {
		return 0, false, 0
	}
	switch p.Code {
	case Store:
		return p.At, true, p.Words
	case Publish:
		return p.At, true, 1
	case Load:
		return p.At, false, p.Words
	case Pointer:
		return p.At, false, 1
	case Follow:
		return int(s.r[g]) + p.At, false, 1
	}
	return 0, false, 0
}

// name appends what tells a state apart.
func (s *state) name(b []byte) []byte {
	for g := range Goroutines {
		b = append(b, byte(s.at[g]), byte(s.r[g]), byte(len(s.buffers[g])))
		b = binary.AppendVarint(b, int64(s.v[g]))
		for i := range s.buffers[g] {
			o := &s.buffers[g][i]
			b = append(b, byte(o.cell), byte(o.words), byte(o.v[0]), byte(o.v[1]))
		}
	}
	for _, w := range s.memory {
		b = append(b, byte(w))
	}
	for _, h := range s.held {
		b = append(b, byte(bit(h)))
	}
	for c := range s.chans {
		b = binary.AppendVarint(append(b, byte(bit(s.sent[c]))), int64(s.chans[c]))
	}
	return b
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
