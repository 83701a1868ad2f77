package machine

import (
	"hash/fnv"
	"io"

	"github.com/heddle-go/heddle/mcrs/machine/kernel"
)

// This file defines what package inet asks of the machine.

// fdContext is where an internal/poll.FD has what the poller knows of it: 0 of a file.
const fdContext = 32

// overlaid are the packages that overlays join.
var overlaid = func() map[string]bool {
	all := map[string]bool{}
	for path := range Overlay() {
		all[path] = true
	}
	return all
}()

var inetBoundary = map[string]Intrinsic{
	"syscall.heddleHost":           syscall6,
	"syscall.heddleNumber":         socketNumber,
	"syscall.heddlePort":           socketPort,
	"syscall.heddleRefuse":         socketRefuse,
	"syscall.heddleObject":         socketObject,
	"syscall.heddleLack":           func(m *Machine, g *G, w []uint64) status { return m.lacks(g, m.goString(w[0], w[1])) },
	"syscall.runtime_BeforeFork":   nothing, // the fork is refused
	"syscall.runtime_AfterFork":    nothing,
	"internal/poll.heddleHostOpen": pollOpen,
	"internal/poll.heddlePublish":  func(m *Machine, _ *G, w []uint64) status { m.publish(w[0]); return done },

	"internal/syscall/unix.heddleHostFcntl": sysFcntl,
}

// A socketCount counts the descriptors that were made, and the ports that were asked for: by each goroutine, and by the initialisers.
type socketCount struct{ sockets, ports int }

// firstSocket is the least number of a socket's descriptor. Those below are the kernel's. Each goroutine has manySockets.
const (
	firstSocket = 1 << 12
	manySockets = 1 << 14
)

// socketNumber is heddleNumber() uintptr: a function of the goroutine and how often it asks (NET1).
func socketNumber(m *Machine, g *G, w []uint64) status {
	if m.mode == running || m.inits {
		m.inet.sockets++
		w[0] = firstSocket + uint64(m.inet.sockets)
		return done
	}
	if g.inet.sockets++; g.inet.sockets >= manySockets-firstSocket || m.inet.sockets >= firstSocket {
		return m.lacks(g, "more than 12,288 descriptors of sockets and pipes that one goroutine makes")
	}
	w[0] = uint64(g.seg)*manySockets + uint64(m.inet.sockets) + uint64(g.inet.sockets)
	return done
}

// socketPort is heddlePort() uint16.
func socketPort(m *Machine, g *G, w []uint64) status {
	const first, count = 32768, 28232
	if m.mode == running || m.inits {
		m.inet.ports++
		w[0] = first + uint64(m.inet.ports)%count
		return done
	}
	g.inet.ports++
	h := fnv.New64a()
	io.WriteString(h, string(g.id))
	w[0] = first + (h.Sum64()%(count/16)*16+uint64(m.inet.ports)+uint64(g.inet.ports))%count
	return done
}

func socketRefuse(m *Machine, g *G, _ []uint64) status {
	m.kernel.Refuse(kernel.Network)
	m.refuse(g)
	return done
}

// socketObject is heddleObject(p unsafe.Pointer, write bool).
func socketObject(m *Machine, g *G, w []uint64) status {
	if !m.hostObject(g, w[0], 0, w[1]&1 != 0) {
		return yield
	}
	return done
}

// peek64 returns the word at an address, without an event; 0 if there is none.
func (m *heap) peek64(addr uint64) uint64 {
	p := m.mem.At(addr, 8)
	if p == nil {
		return 0
	}
	return *(*uint64)(p)
}
