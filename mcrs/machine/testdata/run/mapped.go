package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Files that are mapped into memory, and locks of files.
func main() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	readOnly(filepath.Join(dir, "a"))
	written(filepath.Join(dir, "b"))
	anonymous()
	locks(filepath.Join(dir, "c"))
}

func open(name string, size int) *os.File {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	f.Write(bytes.Repeat([]byte("0123456789abcdef"), size/16))
	return f
}

const shared, private = syscall.MAP_SHARED, syscall.MAP_PRIVATE

// readOnly maps a file, and changes it by system calls.
func readOnly(name string) {
	f := open(name, 5000)
	b, err := syscall.Mmap(int(f.Fd()), 0, 8192, syscall.PROT_READ, shared)
	fmt.Println(len(b), err, string(b[:4]), b[4992:4996])
	second, err := syscall.Mmap(int(f.Fd()), 4096, 4096, syscall.PROT_READ, private)
	fmt.Println(string(second[:4]), err)
	f.WriteAt([]byte("four thousand"), 4090)
	fmt.Println(string(b[4088:4106]))
	f.Truncate(6000)
	f.WriteAt([]byte("END"), 5997)
	fmt.Println(string(b[5997:6000]), b[6000], b[5990])
	f.Truncate(4093)
	fmt.Println(string(b[4088:4093]), b[4093], b[4095])
	f.Close()
	os.Remove(name)
	fmt.Println(string(b[:16]))
	fmt.Println(syscall.Munmap(b), syscall.Munmap(b), syscall.Munmap(second))
	_, err = syscall.Mmap(int(f.Fd()), 0, 8192, syscall.PROT_READ, shared)
	fmt.Println(err)
}

// written maps files for writing.
func written(name string) {
	f := open(name, 4096)
	b, err := syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, shared)
	fmt.Println(len(b), err)
	copy(b, "in memory")
	got := make([]byte, 16)
	f.ReadAt(got, 0)
	fmt.Println(string(got))
	f.WriteAt([]byte("IN"), 0)
	b[3] = 'M'
	all, err := os.ReadFile(name)
	fmt.Println(string(all[:16]), len(all), err, string(b[:9]))
	fmt.Println(syscall.Munmap(b))
	all, _ = os.ReadFile(name)
	fmt.Println(string(all[:16]))
	b, err = syscall.Mmap(int(f.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, private)
	copy(b, "not in the file")
	f.ReadAt(got, 0)
	fmt.Println(string(got), string(b[:15]), err)
	fmt.Println(syscall.Munmap(b))
	r, _ := os.Open(name)
	_, err = syscall.Mmap(int(r.Fd()), 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, shared)
	fmt.Println(err)
	_, err = syscall.Mmap(int(r.Fd()), 0, 0, syscall.PROT_READ, shared)
	fmt.Println(err)
	_, err = syscall.Mmap(int(r.Fd()), 100, 4096, syscall.PROT_READ, shared)
	fmt.Println(err)
	d, _ := os.Open(filepath.Dir(name))
	_, err = syscall.Mmap(int(d.Fd()), 0, 4096, syscall.PROT_READ, shared)
	fmt.Println(err)
}

func anonymous() {
	b, err := syscall.Mmap(-1, 0, 10000, syscall.PROT_READ|syscall.PROT_WRITE, private|syscall.MAP_ANON)
	b[9999] = 1
	fmt.Println(len(b), b[0], b[9999], err)
	fmt.Println(syscall.Mprotect(b, syscall.PROT_READ), syscall.Madvise(b, syscall.MADV_RANDOM))
	fmt.Println(b[9999])
	fmt.Println(syscall.Munmap(b))
}

// locks takes one lock by two descriptions of a file.
func locks(name string) {
	f, g := open(name, 16), open(name, 16)
	fmt.Println(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.Flock(int(g.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
	got := make(chan string, 3)
	go func() {
		got <- fmt.Sprint("second ", syscall.Flock(int(g.Fd()), syscall.LOCK_EX))
	}()
	time.Sleep(50 * time.Millisecond)
	got <- "first"
	fmt.Println(syscall.Flock(int(f.Fd()), syscall.LOCK_UN))
	fmt.Println(<-got, <-got)
	go func() {
		got <- fmt.Sprint("first ", syscall.Flock(int(f.Fd()), syscall.LOCK_SH))
	}()
	time.Sleep(50 * time.Millisecond)
	got <- "second"
	g.Close()
	fmt.Println(<-got, <-got)
	h := open(name, 16)
	fmt.Println(syscall.Flock(int(h.Fd()), syscall.LOCK_SH|syscall.LOCK_NB), syscall.Flock(int(h.Fd()), syscall.LOCK_EX|syscall.LOCK_NB))
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 0, Len: 1}
	fmt.Println(syscall.FcntlFlock(h.Fd(), syscall.F_SETLK, &lock), syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock)) // locks of one process
	fmt.Println(syscall.FcntlFlock(h.Fd(), syscall.F_GETLK, &lock), lock.Type == syscall.F_UNLCK)
}
