package machine

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/program"
)

// This file defines what goroutines share through the host: files and descriptors, the environment, standard output. The
// packages between them and the program (os, syscall, internal/poll) are silent, so the operations are announced here.

// Pseudo-objects of the host, at addresses that are never allocated.
const (
	kernelObject  = event.Kernel
	environObject = event.Environ
	stdoutObject  = event.Stdout
	clockObject   = event.Clock // in the second regime of time
	testsObject   = 5           // whether tests are run (rule EXIT3)

	parallelObject = 6 // which tests run in parallel, or must not
)

// hostCall announces a system call. A method of internal/poll.FD has announced its calls before it took the descriptor's lock.
func (m *Machine) hostCall(g *G, num uint64) bool {
	m.kernel.Stream(uint64(g.seg))
	if m.kernel.Effect(num) == kernel.Writes {
		m.hostWrites++
	}
	if m.direct || g.inFD() {
		return true
	}
	switch m.kernel.Effect(num) {
	case kernel.Reads:
		return m.hostObject(g, kernelObject, 0, false)
	case kernel.Writes:
		return m.hostObject(g, kernelObject, 0, true)
	}
	return true
}

const fdPrefix = "(*internal/poll.FD)."

func (g *goStack) inFD() bool {
	for i := len(g.frames) - 1; i >= 0 && g.frames[i].f.silent; i-- {
		if strings.HasPrefix(g.frames[i].f.name, fdPrefix) {
			return true
		}
	}
	return false
}

func (m *Machine) hostObject(g *G, object, key uint64, write bool) bool {
	if m.direct {
		return true
	}
	k := event.ObjectRead
	if write {
		k = event.ObjectWrite
	}
	return m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: object}, Key: key})
}

// environment announces an access to the process's environment.
func environment(write bool, note func(m *Machine, g *G, w []uint64)) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if !m.hostObject(g, environObject, 0, write) {
			return yield
		}
		note(m, g, w)
		return done
	}
}

// fdMethod announces a method of internal/poll.FD: the access to the program's bytes if its first parameter is a slice (access Invalid: it is not), and
// its effect on the kernel's state. That comes last, for what it stands for follows at once.
//
// The standard streams are an object of their own. Writing to one changes nothing that is seen but where an example's output is checked: it reads whether
// the stream is open. What testing itself writes is silent: it does not look.
func fdMethod(write bool, access event.Kind) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if m.direct || g.inCaller(fdPrefix) || m.peek64(w[0]+fdContext) != 0 {
			return done // what it does to a socket or pipe are operations of its own (package inet)
		}
		key := uint64(0) // by which package syscall synchronises (ioSync)
		switch access {
		case event.Read:
			key = event.KernelWrite
		case event.Write:
			key = event.KernelRead
		}
		object, write := uint64(kernelObject), write
		if p := m.mem.At(w[0]+16, 8); p != nil { // FD.Sysfd
			if fd := *(*uint64)(p); fd == 1 || fd == 2 {
				object = stdoutObject
				if access == event.Read {
					write = fd == 1 && m.entry != nil && m.entry.Kind == program.Example && m.entry.HasOutput
				}
				if access == event.Read && !write && g.testingWrites() {
					return done
				}
			}
		}
		if access != event.Invalid && w[2] != 0 {
			if o := m.mem.Object(w[1]); o != nil && sharedBytes(o) &&
				!m.announce(g, event.Op{Kind: access, Loc: event.Location{Addr: w[1], Size: uint32(w[2])}, Key: 1}) {
				return yield
			}
		}
		if !m.hostObject(g, object, key, write) {
			return yield
		}
		m.silently(g, event.AtomicRMW, w[0], 0, 0) // the lock of the descriptor
		return done
	}
}

// testingWrites reports whether it is testing that writes, and not the program.
func (g *goStack) testingWrites() bool {
	for i := len(g.frames) - 1; i >= 0 && g.frames[i].f.std; i-- {
		if name := g.frames[i].f.name; strings.HasPrefix(name, "testing.") || strings.HasPrefix(name, "(*testing.") {
			return true
		}
	}
	return false
}

// inCaller reports whether the function that called the innermost one has the prefix.
func (g *goStack) inCaller(prefix string) bool {
	n := len(g.frames)
	return n > 1 && strings.HasPrefix(g.frames[n-2].f.name, prefix)
}

// hostWatches are the entries of the packages between the program and the host.
func hostWatches() map[string]Intrinsic {
	w := map[string]Intrinsic{
		"syscall.Getenv":   environment(false, asksEnv),
		"syscall.Environ":  environment(false, asksWholeEnv),
		"syscall.Setenv":   environment(true, setsEnv),
		"syscall.Unsetenv": environment(true, setsEnv),
		"syscall.Clearenv": environment(true, setsWholeEnv),
	}
	for name, e := range fdEffects {
		w[fdPrefix+name] = fdMethod(e.write, e.access)
	}
	return w
}

// fdEffects are the methods of internal/poll.FD that files and folders have.
var fdEffects = map[string]struct {
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
