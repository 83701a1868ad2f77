package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// What a program asks for its own process: files of the system, signals to itself, pipes.
func main() {
	files()
	signals()
	pipes()
}

func files() {
	exe, err := os.Executable()
	link, err2 := os.Readlink("/proc/self/exe")
	fmt.Println(exe == link, err, err2)
	status, err := os.ReadFile("/proc/self/status")
	fmt.Println(strings.Contains(string(status), fmt.Sprintf("\nPid:\t%d\n", os.Getpid())), err)
	for _, name := range []string{"/proc/self/cgroup", "/proc/self/mountinfo", "/proc/self/cpuset", "/etc/hosts", "/etc/resolv.conf"} {
		b, err := os.ReadFile(name)
		fmt.Println(name, len(b) > 0, err)
	}
	spaces, err := os.Stat("/proc/self/ns")
	fmt.Println(spaces.IsDir(), err)
	groups, err := os.Stat("/sys/fs/cgroup")
	fmt.Println(groups.IsDir(), err)
	me, err := user.Current()
	fmt.Println(me.Uid == fmt.Sprint(os.Getuid()), filepath.IsAbs(me.HomeDir), err)
	same, err := user.Lookup(me.Username)
	fmt.Println(same.Gid == fmt.Sprint(os.Getgid()), err)
	of, err := me.GroupIds()
	fmt.Println(len(of) > 0, err)
	root, err := user.LookupGroup("root")
	fmt.Println(root.Gid, err)
	_, err = user.Lookup("nobody-of-that-name")
	fmt.Println(err)
	passwd, err := os.ReadFile("/etc/passwd") // and package os/user say the same
	fmt.Println(strings.Contains("\n"+string(passwd), "\n"+me.Username+":x:"+me.Uid+":"+me.Gid+":"), strings.Contains(string(passwd), ":"+me.HomeDir+":"), err)
	group, err := os.ReadFile("/etc/group")
	fmt.Println(strings.HasPrefix(string(group), "root:x:"+root.Gid+":"), err)
	args, err := os.ReadFile("/proc/self/cmdline")
	fmt.Println(string(args) == strings.Join(os.Args, "\x00")+"\x00", err)
	system, err := os.ReadFile("/etc/os-release")
	fmt.Println(strings.Contains(string(system), "NAME="), err)
	online, err := os.ReadFile("/sys/devices/system/cpu/online")
	fmt.Println(strings.HasPrefix(string(online), "0"), err)
	size, err := os.ReadFile("/proc/sys/fs/pipe-max-size")
	fmt.Println(len(size) > 0 && size[len(size)-1] == '\n', err)
	var r syscall.Rlimit
	fmt.Println(syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r), r.Cur > 0, r.Cur <= r.Max)
	zone, err := time.LoadLocation("Europe/Berlin")
	fmt.Println(time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC).In(zone), err)
	f, err := os.CreateTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	var window [4]uint16
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&window)))
	fmt.Println(e == syscall.ENOTTY)
}

func signals() {
	c := make(chan os.Signal, 4)
	signal.Notify(c, syscall.SIGTERM, os.Interrupt)
	fmt.Println(syscall.Kill(os.Getpid(), syscall.SIGTERM), <-c)
	p, _ := os.FindProcess(os.Getpid())
	fmt.Println(p.Signal(os.Interrupt), <-c)
	signal.Stop(c)
	signal.Ignore(syscall.SIGHUP)
	fmt.Println(signal.Ignored(syscall.SIGHUP), syscall.Kill(os.Getpid(), syscall.SIGHUP), len(c))
	signal.Reset(syscall.SIGHUP)
	fmt.Println(signal.Ignored(syscall.SIGHUP), syscall.Kill(os.Getpid(), 0))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGUSR1)
	fmt.Println(ctx.Err(), syscall.Kill(os.Getpid(), syscall.SIGUSR1))
	<-ctx.Done()
	fmt.Println(ctx.Err())
	stop()
}

func pipes() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	lines := make(chan string, 3)
	go func() {
		for s := bufio.NewScanner(r); s.Scan(); {
			lines <- s.Text()
		}
		close(lines)
	}()
	fmt.Fprintln(w, "one")
	fmt.Fprint(w, "two\nthree\n")
	fmt.Println(w.Close() == nil, errors.Is(w.Close(), os.ErrClosed))
	for l := range lines {
		fmt.Println(l)
	}
	n, err := r.Read(make([]byte, 1))
	fmt.Println(n, err)
	r.Close()

	r, w, _ = os.Pipe()
	r.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err = r.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, os.ErrDeadlineExceeded))
	w.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	n, err = w.Write(make([]byte, 1<<20)) // it is full
	fmt.Println(n, errors.Is(err, os.ErrDeadlineExceeded))
	r.SetReadDeadline(time.Time{})
	b := make([]byte, 1<<20)
	n, err = io.ReadFull(r, b[:n])
	fmt.Println(n, err)
	go func() { time.Sleep(time.Millisecond); r.Close() }()
	_, err = r.Read(b)
	fmt.Println(errors.Is(err, os.ErrClosed))
	signal.Ignore(syscall.SIGPIPE)
	_, err = w.Write(b)
	fmt.Println(errors.Is(err, syscall.EPIPE))
	st, err := w.Stat()
	fmt.Println(st.Mode()&os.ModeNamedPipe != 0, err)
	fmt.Println(w.Seek(0, io.SeekCurrent))
}
