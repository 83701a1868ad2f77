package outside_test

import (
	"testing"

	"example.com/corpus/outside"
)

func TestPut(t *testing.T) {
	var b outside.Box
	done := make(chan bool)
	go func() {
		b.Put(1)
		done <- true
	}()
	b.Put(2)
	<-done
}
