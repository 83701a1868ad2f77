// Package user shows racy's race a second time.
package user

import (
	"sync"
	"testing"

	"example.com/m/racy"
)

func TestUse(t *testing.T) {
	var c racy.Counter
	var wg sync.WaitGroup
	wg.Go(c.Add)
	wg.Go(func() { _ = c.Len() })
	wg.Wait()
}
