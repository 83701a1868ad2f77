package machine

import (
	"maps"
	"math"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/program"
)

// This file is the boundary: the functions of the standard library that are intrinsics of the machine. A function that
// has no body and is not here ends the execution as Unsupported. See docs/machine.md.

var boundary map[string]Intrinsic

// boundaryTable is the table; the families of sync/atomic and reflect are added to it.
func boundaryTable() map[string]Intrinsic {
	return map[string]Intrinsic{
		// sync
		"(*sync.Mutex).Lock":                           mutexLock,
		"(*sync.Mutex).TryLock":                        mutexTryLock,
		"(*sync.Mutex).Unlock":                         mutexUnlock,
		"(*internal/sync.Mutex).Lock":                  mutexLock,
		"(*internal/sync.Mutex).TryLock":               mutexTryLock,
		"(*internal/sync.Mutex).Unlock":                mutexUnlock,
		"(*sync.RWMutex).Lock":                         rwLock,
		"(*sync.RWMutex).TryLock":                      rwTryLock,
		"(*sync.RWMutex).Unlock":                       rwUnlock,
		"(*sync.RWMutex).RLock":                        rwRLock,
		"(*sync.RWMutex).TryRLock":                     rwTryRLock,
		"(*sync.RWMutex).RUnlock":                      rwRUnlock,
		"(*sync.WaitGroup).Add":                        wgAdd,
		"(*sync.WaitGroup).Wait":                       wgWait,
		"sync.heddleOnceBegin":                         onceBegin,
		"sync.heddleOnceEnd":                           onceEnd,
		"sync.heddleObject":                            objectEvent,
		"sync.heddleHome":                              objectHome,
		"sync.heddleLook":                              objectLook,
		"sync.heddleStore":                             objectStore,
		"sync.heddleResult":                            objectResult,
		"sync.heddleStdPrivate":                        stdPrivate,
		"sync.heddleMemo":                              memoTable,
		"sync.heddleSetMemo":                           setMemoTable,
		"sync.heddlePooled":                            func(m *Machine, g *G, w []uint64) status { m.pooled = true; return done },
		"sync.runtime_notifyListAdd":                   condAdd,
		"sync.runtime_notifyListWait":                  condWait,
		"sync.runtime_notifyListNotifyOne":             condSignal,
		"sync.runtime_notifyListNotifyAll":             condBroadcast,
		"sync.runtime_notifyListCheck":                 nothing,
		"sync.runtime_registerPoolCleanup":             nothing,
		"sync.runtime_procPin":                         zero,
		"sync.runtime_procUnpin":                       nothing,
		"sync/atomic.runtime_procPin":                  zero,
		"sync/atomic.runtime_procUnpin":                nothing,
		"sync/atomic.heddleValueGet":                   valueLoad,
		"sync/atomic.heddleValuePut":                   valueStore,
		"sync/atomic.heddleValueReplace":               valueReplace,
		"internal/sync.runtime_canSpin":                zero,
		"internal/sync.throw":                          throwText,
		"internal/sync.fatal":                          throwText,
		"sync.throw":                                   throwText,
		"sync.fatal":                                   throwText,
		"sync.runtime_randn":                           zero,
		"internal/poll.runtime_isPollServerDescriptor": zero,

		// time
		"time.Sleep":            timeSleep,
		"time.newTimer":         newTimer,
		"time.stopTimer":        stopTimer,
		"time.resetTimer":       resetTimer,
		"time.runtimeNano":      timeNano,
		"time.runtimeNow":       timeNow,
		"time.now":              timeNow,
		"time.runtimeIsBubbled": isBubbled,

		// internal/synctest
		"internal/synctest.IsInBubble":     isBubbled,
		"internal/synctest.Wait":           bubbleWait,
		"internal/synctest.associate":      associate,
		"internal/synctest.disassociate":   disassociate,
		"internal/synctest.isAssociated":   isAssociated,
		"internal/synctest.heddleBegin":    bubbleBegin,
		"internal/synctest.heddleJoin":     bubbleJoin,
		"internal/synctest.heddleBubble":   func(m *Machine, g *G, w []uint64) status { w[0] = uint64(bubbleID(g.bubble)); return done },
		"internal/synctest.heddleSet":      bubbleSet,
		"internal/synctest.heddleActivity": bubbleActivity,

		// runtime
		"runtime.Gosched": gosched,
		"runtime.Goexit":  func(m *Machine, g *G, _ []uint64) status { return m.goexit(g) },
		"runtime.GC": func(m *Machine, g *G, w []uint64) status {
			if m.finalizer != "" && !g.callerStd() {
				m.measure(m.finalizer) // natively it would run now
			}
			if m.pooled && !g.callerStd() {
				m.measure("runtime.GC, which empties a sync.Pool") // natively
			}
			if m.mode == running { // of Exec, where a loop has to give way somewhere
				return gosched(m, g, w)
			}
			return done
		},
		"runtime.Breakpoint":     nothing,
		"runtime.KeepAlive":      nothing,
		"runtime.SetFinalizer":   finalizer("runtime.SetFinalizer"),
		"runtime.LockOSThread":   nothing,
		"runtime.UnlockOSThread": nothing,
		"runtime.GOMAXPROCS":     constant1(8),
		"runtime.NumCPU":         constant0(8),
		"runtime.NumCgoCall":     constant0(0),
		"runtime.NumGoroutine":   numGoroutine,
		"runtime.Caller":         caller,
		"runtime.Callers":        callers,
		"runtime.Stack":          runtimeStack,
		"runtime.ReadMemStats":   unmeasured("runtime.ReadMemStats"),
		"runtime.ThreadCreateProfile": func(m *Machine, g *G, w []uint64) status {
			w[3], w[4] = 1, b2w(w[1] >= 1) // there are no threads: one, made nowhere
			return unmeasured("runtime.ThreadCreateProfile")(m, g, w)
		},
		"runtime.heddleFrame":                       frameOf,
		"runtime.heddleValueText":                   valueTextOf,
		"runtime.Version":                           func(m *Machine, g *G, w []uint64) status { return m.retString(g, w, 0, "go1.26") },
		"runtime.GOROOT":                            func(m *Machine, g *G, w []uint64) status { return m.retString(g, w, 0, m.cfg.Kernel.GOROOT) },
		"runtime.FuncForPC":                         funcForPC,
		"(*runtime.Func).FileLine":                  funcFileLine,
		"(*runtime.Func).Name":                      funcNameOf,
		"(*runtime.TypeAssertionError).Error":       assertText,
		"internal/godebug.setUpdate":                nothing,
		"internal/godebug.registerMetric":           nothing,
		"internal/godebug.setNewIncNonDefault":      nothing,
		"internal/godebug.write":                    nothing,
		"(*internal/godebug.Setting).Value":         godebugValue,
		"(*internal/godebug.Setting).IncNonDefault": nothing,
		"os.runtime_args":                           func(m *Machine, g *G, w []uint64) status { copy(w, sl(m.stringSlice(g, m.kernel.Args()))); return done },
		"os.runtime_beforeExit":                     nothing,
		"os.heddleTesting":                          testsAreRun,
		"os.heddleEnd":                              exit,
		"os.sigpipe":                                nothing,
		"os.checkClonePidfd":                        nothing,
		"os.ignoreSIGSYS":                           nothing,
		"os.restoreSIGSYS":                          nothing,
		"syscall.Exit":                              exit,
		"syscall.runtime_envs":                      func(m *Machine, g *G, w []uint64) status { copy(w, sl(m.stringSlice(g, m.kernel.Env()))); return done },
		"syscall.runtime_entersyscall":              nothing,
		"syscall.runtime_exitsyscall":               nothing,
		"syscall.runtimeSetenv": func(m *Machine, g *G, w []uint64) status {
			m.setenv(g, m.goString(w[0], w[1]), m.goString(w[2], w[3]))
			return done
		},
		"syscall.runtimeUnsetenv":                 func(m *Machine, g *G, w []uint64) status { m.setenv(g, m.goString(w[0], w[1]), ""); return done },
		"syscall.Getpagesize":                     constant0(4096),
		"os.Getpagesize":                          constant0(4096),
		"syscall.rawSyscallNoError":               sysNoError,
		"internal/runtime/syscall.Syscall6":       syscall6,
		"internal/runtime/syscall/linux.Syscall6": syscall6,
		"internal/poll.runtimeNano":               timeNano,
		"internal/poll.runtime_pollServerInit":    nothing,
		"internal/poll.runtime_pollClose":         nothing,
		"internal/poll.runtime_Semacquire":        nothing,
		"internal/poll.runtime_Semrelease":        nothing,
		"runtime/debug.SetGCPercent":              nothing,
		"runtime/debug.setGCPercent":              constant1(100),
		"runtime/debug.SetTraceback":              nothing,
		"internal/sysinfo.CPUName":                func(m *Machine, g *G, w []uint64) status { w[0], w[1] = 0, 0; return done },
		"internal/testlog.PanicOnExit0":           zero,
		"internal/cpu.cpuid":                      func(m *Machine, g *G, w []uint64) status { w[2], w[3], w[4], w[5] = 0, 0, 0, 0; return done },
		"internal/cpu.xgetbv":                     func(m *Machine, g *G, w []uint64) status { w[0], w[1] = 0, 0; return done },
		"internal/cpu.getGOAMD64level":            constant0(1),
		"internal/race.Errors":                    constant0(0),
		"runtime/trace.userTaskCreate":            nothing,
		"runtime/trace.userTaskEnd":               nothing,
		"runtime/trace.userRegion":                nothing,
		"runtime/trace.userLog":                   nothing,
		"runtime.SetBlockProfileRate":             nothing,
		"runtime.SetMutexProfileFraction":         zero,
		"runtime.vgetrandom":                      func(m *Machine, g *G, w []uint64) status { w[4], w[5] = ^uint64(0), 0; return done },
		"runtime.rand":                            randWord,
		"runtime.cheaprand":                       rand32, // what modules reach by name, and used to
		"runtime.fastrand":                        rand32,
		"runtime.cheaprandn":                      randBelow,
		"runtime.fastrandn":                       randBelow,
		"runtime.cheaprand64":                     rand63,
		"runtime.fastrand64":                      randWord,
		"runtime/debug.freeOSMemory":              nothing,
		"runtime/debug.modinfo":                   func(m *Machine, g *G, w []uint64) status { w[0], w[1] = 0, 0; return done },
		"runtime/debug.setMaxStack":               constant1(1000000000),
		"runtime/debug.setMaxThreads":             constant1(10000),
		"runtime/debug.setMemoryLimit":            constant1(math.MaxInt64),
		"runtime/debug.setPanicOnFault": func(m *Machine, g *G, w []uint64) status {
			if w[0]&0xff != 0 {
				return m.lacks(g, "function runtime/debug.SetPanicOnFault")
			}
			w[1] = 0
			return done
		},
		"syscall.runtimeClearenv":                    func(m *Machine, g *G, w []uint64) status { m.setenv(g, "GODEBUG", ""); return done },
		"syscall.gettimeofday":                       gettimeofday,
		"unique.runtime_blockUntilEmptyCleanupQueue": constant1(1),

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
		"math/bits.RotateLeft64":    func(m *Machine, g *G, w []uint64) status { w[2] = bits.RotateLeft64(w[0], int(w[1])); return done },
		"math/bits.RotateLeft32": func(m *Machine, g *G, w []uint64) status {
			w[2] = uint64(bits.RotateLeft32(uint32(w[0]), int(w[1])))
			return done
		},
		"math/bits.Mul64": func(m *Machine, g *G, w []uint64) status { w[2], w[3] = bits.Mul64(w[0], w[1]); return done },
		"math/bits.Add64": func(m *Machine, g *G, w []uint64) status { w[3], w[4] = bits.Add64(w[0], w[1], w[2]); return done },
		"math/bits.Sub64": func(m *Machine, g *G, w []uint64) status { w[3], w[4] = bits.Sub64(w[0], w[1], w[2]); return done },

		// crypto
		"crypto/internal/boring/sig.StandardCrypto": nothing,
		"crypto/internal/boring/sig.BoringCrypto":   nothing,
		"crypto/fips140.isBypassed":                 constant0(0),
		"crypto/fips140.setBypass":                  nothing,
		"crypto/fips140.unsetBypass":                nothing,
		"crypto/internal/fips140.getIndicator":      func(m *Machine, g *G, w []uint64) status { w[0] = uint64(g.indicator); return done },
		"crypto/internal/fips140.setIndicator":      func(m *Machine, g *G, w []uint64) status { g.indicator = uint8(w[0]); return done },
		"crypto/internal/fips140.fatal":             throwText,
		"crypto/internal/sysrand.fatal":             throwText,
		"crypto/rand.fatal":                         throwText,
		"crypto/internal/constanttime.boolToUint8":  func(m *Machine, g *G, w []uint64) status { w[1] = w[0] & 1; return done },
		"crypto/subtle.setDITEnabled":               constant0(0),
		"crypto/subtle.setDITDisabled":              nothing,

		// testing
		"testing.heddleRunning":          func(m *Machine, g *G, w []uint64) status { return m.testsRun(g, w[0]&1 != 0) },
		"testing.heddleLate":             testLate,
		"testing.heddleFails":            testFails,
		"testing.heddleFailed":           testFailed,
		"testing.heddleFinishes":         testFinishes,
		"testing.heddleDidFail":          func(m *Machine, g *G, w []uint64) status { w[0] = b2w(m.tr.TestFailed); return done },
		"maps.clone":                     mapsClone,
		"testing.heddleCount":            entryCount,
		"testing.heddleCapture":          capture,
		"testing.heddleCaptured":         captured,
		"testing.heddleTestAt":           testAt(program.Test),
		"testing.heddleFuzzAt":           testAt(program.Fuzz),
		"testing.heddleExampleAt":        exampleAt,
		"runtime/debug.heddleMeasured":   func(m *Machine, _ *G, _ []uint64) status { m.measure("runtime/debug.ReadGCStats"); return done },
		"runtime/metrics.heddleMeasured": func(m *Machine, _ *G, _ []uint64) status { m.measure("runtime/metrics.Read"); return done },
		"testing.heddleMeasured":         func(m *Machine, g *G, w []uint64) status { m.measure("testing.AllocsPerRun"); return done },

		// internal/bytealg, strings
		"internal/bytealg.IndexByte":       func(m *Machine, g *G, w []uint64) status { return m.indexByte(g, w, (*Machine).view, 3, 4) },
		"internal/bytealg.IndexByteString": func(m *Machine, g *G, w []uint64) status { return m.indexByte(g, w, (*Machine).viewText, 2, 3) },
		"internal/bytealg.Count":           func(m *Machine, g *G, w []uint64) status { return m.countByte(g, w, (*Machine).view, 3, 4) },
		"internal/bytealg.CountString":     func(m *Machine, g *G, w []uint64) status { return m.countByte(g, w, (*Machine).viewText, 2, 3) },
		"internal/bytealg.Compare":         func(m *Machine, g *G, w []uint64) status { return m.compareBytes(g, w, (*Machine).view, 3, 6) },
		"internal/bytealg.CompareString":   func(m *Machine, g *G, w []uint64) status { return m.compareBytes(g, w, (*Machine).viewText, 2, 4) },
		"internal/bytealg.Index":           func(m *Machine, g *G, w []uint64) status { return m.indexBytes(g, w, (*Machine).view, 3, 6) },
		"internal/bytealg.IndexString":     func(m *Machine, g *G, w []uint64) status { return m.indexBytes(g, w, (*Machine).viewText, 2, 4) },
		"internal/bytealg.MakeNoZero":      makeNoZero,
		"internal/bytealg.Equal":           func(m *Machine, g *G, w []uint64) status { return m.equalBytes(g, w) },
		"bytes.Equal":                      func(m *Machine, g *G, w []uint64) status { return m.equalBytes(g, w) },
		"internal/abi.FuncPCABI0":          func(m *Machine, g *G, w []uint64) status { w[2] = m.funcPC(w[1]); return done },
		"internal/abi.FuncPCABIInternal":   func(m *Machine, g *G, w []uint64) status { w[2] = m.funcPC(w[1]); return done },

		// math
		"math.archFloor": math1(math.Floor), "math.archCeil": math1(math.Ceil), "math.archTrunc": math1(math.Trunc),
		"math.archExp": math1(math.Exp), "math.archSqrt": math1(math.Sqrt), "math.Sqrt": math1(math.Sqrt), "math.sqrt": math1(math.Sqrt),
		"math.Floor": math1(math.Floor), "math.Ceil": math1(math.Ceil), "math.Trunc": math1(math.Trunc), "math.archLog": math1(math.Log),
		"math.Abs": math1(math.Abs), "math.Exp": math1(math.Exp),
		"math.archHypot": math2(math.Hypot), "math.archMax": math2(math.Max), "math.archMin": math2(math.Min),
		"math.FMA": func(m *Machine, g *G, w []uint64) status {
			w[3] = math.Float64bits(math.FMA(math.Float64frombits(w[0]), math.Float64frombits(w[1]), math.Float64frombits(w[2])))
			return done
		},
		"math/rand.runtime_rand": randWord, "math/rand/v2.runtime_rand": randWord, "internal/rand.runtime_rand": randWord,
		"maps.rand": randWord, "os.runtime_rand": randWord, "hash/maphash.runtime_rand": randWord, "internal/sync.runtime_rand": randWord, "internal/concurrent.rand": randWord,
		"unique.runtime_registerUniqueMapCleanup":   nothing,
		"(runtime.Cleanup).Stop":                    nothing,
		"iter.newcoro":                              newCoro,
		"iter.coroswitch":                           coroSwitch,
		"internal/weak.runtime_registerWeakPointer": func(m *Machine, g *G, w []uint64) status { w[1] = w[0]; return done },
		"internal/weak.runtime_makeStrongFromWeak":  func(m *Machine, g *G, w []uint64) status { w[1] = w[0]; return done },
		"weak.runtime_registerWeakPointer":          func(m *Machine, g *G, w []uint64) status { w[1] = w[0]; return done },
		"weak.runtime_makeStrongFromWeak":           func(m *Machine, g *G, w []uint64) status { w[1] = w[0]; return done },
	}
}

func init() {
	boundary = boundaryTable()
	maps.Copy(boundary, inetBoundary)
	maps.Copy(boundary, foreign)
	maps.Copy(redirects, inet.Redirects)
	for _, t := range []struct {
		name string
		size uint32
	}{{"Int32", 4}, {"Int64", 8}, {"Uint32", 4}, {"Uint64", 8}, {"Uintptr", 8}, {"Pointer", 8}} {
		t := t
		signed := t.name == "Int32"
		ldw := func(p unsafe.Pointer) uint64 {
			switch {
			case t.size == 8:
				return *(*uint64)(p)
			case signed:
				return uint64(int64(*(*int32)(p)))
			}
			return uint64(*(*uint32)(p))
		}
		stw := func(p unsafe.Pointer, v uint64) {
			if t.size == 8 {
				*(*uint64)(p) = v
			} else {
				*(*uint32)(p) = uint32(v)
			}
		}
		rmw := func(args int, f func(old uint64, w []uint64) (new, ret uint64)) Intrinsic {
			return atomic(event.AtomicRMW, t.size, args, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) {
				old := ldw(p)
				n, _ := f(old, w)
				stw(p, n)
				n = ldw(p)
				_, ret := f(old, w)
				if ret == n {
					return n, true
				}
				return ret, true
			})
		}
		ptr := func(in Intrinsic, arg int) Intrinsic {
			if t.name == "Pointer" {
				return atomicPointer(in, arg)
			}
			return in
		}
		set := func(op string, in Intrinsic) { boundary["sync/atomic."+op+t.name] = in }
		set("Load", atomic(event.AtomicLoad, t.size, 1, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) { return ldw(p), false }))
		set("Store", ptr(atomic(event.AtomicStore, t.size, 2, 0, func(p unsafe.Pointer, w []uint64) (uint64, bool) { stw(p, w[1]); return w[1], true }), 1))
		set("Swap", ptr(rmw(2, func(old uint64, w []uint64) (uint64, uint64) { return w[1], old }), 1))
		set("CompareAndSwap", ptr(atomic(event.AtomicRMW, t.size, 3, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) {
			if ldw(p) != w[1] {
				return 0, false
			}
			stw(p, w[2])
			return 1, true
		}), 2))
		if t.name != "Pointer" {
			set("Add", atomic(event.AtomicRMW, t.size, 2, 1, func(p unsafe.Pointer, w []uint64) (uint64, bool) {
				stw(p, ldw(p)+w[1])
				return ldw(p), true
			}))
			set("And", rmw(2, func(old uint64, w []uint64) (uint64, uint64) { return old & w[1], old }))
			set("Or", rmw(2, func(old uint64, w []uint64) (uint64, uint64) { return old | w[1], old }))
		}
	}
	for name, hook := range map[string]Intrinsic{
		"testing.tRunner": func(m *Machine, g *G, w []uint64) status {
			if m.mode == running { // Exec runs one test after the other
				m.measured = ""
			}
			return testStarts(m, g, w)
		},
		"testing.fRunner": testStarts,
	} {
		watches[name] = hook
	}
	for name, hook := range testWatches() {
		watches[name] = hook
	}
	for name, hook := range hostWatches() {
		watches[name] = hook
	}
	reflectBoundary()
	instances["unique.Make"] = uniqueMake
	instances["runtime.AddCleanup"] = addCleanup
	instances["internal/abi.EscapeNonString"] = func(*Machine, *Func) Intrinsic { return nothing } // every variable whose address is taken is on the heap
}

// instances make the intrinsics of generic functions, one for each instance.
var instances = map[string]func(m *Machine, f *Func) Intrinsic{}

// watches are called when a function is entered; they change nothing the program can see.
var watches = map[string]Intrinsic{}

func nothing(*Machine, *G, []uint64) status { return done }

// zero makes every result zero: it is for functions whose only words are results, or whose parameters may be lost.
func zero(_ *Machine, _ *G, w []uint64) status {
	if len(w) > 0 {
		w[len(w)-1] = 0
	}
	return done
}

// unmeasured does nothing but note that the program asked for what the machine does not have: a test that fails after
// that may be no failure of the program's. The standard library's own requests do not count.
func unmeasured(name string) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if !g.callerStd() {
			m.measure(name)
		}
		return done
	}
}

// callerStd reports whether a function of the standard library called an intrinsic; package testing acts for its callers.
func (g *goStack) callerStd() bool {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if f := g.frames[i].f; f.intrinsic == nil && !strings.HasPrefix(f.name, "testing.") {
			return f.std
		}
	}
	return false // of a go statement
}

// finalizer registers what is to be done when an object dies, and never does it: Go promises no more. A program that goes on to
// ask for a collection expects it done, and what it does without may be the machine's fault.
func finalizer(name string) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		if !g.callerStd() {
			m.finalizer = name
		}
		return done
	}
}

// measure notes that the program asked for name.
func (m *requests) measure(name string) {
	m.measured = name
	if m.asked == nil {
		m.asked = map[string]bool{}
	}
	m.asked[name] = true
}

// Asked reports whether the last execution called a function that the machine has, but cannot answer as a
// real process does: testing.AllocsPerRun, runtime.ReadMemStats and their kin.
func (m *Machine) Asked(name string) bool { return m.asked[name] }

func constant0(v uint64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) status { w[0] = v; return done }
}

func constant1(v uint64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) status { w[1] = v; return done }
}

func bits1(f func(uint64) uint64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) status { w[1] = f(w[0]); return done }
}

func math1(f func(float64) float64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) status {
		w[1] = math.Float64bits(f(math.Float64frombits(w[0])))
		return done
	}
}

func math2(f func(a, b float64) float64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) status {
		w[2] = math.Float64bits(f(math.Float64frombits(w[0]), math.Float64frombits(w[1])))
		return done
	}
}

func sl(a [3]uint64) []uint64 { return a[:] }
