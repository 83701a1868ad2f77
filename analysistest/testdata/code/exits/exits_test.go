// Package exits has a TestMain that exits with what M.Run returns, and looks at it no further.
package exits

import (
	"os"
	"sync/atomic"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(m.Run()) }

// In some orders it fails, by another goroutine than the one that exits.
func TestFails(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		var n atomic.Int32
		c := make(chan int)
		go func() { n.Store(1); c <- 1 }()
		if n.Load() == 1 {
			t.Error("stored")
		}
		<-c
	})
}
