package a

import (
	"syscall"
	"testing"
	"unsafe"
)

// TestUnmapped writes to memory that was given back.
func TestUnmapped(t *testing.T) {
	b, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	p := &b[0]
	syscall.Munmap(b)
	done := make(chan bool)
	go func() {
		*p = 1 // want `fatal error: fault: unexpected fault address 0x\w+, by G1.1`
		close(done)
	}()
	<-done
}

// TestComputed does not know what is at the address that it has computed, and nor does the machine: near miss.
func TestComputed(t *testing.T) {
	at := uintptr(unsafe.Pointer(new(int))) << 1
	done := make(chan bool)
	go func() {
		**(**int)(unsafe.Pointer(&at)) = 1
		close(done)
	}()
	<-done
}
