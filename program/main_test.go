package program

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(300) // most of the heap is the standard library's syntax
	os.Exit(m.Run())
}
