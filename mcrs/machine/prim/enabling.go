package prim

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says when operations on primitives are enabled.

// enabling says of each kind of operation on a primitive that can wait when it is enabled for the goroutine that stands
// at it. A primitive with a file of its own sets its rows in the file's init.
var enabling = [event.NumKinds]func(m *vm.Machine, g *vm.G) bool{
	event.Lock:          lockEnabled,
	event.LockAnnounce:  lockEnabled,
	event.RLock:         lockEnabled,
	event.WaitGroupWait: func(m *vm.Machine, g *vm.G) bool { return WaitGroupCounter(m, g.Op.Loc.Addr) == 0 },
	event.OnceBegin:     func(m *vm.Machine, g *vm.G) bool { return m.Peek32(g.Op.Loc.Addr+4) == 0 },
	event.CondWait:      func(m *vm.Machine, g *vm.G) bool { return int32(m.Peek32(g.Op.Loc.Addr+4)-uint32(g.Op.Key)) > 0 },
}

func lockEnabled(m *vm.Machine, g *vm.G) bool { return LockFree(m, &g.Op) }

// Enabling returns by kind when an operation on a primitive that can wait is enabled. It is nil for all other kinds.
func Enabling() [event.NumKinds]func(m *vm.Machine, g *vm.G) bool { return enabling }
