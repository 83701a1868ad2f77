package main

import (
	"encoding/json"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"strings"
)

// This file defines the counters of native runs: changes to the standard library that exist for the go command only
// (its -overlay flag). GOROOT stays as it is.
//
// Counting begins when package testing starts the goroutine of a test. From then on go statements are counted, but for
// those in package testing. Of the system calls that are made through package syscall, which is all but the runtime's
// own, these are counted: those that make a socket, change a file (or could: opening /dev/null does not count), execute
// a program or send a signal. os.Exit writes the counts to the file that HEDDLE_COUNTS names.

// A change inserts text after the line that contains anchor, of a file in GOROOT/src.
type change struct{ file, anchor, insert string }

var changes = []change{
	{"runtime/proc.go", "func newproc(fn *funcval) {", "\theddleSpawned(sys.GetCallerPC())"},
	{"syscall/syscall_linux.go", "func RawSyscall6(trap, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err Errno) {", "\theddleCall(trap, a1, a2, a3)"},
	{"os/proc.go", "func Exit(code int) {", "\tsyscall.HeddleReport()"},
}

// added are files that the overlay adds.
var added = map[string]string{
	"runtime/zz_heddle.go": `package runtime

import (
	"internal/runtime/atomic"
	"internal/stringslite"
	"unsafe"
)

var (
	heddleOn     atomic.Uint32
	heddleSpawns atomic.Uint64
)

func heddleSpawned(pc uintptr) {
	name := funcname(findfunc(pc))
	if stringslite.HasPrefix(name, "testing.") {
		if stringslite.HasPrefix(name, "testing.(*T).Run") {
			heddleOn.Store(1)
		}
		return
	}
	if heddleOn.Load() != 0 {
		heddleSpawns.Add(1)
	}
}

//go:linkname heddleCounting syscall.heddleCounting
func heddleCounting() *uint32 { return (*uint32)(unsafe.Pointer(&heddleOn)) }

//go:linkname heddleGoroutines syscall.heddleGoroutines
func heddleGoroutines() uint64 { return heddleSpawns.Load() }
`,
	"syscall/zz_heddle.go": `package syscall

import "unsafe"

func heddleCounting() *uint32
func heddleGoroutines() uint64

var (
	heddleOn                                                            *uint32
	heddleSockets, heddleFiles, heddleTemporary, heddleExecs, heddleSignals uint32
	heddleTemp                                                          [64]byte
	heddleTempLen                                                       int
	heddleOut                                                           string
)

func init() {
	heddleOut, _ = Getenv("HEDDLE_COUNTS")
	t, _ := Getenv("TMPDIR")
	heddleTempLen = copy(heddleTemp[:], t)
	heddleOn = heddleCounting()
}

//go:nosplit
//go:norace
func heddleCall(trap, a1, a2, a3 uintptr) {
	if heddleOn == nil || *heddleOn == 0 {
		return
	}
	path := a2
	switch trap {
	case SYS_SOCKET, SYS_SOCKETPAIR:
		heddleSockets++
		return
	case SYS_EXECVE:
		heddleExecs++
		return
	case SYS_KILL, SYS_TGKILL, SYS_TKILL, 424: // pidfd_send_signal
		heddleSignals++
		return
	case SYS_OPENAT:
		if a3&(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC) == 0 || *(*[10]byte)(unsafe.Pointer(path)) == [10]byte{'/', 'd', 'e', 'v', '/', 'n', 'u', 'l', 'l'} {
			return
		}
	case SYS_MKDIRAT, SYS_UNLINKAT, SYS_RENAMEAT, 316 /* renameat2 */, SYS_LINKAT, SYS_FCHMODAT, SYS_FCHOWNAT, SYS_UTIMENSAT, SYS_MKNODAT:
	case SYS_SYMLINKAT:
		path = a3
	case SYS_OPEN, SYS_CREAT, SYS_MKDIR, SYS_UNLINK, SYS_RMDIR, SYS_RENAME, SYS_LINK, SYS_TRUNCATE, SYS_CHMOD, SYS_CHOWN, SYS_UTIMES:
		path = a1
	default:
		return
	}
	if *(*byte)(unsafe.Pointer(path)) != '/' && int32(a1) >= 0 { // below an open folder
		return
	}
	for i := 0; i < heddleTempLen; i++ {
		if *(*byte)(unsafe.Pointer(path + uintptr(i))) != heddleTemp[i] {
			heddleFiles++
			return
		}
	}
	heddleTemporary++
}

// HeddleReport writes the counts.
func HeddleReport() {
	if heddleOut == "" {
		return
	}
	n := heddleGoroutines()
	*heddleOn = 0
	fd, err := Open(heddleOut, O_WRONLY|O_CREAT|O_TRUNC, 0o644)
	if err != nil {
		return
	}
	var b []byte
	for _, v := range []uint64{n, uint64(heddleSockets), uint64(heddleFiles), uint64(heddleTemporary), uint64(heddleExecs), uint64(heddleSignals)} {
		var d [20]byte
		i := len(d)
		for first := true; first || v > 0; first = false {
			i--
			d[i] = byte('0' + v%10)
			v /= 10
		}
		b = append(append(b, d[i:]...), ' ')
	}
	Write(fd, b)
	Close(fd)
}
`,
}

// counts are what a test did natively.
type counts struct {
	Goroutines int // go statements outside of package testing
	Sockets    int
	Files      int // changes to files elsewhere than below the temporary folder
	Temporary  int // and there
	Execs      int
	Signals    int
}

// plain reports whether the test keeps to itself.
func (c *counts) plain() bool { return c.Sockets+c.Files+c.Temporary+c.Execs+c.Signals == 0 }

// temporary reports whether all it does is to use temporary files.
func (c *counts) temporary() bool { return c.Temporary > 0 && c.Sockets+c.Files+c.Execs+c.Signals == 0 }

// writeOverlay writes the changed files and those that are added below dir. It returns the name of the file that the go
// command's -overlay flag takes.
func writeOverlay(dir string, changes []change, added map[string]string) (string, error) {
	src := filepath.Join(build.Default.GOROOT, "src")
	replace := map[string]string{}
	put := func(file, text string) error {
		to := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		replace[filepath.Join(src, filepath.FromSlash(file))] = to
		return os.WriteFile(to, []byte(text), 0o666)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	for _, c := range changes {
		data, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(c.file)))
		if err != nil {
			return "", err
		}
		before, after, ok := strings.Cut(string(data), c.anchor+"\n")
		if !ok {
			return "", fmt.Errorf("%s has no line %q: what is added to the standard library does not fit this version of Go", c.file, c.anchor)
		}
		if err := put(c.file, before+c.anchor+"\n"+c.insert+"\n"+after); err != nil {
			return "", err
		}
	}
	for file, text := range added {
		if err := put(file, text); err != nil {
			return "", err
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, data, 0o666)
}
