package timers

import (
	"testing"
	"time"
)

// A tick that comes while the channel is full is lost: after two and a half seconds there is one to receive. Deferring Stop withdraws a firing that the
// systematic explorer, which takes over here, has to consider all the same.
func TestOneTickKept(t *testing.T) {
	go func() {}()
	tk := time.NewTicker(time.Second)
	defer tk.Stop()
	time.Sleep(2500 * time.Millisecond)
	n := 0
	for range 2 {
		select {
		case <-tk.C:
			n++
		default:
		}
	}
	if n != 1 {
		t.Error(n)
	}
}
