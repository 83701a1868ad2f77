package workerpool

import (
	"sync"
	"testing"
)

func TestSubmitDuringClose(t *testing.T) {
	p := New(1)

	var ran bool
	var err error
	var wg sync.WaitGroup
	wg.Go(func() {
		err = p.Submit(func() { ran = true })
	})
	p.Close()
	wg.Wait()

	if ran != (err == nil) {
		t.Errorf("Submit returned %v, but job ran: %v", err, ran)
	}
}
