package env

import (
	"os"
	"testing"
)

func TestSlow(t *testing.T) {
	if os.Getenv("ENV_SLOW") == "" {
		t.Skip("set ENV_SLOW")
	}
	done, n := make(chan bool), 0
	go func() { n++; close(done) }()
	n++
	<-done
}
