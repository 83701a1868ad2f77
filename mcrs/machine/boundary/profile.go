package boundary

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file makes pcs of the stacks of all goroutines (SEEN6).

// profile is heddleProfile() []uintptr.
func profile(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Coros > 0 {
		return m.Lacks(g, "profile of goroutines where there are coroutines")
	}
	if m.Labelled {
		return m.Lacks(g, "profile of goroutines with labels")
	}
	if !m.SeesOthers(g, event.SeesStacks) {
		return vm.Yield
	}
	own, asking := stackDump(m, g), profiling
	for strings.HasPrefix(own, "runtime.") || strings.HasPrefix(own, "runtime/pprof.pprof_") {
		if strings.HasPrefix(own, "runtime.GoroutineProfile(") {
			asking = profilingItself
		}
		own = afterFrame(own)
	}
	stack := pcsOf(m, asking, own)
	all := append([]uint64{uint64(len(stack))}, stack...)
	text, n := own, 0
	for _, o := range stacksBeside(m, g) {
		if o.of != nil {
			n++
		}
		stack := pcsOf(m, runtimeAbove(m, &o), o.text)
		all = append(append(all, uint64(len(stack))), stack...)
		text += "\n" + o.state + "\n" + o.text
	}
	m.Logged(g, vm.Digest([]byte(text+"\x00padding")), int64(n))
	noteUnbegun(m, g, n)
	p, s := m.AllocUnlogged(g, 8*uint64(len(all)), nil)
	if s == vm.Done {
		copy(m.Mem.Object(p).Bytes(), unsafe.Slice((*byte)(unsafe.Pointer(&all[0])), 8*len(all)))
		w[0], w[1], w[2] = p, uint64(len(all)), uint64(len(all))
	}
	return s
}

// afterFrame is the text of a stack without its first frame.
func afterFrame(text string) string {
	_, text, _ = strings.Cut(text, "\n")
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// pcsOf are the pcs of a stack: those of functions of the runtime, of a text that runtime.Stack writes, and of the
// runtime again.
func pcsOf(m *vm.Machine, above []parking, text string) (pcs []uint64) {
	at := func(name, file string, line int) {
		pcs = append(pcs, m.PC(m.PseudoSite(fmt.Sprintf("%s\t%s:%d", name, file, line))))
	}
	for _, p := range above {
		at(p.name, m.Config.Kernel.GOROOT+"/src/"+p.file, p.line)
	}
	name := ""
	for text != "" && !strings.HasPrefix(text, "created by ") {
		head, rest, _ := strings.Cut(text, "\n")
		place, _, _ := strings.Cut(rest, "\n")
		name = head[:max(0, strings.LastIndexByte(head, '('))]
		if name == "panic" {
			name = "runtime.gopanic"
		}
		place, _, _ = strings.Cut(strings.TrimPrefix(place, "\t"), " +0x")
		_, file, line := cutPlace(name + "\t" + place)
		at(name, file, line)
		text = afterFrame(text)
	}
	if name == "main.main" {
		pcs = append(pcs, m.PC(m.PseudoSite("runtime.main")))
	}
	if name != "runtime.goexit" {
		pcs = append(pcs, m.PC(m.PseudoSite("runtime.goexit")))
	}
	return pcs
}

// cutPlace takes apart what pcsOf calls a function: its name, its file and the line.
func cutPlace(s string) (name, file string, line int) {
	name, place, _ := strings.Cut(s, "\t")
	if i := strings.LastIndexByte(place, ':'); i >= 0 {
		file = place[:i]
		line, _ = strconv.Atoi(place[i+1:])
	}
	return name, file, line
}

// The functions of the runtime in which a goroutine stands that waits, or asks for a profile, in go1.26.
var (
	park      = parking{"runtime.gopark", "runtime/proc.go", 462, 0}
	unlock    = parking{"runtime.goparkunlock", "runtime/proc.go", 468, 0}
	semaphore = []parking{park, unlock, {"runtime.semacquire1", "runtime/sema.go", 192, 0}}
	profiling = []parking{
		{"runtime.goroutineProfileWithLabels", "runtime/mprof.go", 1259, 0},
		{"runtime.pprof_goroutineProfileWithLabels", "runtime/mprof.go", 1250, 0},
	}
	profilingItself = []parking{
		profiling[0],
		{"runtime.goroutineProfileInternal", "runtime/mprof.go", 1672, 0},
		{"runtime.GoroutineProfile", "runtime/mprof.go", 1660, 0},
	}
)

// runtimeAbove are the functions of the runtime that are on top of the stack of a goroutine that waits.
func runtimeAbove(m *vm.Machine, o *besideStack) []parking {
	receive := func(line int, ok bool) []parking {
		if ok {
			return []parking{park, {"runtime.chanrecv", "runtime/chan.go", line, 0}, {"runtime.chanrecv2", "runtime/chan.go", 514, 0}}
		}
		return []parking{park, {"runtime.chanrecv", "runtime/chan.go", line, 0}, {"runtime.chanrecv1", "runtime/chan.go", 509, 0}}
	}
	send := func(line int) []parking {
		return []parking{park, {"runtime.chansend", "runtime/chan.go", line, 0}, {"runtime.chansend1", "runtime/chan.go", 161, 0}}
	}
	name, _, _ := strings.Cut(o.text, "(")
	switch {
	case o.of == nil:
		return receive(667, false)
	case o.state == "runnable":
		return nil
	case o.state == "chan receive":
		return receive(667, commaOk(m, o.of))
	case o.state == "chan receive (nil chan)":
		return receive(536, commaOk(m, o.of))
	case o.state == "chan send":
		return send(283)
	case o.state == "chan send (nil chan)":
		return send(181)
	case o.state == "select":
		return []parking{park, {"runtime.selectgo", "runtime/select.go", 351, 0}}
	case o.state == "select (no cases)":
		return []parking{park, {"runtime.block", "runtime/select.go", 104, 0}}
	case o.state == "syscall":
		return []parking{{"runtime.notetsleepg", "runtime/lock_futex.go", 123, 0}}
	case name == "internal/poll.runtime_pollWait":
		return []parking{park, {"runtime.netpollblock", "runtime/netpoll.go", 575, 0}}
	case name == "sync.runtime_notifyListWait":
		return []parking{park, unlock}
	case strings.Contains(name, "emacquire"):
		return semaphore
	}
	return []parking{park}
}

// commaOk reports whether a goroutine stands at a receive of two results.
func commaOk(m *vm.Machine, g *vm.G) bool {
	in, ok := m.SiteTable[g.Op.Site].Instr.(*ssa.UnOp)
	return ok && in.CommaOk
}
