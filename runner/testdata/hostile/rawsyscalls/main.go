// System calls by number.
//
// Want: incomplete: unsupported system call|exit 0
package main

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

func main() {
	path, _ := syscall.BytePtrFromString(os.Args[1] + "/secret")
	p := uintptr(unsafe.Pointer(path))
	for _, n := range []uintptr{syscall.SYS_UNLINK, syscall.SYS_RMDIR, syscall.SYS_CHMOD, syscall.SYS_TRUNCATE, syscall.SYS_OPEN, syscall.SYS_CREAT} {
		r, _, e := syscall.RawSyscall(n, p, 0o101, 0)
		fmt.Println(n, int(r) < 0, e)
	}
	r, _, e := syscall.Syscall6(syscall.SYS_OPENAT, ^uintptr(99), p, 0o101, 0o666, 0, 0)
	fmt.Println(int(r), e)
	fmt.Println(syscall.Syscall(syscall.SYS_WRITE, 1<<40, p, 1<<62))
}
