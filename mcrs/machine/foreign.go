package machine

// This file lists assembly of modules outside the standard library that has no Go alternative and whose meaning is plain: what it does is the machine's. Each row
// has the reason why it is known. (System calls of golang.org/x/sys/unix are in package inet.)

var foreign = map[string]Intrinsic{
	// The processor has no extensions: a plain amd64, as for the standard library's own internal/cpu.
	"golang.org/x/sys/cpu.cpuid":                 cpuid,
	"golang.org/x/sys/cpu.xgetbv":                xgetbv,
	"vendor/golang.org/x/sys/cpu.cpuid":          cpuid,
	"vendor/golang.org/x/sys/cpu.xgetbv":         xgetbv,
	"github.com/klauspost/cpuid/v2.asmCpuid":     func(_ *Machine, _ *G, w []uint64) status { clear(w[1:5]); return done },
	"github.com/klauspost/cpuid/v2.asmCpuidex":   cpuid,
	"github.com/klauspost/cpuid/v2.asmXgetbv":    func(_ *Machine, _ *G, w []uint64) status { w[1], w[2] = 0, 0; return done },
	"github.com/klauspost/cpuid/v2.asmRdtscpAsm": func(_ *Machine, _ *G, w []uint64) status { clear(w[:4]); return done },

	// The number of the goroutine, read out of the runtime's g: it is the one in the texts of stacks.
	"github.com/petermattis/goid.Get": goroutineNumber,

	// System calls that cannot fail, as package syscall has them.
	"golang.org/x/sys/unix.SyscallNoError":    sysNoError,
	"golang.org/x/sys/unix.RawSyscallNoError": sysNoError,
	"golang.org/x/sys/unix.gettimeofday":      gettimeofday,
}

// cpuid(eax, ecx uint32) (eax, ebx, ecx, edx uint32)
func cpuid(_ *Machine, _ *G, w []uint64) status { clear(w[2:6]); return done }

// xgetbv() (eax, edx uint32)
func xgetbv(_ *Machine, _ *G, w []uint64) status { w[0], w[1] = 0, 0; return done }

// goroutineNumber is func() int64.
func goroutineNumber(m *Machine, g *G, w []uint64) status { w[0] = uint64(m.number(g)); return done }
