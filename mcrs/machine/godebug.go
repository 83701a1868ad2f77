package machine

import (
	"strconv"
	"strings"
)

// This file defines the settings of GODEBUG: those of the program (its go line, godebug lines and //go:debug directives), and what the variable GODEBUG
// says, which a program may change while it runs. The standard library asks for its own by internal/godebug. Of those that govern the runtime
// (GOROOT/src/runtime/runtime1.go, dbgvars) a program can tell these:
//
//	asynctimerchan  1: what package time makes are channels like others, with room for one tick, which Stop and Reset leave alone (rule TIME7).
//	                2: the same for timers that were made as they are since Go 1.23, while it is set.
//	panicnil        1: recover returns nil after panic(nil).
//
// Of the others, containermaxprocs and updatemaxprocs concern GOMAXPROCS, which is a constant here; tracebackancestors, tracebacklabels and profstackdepth
// add to texts of stacks, whose text the machine does not promise; decoratemappings shows in /proc/self/maps, which is not there; adaptivestackstart,
// asyncpreemptoff, cgocheck, checkfinalizers, clobberfree, dataindependenttiming, disablethp, dontfreezetheworld, efence, gccheckmark, gcpacertrace, gcshrinkstackoff,
// gcstoptheworld, gctrace, harddecommit, inittrace, invalidptr, madvdontneed, sbrk, scavtrace, scheddetail, schedtrace, traceadvanceperiod, traceallocfree,
// tracecheckstackownership and tracefpunwindoff govern the collector, the scheduler, cgo, and what the runtime writes about itself.

// settings are what the variable GODEBUG says, and all that is in force.
type settings struct {
	env   string
	set   bool // by the program; else it is that of the environment
	known map[string]string
}

// setting is the value of a setting, "" if it has none.
func (m *Machine) setting(name string) string {
	if m.settings.known == nil {
		m.settings.known = m.parseSettings()
	}
	return m.settings.known[name]
}

func (m *Machine) parseSettings() map[string]string {
	env := m.settings.env
	if !m.settings.set {
		for _, kv := range m.kernel.Env() {
			if v, ok := strings.CutPrefix(kv, "GODEBUG="); ok {
				env = v
			}
		}
	}
	known := map[string]string{}
	for kv := range strings.SplitSeq(m.prog.GODEBUG+","+env, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			known[k] = v
		}
	}
	return known
}

// runtimeSetting is the value of a setting as the runtime reads it.
func (m *Machine) runtimeSetting(name string) int {
	n, _ := strconv.Atoi(m.setting(name))
	return n
}

// asyncTimers reports whether timer channels are as before Go 1.23.
func (m *Machine) asyncTimers() bool { return m.runtimeSetting("asynctimerchan") != 0 }

// setenv is told of changes of the environment. Who asks for a setting makes no event: so what a change does to goroutines that run beside it is not known.
func (m *Machine) setenv(g *G, key, value string) {
	if key != "GODEBUG" {
		return
	}
	m.settings = settings{env: value, set: true}
	for _, o := range m.gs {
		if o != g && !o.ended && !o.pseudo() && !o.awaits(g) {
			m.unseen(g, "GODEBUG is changed while other goroutines run")
		}
	}
}

// awaits reports whether o is the goroutine that started g, or the one that started that, and so on: package testing has them wait for g.
func (o *G) awaits(g *G) bool {
	for p := g.parent; p != nil; p = p.parent {
		if p == o {
			return p.silentNow()
		}
	}
	return false
}

// silentNow reports whether a goroutine stands in a package whose state is its own.
func (g *goStack) silentNow() bool {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if f := g.frames[i].f; f.intrinsic == nil && !f.sync {
			return f.silent
		}
	}
	return false
}

// godebugValue is (*godebug.Setting).Value. A setting that nobody has set is empty.
func godebugValue(m *Machine, g *G, w []uint64) status {
	p := (*[2]uint64)(m.mem.At(w[0], 16)) // Setting.name
	if p == nil {
		return m.throwNil(g)
	}
	w[1], w[2] = m.staticString(m.setting(strings.TrimPrefix(m.goString(p[0], p[1]), "#")))
	return done
}
