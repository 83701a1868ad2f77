package boundary

import (
	"github.com/heddle-go/heddle/mcrs/machine/host"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file lists assembly of modules outside the standard library that has no Go alternative and whose meaning is
// plain: what it does is the machine's. Each row has the reason why it is known. (System calls of
// golang.org/x/sys/unix are in package inet.)

var foreign = map[string]vm.Intrinsic{
	// The processor has no extensions: a plain amd64, as for the standard library's own internal/cpu.
	"golang.org/x/sys/cpu.cpuid":                            cpuid,
	"golang.org/x/sys/cpu.xgetbv":                           xgetbv,
	"vendor/golang.org/x/sys/cpu.cpuid":                     cpuid,
	"vendor/golang.org/x/sys/cpu.xgetbv":                    xgetbv,
	"github.com/tetratelabs/wazero/internal/platform.cpuid": cpuidRanges,

	"github.com/klauspost/cpuid/v2.asmCpuid":     func(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status { clear(w[1:5]); return vm.Done },
	"github.com/klauspost/cpuid/v2.asmCpuidex":   cpuid,
	"github.com/klauspost/cpuid/v2.asmXgetbv":    func(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status { w[1], w[2] = 0, 0; return vm.Done },
	"github.com/klauspost/cpuid/v2.asmRdtscpAsm": func(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status { clear(w[:4]); return vm.Done },

	// The number of the goroutine, read out of the runtime's g: it is the one in the texts of stacks.
	"github.com/petermattis/goid.Get": goroutineNumber,

	// System calls that cannot fail, as package syscall has them.
	"golang.org/x/sys/unix.SyscallNoError":    host.SysNoError,
	"golang.org/x/sys/unix.RawSyscallNoError": host.SysNoError,
	"golang.org/x/sys/unix.gettimeofday":      gettimeofday,
}

// cpuid(eax, ecx uint32) (eax, ebx, ecx, edx uint32)
func cpuid(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status { clear(w[2:6]); return vm.Done }

// cpuidRanges is cpuid for who takes it that leaves 1 and 0x80000001 are there.
func cpuidRanges(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	leaf := uint32(w[0])
	clear(w[2:6])
	if leaf&^(1<<31) == 0 {
		w[2] = uint64(leaf | 1)
	}
	return vm.Done
}

// xgetbv() (eax, edx uint32)
func xgetbv(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status { w[0], w[1] = 0, 0; return vm.Done }

// goroutineNumber is func() int64.
func goroutineNumber(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[0] = uint64(number(m, g))
	return vm.Done
}
