//go:build linux && amd64

package kernel

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/apart"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/calls"
)

// The tests in this file run every operation twice: here, and in the kernel of
// the host, in a folder of its own that the thread is confined to.

// A flat is a stretch of memory from base on.
type flat []byte

const base = 1 << 20

func (f flat) ReadBytes(a uint64, n int) ([]byte, bool) {
	if n < 0 || a < base || a-base > uint64(len(f)) || uint64(n) > uint64(len(f))-(a-base) {
		return nil, false
	}
	return bytes.Clone(f[a-base : a-base+uint64(n)]), true
}

func (f flat) WriteBytes(a uint64, p []byte) bool {
	if a < base || a-base > uint64(len(f)) || uint64(len(p)) > uint64(len(f))-(a-base) {
		return false
	}
	copy(f[a-base:], p)
	return true
}

// Arguments of an operation besides integers and strings.
type (
	out    int    // a buffer of that many bytes to fill
	handle string // the descriptor saved under that name
)

// An op is a system call; what it returns may be saved as a descriptor.
type op struct {
	call string
	args []any
	save string
}

func sys(call string, args ...any) op { return op{call: call, args: args} }
func (o op) as(name string) op        { o.save = name; return o }

func (o op) String() string {
	var s []string
	for _, a := range o.args {
		if t, ok := a.(string); ok {
			a = fmt.Sprintf("%.80q", t)
		}
		if t, ok := a.([]byte); ok && len(t) > 32 {
			a = fmt.Sprintf("%d bytes", len(t))
		}
		s = append(s, fmt.Sprint(a))
	}
	if o.save != "" {
		s = append(s, "-> "+o.save)
	}
	return o.call + "(" + strings.Join(s, ", ") + ")"
}

type answerOf struct {
	r, e uint64
	bufs [][]byte
}

var numbers = func() map[string]uint64 {
	m := map[string]uint64{}
	for i, n := range calls.Names {
		m[n] = uint64(i)
	}
	return m
}()

// A world performs operations.
type world struct {
	handles map[string]uint64
	well    map[string]int // calls that succeeded
	raw     func(num uint64, a [6]uint64, bufs [][]byte) (r, e uint64)
	k       *Kernel
}

func (w *world) do(o op) answerOf {
	var a [6]uint64
	var bufs [][]byte // one for each argument, nil for numbers
	for i, v := range o.args {
		var b []byte
		switch v := v.(type) {
		case int:
			a[i] = uint64(v)
		case uint64:
			a[i] = v
		case string:
			b = append([]byte(v), 0)
		case []byte:
			b = append(make([]byte, 0, len(v)+1), v...)
		case out:
			b = make([]byte, v, v+1)
		case handle:
			a[i] = 1<<64 - 1
			if h, ok := w.handles[string(v)]; ok {
				a[i] = h
			}
		}
		bufs = append(bufs, b)
	}
	r, e := w.raw(numbers[o.call], a, bufs)
	if o.save != "" {
		delete(w.handles, o.save)
		if e == 0 {
			w.handles[o.save] = r
			r = 0
		}
	}
	var outs [][]byte
	for i, v := range o.args {
		if _, ok := v.(out); ok {
			outs = append(outs, bufs[i])
		}
	}
	return answerOf{r, e, normal4(o.call, r, e, outs)}
}

// normal4 leaves of what a call filled in what both kernels must agree on.
func normal4(call string, r, e uint64, outs [][]byte) [][]byte {
	if e != 0 || len(outs) == 0 {
		return nil
	}
	b := outs[0]
	switch call {
	case "stat", "lstat", "fstat", "newfstatat":
		mode := le.Uint32(b[24:])
		size := le.Uint64(b[48:])
		if mode&sIFMT == sIFDIR {
			size = 0
		}
		return [][]byte{fmt.Appendf(nil, "links %d mode %o size %d", le.Uint64(b[16:]), mode, size)}
	case "statfs", "fstatfs": // which one it is, and how large, is its own
		return [][]byte{fmt.Appendf(nil, "blocks of %d and %d, names of %d", le.Uint64(b[8:]), le.Uint64(b[72:]), le.Uint64(b[64:]))}
	case "getdents64":
		var l []string
		for b = b[:r]; len(b) > 0; b = b[le.Uint16(b[16:]):] {
			name, _, _ := strings.Cut(string(b[19:]), "\x00")
			l = append(l, fmt.Sprintf("%s:%d", name, b[18]))
		}
		slices.Sort(l)
		return [][]byte{[]byte(strings.Join(l, " "))}
	}
	return outs
}

func emulated(k *Kernel) *world {
	w := &world{handles: map[string]uint64{}, k: k}
	performed := 0
	w.raw = func(num uint64, a [6]uint64, bufs [][]byte) (uint64, uint64) {
		var m flat
		at := make([]int, len(bufs))
		for i, b := range bufs {
			if b != nil {
				at[i] = len(m)
				a[i] = base + uint64(len(m))
				m = append(m, b...)
			}
		}
		m = slices.Clip(m)
		call := k.Syscall
		if performed++; performed%2 == 0 && apart.Aware[num] {
			call = k.inSteps
		}
		r, _, e, ok := call(m, num, a[0], a[1], a[2], a[3], a[4], a[5])
		if !ok {
			e = 1000
		}
		for i, b := range bufs {
			copy(b, m[at[i]:])
		}
		if e != 0 {
			r = 0
		}
		return r, e
	}
	return w
}

func native() *world {
	w := &world{handles: map[string]uint64{}, well: map[string]int{}}
	w.raw = func(num uint64, a [6]uint64, bufs [][]byte) (uint64, uint64) {
		for i, b := range bufs {
			if b != nil {
				a[i] = uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
			}
		}
		r, _, e := syscall.RawSyscall6(uintptr(num), uintptr(a[0]), uintptr(a[1]), uintptr(a[2]), uintptr(a[3]), uintptr(a[4]), uintptr(a[5]))
		runtime.KeepAlive(bufs)
		if e != 0 {
			r = 0
		}
		return uint64(r), uint64(e)
	}
	return w
}

// confined runs f on a thread that sees only a folder with /dev and /tmp in it,
// stands in /tmp/w, and acts as an ordinary user. The thread ends with f.
func confined(t *testing.T, f func()) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("the comparison with the host's kernel needs chroot")
	}
	dir := t.TempDir()
	for _, d := range []string{"", "dev", "etc", "proc", "sys", "usr", "tmp", "tmp/w"} {
		os.Mkdir(filepath.Join(dir, d), 0o755)
		if err := os.Chown(filepath.Join(dir, d), uid, uid); err != nil {
			t.Skip(err)
		}
	}
	os.Chmod(filepath.Join(dir, "tmp"), 0o777|fs.ModeSticky)
	fail := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread is not used again
		_, _, e := syscall.RawSyscall(syscall.SYS_UNSHARE, syscall.CLONE_FS, 0, 0)
		if e == 0 {
			p, _ := syscall.BytePtrFromString(dir)
			_, _, e = syscall.RawSyscall(syscall.SYS_CHROOT, uintptr(unsafe.Pointer(p)), 0, 0)
		}
		if e != 0 {
			fail <- e
			return
		}
		p, _ := syscall.BytePtrFromString("/tmp/w")
		syscall.RawSyscall(syscall.SYS_CHDIR, uintptr(unsafe.Pointer(p)), 0, 0)
		// The runtime's own signals cut a getdents64 short.
		all := ^uint64(0)
		syscall.RawSyscall6(syscall.SYS_RT_SIGPROCMASK, 0, uintptr(unsafe.Pointer(&all)), 0, 8, 0, 0)
		syscall.RawSyscall(syscall.SYS_UMASK, 0o022, 0, 0)
		syscall.RawSyscall(syscall.SYS_SETFSGID, uid, 0, 0)
		syscall.RawSyscall(syscall.SYS_SETFSUID, uid, 0, 0)
		defer close(fail)
		f()
	}()
	if err := <-fail; err != nil {
		t.Skip(err)
	}
}

// inside makes the emulated counterpart of confined.
func inside(t *testing.T) *world {
	k := New(Config{})
	w := emulated(k)
	for _, o := range []op{sys("mkdir", "/tmp/w", 0o755), sys("chdir", "/tmp/w")} {
		if a := w.do(o); a.e != 0 {
			t.Error(o, a.e)
		}
	}
	return w
}

// compare performs the operations in both worlds. It returns what differed.
func compare(t *testing.T, ops []op, after func(*world) []op) (performed, succeeded int) {
	confined(t, func() {
		nat, emu := native(), inside(t)
		one := func(i int, o op) bool {
			performed++
			want, got := nat.do(o), emu.do(o)
			if want.e != got.e || want.r != got.r || !slices.EqualFunc(want.bufs, got.bufs, bytes.Equal) {
				var b strings.Builder
				for _, p := range ops[max(0, min(i, len(ops))-40):min(i, len(ops))] {
					fmt.Fprintln(&b, "\t", p)
				}
				t.Errorf("%v:\n Linux    %d errno %d %.80q\n emulated %d errno %d %.80q %s\nafter\n%s", o, want.r, want.e, want.bufs, got.r, got.e, got.bufs, emu.k.Unsupported(), b.String())
				return false
			}
			if want.e == 0 {
				succeeded++
				nat.well[o.call]++
			}
			return true
		}
		defer func() {
			for _, h := range nat.handles {
				syscall.Close(int(h))
			}
		}()
		for i, o := range ops {
			if !one(i, o) {
				return
			}
		}
		if after != nil {
			for _, o := range after(nat) {
				if !one(len(ops), o) {
					return
				}
			}
		}
	})
	return performed, succeeded
}
