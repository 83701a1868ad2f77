package host

import (
	"hash/fnv"
	"io"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines what package inet asks of the machine.

// fdContext is where an internal/poll.FD has what the poller knows of it: 0 of a file.
const fdContext = 32

// SocketFunctions are the functions by which package inet asks the machine, and those that it replaces.
var SocketFunctions = map[string]vm.Intrinsic{
	"syscall.heddleHost":           Syscall6,
	"syscall.heddleShared":         sysShared,
	"syscall.heddleShares":         sysShares,
	"syscall.heddleBuffer":         sysBuffer,
	"syscall.heddleNumber":         socketNumber,
	"syscall.heddlePort":           socketPort,
	"syscall.heddleHold":           socketHold,
	"syscall.heddleRefuse":         socketRefuse,
	"syscall.heddleObject":         socketObject,
	"syscall.heddleFaultSetting":   faultSetting,
	"syscall.heddleLack":           func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return m.Lacks(g, m.GoString(w[0], w[1])) },
	"syscall.runtime_BeforeFork":   vm.Nothing, // the fork is refused
	"syscall.runtime_AfterFork":    vm.Nothing,
	"syscall.heddleOrder":          ioOrder,
	"internal/poll.heddleHostOpen": pollOpen,
	"internal/poll.heddleFdMutex":  func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return fdMutex(m, g, w[0]) },
	"internal/poll.heddleShares":   sharesBytes,
	"internal/poll.heddleFills":    fills,
	"internal/poll.heddleFilled":   filled,
	"internal/poll.heddlePublish":  func(m *vm.Machine, _ *vm.G, w []uint64) vm.Status { m.Publish(w[0]); return vm.Done },

	"internal/syscall/unix.heddleHostFcntl": sysFcntl,
}

// firstSocket is the least number of a socket's descriptor. Those below are the kernel's. Each goroutine has
// manySockets.
const (
	firstSocket = 1 << 12
	manySockets = 1 << 14
)

// socketNumber is heddleNumber() uintptr: a function of the goroutine and how often it asks (NET1).
func socketNumber(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Mode == vm.Running || m.Inits {
		m.Inet.Sockets++
		w[0] = firstSocket + uint64(m.Inet.Sockets)
		return vm.Done
	}
	if g.Inet.Sockets++; g.Inet.Sockets >= manySockets-firstSocket || m.Inet.Sockets >= firstSocket {
		return m.Lacks(g, "more than 12,288 descriptors of sockets and pipes that one goroutine makes")
	}
	w[0] = uint64(g.Segment)*manySockets + uint64(m.Inet.Sockets) + uint64(g.Inet.Sockets)
	return vm.Done
}

// socketPort is heddlePort() uint16.
func socketPort(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	const first, count = 32768, 28232
	if m.Mode == vm.Running || m.Inits {
		m.Inet.Ports++
		w[0] = first + uint64(m.Inet.Ports)%count
		return vm.Done
	}
	g.Inet.Ports++
	h := fnv.New64a()
	io.WriteString(h, string(g.ID))
	w[0] = first + (h.Sum64()%(count/16)*16+uint64(m.Inet.Ports)+uint64(g.Inet.Ports))%count
	return vm.Done
}

// socketHold is heddleHold(is heddleTold, on bool): NET14. A goroutine may be at work on several sockets at once.
func socketHold(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	h := vm.HashMix(vm.HashMix(vm.HashMix(0, w[0]), w[1]), w[2])
	if w[3]&1 != 0 {
		g.Holds += h
	} else {
		g.Holds -= h
	}
	return vm.Done
}

func socketRefuse(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	m.Kernel.Refuse(kernel.Network)
	refuse(m, g)
	return vm.Done
}

// socketObject is heddleObject(p unsafe.Pointer, write bool).
func socketObject(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.HostObject(g, w[0], 0, w[1]&1 != 0) {
		return vm.Yield
	}
	return vm.Done
}

// ioOrder is heddleOrder(write bool): what syscall.Read and Write tell the race detector (SYNC13).
func ioOrder(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if w[0]&1 != 0 {
		m.Silently(g, event.ObjectWrite, event.Kernel, event.KernelWrite, 0)
	} else {
		m.Silently(g, event.ObjectRead, event.Kernel, event.KernelRead, 0)
	}
	return vm.Done
}

// fdMutex notes an update of the state of the descriptor's fdMutex.
func fdMutex(m *vm.Machine, g *vm.G, fd uint64) vm.Status {
	m.Silently(g, event.AtomicRMW, fd, 0, 0)
	return vm.Done
}

// faultSetting is heddleFaultSetting() (kinds uint32, most int).
func faultSetting(m *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	w[0], w[1] = uint64(m.Config.Faults.Kinds), uint64(m.Config.Faults.Most)
	return vm.Done
}
