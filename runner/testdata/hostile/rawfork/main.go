// One system call that reaches out.
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
	_ = p
	r, _, e := syscall.RawSyscall(syscall.SYS_FORK, 0, 0, 0)
	fmt.Println(int(r), e)
	if e == 0 {
		os.Exit(3)
	}
}
