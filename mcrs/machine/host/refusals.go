package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file notes what the program asked for that the machine does not have: the network, another process, a file
// outside the module. Rules:
//
//	REFUSE1 A system call that failed, and that natively might well have succeeded (kernel.Refused), is a refusal.
//	REFUSE2 It counts if code outside the standard library asked for it: by a call that is still on the stack, or by
//	        starting the goroutine that asks, or one above it. A package initialiser of the standard library looks for
//	        what it can do without.
//	REFUSE3 It does not count if a function of absorbed is between: that knows what to do on a computer without the
//	        thing.
//	REFUSE4 An execution that fails, or leaves goroutines blocked, or polls for ever, after a refusal has no verdict:
//	        natively it might not have. This holds for refusals that REFUSE3 leaves out too, but for those of
//	        functions whose answer is the same with the thing, or on another computer that lacks it. If it was cut
//	        off, the failure that it has told counts for nothing.
//	REFUSE5 What package initialisers were refused counts for every entry, as if it had asked itself: what they found
//	        may have decided what package variables hold.

// absorbed are functions of the standard library, and of what many packages import, that look for a file of the
// computer, and do without it as they do on a computer that has none. Each has the reason why its caller cannot tell.
// It is true of those that a failure may rest on all the same.
var absorbed = map[string]bool{
	"time.initLocal":    false, // TZ is UTC: without the file of that zone the answer is UTC too
	"time.loadLocation": false, // without the computer's files of zones it takes those of GOROOT; an unknown name is unknown to both
	"mime.initMime":     false, // files add to the types that package mime has itself; many computers have none of them
	"net.initConfVal":   true,  // files say how to look up names; to look one up is a question to the network then

	"net.getSystemDNSConfig": false, // likewise: names in /etc/hosts, which is there, come first without these files
	"net.getSystemNSS":       false,
	"net.readServices":       true, // files add to the ports and protocols that package net itself knows
	"net.readProtocols":      true,

	"syscall.heddleOneInterface": true, // it lists lo: there are computers without a network

	"internal/sysinfo.osCPUInfoName": false, // testing prints the processor's name, where there is one

	// It hashes the program's file, or takes 0. By that package protobuf puts a space more or less into what it prints,
	// differently for each build, so that nobody counts on it.
	"google.golang.org/protobuf/internal/detrand.binaryHash": false,

	// Prometheus' collector leaves out of its metrics what it cannot read in /proc, as on a computer without that.
	"(*github.com/prometheus/client_golang/prometheus.processCollector).processCollect": true,

	// grpc's channelz notes what TCP measures of a socket, for who asks for it.
	"(*google.golang.org/grpc/internal/channelz.SocketOptionData).Getsockopt": true,

	// fasthttp asks whether a folder to serve is a file, and takes what is not there for none.
	"github.com/valyala/fasthttp.newOSRoot": true,

	// pgx takes localhost where it finds no folder with the socket of a server, as on a computer without one.
	"github.com/jackc/pgx/v5/pgconn.defaultHost": true,

	// wazero lists the sizes of huge pages, and does without where there are none.
	"github.com/tetratelabs/wazero/internal/platform.init#1": false,

	// Hugo looks for programs in PATH, and does without those that a computer does not have.
	"github.com/gohugoio/hugo/common/hexec.InPath": true,

	// The initialiser of pb opens the terminal, and takes the standard input where there is none.
	"github.com/cheggaaa/pb/v3/termutil.init#1": true,

	// gopsutil's initialisers read /proc/stat for who asks later what the processor has done since. He reads it again,
	// and is refused that. The second one asks getconf for a number that is 100 on every Linux, and without it.
	"github.com/shirou/gopsutil/cpu.init#1":    false,
	"github.com/shirou/gopsutil/cpu.init#2":    false,
	"github.com/shirou/gopsutil/v3/cpu.init#1": false,
	"github.com/shirou/gopsutil/v4/cpu.init#1": false,
}

// refuse notes that the last system call was refused.
func refuse(m *vm.Machine, g *vm.G) {
	what := m.Kernel.Refused()
	if what == "" || m.Mode == vm.Running || m.Refused != nil && (m.Refused.What == what || what != kernel.Network) {
		return // of several, the network says most
	}
	for at := g; at != nil; at = at.Parent {
		var asks *trace.Refusal // who asks, if nobody that calls it is absorbed
		for i := len(at.Frames) - 1; i >= 0; i-- {
			f := at.Frames[i].Func
			if rests, ok := absorbed[f.Name]; ok {
				if rests && m.Without == nil {
					m.Without = asker(at, i, what)
				}
				return
			}
			if asks == nil && !f.Std && f.Intrinsic == nil {
				asks = &trace.Refusal{What: what, Caller: f.Name, Site: at.FrameSite(i)}
			}
		}
		if asks != nil {
			m.Refused = asks
			return
		}
	}
	if !m.Inits {
		m.Refused = &trace.Refusal{What: what, Caller: g.Frames[0].Func.Name, Site: g.Site()}
	}
}

// asker says for what an absorbed function asks, and who: for one that stands in for one of the standard library, the
// code outside of it.
func asker(g *vm.G, i int, what string) *trace.Refusal {
	if name := g.Frames[i].Func.Name; strings.HasPrefix(name, "syscall.heddle") {
		for j := i; j >= 0; j-- {
			if !g.Frames[j].Func.Std {
				i = j
				break
			}
		}
	}
	return &trace.Refusal{What: what, Caller: g.Frames[i].Func.Name, Site: g.FrameSite(i)}
}

// RefusedEnd says that something was refused (REFUSE2), and ends the verdict on an execution that fails, or leaves
// goroutines blocked, after that (REFUSE4). One that was cut off says nothing of failures.
func RefusedEnd(m *vm.Machine) {
	r, tr := m.Refused, m.Trace
	tr.Refused = r
	if r == nil {
		r = m.Without
	}
	if r == nil {
		return
	}
	if Fails(tr) {
		failed := *r // r may be the initialisers', and is told to other executions too
		failed.Failed = true
		tr.Refused = &failed
		NoVerdict(tr, r.Site, fmt.Sprintf("%s, asked for by %s: refused, and then the entry failed", r.What, r.Caller))
	}
}

// Fails reports whether an execution has failed, or leaves goroutines blocked, or polls for ever.
func Fails(tr *trace.Trace) bool {
	switch tr.Status {
	case trace.Failed, trace.Deadlocked, trace.Livelocked:
		return true
	case trace.Returned:
		return tr.TestFailed || slices.ContainsFunc(tr.Threads, func(t trace.Thread) bool { return t.Leaked || t.Polls })
	}
	return tr.TestFailed
}

// NoVerdict ends the verdict on an execution that fails, for a reason with its site. One that was cut off, or is not
// supported already, stays so, and says nothing of failures.
func NoVerdict(tr *trace.Trace, site event.Site, reason string) {
	tr.TestFailed, tr.Failures = false, nil
	switch tr.Status {
	case trace.Failed, trace.Deadlocked, trace.Livelocked, trace.Returned:
		for i := range tr.Threads {
			tr.Threads[i].Leaked, tr.Threads[i].Polls = false, false
		}
		tr.Status, tr.ReasonSite, tr.Reason = trace.Unsupported, site, reason
	}
}
