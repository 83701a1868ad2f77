package z3

import (
	"syscall"
	"unsafe"
)

// This file keeps what happens at SIGINT. Z3_eval_smtlib2_string installs a handler, and puts the old one back without
// its stack of its own (SA_ONSTACK). A Go program
// crashes then when the signal comes while a goroutine runs.

func init() { keepInterrupt = keepInterruptLinux }

// keepInterruptLinux returns a function that sets the action at SIGINT to what it is now.
func keepInterruptLinux() (restore func()) {
	var action [4]uint64 // rt_sigaction(2): handler, flags, restorer, mask
	if !rtSigaction(nil, &action) {
		return func() {}
	}
	return func() { rtSigaction(&action, nil) }
}

func rtSigaction(set, get *[4]uint64) bool {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(syscall.SIGINT), uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)), 8, 0, 0)
	return errno == 0
}
