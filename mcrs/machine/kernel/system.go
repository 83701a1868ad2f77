package kernel

import "strings"

// This file defines the files under /etc and /proc that programs ask for their process and their computer. They are
// constants, and cannot be changed.

// systemFiles are those files. Each says what is true of the process that the machine makes up.
var systemFiles = []struct{ dir, name, text string }{
	{"etc", "group", "root:x:0:\nheddle:x:1000:\n"}, // and passwd: as package os/user says (overlay)
	{"etc", "hostname", hostname + "\n"},
	{"etc", "hosts", "127.0.0.1\t" + hostname + "\n::1\t" + hostname + " ip6-localhost ip6-loopback\n"},
	{"etc", "machine-id", "00112233445566778899aabbccddeeff\n"},
	{"etc", "passwd", "root:x:0:0:root:/root:/bin/sh\nheddle:x:1000:1000::/tmp:/bin/sh\n"},
	{"proc/sys/fs", "pipe-max-size", "1048576\n"},
	{"proc/sys/net/core", "somaxconn", "4096\n"},
	{"proc/self", "cgroup", "0::/\n"},
	{"proc/self", "cpuset", "/\n"},
	{"proc/self", "mountinfo", "21 0 0:1 / / rw,relatime - tmpfs none rw\n"},
	{"proc/self", "status", "Name:\tprog\nState:\tR (running)\nTgid:\t" + pidText + "\nPid:\t" + pidText + "\nPPid:\t1\nTracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\n" +
		"Gid:\t1000\t1000\t1000\t1000\nVmRSS:\t    1024 kB\nThreads:\t1\n"},
}

const (
	hostname = "localhost" // as uname says
	pidText  = "4242"
)

// makeSystem makes them.
func (k *Kernel) makeSystem() {
	for _, f := range systemFiles {
		dir := k.makeOutside(f.dir)
		n, _ := k.newNode(sIFREG | 0o444)
		k.link(dir, f.name, n)
		k.writeAt(n, []byte(f.text), 0)
	}
	k.makeOutside("usr/bin")
	if len(k.cfg.Args) > 0 {
		self := k.makeOutside("proc/self")
		n, _ := k.newNode(sIFLNK | 0o777)
		n.target, n.size = k.cfg.Args[0], int64(len(k.cfg.Args[0]))
		k.link(self, "exe", n)
		n, _ = k.newNode(sIFREG | 0o444)
		k.link(self, "cmdline", n)
		k.writeAt(n, []byte(strings.Join(k.cfg.Args, "\x00")+"\x00"), 0)
	}
	pid, _ := k.newNode(sIFLNK | 0o777)
	pid.target, pid.size = "self", 4
	k.link(k.makeOutside("proc"), pidText, pid)
}

// makeOutside makes folders that the host has too.
func (k *Kernel) makeOutside(path string) *node {
	dir := k.root
	for name := range strings.SplitSeq(path, "/") {
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
