// Package refused holds tests that ask for what the machine does not have of the host, and fail without.
package refused

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

func TestNetwork(t *testing.T) {
	go func() {}()
	if _, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0); err != nil {
		t.Fatal(err)
	}
}

func TestRoutes(t *testing.T) {
	go func() {}()
	b, err := syscall.NetlinkRIB(syscall.RTM_GETROUTE, syscall.AF_UNSPEC)
	if err != nil {
		t.Fatal(err)
	}
	if ms, err := syscall.ParseNetlinkMessage(b); err != nil || len(ms) < 2 {
		t.Fatal(len(ms), err)
	}
}

func TestPanics(t *testing.T) {
	go func() {}()
	if _, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW, 0); err != nil {
		panic(err)
	}
}

func TestFile(t *testing.T) {
	go func() {}()
	if _, err := os.ReadFile("/etc/fstab"); err != nil {
		t.Error(err)
	}
}

func TestPolls(t *testing.T) {
	_, err := os.ReadFile("/etc/fstab")
	for missing = err != nil; missing; {
	}
}

var missing bool

func TestSystem(t *testing.T) {
	go func() {}()
	if _, err := os.ReadDir("/sys/class"); err != nil {
		t.Error(err)
	}
}

// What looks for limits of its control group goes on without.
func TestNoControlGroup(t *testing.T) {
	go func() {}()
	for _, name := range []string{"/sys/fs/cgroup/cgroup.controllers", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"} {
		if _, err := os.ReadFile(name); err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
	}
}

func TestFileAbove(t *testing.T) {
	go func() {}()
	if _, err := os.ReadFile("../limits/limits_test.go"); err != nil {
		t.Error(err)
	}
}

func TestProcess(t *testing.T) {
	go func() {}()
	if err := exec.Command("true").Run(); err != nil {
		t.Error(err)
	}
}

func TestDeadlock(t *testing.T) {
	c := make(chan bool)
	go func() {
		if _, err := os.ReadFile("/etc/fstab"); err == nil {
			c <- true
		}
	}()
	<-c
}

func TestLeak(t *testing.T) {
	c := make(chan bool)
	go func() { c <- true }()
	if _, err := os.ReadFile("/etc/fstab"); err == nil {
		<-c
	}
}

func TestFull(t *testing.T) { // there is 1 MiB
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 600<<10)
	for range 2 {
		if _, err := f.Write(b); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManyFiles(t *testing.T) {
	for range 1100 {
		if _, err := os.Open("go.mod"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWatch(t *testing.T) {
	go func() {}()
	if _, err := syscall.InotifyInit(); err != nil {
		t.Error(err)
	}
}

// What follows would fail anywhere, or does not.

func TestAlmostFull(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, 600<<10)); err != nil {
		t.Error(err)
	}
}

func TestFileHere(t *testing.T) {
	go func() {}()
	if _, err := os.ReadFile("nothing"); err != nil {
		t.Error(err)
	}
}

func TestTemporary(t *testing.T) {
	go func() {}()
	if _, err := os.ReadFile(os.TempDir() + "/nothing"); err != nil {
		t.Error(err)
	}
}

func TestGoesOn(t *testing.T) {
	go func() {}()
	if _, err := os.ReadFile("/etc/fstab"); err == nil {
		t.Error("there is a file")
	}
}

func TestMade(t *testing.T) {
	go func() {}()
	if err := os.Mkdir("/etc", 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile("/etc/nothing"); err != nil {
		t.Error(err)
	}
}
