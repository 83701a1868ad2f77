package host

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file performs system calls.

// Syscall6(num, a1..a6 uintptr) (r1, r2, errno uintptr)
func Syscall6(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Kernel.Apart() && !m.Direct && m.Kernel.Effect(w[0]) != kernel.Pure && !inFD(g) && !(w[0] == fcntl && opensFile(m, g)) {
		return inSteps(m, g, w)
	}
	if !hostCall(m, g, w[0]) {
		return vm.Yield
	}
	memory := &Memory{m: m, g: g}
	r1, r2, e, ok := m.Kernel.Syscall(memory, w[0], w[1], w[2], w[3], w[4], w[5], w[6])
	if memory.status != vm.Done {
		return memory.status
	}
	if !ok {
		return m.Lacks(g, "system call "+m.Kernel.Unsupported())
	}
	refuse(m, g)
	w[7], w[8], w[9] = r1, r2, e
	return vm.Done
}

// inSteps performs a system call in steps, each of which is an operation (APART2 of package kernel).
func inSteps(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if g.Course == nil {
		g.Course = new(kernel.Course)
	}
	for range g.Course.Steps() {
		m.Announce(g, event.Op{}) // performed in former attempts
	}
	m.Kernel.Stream(uint64(g.Segment))
	for grant := false; ; grant = true {
		step, more, r1, r2, e, ok := m.Kernel.Proceed(&Memory{m: m, g: g}, g.Course, grant, w[0], w[1], w[2], w[3], w[4], w[5], w[6])
		switch {
		case more && !fileStep(m, g, step, movesOf(w[0])):
			return vm.Yield
		case more:
			if step.Write {
				m.HostWrites++
			}
			continue
		}
		g.Course = nil
		if !ok {
			return m.Lacks(g, "system call "+m.Kernel.Unsupported())
		}
		refuse(m, g)
		w[7], w[8], w[9] = r1, r2, e
		return vm.Done
	}
}

// fileStep announces a step of a call on files (APART1). moves says whether it moves bytes, as the key of an operation
// on event.Kernel does.
func fileStep(m *vm.Machine, g *vm.G, s apart.Step, moves uint64) bool {
	if m.Direct {
		return true
	}
	k := event.FileRead
	if s.Write {
		k = event.FileWrite
	}
	return m.Announce(g, event.Op{Kind: k, Loc: event.Location{Addr: s.Inode | inodes, Size: uint32(moves)}, Key: s.Key})
}

// inodes is where inodes are, among addresses.
const inodes = 1 << 62

// movesOf says whether a system call moves bytes, as fileStep has it.
func movesOf(num uint64) uint64 {
	const read, write, pread64, pwrite64, readv, writev, preadv, pwritev = 0, 1, 17, 18, 19, 20, 295, 296
	switch num {
	case read, pread64, readv, preadv:
		return event.KernelRead
	case write, pwrite64, writev, pwritev:
		return event.KernelWrite
	}
	return 0
}

// SysNoError is syscall.rawSyscallNoError.
func SysNoError(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !hostCall(m, g, w[0]) {
		return vm.Yield
	}
	r1, r2, _, ok := m.Kernel.Syscall(&Memory{m: m, g: g}, w[0], w[1], w[2], w[3], 0, 0, 0)
	if !ok {
		return m.Lacks(g, "system call "+m.Kernel.Unsupported())
	}
	refuse(m, g)
	w[4], w[5] = r1, r2
	return vm.Done
}

// sysFcntl(fd, cmd, arg int32) (int32, int32)
func sysFcntl(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	r1, _, e, ok := m.Kernel.Syscall(&Memory{m: m, g: g}, fcntl, w[0], w[1], w[2], 0, 0, 0)
	if !ok {
		return m.Lacks(g, "system call "+m.Kernel.Unsupported())
	}
	w[3], w[4] = uint64(int64(int32(r1))), e
	return vm.Done
}

// pollOpen(fd uintptr) (ctx uintptr, errno int)
func pollOpen(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[1], w[2] = 0, m.Kernel.PollOpen(w[0])
	if w[2] == 0 {
		return m.Lacks(g, "waiting on a file descriptor")
	}
	return vm.Done
}

// Memory is the machine's memory as the kernel sees it.
type Memory struct {
	m      *vm.Machine
	g      *vm.G
	status vm.Status // of Map
}

// ReadBytes implements kernel.Memory.
func (x *Memory) ReadBytes(addr uint64, n int) ([]byte, bool) {
	if n < 0 {
		return nil, false
	}
	b, ok := x.m.Mem.Bytes(addr, uint64(n))
	return append([]byte(nil), b...), ok
}

// WriteBytes implements kernel.Memory.
func (x *Memory) WriteBytes(addr uint64, p []byte) bool {
	b, ok := x.m.Mem.WritableBytes(addr, uint64(len(p)))
	copy(b, p)
	return ok
}

// Map implements kernel.Mapper. What an initialiser would map belonged to the snapshot, which the kernel cannot take
// away.
func (x *Memory) Map(n uint64) (uint64, bool) {
	if x.m.Inits {
		return 0, false
	}
	addr, status := x.m.Alloc(x.g, n, nil)
	x.status = status
	return addr, status == vm.Done
}

// Unmap implements kernel.Mapper.
func (x *Memory) Unmap(addr uint64) { x.m.Mem.Free(addr) }

// Protect implements kernel.Mapper.
func (x *Memory) Protect(addr uint64, readOnly bool) {
	o := x.m.Mem.Object(addr)
	if o.Flags &^= mem.ReadOnly; readOnly {
		o.Flags |= mem.ReadOnly
	}
}

// Alone implements kernel.Mapper.
func (x *Memory) Alone() bool { return x.m.Mode == vm.Running || len(x.m.Threads) == 1 }
