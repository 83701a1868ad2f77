// Package godebug has the settings of the variable GODEBUG.
package godebug

import (
	"strconv"
	"strings"
)

// This file defines the settings of GODEBUG: those of the program (its go line, godebug lines and directives), and what
// the variable GODEBUG says, which a program may change while it runs. The standard library asks for its own by
// internal/godebug. Of those that govern the runtime (GOROOT/src/runtime/runtime1.go, dbgvars) a program can tell:
//
//	asynctimerchan  1: what package time makes are channels like others, with room for one tick, which Stop and Reset
//	                leave alone (rule TIME7).
//	                2: the same for timers that were made as they are since Go 1.23, while it is set.
//	panicnil        1: recover returns nil after panic(nil).
//
// A program cannot tell the others:
//
//   - containermaxprocs and updatemaxprocs concern GOMAXPROCS, which is a constant here.
//   - tracebackancestors, tracebacklabels and profstackdepth add to texts of stacks, whose text the machine does not
//     promise.
//   - decoratemappings shows in /proc/self/maps, which is not there.
//   - The rest govern the collector, the scheduler, cgo, and what the runtime writes about itself: adaptivestackstart,
//     asyncpreemptoff, cgocheck, checkfinalizers, clobberfree, dataindependenttiming, disablethp, dontfreezetheworld,
//     efence, gccheckmark, gcpacertrace, gcshrinkstackoff, gcstoptheworld, gctrace, harddecommit, inittrace,
//     invalidptr, madvdontneed, sbrk, scavtrace, scheddetail, schedtrace, traceadvanceperiod, traceallocfree,
//     tracecheckstackownership and tracefpunwindoff.

// Settings are what the variable GODEBUG says, and all that is in force.
type Settings struct {
	given   string   // by the program's go line, godebug lines and directives
	environ []string // of the process
	env     string
	set     bool // by the program; else it is that of the environment
	known   map[string]string
}

// Given are those that a process begins with: of its program, and of its environment.
func Given(program string, environ []string) Settings {
	return Settings{given: program, environ: environ}
}

// immutable is the setting that keeps the value that the process began with (GOROOT/src/internal/godebugs/table.go).
const immutable = "fips140"

// Value is the value of a setting, "" if it has none.
func (s *Settings) Value(name string) string {
	if name == immutable && s.set {
		return (&Settings{given: s.given, environ: s.environ}).Value(name)
	}
	if s.known == nil {
		s.known = s.parse()
	}
	return s.known[name]
}

func (s *Settings) parse() map[string]string {
	env := s.env
	if !s.set {
		for _, kv := range s.environ {
			if v, ok := strings.CutPrefix(kv, "GODEBUG="); ok {
				env = v
			}
		}
	}
	known := map[string]string{}
	for kv := range strings.SplitSeq(s.given+","+env, ",") {
		if k, v, ok := strings.Cut(kv, "="); ok {
			known[k] = v
		}
	}
	return known
}

// Number is the value of a setting as the runtime reads it.
func (s *Settings) Number(name string) int {
	n, _ := strconv.Atoi(s.Value(name))
	return n
}

// AsyncTimers reports whether timer channels are as before Go 1.23.
func (s *Settings) AsyncTimers() bool { return s.Number("asynctimerchan") != 0 }

// Change is told that the program has set the variable GODEBUG.
func (s *Settings) Change(env string) { s.env, s.set, s.known = env, true, nil }

// Forget has what was read be read again.
func (s *Settings) Forget() { s.known = nil }
