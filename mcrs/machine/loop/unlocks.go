package loop

import (
	"go/types"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file asks whether a goroutine that is alive could unlock a lock that it does not hold (LEAK2). A mutex has no
// owner: one goroutine may lock it, and another one unlock it.
//
// Most code does not: its Unlock stands behind a Lock, or a TryLock, of the same lock, on every way of the function.
// Who comes there waits for the lock himself. So it is asked for an Unlock without such a Lock, in the functions of a
// goroutine's stack and in all that they call or mention. What cannot be told, a call of a function value or of an
// interface's method, counts as such an Unlock. The standard library unlocks nothing of the user's but by functions
// that he hands to it, and those he mentions.

// othersUnlock reports whether a goroutine that is alive could release the lock of an operation, though it does not
// hold it.
func othersUnlock(m *vm.Machine, o *event.Op, r *reach) bool {
	name := "Unlock"
	if o.Kind == event.Lock && vm.IsRW(o) {
		name = "RUnlock"
	}
	s := &unlockSearch{m: m, name: name, seen: map[*ssa.Function]bool{}}
	for _, t := range m.Pending() {
		s.addTimer(t)
	}
	for a, t := range m.Records {
		if r.has(a) { // it can be started again
			s.addTimer(t)
		}
	}
	for g := range r.live {
		for i := range g.Frames {
			s.add(g.Frames[i].Func)
			for _, d := range g.Frames[i].Defers {
				s.add(d.Func)
			}
		}
	}
	for len(s.todo) > 0 && !s.handed {
		fn := s.todo[len(s.todo)-1]
		s.todo = s.todo[:len(s.todo)-1]
		if s.unlocks(fn) {
			return true
		}
	}
	return s.handed
}

// An unlockSearch looks for an Unlock (or RUnlock) without a Lock.
type unlockSearch struct {
	m      *vm.Machine
	name   string
	seen   map[*ssa.Function]bool
	todo   []*ssa.Function
	handed bool // somebody is given the method itself, as mu.Unlock: who calls it, and when, cannot be told
}

// addTimer adds what a timer calls.
func (s *unlockSearch) addTimer(t *vm.Timer) {
	s.add(t.Func)
	if t.Func != nil && t.Func.Name == "time.goFunc" {
		s.add(s.m.ClosureFunc(t.Arg2))
	}
}

func (s *unlockSearch) add(f *vm.Func) {
	if f != nil && (!f.Std || f.Wrapper) {
		s.mention(f.SSA)
	}
}

func (s *unlockSearch) mention(fn *ssa.Function) {
	if fn == nil || s.seen[fn] {
		return
	}
	s.seen[fn] = true
	if o, ok := fn.Object().(*types.Func); ok && fn.Synthetic != "" && o.Name() == s.name && o.Pkg() != nil && o.Pkg().Path() == "sync" {
		s.handed = true
	}
	if p := s.m.PkgOf(fn); p != nil && s.m.Program.IsStd(p) {
		return
	}
	s.m.Program.Build(fn)
	s.m.NoteLook(fn)
	s.todo = append(s.todo, s.m.Program.Body(fn))
}

// unlocks reports whether a function has such an Unlock itself, or what cannot be told. It notes the functions that
// it mentions.
func (s *unlockSearch) unlocks(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for i, in := range b.Instrs {
			for _, v := range in.Operands(nil) {
				if f, ok := (*v).(*ssa.Function); ok {
					s.mention(f)
				}
			}
			call, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if on, ok := s.lockCall(call, s.name); ok && !s.behindLock(fn, b, i, on) {
				return true
			}
			if s.opaque(call.Common()) {
				return true
			}
		}
	}
	return false
}

// opaque reports whether it cannot be told what a call calls.
func (s *unlockSearch) opaque(c *ssa.CallCommon) bool {
	if c.IsInvoke() {
		return true
	}
	switch c.Value.(type) {
	case *ssa.Builtin, *ssa.Function, *ssa.MakeClosure:
		return false
	}
	return true
}

// lockCall returns the lock on which a call is one of the methods by the given names.
func (s *unlockSearch) lockCall(call ssa.CallInstruction, names ...string) (ssa.Value, bool) {
	c := call.Common()
	fn := c.StaticCallee()
	if fn == nil || len(c.Args) == 0 || !slices.Contains(names, fn.Name()) {
		return nil, false
	}
	if p := s.m.PkgOf(fn); p == nil || p.Path() != "sync" {
		return nil, false
	}
	return c.Args[0], true
}

// behindLock reports whether the i-th instruction of b comes after a lock of the same on every way.
func (s *unlockSearch) behindLock(fn *ssa.Function, b *ssa.BasicBlock, i int, on ssa.Value) bool {
	names := []string{"Lock", "TryLock"}
	if s.name == "RUnlock" {
		names = []string{"RLock", "TryRLock"}
	}
	for _, d := range fn.Blocks {
		if !d.Dominates(b) {
			continue
		}
		for j, in := range d.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok || d == b && j >= i {
				continue
			}
			if at, ok := s.lockCall(call, names...); ok && sameAddress(at, on) {
				return true
			}
		}
	}
	return false
}

// sameAddress reports whether two values are surely one address in one activation of a function: variables that are
// not assigned a second time, and their fields.
func sameAddress(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	if x, ok := a.(*ssa.FieldAddr); ok {
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && sameAddress(x.X, y.X)
	}
	return false
}
