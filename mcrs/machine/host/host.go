// Package host has what a program gets from the computer: files and descriptors, the environment, standard output,
// system calls, sockets, and the end of the process. It announces what goroutines share through the host, and notes
// what was refused. The files themselves are in package kernel, sockets in the overlay of package inet.
//
// A new system call is a case of package kernel.
package host

import (
	"bytes"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file defines what goroutines share through the host: files and descriptors, the environment, standard output.
// The packages between them and the program (os, syscall, internal/poll) are silent, so the operations are announced
// here.

// hostCall announces a system call. A method of internal/poll.FD has announced its calls before it took the
// descriptor's lock.
func hostCall(m *vm.Machine, g *vm.G, num uint64) bool {
	m.Kernel.Stream(uint64(g.Segment))
	if m.Kernel.Effect(num) == kernel.Writes {
		m.HostWrites++
	}
	if m.Direct || inFD(g) || num == fcntl && opensFile(m, g) {
		return true
	}
	switch m.Kernel.Effect(num) {
	case kernel.Reads:
		return m.HostObject(g, vm.KernelObject, 0, false)
	case kernel.Writes:
		return m.HostObject(g, vm.KernelObject, 0, true)
	}
	return true
}

const fdPrefix = "(*internal/poll.FD)."

func inFD(g *vm.G) bool {
	for i := len(g.Frames) - 1; i >= 0 && g.Frames[i].Func.Silent; i-- {
		if strings.HasPrefix(g.Frames[i].Func.Name, fdPrefix) {
			return true
		}
	}
	return false
}

// environment announces an access to the process's environment.
func environment(write bool, note func(m *vm.Machine, g *vm.G, w []uint64)) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		if !m.HostObject(g, vm.EnvironObject, 0, write) {
			return vm.Yield
		}
		note(m, g, w)
		return vm.Done
	}
}

// fdMethod announces a method of internal/poll.FD: the access to the program's bytes if its first parameter is a
// slice (access Invalid: it is not), and its effect on the kernel's state. That comes last, for what it stands for
// follows at once.
//
// The standard streams are an object of their own. Writing to one changes nothing that is seen but where an example's
// output is checked: it reads whether the stream is open. What testing itself writes is silent: it does not look.
func fdMethod(name string, write bool, access event.Kind) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		if m.Direct || inCaller(g, fdPrefix) || m.Peek64(w[0]+fdContext) != 0 {
			return vm.Done // what it does to a socket or pipe are operations of its own (package inet)
		}
		key := uint64(0) // by which package syscall synchronises (ioSync)
		switch access {
		case event.Read:
			key = event.KernelWrite
		case event.Write:
			key = event.KernelRead
		}
		object, write := uint64(vm.KernelObject), write
		if p := m.Mem.At(w[0]+16, 8); p != nil { // FD.Sysfd
			if fd := *(*uint64)(p); fd == 1 || fd == 2 {
				object = vm.StdoutObject
				if access == event.Read {
					write = fd == 1 && m.Entry != nil && m.Entry.Kind == program.Example && m.Entry.HasOutput
				}
				if access == event.Read && !write && testingWrites(g) {
					return vm.Done
				}
			}
		}
		if access == event.Read && w[2] != 0 && !announceBytes(m, g, w[1], w[2], object == vm.StdoutObject && !write) {
			return vm.Yield
		}
		use, ok := uses[name]
		fd := ^uint64(0)
		if p := m.Mem.At(w[0]+16, 8); p != nil {
			fd = *(*uint64)(p)
		}
		step, known := m.Kernel.StepOf(w[0], fd, use)
		switch {
		case object != vm.KernelObject || !m.Kernel.Apart() || !known:
			if !m.HostObject(g, object, key, write) {
				return vm.Yield
			}
		case !ok:
			return m.Lacks(g, "call of "+name+" of a descriptor, where what calls touch is told apart")
		case !fileStep(m, g, step, key):
			return vm.Yield
		case name == "Close":
			m.Kernel.Closes(w[0], fd)
		}
		m.Silently(g, event.AtomicRMW, w[0], 0, 0) // the lock of the descriptor
		return takes(m, g, w)
	}
}

// announceBytes announces that a method of a descriptor reads n bytes of the program's, if others can see them. With
// store buffers they are not known yet. What goes to a stream that nobody looks at is of no account.
func announceBytes(m *vm.Machine, g *vm.G, addr, n uint64, ignored bool) bool {
	if g.Stage == 0 {
		g.Taken = nil
	}
	if !othersHave(m, addr) {
		return true
	}
	op := event.Op{Kind: event.Read, Loc: event.Location{Addr: addr, Size: uint32(n)}}
	known := !ignored && !m.Relaxed()
	if !known {
		op.Key = event.HostKey
		op.Blind = vm.Word(ignored && !m.Relaxed()) // UNUSED3
	}
	if !m.Announce(g, op) {
		return false
	}
	if b, ok := m.Mem.Bytes(addr, n); known && ok && m.LastEvent >= 0 {
		m.Accessed(g, b)
		g.Taken = bytes.Clone(b)
	}
	return true
}

// takes has a call take the bytes that it has read. Who wrote to them since, which is a race, came too late.
func takes(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	b := g.Taken
	if g.Taken = nil; b == nil {
		return vm.Done
	}
	if now, _ := m.Mem.Bytes(w[1], w[2]); bytes.Equal(now, b) {
		return vm.Done
	}
	at, _, st := m.NewString(g, string(b))
	w[1] = at
	return st
}

// uses are what methods of a descriptor do with it, where that is told apart.
var uses = map[string]apart.Use{
	"Write": apart.Changes, "Pwrite": apart.Changes, "Ftruncate": apart.Changes, "Read": apart.Moves, "Pread": apart.Asks,
	"Close": apart.Moves, "Seek": apart.Moves, "SetBlocking": apart.Moves, "Fsync": apart.Asks, "Fstat": apart.Tells, "ReadDirent": apart.Lists,
	"SetDeadline": apart.Asks, "SetReadDeadline": apart.Asks, "SetWriteDeadline": apart.Asks,
}

// OutputEnd is os.heddleOutputEnd: what is written from now on is no output of the example. It closes the pipe behind
// the FD.
func OutputEnd(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.HostObject(g, vm.StdoutObject, 0, true) {
		return vm.Yield
	}
	m.Silently(g, event.AtomicRMW, w[0], 0, 0) // the lock of the descriptor
	m.EntryEnd = len(m.Trace.Output)
	return vm.Done
}

// testingWrites reports whether it is testing that writes, and not the program.
func testingWrites(g *vm.G) bool {
	for i := len(g.Frames) - 1; i >= 0 && g.Frames[i].Func.Std; i-- {
		if name := g.Frames[i].Func.Name; strings.HasPrefix(name, "testing.") || strings.HasPrefix(name, "(*testing.") {
			return true
		}
	}
	return false
}

// inCaller reports whether the function that called the innermost one has the prefix.
func inCaller(g *vm.G, prefix string) bool {
	n := len(g.Frames)
	return n > 1 && strings.HasPrefix(g.Frames[n-2].Func.Name, prefix)
}

// Watches are the entries of the packages between the program and the host.
func Watches() map[string]vm.Intrinsic {
	w := map[string]vm.Intrinsic{
		"syscall.Getenv":   environment(false, asksEnv),
		"syscall.Environ":  environment(false, asksWholeEnv),
		"syscall.Setenv":   environment(true, setsEnv),
		"syscall.Unsetenv": environment(true, setsEnv),
		"syscall.Clearenv": environment(true, setsWholeEnv),
	}
	for name, e := range Effects {
		w[fdPrefix+name] = fdMethod(name, e.write, e.access)
	}
	return w
}

// LoudFields are the fields whose accesses are events here (SILENT7): File.Fd reads the number of a descriptor while
// another goroutine may close it.
var LoudFields = map[string][]vm.LoudField{
	"(*os.File).fd":              {{Name: "Sysfd", When: numbersShown}},
	"internal/poll.heddleForget": {{Name: "Sysfd", When: numbersShown}},
}

// numbersShown reports whether the program names something that shows numbers of descriptors.
func numbersShown(m *vm.Machine, _ uint64) bool { return !m.Kernel.Apart() }

// Effects are the methods of internal/poll.FD that files and folders have.
var Effects = map[string]struct {
	write  bool
	access event.Kind
}{
	"Write": {true, event.Read}, "Pwrite": {true, event.Read}, "Read": {true, event.Write}, "Pread": {false, event.Write},

	"Close": {true, event.Invalid}, "Fchmod": {true, event.Invalid}, "Fchown": {true, event.Invalid}, "Ftruncate": {true, event.Invalid}, "Fsync": {true, event.Invalid},
	"Seek": {true, event.Invalid}, "ReadDirent": {true, event.Invalid}, "Fchdir": {true, event.Invalid}, "Dup": {true, event.Invalid}, "WriteOnce": {true, event.Invalid},
	"SetBlocking": {true, event.Invalid},

	"Fstat": {false, event.Invalid}, "Fstatat": {false, event.Invalid}, "SetDeadline": {false, event.Invalid}, "SetReadDeadline": {false, event.Invalid},
	"SetWriteDeadline": {false, event.Invalid}, "RawControl": {false, event.Invalid}, "RawRead": {false, event.Invalid}, "RawWrite": {false, event.Invalid},
}
