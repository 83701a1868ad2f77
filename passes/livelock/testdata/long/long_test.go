package long

import (
	"sync/atomic"
	"testing"
)

// What changes something goes on, up to a limit.
func TestRetries(t *testing.T) { // verdict: incomplete `limit of events reached|limit of instructions reached|limit of 1000000 events reached`
	var n atomic.Int64
	for n.Add(1) > 0 {
	}
}

// starts makes this a package that is explored.
func starts() { go func() {}() }
