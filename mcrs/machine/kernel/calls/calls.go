// Package calls names the system calls of linux/amd64. Package kernel answers these.
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
//	getrandom                  up to 64 MiB
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
package calls

import "strings"

// Names are they, by number.
var Names = func() (n [453]string) {
	copy(n[:], strings.Fields(oldNames))
	copy(n[424:], strings.Fields(newNames))
	return n
}()

const oldNames = `
read write open close stat fstat lstat poll lseek mmap mprotect munmap brk rt_sigaction rt_sigprocmask
rt_sigreturn ioctl pread64 pwrite64 readv writev access pipe select sched_yield mremap msync mincore madvise
shmget shmat shmctl dup dup2 pause nanosleep getitimer alarm setitimer getpid sendfile socket connect accept
sendto recvfrom sendmsg recvmsg shutdown bind listen getsockname getpeername socketpair setsockopt getsockopt
clone fork vfork execve exit wait4 kill uname semget semop semctl shmdt msgget msgsnd msgrcv msgctl fcntl
flock fsync fdatasync truncate ftruncate getdents getcwd chdir fchdir rename mkdir rmdir creat link unlink
symlink readlink chmod fchmod chown fchown lchown umask gettimeofday getrlimit getrusage sysinfo times ptrace
getuid syslog getgid setuid setgid geteuid getegid setpgid getppid getpgrp setsid setreuid setregid getgroups
setgroups setresuid getresuid setresgid getresgid getpgid setfsuid setfsgid getsid capget capset rt_sigpending
rt_sigtimedwait rt_sigqueueinfo rt_sigsuspend sigaltstack utime mknod uselib personality ustat statfs fstatfs
sysfs getpriority setpriority sched_setparam sched_getparam sched_setscheduler sched_getscheduler
sched_get_priority_max sched_get_priority_min sched_rr_get_interval mlock munlock mlockall munlockall vhangup
modify_ldt pivot_root _sysctl prctl arch_prctl adjtimex setrlimit chroot sync acct settimeofday mount umount2
swapon swapoff reboot sethostname setdomainname iopl ioperm create_module init_module delete_module
get_kernel_syms query_module quotactl nfsservctl getpmsg putpmsg afs_syscall tuxcall security gettid readahead
setxattr lsetxattr fsetxattr getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr removexattr
lremovexattr fremovexattr tkill time futex sched_setaffinity sched_getaffinity set_thread_area io_setup
io_destroy io_getevents io_submit io_cancel get_thread_area lookup_dcookie epoll_create epoll_ctl_old
epoll_wait_old remap_file_pages getdents64 set_tid_address restart_syscall semtimedop fadvise64 timer_create
timer_settime timer_gettime timer_getoverrun timer_delete clock_settime clock_gettime clock_getres
clock_nanosleep exit_group epoll_wait epoll_ctl tgkill utimes vserver mbind set_mempolicy get_mempolicy
mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr kexec_load waitid add_key request_key
keyctl ioprio_set ioprio_get inotify_init inotify_add_watch inotify_rm_watch migrate_pages openat mkdirat
mknodat fchownat futimesat newfstatat unlinkat renameat linkat symlinkat readlinkat fchmodat faccessat
pselect6 ppoll unshare set_robust_list get_robust_list splice tee sync_file_range vmsplice move_pages
utimensat epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime timerfd_gettime accept4
signalfd4 eventfd2 epoll_create1 dup3 pipe2 inotify_init1 preadv pwritev rt_tgsigqueueinfo perf_event_open
recvmmsg fanotify_init fanotify_mark prlimit64 name_to_handle_at open_by_handle_at clock_adjtime syncfs
sendmmsg setns getcpu process_vm_readv process_vm_writev kcmp finit_module sched_setattr sched_getattr
renameat2 seccomp getrandom memfd_create kexec_file_load bpf execveat userfaultfd membarrier mlock2
copy_file_range preadv2 pwritev2 pkey_mprotect pkey_alloc pkey_free statx io_pgetevents rseq`

// From 424 on all architectures count alike.
const newNames = `
pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig fsmount
fspick pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr
quotactl_fd landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret process_mrelease
futex_waitv set_mempolicy_home_node cachestat fchmodat2`
