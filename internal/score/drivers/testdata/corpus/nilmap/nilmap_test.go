package nilmap

import (
	"testing"
)

func TestNil(t *testing.T) {
	var m map[int]int
	done, made := make(chan bool), make(chan bool, 1)
	go func() {
		made <- true
		done <- true
	}()
	select {
	case <-made:
	default:
		m[1] = 1 // want "assignment to entry in nil map"
	}
	<-done
}
