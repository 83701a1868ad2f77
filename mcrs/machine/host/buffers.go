package host

import (
	"encoding/binary"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says where a system call of package kernel leads to memory of the program's. Package kernel reads and
// writes without events, so the overlay of package inet gives it copies (given.go.txt there).

// A buffer is memory that a system call reads or writes.
type buffer struct {
	arg int    // which argument leads there, from 0
	n   uint64 // bytes
	how uint64
}

// What becomes of a buffer. The overlay has the same numbers.
const (
	reads   = 1 << iota
	writes  // it is written
	counted // so many bytes are written as the call returns
	heard   // Go's race detector sees it
	vector  // it is an array of iovec, and so are the bytes that those lead to
)

// sizes are the buffers whose size does not depend on the call.
var sizes = map[uint64][]buffer{
	4:   {{1, 144, writes}},                               // stat
	5:   {{1, 144, writes}},                               // fstat
	6:   {{1, 144, writes}},                               // lstat
	63:  {{0, 390, writes}},                               // uname
	96:  {{0, 16, writes}, {1, 8, writes}},                // gettimeofday
	97:  {{1, 16, writes}},                                // getrlimit
	98:  {{1, 144, writes}},                               // getrusage
	99:  {{0, 112, writes}},                               // sysinfo
	100: {{0, 32, writes}},                                // times
	118: {{0, 4, writes}, {1, 4, writes}, {2, 4, writes}}, // getresuid
	120: {{0, 4, writes}, {1, 4, writes}, {2, 4, writes}}, // getresgid
	137: {{1, 120, writes}},                               // statfs
	138: {{1, 120, writes}},                               // fstatfs
	160: {{1, 16, reads}},                                 // setrlimit
	201: {{0, 8, writes}},                                 // time
	228: {{1, 16, writes}},                                // clock_gettime
	229: {{1, 16, writes}},                                // clock_getres
	235: {{1, 32, reads}},                                 // utimes
	261: {{2, 32, reads}},                                 // futimesat
	262: {{2, 144, writes}},                               // newfstatat
	280: {{2, 32, reads}},                                 // utimensat
	302: {{2, 16, reads}, {3, 16, writes}},                // prlimit64
}

// buffersOf are those of a call.
func buffersOf(num uint64, a []uint64) []buffer {
	switch num {
	case 0, 17: // read, pread64
		return []buffer{{1, a[2], writes | counted | heard}}
	case 1, 18: // write, pwrite64
		return []buffer{{1, a[2], reads | heard}}
	case 19, 20, 295, 296: // readv, writev, preadv, pwritev
		return []buffer{{1, 16 * a[2], vector}}
	case 72: // fcntl
		switch a[1] {
		case 5: // F_GETLK
			return []buffer{{2, 32, reads | writes}}
		case 6, 7: // F_SETLK, F_SETLKW
			return []buffer{{2, 32, reads}}
		}
	case 79: // getcwd
		return []buffer{{0, a[1], writes | counted}}
	case 89, 217: // readlink, getdents64
		return []buffer{{1, a[2], writes | counted}}
	case 115: // getgroups
		return []buffer{{1, 4 * min(a[0], 1), writes}}
	case 267: // readlinkat
		return []buffer{{2, a[3], writes | counted}}
	case 318: // getrandom
		return []buffer{{0, a[1], writes | counted}}
	}
	return sizes[num]
}

// shared reports whether other goroutines may have n bytes at addr, and nobody has announced an access to them.
func shared(m *vm.Machine, g *vm.G, addr, n uint64) bool {
	if m.Direct || n == 0 || inFD(g) {
		return false
	}
	o := m.Mem.Object(addr)
	return o != nil && vm.SharedBytes(o) && n <= o.Size && addr-o.Base <= o.Size-n
}

// sysShared is syscall.heddleShared(p, n uintptr) bool.
func sysShared(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[2] = vm.Word(shared(m, g, w[0], w[1]))
	return vm.Done
}

// sysShares is syscall.heddleShares(trap, a1, a2, a3, a4 uintptr) bool.
func sysShares(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	any := false
	for _, b := range buffersOf(w[0], w[1:5]) {
		addr := w[1+b.arg]
		any = any || shared(m, g, addr, b.n)
		if b.how&vector == 0 || m.Direct {
			continue
		}
		if p, ok := m.Mem.Bytes(addr, b.n); ok {
			for ; len(p) >= 16; p = p[16:] {
				any = any || shared(m, g, binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[8:]))
			}
		}
	}
	w[5] = vm.Word(any)
	return vm.Done
}

// sysBuffer is syscall.heddleBuffer(i int, trap, a1, a2, a3, a4 uintptr) (arg int, n uintptr, how int).
func sysBuffer(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[6], w[7], w[8] = 0, 0, 0
	if bs := buffersOf(w[1], w[2:6]); w[0] < uint64(len(bs)) {
		b := bs[w[0]]
		w[6], w[7], w[8] = uint64(b.arg), b.n, b.how
		if b.how&vector == 0 && !shared(m, g, w[2+b.arg], b.n) {
			w[7] = 0
		}
	}
	return vm.Done
}
