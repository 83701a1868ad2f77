package timeout

import (
	"errors"
	"testing"
	"time"
)

func TestSlowQuery(t *testing.T) {
	release := make(chan struct{})
	defer close(release)

	_, err := Do(time.Millisecond, func() string {
		<-release
		return "late"
	})
	if !errors.Is(err, ErrTimeout) {
		t.Errorf("Do returned %v, want %v", err, ErrTimeout)
	}
}
