package kernel

type handler func(*call) (uint64, errno)

type row struct {
	effect Effect
	do     handler
}

// table holds what is implemented; the rest ends the run.
var table = [453]row{
	0:   {Writes, sysRead},                         // read
	1:   {Writes, sysWrite},                        // write
	2:   {Writes, sysOpen},                         // open
	3:   {Writes, sysClose},                        // close
	4:   {Reads, sysStat},                          // stat
	5:   {Reads, sysFstat},                         // fstat
	6:   {Reads, sysLstat},                         // lstat
	8:   {Writes, sysLseek},                        // lseek
	9:   {Writes, sysMmap},                         // mmap
	10:  {Writes, sysMprotect},                     // mprotect
	11:  {Writes, sysMunmap},                       // munmap
	16:  {Reads, sysIoctl},                         // ioctl
	17:  {Writes, sysPread},                        // pread64
	18:  {Writes, sysPwrite},                       // pwrite64
	19:  {Writes, sysReadv},                        // readv
	20:  {Writes, sysWritev},                       // writev
	21:  {Reads, sysAccess},                        // access
	24:  {Pure, answer(0)},                         // sched_yield
	26:  {Writes, sysMsync},                        // msync
	28:  {Pure, sysMadvise},                        // madvise
	32:  {Writes, sysDup},                          // dup
	33:  {Writes, sysDup2},                         // dup2
	39:  {Pure, answer(pid)},                       // getpid
	40:  {Pure, refuse(eNOSYS)},                    // sendfile
	41:  {Pure, lacking(Network, eAFNOSUPPORT)},    // socket
	42:  {Reads, noSocket},                         // connect
	43:  {Reads, noSocket},                         // accept
	44:  {Reads, noSocket},                         // sendto
	45:  {Reads, noSocket},                         // recvfrom
	46:  {Reads, noSocket},                         // sendmsg
	47:  {Reads, noSocket},                         // recvmsg
	48:  {Reads, noSocket},                         // shutdown
	49:  {Reads, noSocket},                         // bind
	50:  {Reads, noSocket},                         // listen
	51:  {Reads, noSocket},                         // getsockname
	52:  {Reads, noSocket},                         // getpeername
	53:  {Pure, lacking(Network, eAFNOSUPPORT)},    // socketpair
	54:  {Reads, noSocket},                         // setsockopt
	55:  {Reads, noSocket},                         // getsockopt
	56:  {Pure, lacking("other processes", ePERM)}, // clone
	57:  {Pure, lacking("other processes", ePERM)}, // fork
	58:  {Pure, lacking("other processes", ePERM)}, // vfork
	59:  {Pure, lacking("other processes", ePERM)}, // execve
	61:  {Pure, refuse(eCHILD)},                    // wait4
	62:  {Pure, sysKill},                           // kill
	63:  {Pure, sysUname},                          // uname
	72:  {Writes, sysFcntl},                        // fcntl
	73:  {Writes, sysFlock},                        // flock
	74:  {Reads, sysFsync},                         // fsync
	75:  {Reads, sysFsync},                         // fdatasync
	76:  {Writes, sysTruncate},                     // truncate
	77:  {Writes, sysFtruncate},                    // ftruncate
	79:  {Reads, sysGetcwd},                        // getcwd
	80:  {Writes, sysChdir},                        // chdir
	81:  {Writes, sysFchdir},                       // fchdir
	82:  {Writes, sysRename},                       // rename
	83:  {Writes, sysMkdir},                        // mkdir
	84:  {Writes, sysRmdir},                        // rmdir
	85:  {Writes, sysCreat},                        // creat
	86:  {Writes, sysLink},                         // link
	87:  {Writes, sysUnlink},                       // unlink
	88:  {Writes, sysSymlink},                      // symlink
	89:  {Reads, sysReadlink},                      // readlink
	90:  {Writes, sysChmod},                        // chmod
	91:  {Writes, sysFchmod},                       // fchmod
	92:  {Writes, sysChown},                        // chown
	93:  {Writes, sysFchown},                       // fchown
	94:  {Writes, sysLchown},                       // lchown
	95:  {Writes, sysUmask},                        // umask
	96:  {Reads, sysGettimeofday},                  // gettimeofday
	97:  {Pure, sysGetrlimit},                      // getrlimit
	98:  {Pure, sysGetrusage},                      // getrusage
	99:  {Reads, sysSysinfo},                       // sysinfo
	100: {Reads, sysTimes},                         // times
	101: {Pure, refuse(ePERM)},                     // ptrace
	102: {Pure, answer(uid)},                       // getuid
	104: {Pure, answer(uid)},                       // getgid
	107: {Pure, answer(uid)},                       // geteuid
	108: {Pure, answer(uid)},                       // getegid
	110: {Pure, answer(1)},                         // getppid
	111: {Pure, answer(pid)},                       // getpgrp
	115: {Pure, sysGetgroups},                      // getgroups
	116: {Pure, refuse(ePERM)},                     // setgroups
	118: {Pure, sysGetresuid},                      // getresuid
	120: {Pure, sysGetresuid},                      // getresgid
	121: {Pure, sysGetpgid},                        // getpgid
	124: {Pure, sysGetpgid},                        // getsid
	149: {Pure, answer(0)},                         // mlock
	137: {Reads, sysStatfs},                        // statfs
	138: {Reads, sysFstatfs},                       // fstatfs
	150: {Pure, answer(0)},                         // munlock
	155: {Pure, refuse(ePERM)},                     // pivot_root
	157: {Writes, sysPrctl},                        // prctl
	160: {Pure, sysSetrlimit},                      // setrlimit
	161: {Pure, refuse(ePERM)},                     // chroot
	162: {Pure, answer(0)},                         // sync
	163: {Pure, refuse(ePERM)},                     // acct
	164: {Pure, refuse(ePERM)},                     // settimeofday
	165: {Pure, refuse(ePERM)},                     // mount
	166: {Pure, refuse(ePERM)},                     // umount2
	167: {Pure, refuse(ePERM)},                     // swapon
	168: {Pure, refuse(ePERM)},                     // swapoff
	169: {Pure, refuse(ePERM)},                     // reboot
	170: {Pure, refuse(ePERM)},                     // sethostname
	171: {Pure, refuse(ePERM)},                     // setdomainname
	172: {Pure, refuse(ePERM)},                     // iopl
	173: {Pure, refuse(ePERM)},                     // ioperm
	175: {Pure, refuse(ePERM)},                     // init_module
	176: {Pure, refuse(ePERM)},                     // delete_module
	186: {Pure, answer(pid)},                       // gettid
	187: {Pure, answer(0)},                         // readahead
	188: {Pure, refuse(eOPNOTSUPP)},                // setxattr
	189: {Pure, refuse(eOPNOTSUPP)},                // lsetxattr
	190: {Pure, refuse(eOPNOTSUPP)},                // fsetxattr
	191: {Pure, refuse(eOPNOTSUPP)},                // getxattr
	192: {Pure, refuse(eOPNOTSUPP)},                // lgetxattr
	193: {Pure, refuse(eOPNOTSUPP)},                // fgetxattr
	194: {Pure, refuse(eOPNOTSUPP)},                // listxattr
	195: {Pure, refuse(eOPNOTSUPP)},                // llistxattr
	196: {Pure, refuse(eOPNOTSUPP)},                // flistxattr
	197: {Pure, refuse(eOPNOTSUPP)},                // removexattr
	198: {Pure, refuse(eOPNOTSUPP)},                // lremovexattr
	199: {Pure, refuse(eOPNOTSUPP)},                // fremovexattr
	201: {Reads, sysTime},                          // time
	217: {Writes, sysGetdents},                     // getdents64
	221: {Pure, answer(0)},                         // fadvise64
	227: {Pure, refuse(ePERM)},                     // clock_settime
	228: {Reads, sysClockGettime},                  // clock_gettime
	229: {Pure, sysClockGetres},                    // clock_getres
	235: {Writes, sysUtimes},                       // utimes
	247: {Pure, refuse(eCHILD)},                    // waitid
	253: {Pure, lacking(watches, eNOSYS)},          // inotify_init
	257: {Writes, sysOpenat},                       // openat
	258: {Writes, sysMkdirat},                      // mkdirat
	259: {Writes, sysMknodat},                      // mknodat
	260: {Writes, sysFchownat},                     // fchownat
	261: {Writes, sysFutimesat},                    // futimesat
	262: {Reads, sysNewfstatat},                    // newfstatat
	263: {Writes, sysUnlinkat},                     // unlinkat
	264: {Writes, sysRenameat},                     // renameat
	265: {Writes, sysLinkat},                       // linkat
	266: {Writes, sysSymlinkat},                    // symlinkat
	267: {Reads, sysReadlinkat},                    // readlinkat
	268: {Writes, sysFchmodat},                     // fchmodat
	269: {Reads, sysFaccessat},                     // faccessat
	272: {Pure, refuse(ePERM)},                     // unshare
	275: {Pure, refuse(eINVAL)},                    // splice
	276: {Pure, refuse(eINVAL)},                    // tee
	277: {Pure, answer(0)},                         // sync_file_range
	278: {Pure, refuse(eINVAL)},                    // vmsplice
	280: {Writes, sysUtimensat},                    // utimensat
	285: {Pure, refuse(eOPNOTSUPP)},                // fallocate
	288: {Reads, noSocket},                         // accept4
	292: {Writes, sysDup3},                         // dup3
	294: {Pure, lacking(watches, eNOSYS)},          // inotify_init1
	295: {Writes, sysPreadv},                       // preadv
	296: {Writes, sysPwritev},                      // pwritev
	299: {Reads, noSocket},                         // recvmmsg
	302: {Pure, sysPrlimit},                        // prlimit64
	306: {Pure, answer(0)},                         // syncfs
	307: {Reads, noSocket},                         // sendmmsg
	308: {Pure, refuse(ePERM)},                     // setns
	316: {Writes, sysRenameat2},                    // renameat2
	318: {Writes, sysGetrandom},                    // getrandom
	321: {Pure, refuse(ePERM)},                     // bpf
	322: {Pure, refuse(ePERM)},                     // execveat
	326: {Pure, refuse(eNOSYS)},                    // copy_file_range
	332: {Pure, refuse(eNOSYS)},                    // statx
	424: {Pure, refuse(eNOSYS)},                    // pidfd_send_signal
	425: {Pure, refuse(eNOSYS)},                    // io_uring_setup
	434: {Pure, refuse(eNOSYS)},                    // pidfd_open
	435: {Pure, refuse(ePERM)},                     // clone3
	436: {Writes, sysCloseRange},                   // close_range
	437: {Pure, refuse(eNOSYS)},                    // openat2
	439: {Reads, sysFaccessat2},                    // faccessat2
	441: {Pure, refuse(eNOSYS)},                    // epoll_pwait2
	452: {Writes, sysFchmodat2},                    // fchmodat2
}
