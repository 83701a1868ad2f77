package report

import (
	"go/token"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says in data where a finding's operations are, for whoever changes the source.

// A Role is the part that an operation has in a finding.
type Role string

// The roles.
const (
	Access   Role = "access"   // one of the two of a race
	Blocked  Role = "blocked"  // an operation that is never done
	Acquired Role = "acquired" // where the lock was taken that a blocked operation waits for
	Failing  Role = "failing"  // the panic, or the first failed assertion
	Started  Role = "started"  // the go statement of a goroutine of the finding
)

// A Place is an operation of a finding, at the innermost line of the analysed package.
type Place struct {
	Role   Role
	Thread int
	Kind   event.Kind // of the operation; Invalid for a select, and where it is not known
	Pos    token.Position
}

// Places returns where the operations of a finding are in the analysed package; those elsewhere are left out.
func (v *View) Places(f *Finding) []Place {
	t := f.Witness
	if t == nil {
		return nil
	}
	var out []Place
	add := func(r Role, thread int, k event.Kind, frames []trace.Frame) {
		if i := v.own(frames); i >= 0 {
			out = append(out, Place{r, thread, k, v.Source.Position(frames[i].Site)})
		}
	}
	switch f.Category {
	case Robustness:
		for _, o := range Overtakings(t) {
			for _, i := range []int{o.Store, o.Access} {
				add(Access, int(ownerOf(t, t.Events[i].Thread)), t.Events[i].Kind, v.frames(t, i))
			}
		}
	case DataRace:
		for _, i := range f.Events {
			add(Access, int(t.Events[i].Thread), t.Events[i].Kind, v.frames(t, i))
		}
	case Deadlock, GoroutineLeak, Livelock:
		for _, i := range f.Threads {
			if p := t.Threads[i].Pending; p != nil {
				add(Blocked, i, p.Kind, v.threadFrames(t, i))
				if n := v.acquisition(t, i); n >= 0 {
					add(Acquired, int(t.Events[n].Thread), t.Events[n].Kind, v.frames(t, n))
				}
			}
		}
	default:
		for _, i := range f.Threads[:min(len(f.Threads), 1)] {
			add(Failing, i, event.Invalid, v.failFrames(f))
		}
	}
	for _, i := range f.Threads {
		add(Started, i, event.Spawn, v.startFrames(t, i))
	}
	return slices.Compact(out)
}
