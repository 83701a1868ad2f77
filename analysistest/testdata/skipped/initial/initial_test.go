// Package initial has initialisers that ask for what the machine has, and for what the standard library does without;
// that change a setting, measure the memory, and keep a string whose bytes are written later.
package initial

import (
	"mime"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func init() { os.Setenv("GODEBUG", "asynctimerchan=1,panicnil=1") }

var (
	module, readErr = os.ReadFile("../go.mod")
	_, none         = os.ReadFile("nothing.txt")
	zone, zoneErr   = time.LoadLocation("Etc/UTC")
	html            = mime.TypeByExtension(".html")
	self, selfErr   = os.Executable()
)

func race() {
	x := 0
	done := make(chan bool)
	touch := func() { x++ } // want `data race`
	go func() { touch(); close(done) }()
	touch()
	<-done
}

func work() {
	done := make(chan bool)
	go func() { close(done) }()
	<-done
}

func TestInitialFiles(t *testing.T) { // verdict: exhausted
	work()
	if readErr != nil || len(module) == 0 || none == nil || zoneErr != nil || zone == nil || html == "" {
		race()
	}
}

func TestInitialExecutable(t *testing.T) { // verdict: exhausted
	work()
	if selfErr != nil || !strings.HasSuffix(self, ".test") {
		race()
	}
}

// The setting is in force, as it is for a process that an initialiser has told.
func TestInitialTimers(t *testing.T) { // verdict: exhausted
	if cap(time.NewTimer(time.Hour).C) == 1 {
		race()
	}
}

func TestInitialPanic(t *testing.T) { // verdict: exhausted
	work()
	defer func() {
		if recover() != nil {
			race()
		}
	}()
	panic(nil)
}

var memory = func() (m runtime.MemStats) {
	runtime.ReadMemStats(&m)
	return m
}()

var (
	letters = []byte("hello")
	text    = unsafe.String(&letters[0], len(letters))
)

// Natively the test passes.
func TestInitialMemoryFails(t *testing.T) { // verdict: not-supported `runtime.ReadMemStats, and the test failed afterwards`
	work()
	if memory.Sys == 0 {
		t.Error("no memory")
	}
}

func TestInitialMemory(t *testing.T) { // verdict: exhausted
	work()
	_ = memory.Sys
}

// Natively the text changes.
func TestInitialTextChanges(t *testing.T) { // verdict: sampled `unsafe.String, whose bytes are written later`
	done := make(chan bool)
	go func() { letters[0] = 'j'; close(done) }()
	<-done
	_ = text == "jello"
}

func TestInitialText(t *testing.T) { // verdict: exhausted
	work()
	_ = text == "jello"
}
