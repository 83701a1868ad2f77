package kernel

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/calls"
)

// mem is a small memory: one object from 1<<20 on.
type mem []byte

func (m mem) ReadBytes(a uint64, n int) ([]byte, bool) {
	a -= 1 << 20
	if n < 0 || a > uint64(len(m)) || uint64(n) > uint64(len(m))-a {
		return nil, false
	}
	return bytes.Clone(m[a : a+uint64(n)]), true
}

func (m mem) WriteBytes(a uint64, p []byte) bool {
	a -= 1 << 20
	if a > uint64(len(m)) || uint64(len(p)) > uint64(len(m))-a {
		return false
	}
	copy(m[a:], p)
	return true
}

// user calls a kernel as a program would.
type user struct {
	t *testing.T
	k *Kernel
}

var numberOf = func() map[string]uint64 {
	m := map[string]uint64{}
	for i, n := range calls.Names {
		m[n] = uint64(i)
	}
	return m
}()

// call passes integers, strings, and buffers, which it fills.
func (u user) call(name string, args ...any) (uint64, errno) {
	u.t.Helper()
	var a [6]uint64
	var m mem
	at := map[int]int{}
	for i, v := range args {
		switch v := v.(type) {
		case int:
			a[i] = uint64(v)
		case uint64:
			a[i] = v
		case string:
			a[i] = 1<<20 + uint64(len(m))
			m = append(append(m, v...), 0)
		case []byte:
			at[i] = len(m)
			a[i] = 1<<20 + uint64(len(m))
			m = append(m, v...)
		}
	}
	r, _, e, ok := u.k.Syscall(m, numberOf[name], a[0], a[1], a[2], a[3], a[4], a[5])
	if !ok {
		return 0, eUnsupported
	}
	for i, o := range at {
		copy(args[i].([]byte), m[o:])
	}
	return r, errno(e)
}

func (u user) must(name string, args ...any) uint64 {
	u.t.Helper()
	r, e := u.call(name, args...)
	if e != 0 {
		u.t.Fatalf("%s%.100q: errno %d %s", name, args, e, u.k.Unsupported())
	}
	return r
}

func (u user) fails(want errno, name string, args ...any) {
	u.t.Helper()
	if r, e := u.call(name, args...); e != want {
		u.t.Errorf("%s%.100q: %d errno %d, want errno %d", name, args, r, e, want)
	}
}

func (u user) readFile(path string) string {
	u.t.Helper()
	fd := u.must("openat", -100, path, 0, 0)
	defer u.must("close", fd)
	b := make([]byte, 4000)
	return string(b[:u.must("read", fd, b, len(b))])
}

func (u user) writeFile(path, s string) {
	u.t.Helper()
	fd := u.must("openat", -100, path, oCREAT|oTRUNC|oWRONLY, 0o644)
	u.must("write", fd, []byte(s), len(s))
	u.must("close", fd)
}

func (u user) list(path string) []string {
	u.t.Helper()
	fd := u.must("openat", -100, path, oDIRECTORY, 0)
	defer u.must("close", fd)
	var l []string
	for {
		b := make([]byte, 200)
		n := u.must("getdents64", fd, b, len(b))
		if n == 0 {
			return l
		}
		for b = b[:n]; len(b) > 0; b = b[le.Uint16(b[16:]):] {
			name, _, _ := strings.Cut(string(b[19:]), "\x00")
			l = append(l, name)
		}
	}
}

// hostTree makes a package's folder with links that lead out of it.
func hostFolder(t *testing.T) (outside, root string) {
	outside = t.TempDir()
	root = filepath.Join(outside, "pkg")
	for _, d := range []string{"pkg/testdata/sub", "secret"} {
		if err := os.MkdirAll(filepath.Join(outside, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"pkg/x_test.go", "pkg/testdata/golden", "secret/key", "other"} {
		if err := os.WriteFile(filepath.Join(outside, f), []byte("content of "+f), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"pkg/in": "testdata/golden", "pkg/abs": filepath.Join(root, "testdata"), "pkg/out": "../secret/key", "pkg/outabs": filepath.Join(outside, "secret"),
		"pkg/proc": "/proc/self/root", "pkg/etc": "/opt", "pkg/loop": "loop", "pkg/testdata/up": "..",
	} {
		if err := os.Symlink(target, filepath.Join(outside, link)); err != nil {
			t.Fatal(err)
		}
	}
	return outside, root
}

func TestWhatIsSeenOfTheHost(t *testing.T) {
	outside, root := hostFolder(t)
	var seen []string
	u := user{t, New(Config{Root: root, HostRead: func(p string) { seen = append(seen, strings.TrimPrefix(p, root)) }})}
	defer u.k.Close()
	cwd := make([]byte, 300)
	if n := u.must("getcwd", cwd, 300); string(cwd[:n-1]) != root {
		t.Errorf("current folder %q", cwd[:n])
	}
	for _, p := range []string{"testdata/golden", "in", "abs/golden", "testdata/up/in", root + "/in", "../pkg/in", "/dev/.." + root + "/abs/up/abs/golden"} {
		if got := u.readFile(p); got != "content of pkg/testdata/golden" {
			t.Errorf("%s: %q", p, got)
		}
	}
	if !slices.Contains(seen, "/testdata/golden") {
		t.Errorf("not reported: %q", seen)
	}
	if seen = nil; true {
		u.fails(eNOENT, "newfstatat", -100, "testdata/missing", make([]byte, 144), 0)
		if !slices.Equal(seen, []string{"/testdata/missing"}) {
			t.Errorf("a missing file is not reported: %q", seen)
		}
	}
	for _, p := range []string{"out", "outabs", "outabs/key", "proc", "proc/etc/passwd", "etc", "etc/bin", "../other", "../secret", "../secret/key", outside + "/secret/key", "/etc/fstab", "/proc/self/root" + outside + "/other",
		"/proc/self/environ", "/proc/self/fd/0", "/sys/class", "/sys/fs/cgroup/cpu.max", "/dev/mem", "/dev/tty", "testdata/../../secret/key", "testdata/up/../secret/key", "abs/../../other"} {
		u.fails(eNOENT, "openat", -100, p, 0, 0)
		u.fails(eNOENT, "newfstatat", -100, p, make([]byte, 144), 0)
	}
	u.fails(eLOOP, "openat", -100, "loop", 0, 0)
	u.fails(eXDEV, "rename", "x_test.go", "/tmp/x")
	u.fails(eXDEV, "link", "x_test.go", "/tmp/x")
	u.fails(eEXIST, "mkdir", "testdata", 0o700)
	u.fails(eBUSY, "rmdir", root)
	if got, want := u.list("."), []string{".", "..", "abs", "etc", "in", "loop", "out", "outabs", "proc", "testdata", "x_test.go"}; !slices.Equal(got, want) {
		t.Errorf("list: %q", got)
	}
	// What is made in the folder, and beside it, stays in memory.
	mark := u.k.Snapshot()
	for _, c := range [][]any{
		{"openat", -100, "x_test.go", oRDWR, 0}, {"openat", -100, "new", oCREAT | oWRONLY, 0o600}, {"mkdir", "testdata/d", 0o700}, {"rename", "x_test.go", "y"}, {"symlink", "a", "b"},
		{"chmod", "y", 0o600}, {"truncate", "y", 3}, {"utimensat", -100, "y", 0, 0}, {"chown", "y", -1, -1}, {"access", "y", 2}, {"link", "y", "z"}, {"unlink", "testdata/golden"}, {"unlink", "testdata/up"},
		{"rmdir", "testdata/sub"}, {"rmdir", "testdata/d"}, {"rmdir", "testdata"}, {"openat", -100, "new", oTRUNC | oWRONLY, 0},
	} {
		u.must(c[0].(string), c[1:]...)
	}
	if got := u.readFile("z"); got != "con" {
		t.Errorf("written over: %q", got)
	}
	if got, want := u.list("."), []string{".", "..", "abs", "etc", "in", "loop", "out", "outabs", "proc", "new", "y", "b", "z"}; !slices.Equal(got, want) {
		t.Errorf("list: %q", got)
	}
	u.fails(eNOENT, "openat", -100, "in", 0, 0)
	u.k.Restore(mark)
	if got := u.readFile("in") + " " + u.readFile("x_test.go"); got != "content of pkg/testdata/golden content of pkg/x_test.go" {
		t.Errorf("after Restore: %q", got)
	}
	if got, err := os.ReadDir(root); err != nil || len(got) != 9 {
		t.Errorf("on the host: %v %v", got, err)
	}
	u.writeFile("../other", "mine")
	u.writeFile("/tmp/f", "mine too")
	u.must("symlink", root+"/testdata", "/tmp/td")
	if u.readFile("../other") != "mine" || u.readFile("/tmp/td/golden") != "content of pkg/testdata/golden" {
		t.Error("memory and host do not meet")
	}
	if b, _ := os.ReadFile(filepath.Join(outside, "other")); string(b) != "content of other" {
		t.Errorf("the host's file was changed: %q", b)
	}
	// What was seen once stays so, whatever happens on the host.
	os.WriteFile(filepath.Join(root, "testdata/golden"), []byte("changed"), 0o644)
	if got := u.readFile("testdata/golden"); got != "content of pkg/testdata/golden" {
		t.Errorf("changed under the program: %q", got)
	}
}

// TestGOROOT: GOROOT is read only, but for the package's folder if that is in it.
func TestGOROOT(t *testing.T) {
	_, root := hostFolder(t)
	u := user{t, New(Config{Root: filepath.Join(root, "testdata/sub"), GOROOT: root})}
	defer u.k.Close()
	top, write := root+"/x_test.go", oWRONLY|oCREAT
	u.must("openat", -100, "new", write, 0o600)
	u.must("mkdir", "d", 0o700)
	for _, c := range [][]any{
		{"openat", -100, top, oRDWR, 0}, {"openat", -100, top, oTRUNC, 0}, {"openat", -100, "../new", write, 0o600}, {"mkdir", "../d", 0o700}, {"unlink", top}, {"rmdir", root + "/testdata"}, {"rename", top, "y"},
		{"rename", "new", "../new"}, {"symlink", "a", "../b"}, {"chmod", top, 0}, {"truncate", top, 0}, {"utimensat", -100, top, 0, 0}, {"chown", top, -1, -1}, {"access", top, 2}, {"link", "new", "../z"},
	} {
		u.fails(eROFS, c[0].(string), c[1:]...)
	}
}

// TestModule: what is above the package's folder can be read and changed up to the module's, and nothing beyond.
func TestModule(t *testing.T) {
	outside, root := hostFolder(t)
	u := user{t, New(Config{Root: filepath.Join(root, "testdata/sub"), Module: root})}
	defer u.k.Close()
	cwd := make([]byte, 300)
	if n := u.must("getcwd", cwd, 300); string(cwd[:n-1]) != root+"/testdata/sub" {
		t.Errorf("%s", cwd[:n-1])
	}
	fd := u.must("openat", -100, "../golden", oRDWR|oTRUNC, 0)
	u.must("close", fd)
	u.must("unlink", root+"/x_test.go")
	for _, name := range []string{"../../../other", outside + "/secret/key", "../../out"} {
		u.fails(eNOENT, "openat", -100, name, 0, 0)
	}
	if b, err := os.ReadFile(filepath.Join(root, "testdata/golden")); err != nil || len(b) == 0 {
		t.Error("changed on the host:", err)
	}
}

// dump lists all that can be reached, for comparing states.
func dump(k *Kernel) string {
	var b strings.Builder
	seen := map[*node]int{}
	var walk func(path string, n *node)
	walk = func(path string, n *node) {
		_, again := seen[n]
		if !again {
			seen[n] = len(seen)
		}
		fmt.Fprintf(&b, "%s #%d ino %d mode %o links %d opens %d size %d %q %d %d %d", path, seen[n], n.ino, n.mode, n.nlink, n.opens, n.size, n.target, n.atime, n.mtime, n.ctime)
		if again || n.host != nil {
			b.WriteByte('\n')
			return
		}
		if n.isReg() && n.size < 1<<20 {
			p := make([]byte, n.size)
			n.readAt(p, 0)
			fmt.Fprintf(&b, " %x", p)
		}
		b.WriteByte('\n')
		if n.isDir() {
			for _, e := range k.entries(n) {
				walk(path+"/"+e.name, e.n)
			}
		}
	}
	walk("", k.root)
	for i, f := range k.p.fds {
		if f.d != nil {
			fmt.Fprintf(&b, "fd %d %v pos %d flags %x refs %d\n", i, f.cloexec, f.d.pos, f.d.flags, f.d.refs)
			walk("  open", f.d.node)
		}
	}
	fmt.Fprintf(&b, "cwd %s umask %o ino %d used %d stdin %d random %v\n", k.pathOf(k.p.cwd.parent, k.p.cwd.name), k.p.umask, k.p.nextIno, k.p.used, k.p.stdin, k.p.random)
	return b.String()
}

// account adds up what is in memory, as charge should have.
func account(k *Kernel, base int64) (sum int64) {
	seen := map[*node]bool{}
	var add func(n *node)
	add = func(n *node) {
		if seen[n] || n.host != nil {
			return
		}
		seen[n] = true
		sum += inodeCost + int64(len(n.pages))*pageSize + int64(len(n.target))
		for _, e := range n.kids {
			sum += entryCost + int64(len(e.name))
			add(e.n)
		}
	}
	add(k.root)
	add(k.p.cwd)
	for _, f := range k.p.fds {
		if f.d != nil {
			add(f.d.node)
		}
	}
	return sum - base
}

func TestLimits(t *testing.T) {
	u := user{t, New(Config{MaxBytes: 1 << 20})}
	fd := u.must("openat", -100, "/tmp/big", oCREAT|oRDWR, 0o600)
	block := make([]byte, 300000)
	total := uint64(0)
	for {
		n, e := u.call("write", fd, block, len(block))
		if total += n; e != 0 {
			if e != eNOSPC {
				t.Fatal(e)
			}
			break
		}
	}
	if total < 900000 || total > 1<<20 {
		t.Errorf("%d bytes fitted", total)
	}
	u.must("unlink", "/tmp/big")
	u.fails(eNOSPC, "write", fd, block, 8192) // still open
	u.must("close", fd)
	u.writeFile("/tmp/again", "fits")

	// A hole costs nothing, wherever it is.
	fd = u.must("openat", -100, "/tmp/sparse", oCREAT|oRDWR, 0o600)
	u.must("ftruncate", fd, 1<<43)
	u.must("pwrite64", fd, []byte("x"), 1, 1<<42)
	u.must("lseek", fd, 0, 3)

	n := 0
	var e errno
	for ; e == 0; n++ {
		_, e = u.call("dup", 0)
	}
	if e != eMFILE || n != maxOpen-4+1 {
		t.Errorf("%d descriptors, errno %d", n, e)
	}
	u.fails(eMFILE, "openat", -100, "/tmp/gone", 0, 0)
	for i := 0; ; i++ {
		if _, e := u.call("mkdir", fmt.Sprintf("/tmp/%d", i), 0o700); e != 0 {
			if e != eNOSPC || i < 500 || i > 1000 {
				t.Errorf("%d folders, errno %d", i, e)
			}
			break
		}
	}
}

// TestFree checks that statfs tells what is left, and that it comes back.
func TestFree(t *testing.T) {
	u := user{t, New(Config{MaxBytes: 1 << 20})}
	free := func() (total, free uint64) {
		b := make([]byte, 120)
		u.must("statfs", "/tmp", b)
		return le.Uint64(b[16:]), le.Uint64(b[24:])
	}
	total, before := free()
	if total != 256 || before >= total || before < total-2 {
		t.Errorf("%d blocks, %d free, of 1 MiB", total, before)
	}
	u.writeFile("/tmp/f", strings.Repeat("x", 40<<12))
	if _, n := free(); n != before-41 { // an inode and a name take less than a block
		t.Errorf("%d free after 40 blocks, %d before", n, before)
	}
	u.must("unlink", "/tmp/f")
	if _, n := free(); n != before {
		t.Errorf("%d free after all, %d before", n, before)
	}
}

func TestStreams(t *testing.T) {
	var stdout, stderr bytes.Buffer
	u := user{t, New(Config{Stdin: strings.NewReader("what is said"), Stdout: &stdout, Stderr: &stderr})}
	m := u.k.Snapshot()
	for range 2 {
		b := make([]byte, 8)
		u.must("read", 0, b, 8)
		u.must("write", 1, b, 8)
		u.must("write", 2, []byte("err"), 3)
		if n := u.must("read", 0, b, 8); string(b[:n]) != "said" || u.must("read", 0, b, 8) != 0 {
			t.Errorf("%q", b[:n])
		}
		u.fails(eSPIPE, "lseek", 1, 0, 0)
		u.fails(eBADF, "write", 0, b, 8)
		u.k.Restore(m)
	}
	if stdout.String() != "what is what is " || stderr.String() != "errerr" {
		t.Errorf("%q %q", &stdout, &stderr)
	}
}

func TestRandomStreams(t *testing.T) {
	u := user{t, New(Config{})}
	draw := func(id uint64) string {
		b := make([]byte, 16)
		u.k.Stream(id)
		u.must("getrandom", b, 16, 0)
		u.must("getrandom", make([]byte, 3<<20), 3<<20, 0)
		return string(b)
	}
	m := u.k.Snapshot()
	a1, b1, a2 := draw(1), draw(2), draw(1)
	u.k.Restore(m)
	if b, a, c := draw(2), draw(1), draw(1); b != b1 || a != a1 || c != a2 || a1 == b1 || a1 == a2 {
		t.Error("a stream depends on the order of the others")
	}
}

func TestPollOpen(t *testing.T) {
	u := user{t, New(Config{})}
	if u.k.PollOpen(0) != uint64(ePERM) || u.k.PollOpen(77) != uint64(eBADF) {
		t.Error("PollOpen")
	}
}

func TestOutOfReach(t *testing.T) {
	u := user{t, New(Config{})}
	for want, calls := range map[errno][]string{
		eAFNOSUPPORT: {"socket", "socketpair"},
		ePERM:        {"clone", "fork", "vfork", "execve", "ptrace", "mount", "chroot", "reboot"},
		eNOSYS:       {"statx", "openat2", "copy_file_range", "inotify_init1"},
		eUnsupported: {"exit_group", "mmap", "futex", "poll", "io_setup"},
	} {
		for _, c := range calls {
			u.fails(want, c, 1, 1, 1)
		}
	}
	u.fails(ePERM, "kill", 1, 9)
	u.fails(eINVAL, "prctl", 8, 2)
	u.must("prctl", 8, 1)
	if u.must("prctl", 7) != 1 {
		t.Error("PR_GET_KEEPCAPS")
	}
	u.fails(eUnsupported, "prctl", 15, "name")
	for _, kind := range []int{0, sIFREG, sIFIFO, sIFSOCK} {
		u.must("mknodat", -100, fmt.Sprint("/tmp/", kind), kind|0o666, 0)
	}
	u.fails(eEXIST, "mknodat", -100, "/tmp/0", sIFCHR|0o666, 0x103)
	u.fails(ePERM, "mknodat", -100, "/tmp/device", sIFCHR|0o666, 0x103)
	u.fails(ePERM, "mknodat", -100, "/tmp/folder", sIFDIR|0o666, 0)
	u.fails(eINVAL, "mknodat", -100, "/tmp/link", sIFLNK|0o666, 0)
	u.fails(eUnsupported, "kill", pid, 9)
	u.fails(eNOTSOCK, "connect", 0, 0, 0)
	if _, _, _, ok := u.k.Syscall(nil, 1<<63, 0, 0, 0, 0, 0, 0); ok || u.k.Unsupported() != "system call 9223372036854775808" {
		t.Errorf("%q", u.k.Unsupported())
	}
	if Name(257) != "openat" || Name(452) != "fchmodat2" || Name(318) != "getrandom" {
		t.Error("names")
	}
}

func TestTimesOfFiles(t *testing.T) {
	now := int64(946684800_000000000)
	u := user{t, New(Config{Now: func() int64 { return now }})}
	mtime := func(p string) (s, ns uint64) {
		b := make([]byte, 144)
		u.must("newfstatat", -100, p, b, 0)
		return le.Uint64(b[88:]), le.Uint64(b[96:])
	}
	u.writeFile("/tmp/f", "x")
	now += 1_500000000
	u.must("truncate", "/tmp/f", 0)
	if s, ns := mtime("/tmp/f"); s != 946684801 || ns != 500000000 {
		t.Error(s, ns)
	}
	ts := make([]byte, 0, 32)
	for _, v := range []uint64{7, 8, 1<<64 - 5, 9} {
		ts = le.AppendUint64(ts, v)
	}
	u.must("utimensat", -100, "/tmp/f", ts, 0)
	if s, ns := mtime("/tmp/f"); s != 1<<64-5 || ns != 9 {
		t.Error(s, ns)
	}
}

// TestHostile passes random numbers, many of them addresses, to every call.
func TestHostile(t *testing.T) {
	_, root := hostFolder(t)
	for seed := range 60 {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		k := New(Config{Root: root, MaxBytes: 1 << 20, Stdout: io.Discard, Stdin: strings.NewReader("text")})
		m := make(mem, 9000)
		paths := []string{"/tmp/a", "a", ".", "..", "testdata/golden", "/tmp/b/../a", strings.Repeat("x/", 3000), "in", "/dev/zero", "/dev/urandom"}
		arg := func() uint64 {
			switch r.IntN(9) {
			case 0:
				return r.Uint64()
			case 1:
				return uint64(1) << r.IntN(64)
			case 2:
				return uint64(int64(r.IntN(300) - 150))
			case 3:
				return 1<<20 + 9000 - uint64(r.IntN(30))
			case 4, 5:
				return 1<<20 + uint64(r.IntN(9000))
			case 6:
				copy(m[r.IntN(100)*8:], append([]byte(paths[r.IntN(len(paths))]), 0))
				return 1<<20 + uint64(r.IntN(100)*8)
			case 7:
				return uint64(1<<64 - 100)
			}
			return uint64(r.IntN(12))
		}
		mark := k.Snapshot()
		for i := range 4000 {
			num := uint64(r.IntN(len(table) + 5))
			if num < uint64(len(table)) && table[num].do == nil {
				num = uint64(r.IntN(22))
			}
			_, _, e, ok := k.Syscall(m, num, arg(), arg(), arg(), arg(), arg(), arg())
			if ok && e > maxErrno {
				t.Fatal(Name(num), e)
			}
			if i%1000 == 999 {
				k.Restore(mark)
			}
		}
		k.Close()
	}
}

func BenchmarkRestoreUntouched(b *testing.B) {
	k := New(Config{})
	m := k.Snapshot()
	for b.Loop() {
		k.Restore(m)
	}
}

func BenchmarkTempDirAndFile(b *testing.B) {
	k := New(Config{})
	m := k.Snapshot()
	ms := mem("/tmp/d\x00/tmp/d/f\x00hello, world\x00")
	const at = 1 << 20
	for b.Loop() {
		k.Syscall(ms, 83, at, 0o700, 0, 0, 0, 0)
		k.Syscall(ms, 2, at+7, oCREAT|oRDWR, 0o600, 0, 0, 0)
		k.Syscall(ms, 1, 3, at+16, 12, 0, 0, 0)
		k.Syscall(ms, 3, 3, 0, 0, 0, 0, 0)
		k.Syscall(ms, 87, at+7, 0, 0, 0, 0, 0)
		k.Syscall(ms, 84, at, 0, 0, 0, 0, 0)
		k.Restore(m)
	}
}

func BenchmarkGetpid(b *testing.B) {
	k := New(Config{})
	for b.Loop() {
		k.Syscall(nil, 39, 0, 0, 0, 0, 0, 0)
	}
}

// TestRefused shows that the temporary folder is the program's own, even if the package lies below it. The folders
// between are not.
func TestRefused(t *testing.T) {
	root := filepath.Join(t.TempDir(), "pkg")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	own := filepath.Dir(filepath.Dir(filepath.Dir(root)))
	u := user{t, New(Config{Root: root, Env: []string{"TMPDIR=" + own}})}
	defer u.k.Close()
	for path, refused := range map[string]bool{own + "/nothing": false, "/tmp/nothing": false, "../nothing": true, "nothing": false, "/etc/fstab": true} {
		u.fails(eNOENT, "openat", -100, path, 0, 0)
		if got := u.k.Refused(); (got != "") != refused {
			t.Errorf("%s: refused %q", path, got)
		}
	}
}
