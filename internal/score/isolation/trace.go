package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A call is one system call of the log.
type call struct {
	pid        int
	name, args string
}

// A log is the calls of a process and all it started.
type log struct {
	calls  []call
	parent map[int]int  // of each process and thread but the first
	thread map[int]bool // it is a thread of its parent
}

// trace runs heddle under strace.
func (s *subject) trace(args ...string) (*log, error) {
	cmd := exec.Command("strace", append([]string{"-f", "-y", "-s", "4096", "-e", "trace=%file,%network,%process,kill,tkill,rt_sigqueueinfo,ftruncate,fchmod,fchown", "-o", s.log, s.exe}, args...)...)
	cmd.Dir = s.module
	cmd.Env = append(os.Environ(), "HEDDLE_CACHE=off") // not the user's
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	return parse(s.log)
}

var (
	line     = regexp.MustCompile(`^(\d+) +(\w+)\((.*)$`)
	resumed  = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)$`)
	result   = regexp.MustCompile(`\) += (\d+)`)
	quoted   = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	dirfd    = regexp.MustCompile(`^(?:\d+|AT_FDCWD)<([^>]*)>`)
	opened   = regexp.MustCompile(`= \d+<([^>]*)>$`)
	writing  = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND`)
	changing = regexp.MustCompile(`^(unlink|unlinkat|rename|renameat|renameat2|mkdir|mkdirat|rmdir|link|linkat|symlink|symlinkat|chmod|fchmod|fchmodat|fchmodat2|chown|fchown|lchown|fchownat|truncate|ftruncate|mknod|mknodat|utimensat|creat|mount|umount2|chroot|pivot_root|swapon|acct)$`)
	network  = regexp.MustCompile(`^(socket|socketpair|connect|bind|listen|accept|accept4|sendto|sendmsg|sendmmsg)$`)
	signals  = regexp.MustCompile(`^(kill|tkill|rt_sigqueueinfo)$`)
)

func parse(file string) (*log, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := &log{parent: map[int]int{}, thread: map[int]bool{}}
	pending := map[int]string{}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var pid int
		var name, args string
		if m := line.FindStringSubmatch(sc.Text()); m != nil {
			pid, _ = strconv.Atoi(m[1])
			name, args = m[2], m[3]
			l.calls = append(l.calls, call{pid, name, args})
			if strings.Contains(args, "<unfinished ...>") {
				pending[pid] = args
			}
		} else if m := resumed.FindStringSubmatch(sc.Text()); m != nil {
			pid, _ = strconv.Atoi(m[1])
			name, args = m[2], pending[pid]+m[3]
		}
		if m := result.FindStringSubmatch(args); m != nil && (strings.HasPrefix(name, "clone") || name == "fork" || name == "vfork") {
			child, _ := strconv.Atoi(m[1])
			l.parent[child], l.thread[child] = pid, strings.Contains(args, "CLONE_THREAD")
		}
	}
	if len(l.calls) == 0 {
		return nil, fmt.Errorf("strace logged nothing")
	}
	return l, sc.Err()
}

// path is the file that a call names first.
func (c *call) path(cwd string) (string, bool) {
	m := quoted.FindStringSubmatch(c.args)
	if m == nil {
		return "", false
	}
	p := m[1]
	if !filepath.IsAbs(p) {
		if d := dirfd.FindStringSubmatch(c.args); d != nil {
			cwd = d[1]
		}
		p = filepath.Join(cwd, p)
	}
	return filepath.Clean(p), true
}

type report struct {
	opens, execs int
	faults       []string
}

// judge reads a log by the rules of the command's documentation.
func (s *subject) judge(l *log) report {
	var r report
	fault := func(c call) { r.faults = append(r.faults, c.name+"("+c.args) }
	first := l.calls[0].pid
	goCommand := map[int]bool{} // process that has become the go command
	var ofGo func(pid int) bool
	ofGo = func(pid int) bool {
		if goCommand[pid] {
			return true
		}
		p, ok := l.parent[pid]
		return ok && ofGo(p)
	}
	for i, c := range l.calls {
		switch {
		case network.MatchString(c.name):
			fault(c)
		case ofGo(c.pid):
		case strings.HasPrefix(c.name, "execve"):
			if i == 0 && c.pid == first {
				continue
			}
			r.execs++
			q := quoted.FindAllStringSubmatch(c.args, 3)
			if len(q) < 3 || filepath.Base(q[0][1]) != "go" || q[2][1] != "list" && q[2][1] != "env" {
				fault(c)
			}
			goCommand[c.pid] = true
		case signals.MatchString(c.name), changing.MatchString(c.name):
			fault(c)
		case strings.HasPrefix(c.name, "open"):
			r.opens++
			p, ok := c.path(s.module)
			at := opened.FindStringSubmatch(c.args) // where symbolic links led
			switch {
			case !ok, !s.common[p] && (writing.MatchString(c.args) || !s.inside(p)):
				fault(c)
			case at != nil && !s.common[p] && !s.inside(at[1]):
				fault(c)
			}
		}
	}
	return r
}

func (s *subject) inside(p string) bool {
	for _, d := range s.allowed {
		if p == d || strings.HasPrefix(p, d+"/") {
			return true
		}
	}
	return false
}
