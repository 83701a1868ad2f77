package loop

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// awaitsOthers reports whether rule STUCK3 holds: main waits in a main program, and could go on if another process sent
// something. Who waits for signals passes them to the channels of package os/signal alone. Who waits at a socket may do
// anything then, with any package variable.
func awaitsOthers(m *vm.Machine) bool {
	if m.Entry == nil || m.Entry.Kind != program.Main || m.EntryDone {
		return false
	}
	r, sockets := &reach{m: m, numbers: true}, false
	for _, g := range m.Threads {
		if g.Ended || !g.Waiting || g.NetworkWait() == "" {
			continue
		}
		signal, socket := inet.FromOutside(g.Frames[len(g.Frames)-1].Func.Name)
		if signal || socket {
			r.outside = append(r.outside, g)
		}
		sockets = sockets || socket
	}
	if len(r.outside) == 0 || idles(m) {
		return len(r.outside) > 0
	}
	if !m.Main.Waiting {
		return false
	}
	for v, a := range m.Globals {
		if v.Name() == "handlers" && v.Pkg.Pkg.Path() == "os/signal" {
			r.signals = a
		}
	}
	return !slices.Contains(stuckBy(m, r, sockets, false), m.Main)
}

// accepting returns the goroutines that wait for connections at ports of known numbers.
func accepting(m *vm.Machine) (all []*vm.G) {
	served := &reach{m: m, seen: map[*mem.Object]bool{}}
	for v, a := range m.Globals {
		if v.Name() == "heddleWeakServed" {
			vm.Pointers(m.Mem.Object(a), func(table uint64) {
				if o := m.Mem.Object(table); o != nil {
					vm.Pointers(o, served.visit)
				}
			})
		}
	}
	for _, g := range m.Threads {
		if awaitsNetwork(g) && slices.ContainsFunc(channelsOf(g), served.has) {
			all = append(all, g)
		}
	}
	return all
}
