package kernel

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/kernel/computer"
)

// This file makes the files under /etc and /proc that programs ask for their process and their computer.

// makeSystem makes them.
func (k *Kernel) makeSystem() {
	for _, f := range computer.Files {
		dir := k.makeOutside(f.Dir)
		n, _ := k.newNode(sIFREG | 0o444)
		k.link(dir, f.Name, n)
		k.writeAt(n, []byte(f.Text), 0)
	}
	k.makeOutside("usr/bin")
	k.makeDir(k.makeOutside("sys/fs"), "cgroup") // with nothing in it, as /proc/self/mountinfo says
	k.makeDir(k.makeOutside("proc/self"), "ns")  // likewise: a kernel without namespaces
	if len(k.cfg.Args) > 0 {
		self := k.makeOutside("proc/self")
		n, _ := k.newNode(sIFLNK | 0o777)
		n.target, n.size = k.cfg.Args[0], int64(len(k.cfg.Args[0]))
		k.link(self, "exe", n)
		n, _ = k.newNode(sIFREG | 0o444)
		k.link(self, "cmdline", n)
		k.writeAt(n, []byte(strings.Join(k.cfg.Args, "\x00")+"\x00"), 0)
		k.makeOutside(k.cfg.Args[0][:strings.LastIndexByte(k.cfg.Args[0], '/')+1]) // natively the program's own file is there
	}
	pid, _ := k.newNode(sIFLNK | 0o777)
	pid.target, pid.size = "self", 4
	k.link(k.makeOutside("proc"), computer.PID, pid)
}

// makeOutside makes folders that the host has too.
func (k *Kernel) makeOutside(path string) *node {
	dir := k.root
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' }) {
		dir = k.makeDir(dir, name)
		dir.outside = true
	}
	return dir
}

// sysMknodat makes files, named pipes, and the file of a unix socket for package inet.
func sysMknodat(c *call) (uint64, errno) {
	k, mode := c.k, uint32(c.a[2])
	kind := mode & sIFMT
	switch kind {
	case 0:
		kind = sIFREG
	case sIFREG, sIFIFO, sIFSOCK, sIFCHR, sIFBLK:
	case sIFDIR:
		return 0, ePERM
	default:
		return 0, eINVAL
	}
	path, e := c.path(c.a[1])
	if e != 0 {
		return 0, e
	}
	w, e := k.vacant(c.a[0], path, false)
	if e != 0 {
		return 0, e
	}
	switch {
	case kind == sIFCHR && c.a[3] == 0:
		return 0, k.unsupport("a whiteout")
	case kind == sIFCHR || kind == sIFBLK:
		return 0, ePERM
	}
	_, e = k.create(w, kind|mode&0o7777&^k.p.umask)
	return 0, e
}
