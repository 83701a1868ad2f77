package boundary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says in which functions a goroutine that waits stands natively, where it is an operation of the machine or
// code of ours here. Leak checkers know goroutines by the function on top: goleak.IgnoreTopFunction of
// "internal/poll.runtime_pollWait", say.

// A parking is a function in which a goroutine waits, and where that is in go1.26.
type parking struct {
	name, file   string
	line, offset int
}

var (
	polling = []parking{
		{"internal/poll.runtime_pollWait", "runtime/netpoll.go", 351, 0x85},
		{"internal/poll.(*pollDesc).wait", "internal/poll/fd_poll_runtime.go", 84, 0x27},
		{"internal/poll.(*pollDesc).waitRead", "internal/poll/fd_poll_runtime.go", 89, 0},
	}
	locking = []parking{
		{"internal/sync.runtime_SemacquireMutex", "runtime/sema.go", 95, 0x25},
		{"internal/sync.(*Mutex).lockSlow", "internal/sync/mutex.go", 149, 0x15d},
		{"internal/sync.(*Mutex).Lock", "internal/sync/mutex.go", 70, 0},
		{"sync.(*Mutex).Lock", "sync/mutex.go", 46, 0},
	}
	parkings = map[event.Kind][]parking{
		event.Sleep:         {{"time.Sleep", "runtime/time.go", 363, 0x165}},
		event.CondWait:      {{"sync.runtime_notifyListWait", "runtime/sema.go", 617, 0x159}},
		event.WaitGroupWait: {{"sync.runtime_SemacquireWaitGroup", "runtime/sema.go", 114, 0x2e}, {"sync.(*WaitGroup).Wait", "sync/waitgroup.go", 206, 0x85}},
		event.RLock:         {{"sync.runtime_SemacquireRWMutexR", "runtime/sema.go", 100, 0x25}, {"sync.(*RWMutex).RLock", "sync/rwmutex.go", 74, 0}},
		event.LockAnnounce:  append(slices.Clone(locking), parking{"sync.(*RWMutex).Lock", "sync/rwmutex.go", 150, 0x1f}),
	}
	lockingWriter = []parking{{"sync.runtime_SemacquireRWMutex", "runtime/sema.go", 105, 0x25}, {"sync.(*RWMutex).Lock", "sync/rwmutex.go", 155, 0x6e}}
)

// parkedIn returns the functions in which a goroutine waits for an operation of the machine.
func parkedIn(o *event.Op) []parking {
	switch {
	case o.Kind == event.Lock && o.Key != event.MutexKey:
		return lockingWriter
	case o.Kind == event.Lock:
		return locking
	}
	return parkings[o.Kind]
}

// writeParked writes them as runtime.Stack does.
func writeParked(m *vm.Machine, b *strings.Builder, in []parking) {
	for _, p := range in {
		fmt.Fprintf(b, "%s(...)\n\t%s/src/%s:%d +0x%x\n", p.name, m.Config.Kernel.GOROOT, p.file, p.line, p.offset)
	}
}

// parked returns the state and the stack of a goroutine that waits. What waits for the network poller stands in the
// machine's own streams and descriptors.
func parked(m *vm.Machine, g *vm.G) (state, stack string) {
	var b strings.Builder
	stack = stackDump(m, g)
	const polls, prepares = "internal/poll.runtime_poll", "internal/poll.(*pollDesc)."
	if strings.HasPrefix(stack, "os/signal.signal_recv(") {
		return "syscall", stack
	}
	if !strings.HasPrefix(stack, polls) {
		writeParked(m, &b, parkedIn(&g.Op))
		return WaitsFor(&g.Op), b.String() + stack
	}
	writeParked(m, &b, polling)
	for strings.HasPrefix(stack, polls) || strings.HasPrefix(stack, prepares) {
		_, stack, _ = strings.Cut(stack, "\n")
		_, stack, _ = strings.Cut(stack, "\n")
	}
	return "IO wait", b.String() + stack
}
