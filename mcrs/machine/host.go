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
	kernelObject = 1 + iota // files, descriptors, the current folder
	environObject
	stdoutObject
	clockObject = event.Clock // in the second regime of time
	testsObject = 5           // whether tests are run (rule EXIT3)
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
		return m.hostObject(g, kernelObject, false)
	case kernel.Writes:
		return m.hostObject(g, kernelObject, true)
	}
	return true
}

const fdPrefix = "(*internal/poll.FD)."

func (g *G) inFD() bool {
	for i := len(g.frames) - 1; i >= 0 && g.frames[i].f.silent; i-- {
		if strings.HasPrefix(g.frames[i].f.name, fdPrefix) {
			return true
		}
	}
	return false
}

func (m *Machine) hostObject(g *G, object uint64, write bool) bool {
	if m.direct {
		return true
	}
	k := event.ObjectRead
	if write {
		k = event.ObjectWrite
	}
	return m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: object}})
}

// environment announces an access to the process's environment.
func environment(write bool, note func(m *Machine, g *G, w []uint64)) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if !m.hostObject(g, environObject, write) {
			return yield
		}
		note(m, g, w)
		return done
	}
}

// fdMethod announces a method of internal/poll.FD: its effect on the kernel's state, and the access to the program's bytes
// if its first parameter is a slice (access Invalid: it is not). Writing to the standard streams is visible only where
// an example's output is checked.
func fdMethod(write bool, access event.Kind) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if m.direct || g.inCaller(fdPrefix) {
			return done
		}
		object := uint64(kernelObject)
		if p := m.mem.At(w[0]+16, 8); p != nil && access == event.Read { // FD.Sysfd
			switch fd := *(*uint64)(p); {
			case fd == 2, fd == 1 && (m.entry == nil || m.entry.Kind != program.Example || !m.entry.HasOutput):
				object = 0
			case fd == 1:
				object = stdoutObject
			}
		}
		if object != 0 && !m.hostObject(g, object, write) {
			return yield
		}
		if access == event.Invalid || w[2] == 0 {
			return done
		}
		if o := m.mem.Object(w[1]); o != nil && sharedBytes(o) &&
			!m.announce(g, event.Op{Kind: access, Loc: event.Location{Addr: w[1], Size: uint32(w[2])}, Key: 1}) {
			return yield
		}
		return done
	}
}

// inCaller reports whether the function that called the innermost one has the prefix.
func (g *G) inCaller(prefix string) bool {
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

		fdPrefix + "Write":  fdMethod(true, event.Read),
		fdPrefix + "Pwrite": fdMethod(true, event.Read),
		fdPrefix + "Read":   fdMethod(true, event.Write),
		fdPrefix + "Pread":  fdMethod(false, event.Write),
	}
	for _, name := range []string{"Close", "Fchmod", "Fchown", "Ftruncate", "Fsync", "Seek", "ReadDirent", "Fchdir", "Dup", "WriteOnce", "SetBlocking"} {
		w[fdPrefix+name] = fdMethod(true, event.Invalid)
	}
	for _, name := range []string{"Fstat", "Fstatat"} {
		w[fdPrefix+name] = fdMethod(false, event.Invalid)
	}
	return w
}
