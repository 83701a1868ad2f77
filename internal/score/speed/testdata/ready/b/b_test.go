// Package b imports what tests of concurrent code import.
package b

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

func TestReady(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var once sync.Once
	once.Do(func() {})
	if s := fmt.Sprint(ctx.Err()); s != "<nil>" {
		t.Error(s)
	}
}
