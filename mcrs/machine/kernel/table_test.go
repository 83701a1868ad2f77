//go:build linux && amd64

package kernel

import (
	"strings"
	"testing"
)

const at = -100

func creat(path string) []op {
	return []op{sys("openat", at, path, oCREAT|oRDWR, 0o644).as("x"), sys("write", handle("x"), []byte("hello, world"), 12), sys("close", handle("x"))}
}

func seq(parts ...any) (ops []op) {
	for _, p := range parts {
		switch p := p.(type) {
		case op:
			ops = append(ops, p)
		case []op:
			ops = append(ops, p...)
		}
	}
	return
}

func TestAgainstLinux(t *testing.T) {
	long, loop := strings.Repeat("n", 256), strings.Repeat("./", 2100)
	for name, ops := range map[string][]op{
		"file": seq(creat("f"), sys("openat", at, "f", oRDWR, 0).as("f"), sys("read", handle("f"), out(5), 5), sys("lseek", handle("f"), 0, 1),
			sys("pread64", handle("f"), out(50), 50, 3), sys("pwrite64", handle("f"), []byte("XY"), 2, 20), sys("fstat", handle("f"), out(144)),
			sys("read", handle("f"), out(50), 50), sys("read", handle("f"), out(5), 5), sys("lseek", handle("f"), -1, 0), sys("lseek", handle("f"), -3, 2),
			sys("lseek", handle("f"), 0, 3), sys("lseek", handle("f"), 0, 4), sys("lseek", handle("f"), 100, 3), sys("lseek", handle("f"), 0, 9),
			sys("ftruncate", handle("f"), 3), sys("pread64", handle("f"), out(9), 9, 0), sys("ftruncate", handle("f"), 9), sys("pread64", handle("f"), out(20), 20, 0),
			sys("ftruncate", handle("f"), -1), sys("ftruncate", handle("f"), 1<<45), sys("lseek", handle("f"), 1<<45, 0), sys("pread64", handle("f"), out(4), 4, -4),
			sys("pwrite64", handle("f"), []byte("ab"), 2, 17592186044415-4096), sys("pwrite64", handle("f"), []byte("ab"), 2, 1<<45), sys("getdents64", handle("f"), out(99), 99),
			sys("lseek", handle("f"), 1<<20, 0), sys("write", handle("f"), []byte("end"), 3), sys("lseek", handle("f"), 4096, 3), sys("lseek", handle("f"), 0, 4), sys("fstat", handle("f"), out(144))),
		"open flags": seq(creat("f"), sys("mkdir", "d", 0o755), sys("symlink", "f", "l"), sys("symlink", "gone", "dangling"), sys("symlink", "d", "ld"), sys("symlink", "self", "self"),
			sys("openat", at, "f", oCREAT|oEXCL|oRDWR, 0o600).as("a"), sys("openat", at, "d", oRDWR, 0).as("a"), sys("openat", at, "d", oCREAT, 0).as("a"), sys("openat", at, "d", oCREAT|oEXCL, 0).as("a"),
			sys("openat", at, "d", oTRUNC, 0).as("a"), sys("openat", at, "f", oDIRECTORY, 0).as("a"), sys("openat", at, "new", oCREAT|oDIRECTORY, 0o700).as("a"), sys("openat", at, "l", oNOFOLLOW, 0).as("a"),
			sys("openat", at, "ld", oNOFOLLOW|oDIRECTORY, 0).as("a"), sys("openat", at, "ld/", oNOFOLLOW, 0).as("a"), sys("openat", at, "f/", 0, 0).as("a"), sys("openat", at, "new/", oCREAT|oRDWR, 0o600).as("a"),
			sys("openat", at, "l/", 0, 0).as("a"), sys("openat", at, "l/", oCREAT, 0).as("a"), sys("openat", at, "dangling", 0, 0).as("a"), sys("openat", at, "dangling", oCREAT|oEXCL, 0).as("a"), sys("openat", at, "dangling", oCREAT|oWRONLY, 0o600).as("a"),
			sys("lstat", "gone", out(144)), sys("openat", at, "self", 0, 0).as("a"), sys("openat", at, "self", oNOFOLLOW|oPATH, 0).as("p"), sys("fstat", handle("p"), out(144)), sys("readlinkat", handle("p"), "", out(10), 10), sys("fcntl", handle("p"), 3, 0),
			sys("read", handle("p"), out(4), 4), sys("fchmod", handle("p"), 0), sys("openat", at, "", 0, 0).as("a"), sys("openat", at, ".", oCREAT, 0).as("a"), sys("openat", at, "..", oCREAT|oEXCL, 0).as("a"), sys("openat", at, "/", oRDWR, 0).as("a"),
			sys("openat", at, "f/x", 0, 0).as("a"), sys("openat", at, "f/x", oCREAT, 0).as("a"), sys("openat", 99, "f", 0, 0).as("a"), sys("openat", 99, "/tmp", 0, 0).as("a"), sys("openat", at, "f", oRDWR|oTRUNC|oAPPEND, 0).as("a"), sys("fcntl", handle("a"), 3, 0),
			sys("openat", handle("a"), "f", 0, 0).as("b"), sys("openat", at, long, 0, 0).as("b"), sys("openat", at, loop, 0, 0).as("b"), sys("openat", at, "x/"+long, 0, 0).as("b"), sys("openat", at, long, oCREAT, 0o600).as("b"),
			sys("openat", at, "f", oACCMODE, 0).as("z"), sys("read", handle("z"), out(1), 1), sys("write", handle("z"), []byte("a"), 1), sys("fcntl", handle("z"), 3, 0), sys("openat", at, "f", oCLOEXEC, 0).as("z"), sys("fcntl", handle("z"), 3, 0), sys("fcntl", handle("z"), 1, 0)),
		"append": seq(creat("f"), sys("openat", at, "f", oWRONLY|oAPPEND, 0).as("f"), sys("write", handle("f"), []byte("abc"), 3), sys("pwrite64", handle("f"), []byte("de"), 2, 0), sys("lseek", handle("f"), 0, 1), sys("fstat", handle("f"), out(144)),
			sys("read", handle("f"), out(3), 3), sys("fcntl", handle("f"), 4, 0), sys("write", handle("f"), []byte("Z"), 1), sys("fcntl", handle("f"), 3, 0), sys("stat", "f", out(144)), sys("openat", at, "f", 0, 0).as("r"), sys("read", handle("r"), out(40), 40), sys("write", handle("r"), []byte("no"), 2)),
		"folders": seq(sys("mkdir", "d", 0o777), sys("mkdir", "d", 0o777), sys("mkdir", "d/", 0o777), sys("mkdir", "e/", 0o7777), sys("stat", "e", out(144)), sys("mkdir", "x/y", 0o777), sys("mkdir", ".", 0), sys("mkdir", "/", 0), sys("mkdir", "d/..", 0), sys("mkdir", "", 0),
			sys("mkdir", "d/a", 0o700), creat("d/f"), sys("symlink", "f", "d/l"), sys("openat", at, "d", 0, 0).as("d"), sys("getdents64", handle("d"), out(400), 400), sys("getdents64", handle("d"), out(400), 400), sys("lseek", handle("d"), 0, 0), sys("getdents64", handle("d"), out(10), 10),
			sys("lseek", handle("d"), 0, 0), sys("getdents64", handle("d"), out(4096), 4096), sys("lseek", handle("d"), 0, 0), sys("read", handle("d"), out(4), 4), sys("write", handle("d"), []byte("a"), 1), sys("ftruncate", handle("d"), 0), sys("stat", "d", out(144)), sys("rmdir", "d"), sys("unlink", "d"), sys("unlink", "d/"), sys("rmdir", "d/f"), sys("rmdir", "d/."), sys("rmdir", "d/.."), sys("rmdir", "/"), sys("unlink", "/"), sys("unlink", "d/f/"), sys("unlink", "gone"), sys("unlink", "gone/"), sys("unlinkat", at, "d/a", 0x200), sys("unlinkat", at, "d/f", 7),
			sys("unlinkat", handle("d"), "f", 0), sys("unlink", "d/l"), sys("rmdir", "d/"), sys("getdents64", handle("d"), out(400), 400), sys("fstat", handle("d"), out(144)), sys("openat", handle("d"), "x", oCREAT, 0o600).as("x"), sys("mkdirat", handle("d"), "x", 0o700), sys("openat", handle("d"), "..", 0, 0).as("up"), sys("fchdir", handle("d")), sys("getcwd", out(64), 64), sys("mkdir", "q", 0o700), sys("stat", ".", out(144)), sys("chdir", ".."), sys("getcwd", out(64), 64), sys("getcwd", out(64), 3)),
		"rename": seq(sys("mkdir", "d", 0o755), sys("mkdir", "d/e", 0o755), sys("mkdir", "o", 0o755), creat("f"), creat("g"), sys("rename", "d", "d/e/x"), sys("rename", "d/e", "d"), sys("rename", "f", "d"), sys("rename", "d", "f"), sys("rename", "d", "o/"), sys("rename", "o/", "n/"), sys("rename", "f", "h/"), sys("rename", "f/", "h"), sys("rename", "gone", "h"), sys("rename", ".", "h"), sys("rename", "d", ".."), sys("rename", "f", "f"), sys("link", "f", "hard"), sys("rename", "f", "hard"), sys("stat", "f", out(144)), sys("rename", "f", "g"), sys("stat", "g", out(144)), sys("renameat2", at, "g", at, "hard", 1), sys("renameat2", at, "g", at, "n", 2), sys("stat", "g", out(144)), sys("stat", "n", out(144)), sys("renameat2", at, "g", at, "gone", 2), sys("renameat2", at, "g", at, "gone", 3), sys("renameat2", at, "g", at, "fresh", 1), sys("renameat2", at, "g", at, ".", 1),
			sys("mkdir", "p", 0o755), sys("mkdir", "p/q", 0o755), sys("renameat2", at, "p", at, "p/q", 2), sys("renameat2", at, "p/q", at, "p", 2), sys("rename", "p/q", "q"), sys("stat", "p", out(144)), sys("stat", ".", out(144)), sys("rename", "fresh", "p/f"), sys("openat", at, "p/..", 0, 0).as("d"), sys("getdents64", handle("d"), out(4000), 4000)),
		"links": seq(creat("f"), sys("link", "f", "g"), sys("link", "f", "g"), sys("link", "f", "g/"), sys("link", "f", "h/"), sys("link", ".", "h"), sys("link", "gone", "h"), sys("stat", "f", out(144)), sys("symlink", "f", "l"), sys("symlink", "", "m"), sys("symlink", "x", ""), sys("symlink", "f", "l"), sys("symlink", "f", "m/"), sys("readlink", "l", out(10), 10), sys("readlink", "l", out(10), 0), sys("readlink", "f", out(10), 10), sys("readlink", "", out(10), 10), sys("readlink", "l/", out(10), 10), sys("lstat", "l", out(144)), sys("stat", "l", out(144)), sys("linkat", at, "l", at, "hl", 0), sys("lstat", "hl", out(144)), sys("linkat", at, "l", at, "hf", 0x400), sys("lstat", "hf", out(144)), sys("linkat", at, "l", at, "hx", 1),
			sys("mkdir", "d", 0o755), sys("symlink", "../f", "d/up"), sys("stat", "d/up", out(144)), sys("symlink", "/tmp/w/d", "abs"), sys("stat", "abs/up", out(144)), sys("lstat", "abs/", out(144)), sys("rmdir", "abs/"), sys("rmdir", "abs"), sys("unlink", "abs/"), sys("mkdir", "abs", 0o755), sys("symlink", "nowhere", "dang"), sys("mkdir", "dang", 0o755), sys("mkdir", "dang/", 0o755), sys("rename", "abs/", "z"), sys("newfstatat", at, "l", out(144), 0x100), sys("newfstatat", at, "", out(144), 0x1000), sys("newfstatat", at, "", out(144), 0), sys("newfstatat", at, "l", out(144), 5), sys("unlink", "f"), sys("fstat", 99, out(144)), sys("stat", "l", out(144)), sys("stat", "g", out(144))),
		"modes": seq(creat("f"), sys("chmod", "f", 0), sys("openat", at, "f", 0, 0).as("a"), sys("openat", at, "f", oWRONLY, 0).as("a"), sys("truncate", "f", 3), sys("faccessat2", at, "f", 4, 0x200), sys("faccessat2", at, "f", 0, 0x200), sys("faccessat2", at, "f", 2, 0x200), sys("chmod", "f", 0o400), sys("openat", at, "f", oRDWR, 0).as("a"), sys("openat", at, "f", oTRUNC, 0).as("a"), sys("openat", at, "f", 0, 0).as("a"), sys("fchmod", handle("a"), 0o4755), sys("stat", "f", out(144)), sys("truncate", "f", 4), sys("stat", "f", out(144)), sys("fchmodat", at, "f", 0o7777), sys("stat", "f", out(144)), sys("chown", "f", -1, -1), sys("stat", "f", out(144)), sys("chown", "f", 0, -1), sys("lchown", "f", 1000, 1000), sys("chmod", "gone", 0), sys("symlink", "f", "l"), sys("fchmodat2", at, "l", 0, 0x100), sys("fchmodat2", at, "f", 0o640, 0x100), sys("fchmodat2", at, "f", 0o640, 1),
			sys("mkdir", "d", 0o755), creat("d/f"), sys("chmod", "d", 0o600), sys("stat", "d/f", out(144)), sys("openat", at, "d/n", oCREAT, 0o600).as("a"), sys("unlink", "d/f"), sys("openat", at, "d", 0, 0).as("d"), sys("getdents64", handle("d"), out(99), 99), sys("chdir", "d"), sys("fchdir", handle("d")), sys("chmod", "d", 0o500), sys("stat", "d/f", out(144)), sys("unlink", "d/f"), sys("rename", "d/f", "z"), sys("mkdir", "d/x", 0o700), sys("rename", "f", "d/f"), sys("rmdir", "d"), sys("rename", "d", "e"), sys("mkdir", "o", 0o755), sys("rename", "e", "o/e"), sys("chmod", "e", 0o300), sys("openat", at, "e", 0, 0).as("d"), sys("faccessat2", at, "e", 4, 0x200), sys("faccessat2", at, "e", 9, 0x200), sys("umask", 0o077), sys("openat", at, "um", oCREAT, 0o777).as("a"), sys("stat", "um", out(144)), sys("umask", 0o022), sys("truncate", "e", 0), sys("truncate", "f", -1), sys("truncate", "gone", 0)),
		"descriptors": seq(creat("f"), sys("openat", at, "f", oRDWR, 0).as("a"), sys("dup", handle("a")).as("b"), sys("read", handle("a"), out(3), 3), sys("read", handle("b"), out(3), 3), sys("close", handle("a")), sys("read", handle("b"), out(3), 3), sys("read", handle("a"), out(3), 3), sys("close", handle("a")), sys("fcntl", handle("b"), 1030, 200).as("c"), sys("fcntl", handle("c"), 1, 0), sys("fcntl", handle("c"), 2, 0), sys("fcntl", handle("c"), 1, 0), sys("dup3", handle("b"), 300, oCLOEXEC).as("e"), sys("fcntl", handle("e"), 1, 0), sys("dup3", handle("b"), handle("b"), 0), sys("dup3", handle("b"), 301, 1), sys("dup2", handle("b"), handle("e")).as("e"), sys("fcntl", handle("e"), 1, 0), sys("dup", 999), sys("fcntl", handle("b"), 999, 0), sys("fcntl", handle("b"), 4, oNONBLOCK|oAPPEND|oRDWR), sys("fcntl", handle("e"), 3, 0), sys("unlink", "f"), sys("fstat", handle("e"), out(144)), sys("write", handle("e"), []byte("more"), 4), sys("pread64", handle("e"), out(30), 30, 0), sys("flock", handle("b"), 2), sys("flock", handle("b"), 99), sys("flock", handle("b"), 3), sys("flock", handle("b"), 0), sys("ioctl", handle("b"), 0x5401, 0), sys("fsync", handle("b")), sys("fsync", 999), sys("read", -1, out(1), 1), sys("close", -1)),
		"locks":       seq(creat("f"), sys("openat", at, "f", 0, 0).as("a"), sys("openat", at, "f", 0, 0).as("b"), sys("flock", handle("a"), 5), sys("flock", handle("b"), 5), sys("flock", handle("b"), 6), sys("flock", handle("a"), 8), sys("flock", handle("b"), 6), sys("flock", handle("a"), 5), sys("close", handle("b")), sys("flock", handle("a"), 6)),
		"times":       seq(creat("f"), sys("utimensat", at, "f", times(1, 2, 3, 4), 0), sys("utimensat", at, "f", times(1, 1e9, 3, 4), 0), sys("utimensat", at, "f", times(1, utimeOmit, 3, utimeNow), 0), sys("utimensat", at, "gone", times(0, utimeOmit, 0, utimeOmit), 0), sys("utimensat", at, "gone", 0, 0), sys("utimensat", at, "f", 0, 0), sys("utimensat", at, "f", 0, 3), sys("utimensat", 99, 0, 0, 0), sys("utimes", "f", times(1, 1e6, 0, 0)), sys("utimes", "f", times(1, 1, 0, 0))),
		"hostile":     seq(creat("f"), sys("openat", at, "f", oRDWR, 0).as("f"), sys("read", handle("f"), 0, 12), sys("write", handle("f"), 0, 12), sys("read", handle("f"), 16, 12), sys("read", handle("f"), out(12), -1), sys("write", handle("f"), -1, -1), sys("read", handle("f"), -8, 20), sys("pread64", handle("f"), 0, 5, 100), sys("read", handle("f"), 0, 0), sys("write", handle("f"), 0, 0), sys("stat", 0, out(144)), sys("stat", -1, out(144)), sys("stat", "f", 0), sys("openat", at, 0, 0, 0), sys("getdents64", handle("f"), -1, -1), sys("readv", handle("f"), 0, 1), sys("readv", handle("f"), 0, 2000), sys("readv", handle("f"), 0, 0), sys("readv", handle("f"), -1, 1), sys("writev", handle("f"), times(0, 1<<63, 0, 0), 1), sys("getcwd", 0, 100), sys("uname", 0), sys("clock_gettime", 99, 0), sys("clock_gettime", 0, 8), sys("getrandom", 8, 8, 0), sys("getrandom", out(4), 4, 99), sys("readlink", "f", 0, -5), sys("prlimit64", 0, 99, 0, 0), sys("utimensat", at, "f", 8, 0), sys("lseek", handle("f"), -1<<63, 1), sys("pwrite64", handle("f"), []byte("a"), 1, -1<<63), sys("renameat", at, "f", at, 0), sys("symlinkat", 8, at, "z")),
		"cwd":         seq(sys("mkdir", "a", 0o755), sys("chdir", "a"), sys("getcwd", out(64), 64), sys("rename", "../a", "../b"), sys("getcwd", out(64), 64), sys("chdir", "../../../../.."), sys("getcwd", out(64), 64), sys("chdir", "tmp/w/b/x"), sys("chdir", "/tmp//w/./b"), creat("f"), sys("chdir", "f"), sys("rmdir", "/tmp/w/b"), sys("unlink", "f"), sys("rmdir", "/tmp/w/b"), sys("getcwd", out(64), 64), sys("stat", ".", out(144)), sys("stat", "..", out(144)), creat("f")),
		"statfs": seq(creat("f"), sys("openat", at, "f", oRDWR, 0).as("a"), sys("openat", at, "f", oPATH, 0).as("p"), sys("statfs", "f", out(120)), sys("statfs", ".", out(120)), sys("fstatfs", handle("a"), out(120)), sys("fstatfs", handle("p"), out(120)),
			sys("statfs", "gone", out(120)), sys("statfs", "f/x", out(120)), sys("statfs", "", out(120)), sys("fstatfs", 999, out(120)), sys("statfs", "f", 8), sys("statfs", 8, out(120)), sys("symlink", "gone", "l"), sys("statfs", "l", out(120))),
		"escapes": seq(sys("stat", "../../../../../../etc/fstab", out(144)), sys("stat", "/proc/self/root", out(144)), sys("stat", "/proc/self/cwd/..", out(144)), sys("symlink", "/../../..", "up"), sys("stat", "up/opt", out(144)), sys("stat", "up/tmp/w", out(144)), sys("openat", at, "/sys/kernel", 0, 0)),
	} {
		t.Run(name, func(t *testing.T) { compare(t, ops, nil) })
	}
}

func times(v ...uint64) []byte {
	var b []byte
	for _, x := range v {
		b = le.AppendUint64(b, x)
	}
	return b
}
