package pipeline

import (
	"context"
	"testing"
)

func TestStopAfterTheFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	if got := <-Square(ctx, Count(ctx, 2)); got != 1 {
		t.Errorf("first square = %d, want 1", got)
	}
}
