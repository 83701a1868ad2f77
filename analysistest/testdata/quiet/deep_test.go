package quiet

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"
)

// Goroutines several go statements away from the test's have addresses as others have: what they make of them is as it
// is natively, and so is what they hand to system calls.

// away runs f in a goroutine so many go statements away, and waits for it.
func away(n int, f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		if n > 1 {
			away(n-1, f)
		} else {
			f()
		}
	}()
	<-done
}

func Example_deep() {
	away(3, func() { fmt.Println("three") })
	away(5, func() { fmt.Println("five") })
	// Output:
	// three
	// five
}

func TestDeepFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	away(3, func() {
		if err := os.WriteFile(name, []byte("written"), 0o600); err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(name); string(b) != "written" || err != nil {
			t.Error(string(b), err)
		}
	})
}

func TestDeepStat(t *testing.T) {
	name := t.TempDir()
	away(4, func() {
		var s syscall.Stat_t
		if err := syscall.Stat(name, &s); err != nil || s.Mode&syscall.S_IFDIR == 0 {
			t.Error(err, s.Mode)
		}
	})
}

func TestDeepLog(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	away(3, func() { log.New(w, "", 0).Print("said") })
	b := make([]byte, 10)
	away(6, func() {
		if n, err := r.Read(b); string(b[:n]) != "said\n" || err != nil {
			t.Error(string(b[:n]), err)
		}
	})
}

func TestDeepShard(t *testing.T) {
	var shards [7]int
	for n := range 7 {
		away(n+1, func() {
			p := new(int)
			shards[int(uintptr(unsafe.Pointer(p)))%len(shards)]++
		})
	}
	sum := 0
	for _, n := range shards {
		sum += n
	}
	if sum != 7 {
		t.Error(shards)
	}
}
