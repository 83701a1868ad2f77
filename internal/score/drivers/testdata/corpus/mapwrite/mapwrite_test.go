package mapwrite

import (
	"testing"
)

func TestMap(t *testing.T) {
	m, done := map[int]int{}, make(chan bool)
	go func() {
		m[1] = 1 // want "data race"
		done <- true
	}()
	m[2] = 2
	<-done
}
