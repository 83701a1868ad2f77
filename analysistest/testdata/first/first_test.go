// Package first has two goroutines each of which may be the first that opens a socket, or a pipe.
package first

import (
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

// Where a goroutine stands behind its look is not said by what it found, which it drops.
func first(t *testing.T, open func() (io.Closer, error)) {
	var wg sync.WaitGroup
	var after atomic.Bool
	var all [2]io.Closer
	for i := range all {
		wg.Go(func() {
			if i == 0 {
				after.Load()
			}
			c, err := open()
			if err != nil {
				t.Error(err)
				return
			}
			all[i] = c
			c.Close()
			if i == 1 {
				after.Store(true)
			}
		})
	}
	wg.Wait()
	for _, c := range all {
		c.Close()
	}
}

func TestFirstSockets(t *testing.T) {
	first(t, func() (io.Closer, error) { return net.ListenPacket("udp", "127.0.0.1:0") })
}

func TestFirstPipes(t *testing.T) {
	first(t, func() (io.Closer, error) {
		r, w, err := os.Pipe()
		if err == nil {
			w.Close()
		}
		return r, err
	})
}
