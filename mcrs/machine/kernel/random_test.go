//go:build linux && amd64

package kernel

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// TestRandomAgainstLinux performs random sequences over few names, so that they
// meet: in folders, through links, on descriptors of what is gone.
func TestRandomAgainstLinux(t *testing.T) {
	seeds, length := 150, 400
	if n, err := strconv.Atoi(os.Getenv("HEDDLE_KERNEL_SEEDS")); err == nil {
		seeds = n
	}
	if !long.On() {
		seeds = 40
	}
	total, good := 0, 0
	well := map[string]int{}
	for seed := range seeds {
		g := gen{rand.New(rand.NewPCG(uint64(seed), 1))}
		var ops []op
		for range length {
			ops = append(ops, g.op()...)
		}
		n, ok := compare(t, ops, func(w *world) []op {
			for call, n := range w.well {
				well[call] += n
			}
			return survey()
		})
		total, good = total+n, good+ok
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d operations agree; %d of them succeed (without the last survey: %v)", total, good, well)
	for _, call := range []string{"renameat2", "linkat", "symlinkat", "mkdirat", "unlinkat", "rmdir", "ftruncate", "pwrite64", "mknodat"} {
		if well[call] < seeds/10 {
			t.Errorf("%s succeeded only %d times", call, well[call])
		}
	}
}

// survey asks for everything the names can lead to.
func survey() (ops []op) {
	paths := []string{"/tmp", "/tmp/w"}
	for level := []string{"/tmp/w"}; len(level) > 0 && len(level[0]) < 11; {
		var next []string
		for _, p := range level {
			for _, n := range nameSet {
				next = append(next, p+"/"+n)
			}
		}
		paths = append(paths, next...)
		level = next
	}
	for _, p := range paths {
		ops = append(ops, sys("lstat", p, out(144)), sys("stat", p, out(144)), sys("readlink", p, out(80), 80),
			sys("openat", at, p, 0, 0).as("s"), sys("getdents64", handle("s"), out(2000), 2000), sys("lseek", handle("s"), 0, 0), sys("read", handle("s"), out(3000), 3000), sys("close", handle("s")))
	}
	return ops
}

var nameSet = []string{"a", "b", "c", "d"}

type gen struct{ *rand.Rand }

func pick[T any](g gen, s ...T) T { return s[g.IntN(len(s))] }

func (g gen) path() string {
	var p []string
	for range pick(g, 1, 1, 1, 1, 2, 2, 3) {
		switch n := g.IntN(20); n {
		case 0:
			p = append(p, ".")
		case 1:
			p = append(p, "..")
		default:
			p = append(p, pick(g, nameSet...))
		}
	}
	s := strings.Join(p, pick(g, "/", "/", "//"))
	switch g.IntN(16) {
	case 0:
		s = "/tmp/w/" + s
	case 1:
		s += "/"
	}
	return s
}

func (g gen) handle() handle { return handle(pick(g, "h0", "h1", "h2", "h3")) }

// dir is a folder to start from: the current one, mostly.
func (g gen) dir() any {
	if g.IntN(6) == 0 {
		return g.handle()
	}
	return at
}

func (g gen) flags() int {
	f := pick(g, 0, 0, oWRONLY, oRDWR, oRDWR, oRDWR|oCREAT, oRDWR|oCREAT, oDIRECTORY, oDIRECTORY, oPATH)
	for _, b := range []int{oCREAT, oEXCL, oTRUNC, oAPPEND, oNOFOLLOW, oCLOEXEC} {
		if g.IntN(7) == 0 {
			f |= b
		}
	}
	return f
}

func (g gen) data() []byte {
	b := make([]byte, pick(g, 1, 10, 100, 5000))
	for i := range b {
		b[i] = byte(g.Uint32())
	}
	return b
}

func (g gen) mode() int {
	return pick(g, 0o777, 0o755, 0o700, 0o777, 0o755, 0o755, 0o777, 0o711, 0o777, 0o700, 0o500, 0o300, 0o2775, 0o000, 0o744)
}

func (g gen) op() []op {
	one := func(o op) []op { return []op{o} }
	switch g.IntN(30) {
	case 0, 1, 2, 3:
		h := g.handle()
		return []op{sys("close", h), sys("openat", g.dir(), g.path(), g.flags(), g.mode()).as(string(h))}
	case 4, 5:
		return one(sys("mkdirat", g.dir(), g.path(), g.mode()))
	case 6:
		if g.IntN(2) == 0 { // what goes wrong for good is put right from time to time
			return one(sys("chmod", pick(g, nameSet...), 0o755))
		}
		return one(sys("unlinkat", g.dir(), g.path(), pick(g, 0, 0x200)))
	case 7:
		return one(sys("rmdir", g.path()))
	case 8, 9:
		return one(sys("renameat2", g.dir(), g.path(), g.dir(), g.path(), pick(g, 0, 0, 0, 1, 2)))
	case 10:
		return one(sys("linkat", g.dir(), g.path(), g.dir(), g.path(), pick(g, 0, 0x400)))
	case 11:
		if g.IntN(2) == 0 {
			return one(sys("unlink", pick(g, nameSet...)))
		}
		return one(sys("symlinkat", g.path(), g.dir(), g.path()))
	case 12:
		if g.IntN(2) == 0 { // named pipes are left out: who opens one waits
			return one(sys("mknodat", g.dir(), g.path(), pick(g, 0, sIFREG, sIFSOCK, sIFCHR, sIFDIR)|pick(g, 0o644, 0o4755), 0x103))
		}
		return one(sys("readlinkat", g.dir(), g.path(), out(50), pick(g, 50, 3)))
	case 13, 14:
		b := g.data()
		return one(sys("write", g.handle(), b, len(b)))
	case 15:
		b := g.data()
		return one(sys("pwrite64", g.handle(), b, len(b), pick(g, 0, 7, 4000, 70000, -1)))
	case 16, 17:
		n := pick(g, 1, 100, 9000)
		return one(sys("read", g.handle(), out(n), n))
	case 18:
		n := pick(g, 1, 100, 9000)
		return one(sys("pread64", g.handle(), out(n), n, pick(g, 0, 7, 4095, 80000)))
	case 19:
		// A folder's offsets are the file system's own.
		h := g.handle()
		return []op{sys("ftruncate", h, pick(g, 0, 5, 5000, 100000)), sys("lseek", h, 0, 0)}
	case 20:
		return one(sys("truncate", g.path(), pick(g, 0, 5, 5000, -2)))
	case 21:
		h := g.handle()
		return []op{sys("lseek", h, 0, 0), sys("getdents64", h, out(2000), 2000), sys("lseek", h, 0, 0)}
	case 22:
		return one(sys("newfstatat", g.dir(), g.path(), out(144), pick(g, 0, 0x100)))
	case 23:
		return one(sys("fstat", g.handle(), out(144)))
	case 24:
		if g.IntN(3) > 0 {
			return one(sys("fchmodat", g.dir(), g.path(), 0o755))
		}
		return one(sys("fchmodat2", g.dir(), g.path(), g.mode(), pick(g, 0, 0x100)))
	case 25:
		return one(sys("fchmod", g.handle(), g.mode()))
	case 26:
		if g.IntN(3) > 0 {
			return one(sys("chdir", "/tmp/w"))
		}
		return one(pick(g, sys("chdir", g.path()), sys("fchdir", g.handle())))
	case 27:
		return one(sys("getcwd", out(80), 80))
	case 28:
		h, f := g.handle(), g.handle()
		if h == f {
			return one(sys("fcntl", h, 3, 0))
		}
		return []op{sys("close", h), sys("dup", f).as(string(h)), sys("fcntl", h, pick(g, 3, 4), pick(g, 0, oAPPEND, oNONBLOCK))}
	}
	return one(sys("faccessat2", g.dir(), g.path(), g.IntN(8), 0x200))
}
