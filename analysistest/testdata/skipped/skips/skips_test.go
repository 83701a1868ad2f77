// Package skips holds tests that skip themselves, that do without what the machine refuses, and near misses of both.
package skips

import (
	"io"
	"mime"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var level = os.Getenv("SKIPS_LEVEL") // every verdict is about this value

// race is a data race, where a test comes so far.
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

// Refused: a test that skips, passes, fails or goes another way for want of what the machine does not have.

func TestSocketSkips(t *testing.T) { // verdict: refused `^refused: the network, asked for by skipped/skips.TestSocketSkips \(at skips_test.go:\d+\); then every run skips(; complete up to \d+ preemptions)?; with SKIPS_LEVEL unset$`
	if _, err := net.Dial("tcp", "192.0.2.1:80"); err != nil {
		t.Skip("no network")
	}
	race()
}

func TestSocketIgnored(t *testing.T) { // verdict: refused `the network`
	work()
	if l, err := net.Listen("tcp", "192.0.2.1:80"); err == nil {
		l.Close()
		race()
	}
}

func TestSocketOfGoroutine(t *testing.T) { // verdict: refused `the network, asked for by skipped/skips.TestSocketOfGoroutine\$1 \(at skips_test.go:\d+\)(; complete up to \d+ preemptions)?; with`
	done := make(chan bool)
	go func() {
		defer close(done)
		if _, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0); err == nil {
			race()
		}
	}()
	<-done
}

func TestProcessIgnored(t *testing.T) { // verdict: refused `files outside the module \(/usr/bin/true\)`
	work()
	if exec.Command("true").Run() == nil {
		race()
	}
}

func TestProgramLookedFor(t *testing.T) { // verdict: refused `files outside .*; then every run skips`
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	race()
}

func TestFileSkips(t *testing.T) { // verdict: refused `\(/etc/fstab\)`
	if _, err := os.Stat("/etc/fstab"); err != nil {
		t.Skip("no users")
	}
	race()
}

func TestFileSwallowed(t *testing.T) { // verdict: refused `\(/etc\)`
	if found, _ := filepath.Glob("/etc/*"); len(found) > 0 { // Glob drops errors of the file system
		race()
	}
	work()
}

func TestRefusedOnOneWay(t *testing.T) { // verdict: refused `\(/etc/fstab\)`
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
		os.ReadFile("/etc/fstab")
	default:
	}
}

// The program's own file is not there.
func TestOwnProgram(t *testing.T) { // verdict: refused `\(/tmp/heddle/skips.test\)`
	work()
	name, err := os.Executable()
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); err == nil {
		race()
	}
}

func TestOwnProgramRead(t *testing.T) { // verdict: refused `\(/tmp/heddle/skips.test\)`
	work()
	if _, err := os.ReadFile("/proc/self/exe"); err == nil {
		race()
	}
}

func TestOwnProgramNamed(t *testing.T) { // verdict: exhausted
	work()
	if name, err := os.Executable(); err != nil || filepath.Base(name) != filepath.Base(os.Args[0]) {
		race()
	}
}

func TestBesideOwnProgram(t *testing.T) { // verdict: refused `\(/tmp/heddle\)`
	work()
	if l, _ := os.ReadDir(filepath.Dir(os.Args[0])); len(l) > 0 {
		race()
	}
}

// Skipped: in every run.

func TestVariable(t *testing.T) { // verdict: skipped `^skipped: "set SKIPS_SLOW"; with SKIPS_LEVEL unset and SKIPS_SLOW unset$`
	if os.Getenv("SKIPS_SLOW") == "" {
		t.Skip("set SKIPS_SLOW")
	}
	race()
}

func TestSaysNothing(t *testing.T) { // verdict: skipped `^skipped; with`
	work()
	t.SkipNow()
}

func TestBubble(t *testing.T) { // verdict: skipped `"in a bubble"`
	synctest.Test(t, func(t *testing.T) { t.Skip("in a bubble") })
}

func TestSkipsLate(t *testing.T) { // verdict: skipped `"10 %"`
	race()
	t.Skipf("%d %%", 10)
}

func FuzzSkips(f *testing.F) { // verdict: skipped `"no corpus"`
	f.Skip("no corpus")
}

// Exhausted: near misses.

func TestLoopback(t *testing.T) { // verdict: exhausted
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		race()
		return
	}
	if _, err := net.Dial("unix", filepath.Join(t.TempDir(), "nobody")); err == nil {
		race()
	}
	l.Close()
	if _, err := net.Dial("tcp", l.Addr().String()); err == nil {
		race()
	}
	work()
}

// What testing looks for when it prints the results of a benchmark.
func TestBenchmark(t *testing.T) { // verdict: exhausted
	work()
	testing.Benchmark(func(b *testing.B) {
		if b.N > 1 {
			b.SkipNow()
		}
	})
}

func TestSubtestSkips(t *testing.T) { // verdict: exhausted
	work()
	t.Run("a", func(t *testing.T) { t.Skip("a") })
}

func TestSomeRunsSkip(t *testing.T) { // verdict: exhausted
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
		t.Skip("it came")
	default:
	}
}

func TestNothingThere(t *testing.T) { // verdict: exhausted
	work()
	if _, err := os.ReadFile("nothing.txt"); err == nil { // of the package's own folder, which is known
		race()
	}
	if _, err := os.Stat(filepath.Join(t.TempDir(), "x")); err == nil {
		race()
	}
}

func TestStandardLibraryDoesWithout(t *testing.T) { // verdict: exhausted
	work()
	_ = time.Now().Local().String()     // looks for the zone UTC
	_ = mime.TypeByExtension(".html")   // looks for tables of types
	_, _ = time.LoadLocation("Etc/UTC") // GOROOT has it
	_, _ = io.WriteString(os.Stdout, "")
}

func TestFailsInZone(t *testing.T) { // verdict: exhausted
	l, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	if c := make(chan *time.Location); l != nil {
		go func() { c <- l }() // want `goroutine leak`
	}
}

func TestNoSuchZone(t *testing.T) { // verdict: exhausted
	work()
	if _, err := time.LoadLocation("America/Nowhere"); err != nil { // the computer has no such zone either
		t.Error(err) // want `test failure`
	}
}

func TestFailsWithType(t *testing.T) { // verdict: exhausted
	c := make(chan string)
	go func() { c <- mime.TypeByExtension(".html") }() // want `goroutine leak`
}

func TestVariables(t *testing.T) { // verdict: exhausted `; with the whole environment, HOME=/tmp, SKIPS_FAST unset and SKIPS_LEVEL unset$`
	work()
	_, _ = os.LookupEnv("HOME")
	_ = os.ExpandEnv("$SKIPS_FAST")
	_ = os.Environ()
}

func TestOwnVariable(t *testing.T) { // verdict: exhausted `; with SKIPS_LEVEL unset$`
	work()
	t.Setenv("SKIPS_OWN", "1")
	if os.Getenv("SKIPS_OWN") != "1" {
		race()
	}
	_ = os.TempDir() // the standard library asks for TMPDIR
}

// TestModuleFile reads what is beside the package's folder, and changes it.
func TestModuleFile(t *testing.T) { // verdict: exhausted
	b, err := os.ReadFile("../go.mod")
	if err != nil || len(b) == 0 {
		t.Error(err)
	}
	if err := os.WriteFile("../go.mod", nil, 0o666); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile("../go.mod"); err != nil || len(b) != 0 {
		t.Error(b, err)
	}
}
