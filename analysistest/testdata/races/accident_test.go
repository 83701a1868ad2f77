package races

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// This file writes bytes to one file, and reads bytes of another. To the race detector what comes before such a write
// is before what comes after a read that happens to be later. A race is one all the same if the two may come in the
// other order.

// besides are two files: one that is written later, and one that can be read.
func besides(t *testing.T) (write, read func()) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	if err := os.WriteFile(b, []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	return func() { os.WriteFile(a, []byte("a"), 0o600) }, func() { os.ReadFile(b) }
}

// besidePipes are two pipes, likewise.
func besidePipes(t *testing.T) (write, read func()) {
	_, w := pipe(t)
	r, full := pipe(t)
	full.Write([]byte("b"))
	return func() { w.Write([]byte("a")) }, func() { r.Read(make([]byte, 1)) }
}

func pipe(t *testing.T) (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func TestRaceWriteOfFileBeside(t *testing.T) {
	write, read := besides(t)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1; write() }, func() {
		if len(c) == 1 {
			read()
			sink = x
		}
	})
}

func TestRaceWriteToPipeBeside(t *testing.T) {
	write, read := besidePipes(t)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1; write() }, func() {
		if len(c) == 1 {
			read()
			sink = x
		}
	})
}

func TestRaceWriteOfFileReadOfPipe(t *testing.T) {
	write, _ := besides(t)
	_, read := besidePipes(t)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1; write() }, func() {
		select {
		case c <- 2:
			<-c
		default:
			read()
			sink = x
		}
	})
}

// What is read was written before the first access, and to another pipe is written after it.
func TestRaceWriteBeforeAndBeside(t *testing.T) {
	r, w := pipe(t)
	_, other := pipe(t)
	x, c := 0, make(chan int, 1)
	beside(func() { w.Write([]byte("a")); x = 1; c <- 1; other.Write([]byte("a")) }, func() {
		if len(c) == 1 {
			r.Read(make([]byte, 1))
			sink = x
		}
	})
}

// A third goroutine has heard of the first access when it writes.
func TestRaceWriteOfThird(t *testing.T) {
	write, read := besidePipes(t)
	x, c, d, done := 0, make(chan int, 1), make(chan int), make(chan int)
	go func() { <-d; write(); close(done) }()
	beside(func() { x = 1; c <- 1; d <- 1 }, func() {
		if len(c) == 1 {
			read()
			sink = x
		}
	})
	<-done
}

func TestRaceWriteBehindMkdir(t *testing.T) {
	write, read := besides(t)
	x, d := 0, filepath.Join(t.TempDir(), "d")
	beside(func() { x = 1; os.Mkdir(d, 0o777); write() }, func() {
		if _, err := os.Stat(d); err == nil {
			read()
			sink = x
		}
	})
}

func TestRaceWriteBehindDial(t *testing.T) {
	write, read := besidePipes(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(func() { x = 1; net.Dial("tcp", l.Addr().String()); write() }, func() {
		l.Accept()
		read()
		sink = x
	})
}

// Whoever sees the element comes after the write.
func TestQuietWriteOfFileBefore(t *testing.T) {
	write, read := besides(t)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; write(); c <- 1 }, func() {
		if len(c) == 1 {
			read()
			sink = x
		}
	})
}

func TestQuietWriteToPipeBefore(t *testing.T) {
	write, read := besidePipes(t)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; write(); c <- 1 }, func() {
		if len(c) == 1 {
			read()
			sink = x
		}
	})
}

// What is read is what was written.
func TestQuietWriteOfWhatIsRead(t *testing.T) {
	r, w := pipe(t)
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; c <- 1; w.Write([]byte("a")) }, func() {
		if len(c) == 1 {
			r.Read(make([]byte, 1))
			sink = x
		}
	})
}

// A third goroutine writes before it can be seen.
func TestQuietWriteOfThird(t *testing.T) {
	write, read := besidePipes(t)
	x, c, d, done := 0, make(chan int, 1), make(chan int), make(chan int)
	go func() { <-d; write(); c <- 1; close(done) }()
	beside(func() { x = 1; d <- 1 }, func() {
		if len(c) == 1 {
			read()
			sink = x
		}
	})
	<-done
}

// Two accesses after the write: the read is after it, or does not happen.
func TestQuietWriteBehindSecondElement(t *testing.T) {
	write, read := besides(t)
	x, c := 0, make(chan int, 2)
	beside(func() { x = 1; c <- 1; write(); c <- 2 }, func() {
		if len(c) == 2 {
			read()
			sink = x
		}
	})
}
