package machine

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file notes what the program asked for that the machine does not have: the network, another process, a file outside the package's folder.
// Rules:
//
//	REFUSE1 A system call that failed, and that natively might well have succeeded (kernel.Refused), is a refusal.
//	REFUSE2 It counts if code outside the standard library asked for it, by a call that is still on the stack, or by starting the goroutine, or the
//	        goroutine above it, that asks. A package initialiser of the standard library looks for what it can do without.
//	REFUSE3 It does not count where a function of absorbed is between: that has an answer of its own to a computer without the thing.
//	REFUSE4 An execution that fails, or leaves goroutines blocked, after a refusal has no verdict: natively it might not have failed. This holds for
//	        refusals that REFUSE3 leaves out too.

// requests are what the program has asked for that the machine does not have, or has otherwise than a real process.
type requests struct {
	settings         settings
	measured         string          // what the program asked for that the machine cannot measure
	asked            map[string]bool // all such
	refused, without *trace.Refusal  // the first, and the first that REFUSE3 leaves out
	env              envNotes
}

// absorbed are functions of the standard library that look for a file of the computer, and do without it as they do on a computer that has none. Each
// has the reason why its caller cannot tell.
var absorbed = map[string]bool{
	"time.initLocal":    true, // TZ is UTC: without the file of that zone the answer is UTC too
	"time.loadLocation": true, // without the computer's files of zones it takes those of GOROOT; an unknown name is unknown to both
	"mime.initMime":     true, // files add to the types that package mime has itself; many computers have none of them
	"net.initConfVal":   true, // files say how to look up names; to look one up is a question to the network then
}

// refuse notes that the last system call was refused.
func (m *Machine) refuse(g *G) {
	what := m.kernel.Refused()
	if what == "" || m.mode == running || m.refused != nil && (m.refused.What == what || what != kernel.Network) {
		return // of several, the network says most
	}
	for at := g; at != nil; at = at.parent {
		for i := len(at.frames) - 1; i >= 0; i-- {
			f := at.frames[i].f
			if absorbed[f.name] {
				if m.without == nil {
					m.without = &trace.Refusal{What: what, Caller: f.name, Site: m.frameSite(at, i)}
				}
				return
			}
			if !f.std && f.intrinsic == nil {
				m.refused = &trace.Refusal{What: what, Caller: f.name, Site: m.frameSite(at, i)}
				return
			}
		}
	}
	if !m.inits {
		m.refused = &trace.Refusal{What: what, Caller: g.frames[0].f.name, Site: m.siteOf(g)}
	}
}

// refusedEnd says that something was refused (REFUSE2), and ends the verdict on an execution that fails, or leaves goroutines blocked, after that (REFUSE4).
func (m *execution) refusedEnd() {
	r, tr := m.refused, m.tr
	tr.Refused = r
	if r == nil {
		r = m.without
	}
	if r == nil {
		return
	}
	switch tr.Status {
	case trace.Failed, trace.Deadlocked:
	case trace.Returned:
		if !tr.TestFailed && !slices.ContainsFunc(tr.Threads, func(t trace.Thread) bool { return t.Leaked || t.Polls }) {
			return
		}
	default:
		return
	}
	tr.TestFailed, tr.Failures = false, nil
	for i := range tr.Threads {
		tr.Threads[i].Leaked, tr.Threads[i].Polls = false, false
	}
	r.Failed = true
	tr.Refused = r
	tr.Status, tr.ReasonSite = trace.Unsupported, r.Site
	tr.Reason = fmt.Sprintf("%s, asked for by %s: refused, and then the entry failed", r.What, r.Caller)
}
