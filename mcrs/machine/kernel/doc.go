// Package kernel answers the system calls of one process as Linux on amd64
// would, without performing any. Go's os, syscall, internal/poll and
// internal/syscall/unix run on it from source: all they do to the host passes
// through internal/runtime/syscall.Syscall6, and so through Kernel.Syscall.
//
// The process is an ordinary user (1000), owner of every file, alone. It finds
//
//	its module's folder    at the host's path, the package's as the current folder; what the
//	                       program changes there is changed in memory (Kernel.own)
//	GOROOT                 likewise; read only
//	/tmp, $TMPDIR          empty, in memory
//	/dev                   null, zero, random, urandom, stdin, stdout, stderr
//	/etc                   hostname, hosts, machine-id: of a computer called heddle; passwd, group: root and
//	                       the user; os-release: of some Linux
//	/proc/self             exe, cmdline, cgroup, cpuset, mountinfo, status: of a process without a control group,
//	                       on one file system
//	/proc/sys, /sys        fs/pipe-max-size, net/core/somaxconn; devices/system/cpu: online, possible, present
//	/usr/bin, /sys/fs/cgroup, /proc/self/ns  empty folders: no control group is mounted, there are no namespaces
//
// and nothing else. A file made anywhere but in GOROOT goes to memory, and nothing to the host. A Restore takes it
// back. Links of the host that lead out of them lead into this name space, where their targets do not exist; besides,
// the host is only reached through os.Root. If the module's folder is / it is not shown.
//
// Everything is a function of the calls and of Config: inode numbers count (or
// hash the host's path), times are the virtual clock's, folders are listed in
// the order of creation (the host's: by name), random numbers come from a fixed
// stream for each goroutine. Modes of the host's files are reduced to 644 or
// 755, their times to the start. What was read of the host once is kept, so that
// all executions see the same bytes. Access times do not change with access.
//
// Package calls lists the system calls, package apart says how they are told apart.
package kernel
