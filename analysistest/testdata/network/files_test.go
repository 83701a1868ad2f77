package network

import (
	"os"
	"sync"
	"syscall"
	"testing"
)

// This file has locks of files (FLOCK1) and files that are mapped into memory (MAP2).

func lockFile(t *testing.T, name string) *os.File {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFlockWaits(t *testing.T) { // verdict: exhausted
	name := t.TempDir() + "/lock"
	f, g := lockFile(t, name), lockFile(t, name)
	var holders, most int
	var mu sync.Mutex
	critical := func(f *os.File) {
		syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		mu.Lock()
		holders++
		most = max(most, holders)
		mu.Unlock()
		mu.Lock()
		holders--
		mu.Unlock()
		f.Close() // gives up the lock
	}
	done := make(chan bool)
	go func() { critical(g); close(done) }()
	critical(f)
	<-done
	if most > 1 {
		t.Error("two have the lock")
	}
}

func TestFlockShared(t *testing.T) { // verdict: exhausted
	name := t.TempDir() + "/lock"
	f, g := lockFile(t, name), lockFile(t, name)
	syscall.Flock(int(f.Fd()), syscall.LOCK_SH)
	done := make(chan error)
	go func() { done <- syscall.Flock(int(g.Fd()), syscall.LOCK_SH) }()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestFlockNever(t *testing.T) { // verdict: exhausted
	name := t.TempDir() + "/lock"
	f, g := lockFile(t, name), lockFile(t, name)
	syscall.Flock(int(f.Fd()), syscall.LOCK_SH)
	syscall.Flock(int(g.Fd()), syscall.LOCK_EX) // want `deadlock`
}

func TestFlockOrdersNothing(t *testing.T) { // verdict: exhausted
	name := t.TempDir() + "/lock"
	f, g := lockFile(t, name), lockFile(t, name)
	x := 0
	touch := func(f *os.File) {
		syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		x++ // want `data race: x`
		syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	}
	done := make(chan bool)
	go func() { touch(g); close(done) }()
	touch(f)
	<-done
}

func mapped(t *testing.T, f *os.File, prot int) []byte {
	f.WriteString("old")
	b, err := syscall.Mmap(int(f.Fd()), 0, 3, prot, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Who guesses the number of a descriptor sees what package os does to it before it returns the file: nothing of that is
// silent here (rule FD1).
func TestGuessedDescriptor(t *testing.T) { // verdict: exhausted
	name := t.TempDir() + "/f"
	f := lockFile(t, name)
	guess := f.Fd()
	f.Close()
	done := make(chan bool)
	go func() { lockFile(t, name).Close(); close(done) }()
	flags, _, err := syscall.Syscall(syscall.SYS_FCNTL, guess, syscall.F_GETFL, 0)
	<-done
	if err == 0 && flags&syscall.O_NONBLOCK != 0 {
		t.Error("it does not block, for a moment") // want `it does not block`
	}
}

func TestMapped(t *testing.T) { // verdict: exhausted
	f := lockFile(t, t.TempDir()+"/file")
	b := mapped(t, f, syscall.PROT_READ)
	f.WriteAt([]byte("new"), 0)
	if string(b) != "new" {
		t.Errorf("%q", b)
	}
	done := make(chan string)
	go func() { done <- string(b) }()
	if <-done != string(b) {
		t.Error("changed")
	}
}

func TestMappedWritten(t *testing.T) { // verdict: incomplete `a file that is mapped into memory, in a program of several goroutines`
	f := lockFile(t, t.TempDir()+"/file")
	b := mapped(t, f, syscall.PROT_READ)
	done := make(chan string)
	go func() { done <- string(b) }()
	f.WriteAt([]byte("new"), 0)
	<-done
}

func TestMappedRead(t *testing.T) { // verdict: incomplete `a file that is mapped into memory, in a program of several goroutines`
	f := lockFile(t, t.TempDir()+"/file")
	b := mapped(t, f, syscall.PROT_READ|syscall.PROT_WRITE)
	done := make(chan bool)
	go func() { b[0] = 'O'; close(done) }()
	f.ReadAt(make([]byte, 3), 0)
	<-done
}

// What is written behind the pages of a mapping is no matter for it, nor are reads there for who stores in it (MAP3).
func TestMappedAppended(t *testing.T) { // verdict: exhausted
	f := lockFile(t, t.TempDir()+"/file")
	b := mapped(t, f, syscall.PROT_READ)
	done := make(chan string)
	go func() { done <- string(b) }()
	f.WriteAt([]byte("new"), 4096)
	if s := <-done; s != "old" {
		t.Error(s)
	}
}

func TestMappedReadBehind(t *testing.T) { // verdict: exhausted
	f := lockFile(t, t.TempDir()+"/file")
	b := mapped(t, f, syscall.PROT_READ|syscall.PROT_WRITE)
	f.WriteAt([]byte("new"), 4096)
	done := make(chan bool)
	go func() { b[0] = 'O'; close(done) }()
	p := make([]byte, 3)
	if f.ReadAt(p, 4096); string(p) != "new" {
		t.Error(string(p))
	}
	<-done
}

// One byte of the mapping's last page is enough.
func TestMappedOverlap(t *testing.T) { // verdict: incomplete `a file that is mapped into memory, in a program of several goroutines`
	f := lockFile(t, t.TempDir()+"/file")
	b := mapped(t, f, syscall.PROT_READ)
	done := make(chan string)
	go func() { done <- string(b) }()
	f.WriteAt([]byte("new"), 4095)
	<-done
}

func TestMappedStores(t *testing.T) { // verdict: exhausted
	b := mapped(t, lockFile(t, t.TempDir()+"/file"), syscall.PROT_READ|syscall.PROT_WRITE)
	done := make(chan bool)
	go func() { b[0] = 'O'; close(done) }() // want `data race`
	b[0] = 'P'
	<-done
}
