package machine

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/program"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(300) // most of the heap is the standard library's syntax
	os.Exit(m.Run())
}

// machineOf returns a machine for a program that is called prog.
func machineOf(p *program.Program) *Machine {
	return New(p, Config{Kernel: kernel.Config{GOROOT: runtime.GOROOT(), Args: []string{"prog"}}})
}
