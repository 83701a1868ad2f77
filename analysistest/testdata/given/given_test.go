// Package given has programs that give memory to functions of the standard library that work in silence, or whose bodies
// are the machine's. What these read and write of it other goroutines see.
package given

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"reflect"
	"runtime/debug"
	"sync"
	"syscall"
	"testing"
)

func seenUnderLock(write func(), seen func() bool) (was bool) {
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		write()
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	was = seen()
	mu.Unlock()
	<-done
	return was
}

// finds: testfailure
func TestGivenPoolNew(t *testing.T) {
	var p sync.Pool
	if seenUnderLock(func() { p.New = func() any { return 1 } }, func() bool { return p.Get() != nil }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenSyscallError(t *testing.T) {
	e := &os.SyscallError{Syscall: "a", Err: io.EOF}
	if seenUnderLock(func() { e.Syscall = "b" }, func() bool { return e.Error() == "b: EOF" }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenIsNotExist(t *testing.T) {
	e := &fs.PathError{Err: io.EOF}
	if seenUnderLock(func() { e.Err = fs.ErrNotExist }, func() bool { return os.IsNotExist(e) }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenLinkErrorUnwrap(t *testing.T) {
	e := &os.LinkError{Err: io.EOF}
	if seenUnderLock(func() { e.Err = fs.ErrNotExist }, func() bool { return errors.Is(e, fs.ErrNotExist) }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenStat(t *testing.T) {
	var st syscall.Stat_t
	if seenUnderLock(func() { syscall.Stat(".", &st) }, func() bool { return st.Mode != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenGetrlimit(t *testing.T) {
	var st syscall.Rlimit
	if seenUnderLock(func() { syscall.Getrlimit(syscall.RLIMIT_CORE, &st) }, func() bool { return st.Max != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenUname(t *testing.T) {
	var st syscall.Utsname
	if seenUnderLock(func() { syscall.Uname(&st) }, func() bool { return st.Sysname[0] != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenRead(t *testing.T) {
	b := make([]byte, 4)
	fd, err := syscall.Open("go.mod", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if seenUnderLock(func() { syscall.Read(fd, b) }, func() bool { return b[0] == 'm' }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenWrite(t *testing.T) {
	b := make([]byte, 4)
	c := make([]byte, 4)
	fd, err := syscall.Open(t.TempDir()+"/x", syscall.O_RDWR|syscall.O_CREAT, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	if seenUnderLock(func() { b[0] = 7 }, func() bool { syscall.Write(fd, b); syscall.Pread(fd, c, 0); return c[0] == 7 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenPipe(t *testing.T) {
	var p [2]int
	if seenUnderLock(func() { syscall.Pipe(p[:]) }, func() bool { return p[0] != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenTimeval(t *testing.T) {
	var p syscall.Timeval
	if seenUnderLock(func() { p.Sec = 1 }, func() bool { return p.Nano() != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenIovec(t *testing.T) {
	var p syscall.Iovec
	if seenUnderLock(func() { p.SetLen(1) }, func() bool { return p.Len != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenSockaddr(t *testing.T) {
	sa := &syscall.SockaddrUnix{Name: "@a"}
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	if seenUnderLock(func() { sa.Name = "@b" }, func() bool {
		syscall.Bind(fd, sa)
		x, err := syscall.Getsockname(fd)
		if err != nil {
			t.Log(err)
		}
		return x.(*syscall.SockaddrUnix).Name == "@b"
	}) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenBuildInfo(t *testing.T) {
	b := &debug.BuildInfo{}
	if seenUnderLock(func() { b.Path = "x" }, func() bool { return b.String() != "" }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenBuffers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	b := net.Buffers{[]byte("a"), []byte("b")}
	if seenUnderLock(func() { b.WriteTo(c) }, func() bool { return len(b) == 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenBenchmarkResult(t *testing.T) {
	r := testing.BenchmarkResult{Extra: map[string]float64{}}
	if seenUnderLock(func() { r.Extra["ns/op"] = 7 }, func() bool { return r.NsPerOp() == 7 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenRunTestGivens(t *testing.T) {
	ran := false
	ts := []testing.InternalTest{{Name: "a", F: func(*testing.T) {}}}
	if seenUnderLock(func() { ts[0].F = func(*testing.T) { ran = true } }, func() bool {
		testing.RunTests(func(a, b string) (bool, error) { return true, nil }, ts)
		return ran
	}) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenPid(t *testing.T) {
	p, _ := os.FindProcess(os.Getpid())
	if seenUnderLock(func() { p.Pid = -1 }, func() bool { return p.Signal(syscall.Signal(0)) != nil }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenDirent(t *testing.T) {
	dir, names, b := t.TempDir(), make([]string, 0, 1), make([]byte, 256)
	if err := os.Mkdir(dir+"/x", 0o777); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Open(dir, syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if seenUnderLock(func() { syscall.ReadDirent(fd, b) }, func() bool { _, n, _ := syscall.ParseDirent(b, -1, names); return n > 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenRights(t *testing.T) {
	fds := []int{1}
	if seenUnderLock(func() { fds[0] = 3 }, func() bool {
		b := syscall.UnixRights(fds...)
		return b[16] == 3
	}) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenFstatOfSocket(t *testing.T) {
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	var st syscall.Stat_t
	if seenUnderLock(func() { syscall.Fstat(p[0], &st) }, func() bool { return st.Mode != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenReleased(t *testing.T) {
	p, _ := os.FindProcess(os.Getpid())
	if seenUnderLock(func() { p.Release() }, func() bool { return p.Signal(syscall.Signal(0)) != nil }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenPread(t *testing.T) {
	b := make([]byte, 4)
	fd, err := syscall.Open("go.mod", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if seenUnderLock(func() { syscall.Pread(fd, b, 0) }, func() bool { return b[0] == 'm' }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenGettimeofday(t *testing.T) {
	var tv syscall.Timeval
	if seenUnderLock(func() { syscall.Gettimeofday(&tv) }, func() bool { return tv.Sec != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenRandRead(t *testing.T) {
	b := make([]byte, 8)
	if seenUnderLock(func() { rand.Read(b) }, func() bool { return b[0] != 0 || b[1] != 0 }) {
		t.Error("seen")
	}
}

// finds: testfailure
func FuzzGiven(f *testing.F) {
	args, add := []any{1}, f.Add
	if seenUnderLock(func() { args[0] = 2 }, func() bool { add(args...); return false }) {
	}
	f.Fuzz(func(t *testing.T, n int) {
		if n == 2 {
			t.Error("seen")
		}
	})
}

// finds: testfailure
func TestGivenIsZero(t *testing.T) {
	a := [3]int{}
	if seenUnderLock(func() { a[0] = 1 }, func() bool { return !reflect.ValueOf(&a).Elem().IsZero() }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenMapIter(t *testing.T) {
	a := map[int]int{1: 1}
	it := reflect.ValueOf(a).MapRange()
	if seenUnderLock(func() { it.Next() }, func() bool { return !it.Next() }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenMapIterKey(t *testing.T) {
	a := map[int]int{1: 1, 2: 2}
	it := reflect.ValueOf(a).MapRange()
	it.Next()
	k := it.Key().Int()
	if seenUnderLock(func() { it.Next() }, func() bool { return it.Key().Int() != k }) {
		t.Error("seen")
	}
}

// finds: testfailure
func TestGivenMapIterReset(t *testing.T) {
	a := map[int]int{1: 1}
	it := reflect.ValueOf(a).MapRange()
	it.Next()
	if seenUnderLock(func() { it.Reset(reflect.ValueOf(a)) }, func() bool { return it.Next() }) {
		t.Error("seen")
	}
}

// finds: datarace
func TestRaceOutput(t *testing.T) {
	b := make([]byte, 4)
	beside(func() { b[0] = 1 }, func() { t.Output().Write(b) })
}

// finds: datarace
func TestRaceSyscallError(t *testing.T) {
	e := &os.SyscallError{Err: io.EOF}
	beside(func() { e.Syscall = "b" }, func() { _ = e.Error() })
}

// finds: datarace
func TestRaceRead(t *testing.T) {
	b := make([]byte, 4)
	fd, err := syscall.Open("go.mod", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	beside(func() { b[0] = 1 }, func() { syscall.Read(fd, b) })
}

// finds: datarace
func TestRacePipe(t *testing.T) {
	var p [2]int
	beside(func() { p[0] = 1 }, func() { syscall.Pipe(p[:]) })
}

func beside(a, b func()) {
	done := make(chan bool)
	go func() {
		a()
		done <- true
	}()
	b()
	<-done
}

// The race detector does not see what the kernel writes, nor what packages sync and internal/runtime/maps touch.

func TestQuietStat(t *testing.T) {
	var st syscall.Stat_t
	beside(func() { syscall.Stat(".", &st) }, func() { st.Mode = 0 })
}

func TestQuietGettimeofday(t *testing.T) {
	var tv syscall.Timeval
	beside(func() { syscall.Gettimeofday(&tv) }, func() { tv.Sec = 0 })
}

func TestQuietPoolNew(t *testing.T) {
	var p sync.Pool
	beside(func() { p.New = func() any { return 1 } }, func() { p.Get() })
}

func TestQuietMapIter(t *testing.T) {
	it := reflect.ValueOf(map[int]int{1: 1, 2: 2}).MapRange()
	it.Next()
	beside(func() { it.Next() }, func() { it.Key() })
}

func TestQuietIsZero(t *testing.T) {
	a := [3]int{}
	beside(func() { a[0] = 1 }, func() { reflect.ValueOf(&a).Elem().IsZero() })
}

// Each has memory of its own.

func TestQuietOwnBuffers(t *testing.T) {
	var a, b syscall.Stat_t
	if seenUnderLock(func() { syscall.Stat(".", &a) }, func() bool { return b.Mode != 0 }) {
		t.Error("seen")
	}
}

func TestQuietWriteOfRead(t *testing.T) {
	b := bytes.Repeat([]byte{'m'}, 4)
	fd, err := syscall.Open("go.mod", syscall.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !seenUnderLock(func() { syscall.Read(fd, b[:1]) }, func() bool { return b[0] == 'm' }) {
		t.Error("not seen")
	}
}
