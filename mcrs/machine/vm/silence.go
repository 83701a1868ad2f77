package vm

import (
	"go/types"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
)

// This file says what of the standard library's state makes no event, and why no program can tell. All else in it is
// memory, locks and objects like the program's own: what std has in package variables (registries, loggers,
// multiplexers, Onces) is explored.
//
//	SILENT1  The packages of silentPackages work for the program on state of their own. Their accesses to memory,
//	         their locks and their atomics make no event. Where a program can see that state, functions of theirs
//	         announce what they read and write of it, as one operation (tests/testing.go, host.go).
//	SILENT2  In a silent package, a function of exposedFunctions makes events like any other: it keeps a lock or a
//	         count while the program's code, or something that is announced, goes on. So does one of theirs, which
//	         works on memory that the program gives it.
//	SILENT3  A variable of memoVars is a table of results: each goroutine has one of its own.
//	SILENT4  A Pool in a package variable of std always misses. It may: what is put into a Pool can be gone at any
//	         time.
//	SILENT5  A Once that was done when the program started makes no event: nothing can come before it any more.
//	SILENT6  What testing does to the output of a test depends on what others have done to it before. So what is
//	         allocated there has a segment of its own: the addresses of all else do not depend on it. What std reads
//	         for it (a name, a table of package strconv) makes no event: none of it is code of the program's. It never
//	         becomes shared: accesses to it make no events, by whatever function of std. Testing keeps it for itself,
//	         under locks. What it has come to when it is written in the end is a matter of the schedule that is shown.
//	SILENT7  Package testing reads and writes some fields of a test without its lock, so that the race detector finds
//	         who uses a test that may have ended, or two who use one at once. These accesses are events, as in code
//	         that is not silent. What reads such a field under the lock announces it before it locks (access/loud.go,
//	         touchesField). So does what writes it (tests/beside.go). File.Fd reads the number of a descriptor, which
//	         Close writes, likewise, where the program shows such numbers (host.LoudFields).
//	SILENT8  What std prepares when it is first asked, and what is the same whoever asks (tables of package
//	         net/textproto and of a strings.Replacer, what package net finds out about the computer), is there from
//	         the start. It could be natively: an earlier test may have asked. Package overlay has the functions.
//
// A silent package keeps no lock of its own over an event, and calls none of the program's code while it holds one.

// silentPackages are the packages of rule SILENT1, each with what the program can see of its state, and where that is
// announced.
var silentPackages = map[string]string{
	"testing":                   "what a test has come to, names, cleanups: testing.go. The rest is output, and the times in it",
	"testing/internal/testdeps": "what the go command asks for: nothing that a test sees",
	"os":                        "files, folders, processes are the kernel's: host.go. An *os.File keeps what it has read of a folder: exposed",
	"syscall":                   "system calls, the environment: host.go",
	"internal/poll":             "descriptors: host.go, which announces the methods of FD before they lock",
	"internal/syscall/unix":     "system calls: host.go",
	"internal/syscall/execenv":  "no state",
	"internal/testlog":          "whom to tell what the program opens: nobody",
	"internal/oserror":          "no state",
	"internal/godebug":          "settings by name, of which the value is the machine's (godebugValue)",
	"internal/bisect":           "no state unless GODEBUG asks for it",
	"internal/runtime/syscall":  "no state",
	"runtime":                   "the machine's own",
	"runtime/debug":             "the machine's own",
}

// silentPackage is Config.Silent where that is nil.
func silentPackage(path string) bool { return silentPackages[path] != "" }

// exposedFunctions are the functions of rule SILENT2, with the literals in them.
var exposedFunctions = map[string]string{
	"(*testing.common).makeTempDir":        "keeps tempDirMu while it makes folders",
	"(*testing.common).ArtifactDir":        "a Once that makes a folder",
	"(*testing.PB).Next":                   "takes the next iterations from a common count",
	"(*testing.B).RunParallel":             "makes that count, and waits for the goroutines",
	"(*testing.B).runN":                    "keeps benchmarkLock while the benchmark runs",
	"testing.Short":                        "reads a flag, which flag.Set changes",
	"testing.Verbose":                      "likewise",
	"(*testing.B).SetBytes":                "what a benchmark is told, and its timer, have no lock",
	"(*testing.B).ReportAllocs":            "likewise",
	"(*testing.B).ReportMetric":            "likewise",
	"(*testing.B).SetParallelism":          "likewise",
	"(*testing.B).StartTimer":              "likewise",
	"(*testing.B).StopTimer":               "likewise",
	"(*testing.B).ResetTimer":              "likewise",
	"(*testing.B).Elapsed":                 "likewise",
	"(*testing.chattyFlag).Set":            "likewise",
	"(*os.File).readdir":                   "what was read of a folder, and not returned yet, is in the File",
	"(*os.File).seek":                      "drops that",
	"(*os.file).close":                     "drops that",
	"(*os.dirInfo).close":                  "likewise, without its lock",
	"(*os.root).Close":                     "an os.Root counts who uses it",
	"(*os.root).incref":                    "likewise",
	"(*os.root).decref":                    "likewise",
	"(*os.Process).Release":                "what has become of a process",
	"(*os.Process).doRelease":              "likewise",
	"(*os.Process).pidStatus":              "likewise",
	"(*os.Process).pidSignal":              "likewise",
	"(*os.Process).pidWait":                "likewise",
	"(*os.Process).blockUntilWaitable":     "likewise",
	"(*os.Process).handleTransientAcquire": "likewise",
	"(*os.Process).handleTransientRelease": "likewise",
}

// theirs are those of rule SILENT2 that read or write memory which the program gives them, and keep nothing for
// themselves. TestUnseen finds functions that belong here. What a system call reads and writes is package inet's
// (given.go.txt).
var theirs = []string{
	"(*os.File).copyFileRange", "(*os.File).spliceToFile", "(*os.LinkError).Error", "(*os.LinkError).Unwrap",
	"(*os.SyscallError).Error", "(*os.SyscallError).Timeout", "(*os.SyscallError).Unwrap",
	"(*runtime/debug.BuildInfo).String", "(*syscall.Cmsghdr).SetLen", "(*syscall.Iovec).SetLen",
	"(*syscall.Msghdr).SetControllen", "(*syscall.PtraceRegs).PC", "(*syscall.PtraceRegs).SetPC",
	"(*syscall.SockaddrInet4).sockaddr", "(*syscall.SockaddrInet6).sockaddr", "(*syscall.SockaddrLinklayer).sockaddr",
	"(*syscall.SockaddrNetlink).sockaddr", "(*syscall.SockaddrUnix).sockaddr", "(*syscall.Timespec).Nano",
	"(*syscall.Timespec).Unix", "(*syscall.Timeval).Nano", "(*syscall.Timeval).Unix",
	"(testing.BenchmarkResult).AllocedBytesPerOp", "(testing.BenchmarkResult).AllocsPerOp",
	"(testing.BenchmarkResult).NsPerOp", "(testing.BenchmarkResult).String", "(testing.BenchmarkResult).mbPerSec",
	"os.tryLimitedReader", "os.underlyingError", "runtime/debug.ReadGCStats", "syscall.Gettimeofday",
	"syscall.ParseDirent", "syscall.ParseNetlinkMessage", "syscall.ParseNetlinkRouteAttr",
	"syscall.ParseSocketControlMessage", "syscall.ParseUnixCredentials", "syscall.ParseUnixRights", "syscall.Pipe2",
	"syscall.Setgroups", "syscall.SlicePtrFromStrings", "syscall.StringSlicePtr", "syscall.Time",
	"syscall.UnixCredentials", "syscall.UnixRights", "syscall.Wait4", "syscall.netlinkMessageHeaderAndData",
	"syscall.netlinkRouteAttrAndValue", "syscall.readIntBE", "syscall.readIntLE",
	"syscall.socketControlMessageHeaderAndData",
}

// Exposed reports whether a function of a silent package makes events.
func Exposed(name string) bool {
	name, _, _ = strings.Cut(name, "$")
	return exposedFunctions[name] != "" || slices.Contains(theirs, name) || strings.Contains(name, ".heddleSeen") // of package inet
}

// memoVars are the package variables of rule SILENT3: sync.Maps that are only loaded from and stored to, whose values
// are functions of their keys, and where nothing is compared with a value of the table but for what it says. So a
// goroutine cannot tell whether another has computed a value before, but by the time that it takes.
var memoVars = map[string]string{
	"encoding/json.encoderCache":           "functions that encode a type",
	"encoding/json.fieldCache":             "the fields of a type",
	"encoding/json/v2.lookupArshalerCache": "functions that encode and decode a type",
	"encoding/xml.tinfoMap":                "the fields of a type",
	"encoding/binary.structSize":           "the size of a type",
	"reflect.layoutCache":                  "the frame of a call",
}

// OutputFunctions are those of rule SILENT6. Nothing that they allocate comes to the program, but the text of
// callSite, which testing puts into a line.
var OutputFunctions = []string{
	"(*testing.T).report", "(*testing.F).report", "(*testing.common).callSite", "(*testing.common).flushPartial", "(*testing.common).flushToParent", "(*testing.common).Helper", "(*testing.outputWriter).Write",
}

// makesOutput reports whether one of OutputFunctions is running, where it may be.
func (g *G) makesOutput() bool {
	if n := g.Outputs; n <= len(g.Frames) && slices.Contains(OutputFunctions, g.Frames[n-1].Func.Name) {
		return true
	}
	g.Outputs = 0
	return false
}

// outputSegment is where g allocates if one of OutputFunctions may be running.
func outputSegment(m *Machine, g *G) int {
	if !m.Inits && g.makesOutput() {
		return m.Segment(g.ID + outputSuffix)
	}
	return g.Segment
}

// UnorderedOf returns the package variables whose operations order nothing, and the channels that they hold.
func UnorderedOf(m *Machine) map[uint64]bool {
	all := make(map[uint64]bool)
	for g, addr := range m.Globals {
		if !inet.Unordered(g.Name()) {
			continue
		}
		all[addr] = true
		if _, ok := Deref(g.Type()).Underlying().(*types.Chan); ok {
			all[*(*uint64)(m.Mem.At(addr, 8))] = true
		}
	}
	return all
}

// orderOf is what a function of package inet's overlay orders by what it does (ORDER1 and ORDER2).
func orderOf(name string) event.Order {
	switch {
	case inet.Leaves(name):
		return event.Leaves
	case inet.Finds(name):
		return event.Finds
	case inet.Loose(name):
		return event.Nothing
	}
	return event.ByKind
}
