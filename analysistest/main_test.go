package analysistest

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/heddle-go/heddle/passes/closure"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(300) // most of the heap is the standard library's syntax
	closure.KeepUniverse()
	os.Exit(m.Run())
}
