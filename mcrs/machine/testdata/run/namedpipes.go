// Named pipes: random sequences of calls that do not wait, on two names, against the serial specification of Linux.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

var seed = uint64(1)

func pick(n int) int {
	seed ^= seed << 13
	seed ^= seed >> 7
	seed ^= seed << 17
	return int(seed >> 11 % (1 << 30) % uint64(n))
}

type open struct {
	fd   int
	name string
}

func main() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Chdir(dir)
	for round := range 300 {
		fmt.Println("round", round, sequence(dir))
	}
}

// sequence performs calls, and returns a digest of what they answered; the first rounds show it all.
func sequence(dir string) uint64 {
	shown := seed%4 == 0
	digest := uint64(14695981039346656037)
	say := func(args ...any) {
		line := fmt.Sprintln(args...)
		if shown {
			fmt.Print("\t", line)
		}
		for i := range line {
			digest = (digest ^ uint64(line[i])) * 1099511628211
		}
	}
	var all []open
	names := []string{"a", "b"}
	for range 60 {
		var f open
		if len(all) > 0 {
			f = all[pick(len(all))]
		}
		name := names[pick(2)]
		switch op := pick(16); {
		case op == 0:
			say("mkfifo", name, syscall.Mkfifo(name, uint32(0o600+pick(2)*0o20)))
		case op == 1 && pick(3) == 0:
			say("unlink", name, syscall.Unlink(name))
		case op == 2 && pick(3) == 0:
			say("rename", name, syscall.Rename("a", "b"))
		case op <= 5:
			flags := [4]int{syscall.O_RDONLY, syscall.O_WRONLY, syscall.O_RDWR, syscall.O_RDWR | syscall.O_APPEND}[pick(4)] | syscall.O_NONBLOCK | pick(2)*syscall.O_TRUNC
			fd, err := syscall.Open(name, flags|syscall.O_CLOEXEC, 0)
			say("open", name, flags, err)
			if err == nil {
				all = append(all, open{fd, name})
			}
		case len(all) == 0:
		case op <= 7:
			p := make([]byte, pick(6))
			n, err := syscall.Read(f.fd, p)
			say("read", f.name, len(p), n, string(p[:max(n, 0)]), err)
		case op <= 10:
			p := make([]byte, pick(5))
			for i := range p {
				p[i] = byte('a' + pick(26))
			}
			n, err := syscall.Write(f.fd, p)
			say("write", f.name, string(p), n, err)
		case op == 11:
			fd, err := syscall.Dup(f.fd)
			say("dup", f.name, err)
			all = append(all, open{fd, f.name})
		case op == 12:
			var st syscall.Stat_t
			err := syscall.Fstat(f.fd, &st)
			fl, _, e := syscall.Syscall(syscall.SYS_FCNTL, uintptr(f.fd), syscall.F_GETFL, 0)
			size, _, e2 := syscall.Syscall(syscall.SYS_FCNTL, uintptr(f.fd), 1032, 0)
			say("fstat", f.name, err, st.Mode, st.Nlink, st.Size, fl, e, size, e2)
		case op == 13:
			_, err := syscall.Seek(f.fd, 0, 0)
			_, err2 := syscall.Pread(f.fd, make([]byte, 1), 0)
			say("seek", f.name, err, err2, syscall.Ftruncate(f.fd, 0), syscall.Fsync(f.fd), syscall.Fchmod(f.fd, 0o600), syscall.Fchdir(f.fd))
		case op == 14 && len(all) > 1:
			to := pick(len(all))
			say("dup3", f.name, all[to].name, f.fd == all[to].fd, syscall.Dup3(f.fd, all[to].fd, 0))
			if f.fd != all[to].fd {
				all[to].name = f.name
			}
		default:
			i := pick(len(all))
			say("close", all[i].name, syscall.Close(all[i].fd))
			all = append(all[:i:i], all[i+1:]...)
		}
	}
	for _, f := range all {
		syscall.Close(f.fd)
	}
	es, _ := os.ReadDir(dir)
	for _, e := range es {
		say(e.Name(), e.Type())
		os.Remove(filepath.Join(dir, e.Name()))
	}
	return digest
}
