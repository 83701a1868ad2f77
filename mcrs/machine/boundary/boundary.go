// Package boundary has the table of what stands in for functions of the standard library (boundary.go), and those of
// package runtime, of what it links into others, and of a few modules. A function of the standard library that the
// machine shall perform itself is a row of this table.
package boundary

import (
	"bytes"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/host"
	"github.com/heddle-go/heddle/mcrs/machine/overlay"
	"github.com/heddle-go/heddle/mcrs/machine/prim"
	"github.com/heddle-go/heddle/mcrs/machine/reflects"
	"github.com/heddle-go/heddle/mcrs/machine/tests"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// This file is the boundary: the functions of the standard library that are intrinsics of the machine. A function that
// has no body and is not here ends the execution as Unsupported. See docs/machine.md.

// boundaryTable is the table. The functions of sync, sync/atomic and reflect are added to it.
func boundaryTable() map[string]vm.Intrinsic {
	return map[string]vm.Intrinsic{
		// sync, beside its primitives (package prim)
		"sync.heddleMemo":                              memoTable,
		"sync.heddleSetMemo":                           setMemoTable,
		"sync.heddlePooled":                            func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { mayDrop(m, g, &m.Pooled); return vm.Done },
		"sync.runtime_notifyListCheck":                 vm.Nothing,
		"sync.runtime_registerPoolCleanup":             vm.Nothing,
		"sync.runtime_procPin":                         vm.Zero,
		"sync.runtime_procUnpin":                       vm.Nothing,
		"sync/atomic.runtime_procPin":                  vm.Zero,
		"sync/atomic.runtime_procUnpin":                vm.Nothing,
		"internal/sync.runtime_canSpin":                vm.Zero,
		"internal/sync.throw":                          throwText,
		"internal/sync.fatal":                          throwText,
		"sync.throw":                                   throwText,
		"sync.fatal":                                   throwText,
		"sync.runtime_randn":                           vm.Zero,
		"internal/poll.runtime_isPollServerDescriptor": vm.Zero,

		// time
		"time.Sleep":            clock.TimeSleep,
		"time.heddleMakeTimer":  clock.NewTimer,
		"time.stopTimer":        clock.StopTimer,
		"time.resetTimer":       clock.ResetTimer,
		"time.runtimeNano":      timeNano,
		"time.runtimeNow":       timeNow,
		"time.now":              timeNow,
		"time.runtimeIsBubbled": clock.IsBubbled,
		"time.when":             clock.Ahead,

		// context
		"context.heddlePromises": clock.Promises,
		"context.heddlePromise":  clock.Promise,
		"context.heddleAsked":    clock.AskedDeadline,
		"context.heddleSooner":   clock.Sooner,
		"context.heddleUnsure":   clock.UnsureSooner,

		// internal/synctest
		"internal/synctest.IsInBubble":   clock.IsBubbled,
		"internal/synctest.Wait":         clock.BubbleWait,
		"internal/synctest.associate":    clock.Associate,
		"internal/synctest.disassociate": clock.Disassociate,
		"internal/synctest.isAssociated": clock.IsAssociated,
		"internal/synctest.heddleBegin":  clock.BubbleBegin,
		"internal/synctest.heddleJoin":   clock.BubbleJoin,
		"internal/synctest.heddleBubble": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[0] = uint64(vm.BubbleID(g.Bubble))
			return vm.Done
		},
		"internal/synctest.heddleSet":      clock.BubbleSet,
		"internal/synctest.heddleActivity": clock.BubbleActivity,

		// runtime
		"runtime.Gosched": clock.Gosched,
		"runtime.Goexit":  func(m *vm.Machine, g *vm.G, _ []uint64) vm.Status { return goroutine.Goexit(m, g) },
		"runtime.GC": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			collect(m, g)
			if m.Mode == vm.Running { // of Exec, where a loop has to give way somewhere
				return clock.Gosched(m, g, w)
			}
			return vm.Done
		},
		"runtime.Breakpoint":     vm.Nothing,
		"runtime.KeepAlive":      vm.Nothing,
		"runtime.SetFinalizer":   finalizer("runtime.SetFinalizer"),
		"runtime.LockOSThread":   vm.Nothing,
		"runtime.UnlockOSThread": vm.Nothing,
		"runtime.NumCPU":         vm.Constant0(processors),
		"runtime.NumCgoCall":     vm.Constant0(0),
		"runtime.NumGoroutine":   numGoroutine,
		"runtime.Caller":         caller,
		"runtime.Callers":        callers,
		"runtime.Stack":          runtimeStack,
		"runtime.heddleProfile":  profile,
		"runtime.heddleMeasured": unmeasured("runtime.ReadMemStats"),
		"runtime.ThreadCreateProfile": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[3], w[4] = 1, vm.Word(w[1] >= 1) // there are no threads: one, made nowhere
			return unmeasured("runtime.ThreadCreateProfile")(m, g, w)
		},
		"runtime.heddleStartProcs": startProcs,
		"runtime.heddleFrame":      frameOf,
		"runtime.heddleValueText":  valueTextOf,
		"runtime.Version":          toolchain,
		"runtime.GOROOT": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			return retString(m, g, w, 0, m.Config.Kernel.GOROOT)
		},
		"runtime.FuncForPC":                         funcForPC,
		"(*runtime.Func).Entry":                     funcEntry,
		"(*runtime.Func).FileLine":                  funcFileLine,
		"(*runtime.Func).Name":                      funcNameOf,
		"(*runtime.TypeAssertionError).Error":       goroutine.AssertText,
		"internal/godebug.setUpdate":                vm.Nothing,
		"internal/godebug.registerMetric":           vm.Nothing,
		"internal/godebug.setNewIncNonDefault":      vm.Nothing,
		"internal/godebug.write":                    vm.Nothing,
		"(*internal/godebug.Setting).Value":         godebugValue,
		"(*internal/godebug.Setting).IncNonDefault": vm.Nothing,
		"os.runtime_args": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			copy(w, sl(vm.StringSlice(m, g, m.Kernel.Args())))
			return vm.Done
		},
		"os.runtime_beforeExit": vm.Nothing,
		"os.heddleTesting":      host.TestsAreRun,
		"os.heddleEnd":          host.Exit,
		"os.heddleOutputEnd":    host.OutputEnd,
		"os.sigpipe":            vm.Nothing,
		"os.checkClonePidfd":    vm.Nothing,
		"os.ignoreSIGSYS":       vm.Nothing,
		"os.restoreSIGSYS":      vm.Nothing,
		"syscall.Exit":          host.Exit,
		"syscall.runtime_envs": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			copy(w, sl(vm.StringSlice(m, g, m.Kernel.Env())))
			return vm.Done
		},
		"syscall.runtime_entersyscall": vm.Nothing,
		"syscall.runtime_exitsyscall":  vm.Nothing,
		"syscall.runtimeSetenv": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			setenv(m, g, m.GoString(w[0], w[1]), m.GoString(w[2], w[3]))
			return vm.Done
		},
		"syscall.runtimeUnsetenv": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			setenv(m, g, m.GoString(w[0], w[1]), "")
			return vm.Done
		},
		"syscall.Getpagesize":                     vm.Constant0(4096),
		"os.Getpagesize":                          vm.Constant0(4096),
		"syscall.rawSyscallNoError":               host.SysNoError,
		"internal/runtime/syscall.Syscall6":       host.Syscall6,
		"internal/runtime/syscall/linux.Syscall6": host.Syscall6,
		"internal/poll.runtimeNano":               timeNano,
		"internal/poll.runtime_pollServerInit":    vm.Nothing,
		"internal/poll.runtime_pollClose":         vm.Nothing,
		"internal/poll.runtime_Semacquire":        vm.Nothing,
		"internal/poll.runtime_Semrelease":        vm.Nothing,
		"runtime/debug.SetTraceback":              vm.Nothing,
		"internal/sysinfo.CPUName":                func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[0], w[1] = 0, 0; return vm.Done },
		"internal/testlog.PanicOnExit0":           vm.Zero,
		"internal/cpu.cpuid": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[2], w[3], w[4], w[5] = 0, 0, 0, 0
			return vm.Done
		},
		"internal/cpu.xgetbv":          func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[0], w[1] = 0, 0; return vm.Done },
		"internal/cpu.getGOAMD64level": vm.Constant0(1),
		"internal/race.Errors":         vm.Constant0(0),
		"runtime/trace.userTaskCreate": vm.Nothing,
		"runtime/trace.userTaskEnd":    vm.Nothing,
		"runtime/trace.userRegion":     vm.Nothing,
		"runtime/trace.userLog":        vm.Nothing,
		"runtime.SetBlockProfileRate":  vm.Nothing,
		"runtime.vgetrandom":           func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[4], w[5] = ^uint64(0), 0; return vm.Done },
		"runtime.rand":                 randWord,
		"runtime.cheaprand":            rand32, // what modules reach by name, and used to
		"runtime.fastrand":             rand32,
		"runtime.cheaprandn":           randBelow,
		"runtime.fastrandn":            randBelow,
		"runtime.cheaprand64":          rand63,
		"runtime.fastrand64":           randWord,
		"runtime/debug.freeOSMemory":   vm.Nothing,
		"runtime/debug.modinfo":        moduleInfo,
		"runtime/pprof.runtime_setProfLabel": func(m *vm.Machine, _ *vm.G, _ []uint64) vm.Status {
			m.Labelled = true // profiles alone have labels
			return vm.Done
		},
		"runtime/debug.setPanicOnFault": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			if w[0]&0xff != 0 {
				return m.Lacks(g, "function runtime/debug.SetPanicOnFault")
			}
			w[1] = 0
			return vm.Done
		},
		"syscall.runtimeClearenv":                    func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { setenv(m, g, "GODEBUG", ""); return vm.Done },
		"syscall.gettimeofday":                       gettimeofday,
		"unique.runtime_blockUntilEmptyCleanupQueue": vm.Constant1(1),

		// math/bits: what the compiler makes one instruction of
		"math/bits.Len":             bits1(func(x uint64) uint64 { return uint64(bits.Len64(x)) }),
		"math/bits.Len64":           bits1(func(x uint64) uint64 { return uint64(bits.Len64(x)) }),
		"math/bits.Len32":           bits1(func(x uint64) uint64 { return uint64(bits.Len64(x)) }),
		"math/bits.LeadingZeros64":  bits1(func(x uint64) uint64 { return uint64(bits.LeadingZeros64(x)) }),
		"math/bits.TrailingZeros":   bits1(func(x uint64) uint64 { return uint64(bits.TrailingZeros64(x)) }),
		"math/bits.TrailingZeros64": bits1(func(x uint64) uint64 { return uint64(bits.TrailingZeros64(x)) }),
		"math/bits.TrailingZeros32": bits1(func(x uint64) uint64 { return uint64(bits.TrailingZeros32(uint32(x))) }),
		"math/bits.OnesCount":       bits1(func(x uint64) uint64 { return uint64(bits.OnesCount64(x)) }),
		"math/bits.OnesCount64":     bits1(func(x uint64) uint64 { return uint64(bits.OnesCount64(x)) }),
		"math/bits.OnesCount32":     bits1(func(x uint64) uint64 { return uint64(bits.OnesCount64(x)) }),
		"math/bits.ReverseBytes64":  bits1(bits.ReverseBytes64),
		"math/bits.Reverse64":       bits1(bits.Reverse64),
		"math/bits.RotateLeft64": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[2] = bits.RotateLeft64(w[0], int(w[1]))
			return vm.Done
		},
		"math/bits.RotateLeft32": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[2] = uint64(bits.RotateLeft32(uint32(w[0]), int(w[1])))
			return vm.Done
		},
		"math/bits.Mul64": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[2], w[3] = bits.Mul64(w[0], w[1])
			return vm.Done
		},
		"math/bits.Add64": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[3], w[4] = bits.Add64(w[0], w[1], w[2])
			return vm.Done
		},
		"math/bits.Sub64": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[3], w[4] = bits.Sub64(w[0], w[1], w[2])
			return vm.Done
		},

		// crypto
		"crypto/internal/fips140/bigmod.addMulVVW":       addMulVVW,
		"crypto/internal/fips140/nistec/fiat.p256Mul":    fiatMul,
		"crypto/internal/fips140/nistec/fiat.p256Square": fiatSquare,
		"crypto/internal/boring/sig.StandardCrypto":      vm.Nothing,
		"crypto/internal/boring/sig.BoringCrypto":        vm.Nothing,
		"crypto/fips140.isBypassed":                      vm.Constant0(0),
		"crypto/fips140.setBypass":                       vm.Nothing,
		"crypto/fips140.unsetBypass":                     vm.Nothing,
		"crypto/internal/fips140.getIndicator":           func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[0] = uint64(g.Indicator); return vm.Done },
		"crypto/internal/fips140.setIndicator":           func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { g.Indicator = uint8(w[0]); return vm.Done },
		"crypto/internal/fips140.fatal":                  throwText,
		"crypto/internal/sysrand.fatal":                  throwText,
		"crypto/rand.fatal":                              throwText,
		"crypto/internal/constanttime.boolToUint8":       func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[1] = w[0] & 1; return vm.Done },
		"crypto/subtle.setDITEnabled":                    vm.Constant0(0),
		"crypto/subtle.setDITDisabled":                   vm.Nothing,

		// testing
		"testing.Testing":         underTest,
		"testing.callerName":      callerName,
		"testing.heddleRunning":   func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return host.TestsRun(m, g, w[0]&1 != 0) },
		"testing.heddleLate":      tests.Late,
		"testing.heddleFails":     tests.Fails,
		"testing.heddleFailed":    tests.Failed,
		"testing.heddleFinishes":  tests.Finishes,
		"testing.heddleRan":       tests.Ran,
		"testing.heddleDidFail":   tests.DidFail,
		"maps.clone":              mapsClone,
		"testing.heddleCount":     entryCount,
		"testing.heddleCapture":   capture,
		"testing.heddleCaptured":  captured,
		"testing.heddleTestAt":    testAt(program.Test),
		"testing.heddleFuzzAt":    testAt(program.Fuzz),
		"testing.heddleExampleAt": exampleAt,
		"runtime/debug.heddleMeasured": func(m *vm.Machine, _ *vm.G, _ []uint64) vm.Status {
			m.Measure("runtime/debug.ReadGCStats")
			return vm.Done
		},
		"runtime/metrics.heddleMeasured":   func(m *vm.Machine, _ *vm.G, _ []uint64) vm.Status { m.Measure("runtime/metrics.Read"); return vm.Done },
		"runtime/metrics.heddleGoroutines": numGoroutine,
		"runtime/metrics.heddleNotCounted": notCounted,
		"testing.heddleMeasured":           func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { m.Measure("testing.AllocsPerRun"); return vm.Done },

		// internal/bytealg, strings
		"internal/bytealg.IndexByte":       func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return indexByte(m, g, w, access.View, 3, 4) },
		"internal/bytealg.IndexByteString": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return indexByte(m, g, w, access.ViewText, 2, 3) },
		"internal/bytealg.Count":           func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return countByte(m, g, w, access.View, 3, 4) },
		"internal/bytealg.CountString":     func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return countByte(m, g, w, access.ViewText, 2, 3) },
		"internal/bytealg.Compare": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			return ofTwo(m, g, w, access.View, bytes.Compare, 3, 6)
		},
		"internal/bytealg.CompareString": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			return ofTwo(m, g, w, access.ViewText, bytes.Compare, 2, 4)
		},
		"internal/bytealg.Index": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			return ofTwo(m, g, w, access.View, bytes.Index, 3, 6)
		},
		"internal/bytealg.IndexString": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			return ofTwo(m, g, w, access.ViewText, bytes.Index, 2, 4)
		},
		"internal/bytealg.MakeNoZero":    makeNoZero,
		"internal/bytealg.Equal":         func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return equalBytes(m, g, w) },
		"bytes.Equal":                    func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return equalBytes(m, g, w) },
		"internal/abi.FuncPCABI0":        func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[2] = funcPC(m, w[1]); return vm.Done },
		"internal/abi.FuncPCABIInternal": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[2] = funcPC(m, w[1]); return vm.Done },

		// math
		"math.archFloor": math1(math.Floor), "math.archCeil": math1(math.Ceil), "math.archTrunc": math1(math.Trunc),
		"math.archExp": math1(math.Exp), "math.archSqrt": math1(math.Sqrt), "math.Sqrt": math1(math.Sqrt), "math.sqrt": math1(math.Sqrt),
		"math.Floor": math1(math.Floor), "math.Ceil": math1(math.Ceil), "math.Trunc": math1(math.Trunc), "math.archLog": math1(math.Log),
		"math.Abs": math1(math.Abs), "math.Exp": math1(math.Exp),
		"math.archHypot": math2(math.Hypot), "math.archMax": math2(math.Max), "math.archMin": math2(math.Min),
		"math.FMA": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			w[3] = math.Float64bits(math.FMA(math.Float64frombits(w[0]), math.Float64frombits(w[1]), math.Float64frombits(w[2])))
			return vm.Done
		},
		"math/rand.runtime_rand": randWord, "math/rand/v2.runtime_rand": randWord, "internal/rand.runtime_rand": randWord,
		"maps.rand": randWord, "os.runtime_rand": randWord, "hash/maphash.runtime_rand": randWord, "internal/sync.runtime_rand": randWord, "internal/concurrent.rand": randWord,
		"unique.runtime_registerUniqueMapCleanup":   vm.Nothing,
		"(runtime.Cleanup).Stop":                    vm.Nothing,
		"iter.newcoro":                              newCoro,
		"iter.coroswitch":                           coroSwitch,
		"internal/weak.runtime_registerWeakPointer": func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[1] = w[0]; return vm.Done },
		"internal/weak.runtime_makeStrongFromWeak":  strong,
		"weak.runtime_registerWeakPointer":          func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { w[1] = w[0]; return vm.Done },
		"weak.runtime_makeStrongFromWeak":           strong,
	}
}

// Library gathers what stands in for functions of the standard library.
func Library() *vm.Library {
	b := boundaryTable()
	for _, more := range []map[string]vm.Intrinsic{host.SocketFunctions, foreign, byName, prim.Functions(), reflects.Functions()} {
		maps.Copy(b, more)
	}
	watches := tests.Watches()
	maps.Copy(watches, host.Watches())
	loud := maps.Clone(tests.LoudFields)
	maps.Copy(loud, host.LoudFields)
	overlaid := map[string]bool{}
	for path := range overlay.Files() {
		overlaid[path] = true
	}
	return &vm.Library{
		LockFree: prim.LockFree, UnderLock: tests.TakesCleanup,
		Intrinsics: b, Watches: watches, Redirects: overlay.Redirects(), Overlaid: overlaid, Quiet: quiet, Loud: loud,
		Instances: map[string]func(m *vm.Machine, f *vm.Func) vm.Intrinsic{
			"unique.Make":                  uniqueMake,
			"runtime.AddCleanup":           addCleanup,
			"internal/abi.EscapeNonString": func(*vm.Machine, *vm.Func) vm.Intrinsic { return vm.Nothing }, // every variable whose address is taken is on the heap
		},
	}
}

// unmeasured does nothing but note that the program asked for what the machine does not have: a test that fails after
// that may be no failure of the program's. The standard library's own requests do not count.
func unmeasured(name string) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		if !callerStd(g) {
			m.Measure(name)
		}
		return vm.Done
	}
}

// callerStd reports whether a function of the standard library called an intrinsic; package testing acts for its
// callers.
func callerStd(g *vm.G) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Intrinsic == nil && !strings.HasPrefix(f.Name, "testing.") && f.Name != "runtime.ReadMemStats" {
			return f.Std
		}
	}
	return false // of a go statement
}

// finalizer registers what is to be done when an object dies, and never does it: Go promises no more. A program that
// goes on to ask for a collection expects it done, and what it does without may be the machine's fault. What the
// finalizer would have done beside the goroutines is not seen, unless it is taken back (takenback.go).
func finalizer(name string) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		if callerStd(g) {
			return vm.Done
		}
		m.Finalizer = name
		switch {
		case name != "runtime.SetFinalizer": // (ptr *T, cleanup func(S), arg S)
			m.Finalize(vm.Finalizer{By: g.Index, Object: w[0], Uses: slices.Clone(w[1 : len(w)-2]), Cleanup: true})
			m.Unseen(g, name+vm.NeverRun)
		case w[2] == 0: // (obj, finalizer any): it takes one back
			return setFinalizer(m, g, w[1], nil)
		default:
			return setFinalizer(m, g, w[1], []uint64{w[1], w[3]})
		}
		return vm.Done
	}
}

func bits1(f func(uint64) uint64) vm.Intrinsic {
	return func(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status { w[1] = f(w[0]); return vm.Done }
}

func math1(f func(float64) float64) vm.Intrinsic {
	return func(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status {
		w[1] = math.Float64bits(f(math.Float64frombits(w[0])))
		return vm.Done
	}
}

func math2(f func(a, b float64) float64) vm.Intrinsic {
	return func(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status {
		w[2] = math.Float64bits(f(math.Float64frombits(w[0]), math.Float64frombits(w[1])))
		return vm.Done
	}
}

func sl(a [3]uint64) []uint64 { return a[:] }

// quiet are the functions of the boundary that keep nothing beside the memory of the program and what events show, by
// the beginning of their names. What becomes of a timer is shown: the start by trace.Started, Stop and Reset by their
// events. In a bubble they keep more, and say so (clock.keepsHeap).
var quiet = []string{
	"(*sync.Mutex).", "(*internal/sync.Mutex).", "(*sync.RWMutex).", "(*sync.WaitGroup).", "sync.heddleOnce", "sync.heddleMemo", "sync.heddleSetMemo", "sync.runtime_notifyList", "sync/atomic.", "(*sync/atomic.", "runtime.heddleAtomic",
	"internal/runtime/atomic.", "runtime.Gosched", "runtime.KeepAlive", "runtime.Goexit", "time.Sleep", "time.now", "time.runtimeNano", "time.runtimeNow", "math.", "math/bits.", "internal/bytealg.", "bytes.Equal",
	"sync.heddleStdPrivate", "sync.heddleHome", "internal/race.Errors", "internal/abi.", "time.runtimeIsBubbled", "time.when", "context.heddlePromise", "context.heddleSooner", "time.heddleMakeTimer", "time.stopTimer", "time.resetTimer",
	"runtime.Callers", "syscall.runtime_entersyscall", "syscall.runtime_exitsyscall", "(*internal/godebug.Setting).IncNonDefault", "reflect.resolve", "reflect.getStaticuint64s",
	"crypto/internal/fips140/bigmod.", "crypto/internal/fips140/nistec/fiat.",
	"syscall.heddleHold", // it is in the name of a goroutine's state
}
