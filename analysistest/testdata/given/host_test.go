package given

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// What a goroutine writes to a file or a stream is the program's memory, and others may have it, too.

// logger has a buffer that all who log use.
type logger struct {
	mu  sync.Mutex
	buf []byte
	f   *os.File
}

func (l *logger) log(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(append(l.buf[:0], s...), '\n')
	l.f.Write(l.buf)
}

func logsBeside(l *logger) {
	var wg sync.WaitGroup
	for _, s := range []string{"first", "second", "third"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l.log(s)
		}()
	}
	wg.Wait()
}

func TestHostStderr(t *testing.T) { logsBeside(&logger{f: os.Stderr, buf: make([]byte, 0, 16)}) }

func TestHostStdout(t *testing.T) { logsBeside(&logger{f: os.Stdout, buf: make([]byte, 0, 16)}) }

// The write is looked at for races.
//
// finds: datarace
func TestHostRace(t *testing.T) {
	buf := []byte("some text\n")
	done := make(chan bool)
	go func() {
		buf[0] = 'S'
		close(done)
	}()
	os.Stderr.Write(buf)
	<-done
}

// What is in a file is told to who reads it.
//
// finds: testfailure
func TestHostFile(t *testing.T) {
	f, err := os.CreateTemp("", "h")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := logger{f: f, buf: make([]byte, 0, 16)}
	done := make(chan bool)
	go func() {
		l.mu.Lock()
		copy(l.buf[:4], "bbbb")
		l.mu.Unlock()
		close(done)
	}()
	l.mu.Lock()
	f.Write(l.buf[:4])
	l.mu.Unlock()
	<-done
	var got [4]byte
	if f.ReadAt(got[:], 0); string(got[:]) == "bbbb" {
		t.Error("seen")
	}
}

// The output of an example is compared.
//
// finds: testfailure
func Example_hostOutput() {
	buf := []byte("first\n")
	var mu sync.Mutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		copy(buf, "other")
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	os.Stdout.Write(buf)
	mu.Unlock()
	<-done
	fmt.Print("end")
	// Output:
	// first
	// end
}
