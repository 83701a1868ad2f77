// Package computer has what the computer is that package kernel makes up: constants, and random numbers.
package computer

import "encoding/binary"

// Files are those under /etc, /proc and /sys that programs ask for their process and their computer. They cannot be
// changed. Each says what is true of the process that the machine makes up.
var Files = []struct{ Dir, Name, Text string }{
	{"etc", "group", "root:x:0:\nheddle:x:1000:\n"}, // and passwd: as package os/user says (overlay)
	{"etc", "hostname", Hostname + "\n"},
	{"etc", "hosts", "127.0.0.1\tlocalhost\n127.0.1.1\t" + Hostname + "\n::1\tlocalhost ip6-localhost ip6-loopback\n"},
	{"etc", "machine-id", "00112233445566778899aabbccddeeff\n"},
	{"etc", "os-release", "NAME=Linux\nID=linux\nPRETTY_NAME=Linux\n"}, // what holds without the file (os-release(5))
	{"etc", "passwd", "root:x:0:0:root:/root:/bin/sh\nheddle:x:1000:1000::/tmp:/bin/sh\n"},
	{"etc", "resolv.conf", "nameserver 127.0.0.1\n"}, // as without the file; nobody answers there, and who asks is refused it
	{"proc/sys/fs", "pipe-max-size", "1048576\n"},
	{"proc/sys/net/core", "somaxconn", "4096\n"},
	{"proc/self", "cgroup", "0::/\n"},
	{"proc/self", "cpuset", "/\n"},
	{"proc/self", "mountinfo", "21 0 0:1 / / rw,relatime - tmpfs none rw\n"},
	{"proc/self", "status", "Name:\tprog\nState:\tR (running)\nTgid:\t" + PID + "\nPid:\t" + PID + "\nPPid:\t1\nTracerPid:\t0\nUid:\t1000\t1000\t1000\t1000\n" +
		"Gid:\t1000\t1000\t1000\t1000\nVmRSS:\t    1024 kB\nThreads:\t1\n"},
	{"sys/devices/system/cpu", "online", "0-7\n"}, // runtime.NumCPU is 8
	{"sys/devices/system/cpu", "possible", "0-7\n"},
	{"sys/devices/system/cpu", "present", "0-7\n"},
}

const (
	Hostname = "heddle" // as uname says
	PID      = "4242"
)

// Uname is what uname says.
func Uname() []byte {
	b := make([]byte, 6*65)
	for i, s := range []string{"Linux", Hostname, "6.1.0", "#1 SMP", "x86_64", "(none)"} {
		copy(b[i*65:], s)
	}
	return b
}

// Sysinfo is what sysinfo says so many seconds after the start.
func Sysinfo(seconds uint64) []byte {
	b := make([]byte, 112)
	binary.LittleEndian.PutUint64(b, seconds)
	binary.LittleEndian.PutUint64(b[32:], 1<<30) // total memory
	binary.LittleEndian.PutUint64(b[40:], 1<<29) // free
	binary.LittleEndian.PutUint16(b[80:], 1)     // processes
	binary.LittleEndian.PutUint32(b[104:], 1)    // unit
	return b
}

// Random fills p from a stream of which n blocks were drawn: splitmix64 over a counter. It returns how many blocks were
// drawn then.
func Random(stream, n uint64, p []byte) uint64 {
	mix := func(z uint64) uint64 {
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	seed := mix(stream + 0x9e3779b97f4a7c15)
	for len(p) > 0 {
		n++
		p = p[copy(p, binary.LittleEndian.AppendUint64(nil, mix(seed+n*0x9e3779b97f4a7c15))):]
	}
	return n
}

// Split makes a timespec of nanoseconds, its second part never negative.
func Split(t int64) (s, ns uint64) {
	q, r := t/1e9, t%1e9
	if r < 0 {
		q, r = q-1, r+1e9
	}
	return uint64(q), uint64(r)
}

// ClampSeconds keeps a time within what 64 bits of nanoseconds hold (the years
// 1677 to 2262), as every file system clamps to its own range.
func ClampSeconds(s int64) int64 { return max(-9223372036, min(s, 9223372035)) }
