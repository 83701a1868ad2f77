package publish

import (
	"testing"
)

type config struct{ n int }

func TestPublish(t *testing.T) {
	var c *config
	done := make(chan bool)
	go func() {
		c = &config{1} // want "data race"
		done <- true
	}()
	_ = c
	<-done
}
