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
//	/etc                   hostname, hosts, machine-id: of a computer called localhost; passwd, group: root and
//	                       the user
//	/proc/self             exe, cmdline, cgroup, cpuset, mountinfo, status: of a process without a control group,
//	                       on one file system
//	/proc/sys              fs/pipe-max-size, net/core/somaxconn
//	/usr/bin               an empty folder
//
// and nothing else: no /sys. A file made anywhere but in
// GOROOT goes to memory, and nothing to the host. A Restore takes it back. Links of the host that lead out of them
// lead into this name space, where their targets do not exist; besides, the host
// is only reached through os.Root. If the module's folder is / it is not shown.
//
// Everything is a function of the calls and of Config: inode numbers count (or
// hash the host's path), times are the virtual clock's, folders are listed in
// the order of creation (the host's: by name), random numbers come from a fixed
// stream for each goroutine. Modes of the host's files are reduced to 644 or
// 755, their times to the start. What was read of the host once is kept, so that
// all executions see the same bytes. Access times do not change with access.
//
// # System calls
//
//	read write pread64 pwrite64 readv writev preadv pwritev
//	open creat openat close close_range
//	                           also O_PATH; O_TMPFILE is EOPNOTSUPP; of a named pipe the second result is its
//	                           inode number: it is package inet's from then on
//	lseek                      also SEEK_DATA and SEEK_HOLE
//	stat lstat fstat newfstatat access faccessat faccessat2 getdents64
//	statfs fstatfs             one tmpfs
//	mkdir mkdirat rmdir unlink unlinkat link linkat symlink symlinkat readlink readlinkat
//	mknodat                    files, named pipes, and the file of a unix socket; no devices
//	rename renameat renameat2  NOREPLACE and EXCHANGE; no WHITEOUT
//	truncate ftruncate         up to 16 TiB; holes are free
//	chmod fchmod fchmodat fchmodat2 umask
//	chown fchown lchown fchownat
//	                           to oneself; else EPERM
//	utimensat utimes futimesat years 1677 to 2262
//	fsync fdatasync sync syncfs sync_file_range fadvise64 readahead
//	                           nothing to do
//	chdir fchdir getcwd
//	dup dup2 dup3 fcntl        descriptors, flags, record locks (always granted); no leases
//	flock                      one that would block: EAGAIN
//	mmap munmap mprotect msync madvise mlock munlock
//	                           of regular files, and of none; whole, and with access (mmap.go)
//	getpid getppid gettid getpgrp getpgid getsid getuid geteuid getgid getegid
//	getgroups getresuid getresgid uname getrusage times sysinfo
//	                           constants
//	clock_gettime clock_getres gettimeofday time
//	                           one clock
//	getrandom                  up to 1 MiB
//	getrlimit setrlimit prlimit64
//	                           setting what is set; 1024 files, else unlimited
//	kill                       self with signal 0; others EPERM
//	ioctl                      ENOTTY
//	prctl                      PR_SET_KEEPCAPS and PR_GET_KEEPCAPS
//	socket socketpair          EAFNOSUPPORT; what takes a socket: ENOTSOCK (sockets are package inet's)
//	clone fork vfork execve ptrace mount chroot reboot … EPERM; wait4 waitid ECHILD
//	statx openat2 copy_file_range sendfile pidfd_open … ENOSYS, splice EINVAL: callers fall back
//	fallocate, extended attributes: EOPNOTSUPP
//
// Of any other call, or other arguments of these, Syscall says that it is not
// implemented, and Unsupported what it was: signals, futex, poll, epoll,
// select, timers, inotify, exit, …. These are the machine's, or end the run.
//
// # Limits
//
// The files in memory hold 64 MiB (ENOSPC), counted in pages of 4 KiB, 1 KiB an
// inode and 128 bytes a name; a process has 1024 descriptors (EMFILE); of the host
// 256 MiB are read, then the call is not implemented. Addresses and lengths may be
// anything: the machine's memory is asked for at most 64 KiB at a time.
//
// Differences from Linux that a program could see: hard links of the host look
// like separate files, host folders have one link, a folder's size is 4096, and
// opening /dev/stdin shares its position.
package kernel
