// Package wrapped has a context of its own, which package context asks for its deadline.
package wrapped

import (
	"context"
	"testing"
	"time"
)

type named struct {
	context.Context
	name string
}

func TestWithinWrapped(t *testing.T) {
	outer, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	inner, cancelInner := context.WithTimeout(named{outer, "outer"}, time.Minute)
	defer cancelInner()
	<-inner.Done()
	if outer.Err() == nil {
		t.Error("the outer one goes on")
	}
}
