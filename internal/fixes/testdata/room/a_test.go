package room

import (
	"testing"
	"time"
)

func TestAsk(t *testing.T) {
	Ask(func() string { time.Sleep(2 * time.Second); return "x" })
}
