package beats

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// This file has contexts with timeouts. Nothing in this package names what would give their ends away.

// asks sends, or gives up after a while.
func asks(ctx context.Context, c chan int) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	select {
	case c <- 1:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func TestTimeoutsInTurn(t *testing.T) {
	c := make(chan int, 4)
	for range 4 {
		asks(context.Background(), c)
	}
}

func TestTimeoutsOfTwo(t *testing.T) {
	c := make(chan int, 2)
	for range 2 {
		go asks(context.WithValue(context.Background(), 1, 2), c)
	}
}

func TestTimeoutFirst(t *testing.T) {
	if err := asks(context.Background(), make(chan int, 1)); err != nil {
		panic("the timeout came first: " + err.Error())
	}
}

func TestTimeoutOver(t *testing.T) {
	if err := asks(context.Background(), make(chan int)); err != context.DeadlineExceeded {
		t.Error(err)
	}
}

func TestTimeoutOfCanceled(t *testing.T) {
	parent, cancel := context.WithCancel(context.Background())
	cancel()
	if err := asks(parent, make(chan int)); err != context.Canceled {
		t.Error(err)
	}
}

func TestTimeoutWithCause(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Millisecond, fmt.Errorf("late"))
	defer cancel()
	<-ctx.Done()
	if context.Cause(ctx).Error() != "late" || ctx.Err() != context.DeadlineExceeded {
		t.Error(context.Cause(ctx))
	}
}

// The inner one is over first, or the outer one ends both.
func TestTimeoutWithin(t *testing.T) {
	outer, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	inner, cancelInner := context.WithTimeout(outer, 2*time.Second)
	defer cancelInner()
	<-inner.Done()
	if outer.Err() == nil {
		t.Error("the outer one goes on")
	}
}

// What is made within a context that is over is over.
func TestTimeoutWithinCanceled(t *testing.T) {
	outer, cancel := context.WithTimeout(context.Background(), time.Second)
	cancel()
	if err := asks(outer, make(chan int)); err != outer.Err() || err == nil { // its time may have been over before
		t.Error(err)
	}
}

// Nobody can look at the text of a context, or call its methods by name, without asking for the end.
func TestTimeoutAsText(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if text := fmt.Sprint(ctx); !strings.Contains(text, ".WithDeadline(20") {
		t.Error(text)
	}
}

func TestTimeoutByReflection(t *testing.T) {
	before := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	time.Sleep(time.Second)
	end := reflect.ValueOf(ctx).MethodByName("Dead" + "line").Call(nil)[0].Interface().(time.Time)
	if d := end.Sub(before); d < time.Minute || d > time.Minute+time.Second {
		t.Error(d)
	}
}

// Where the outer context is made after a second, and the inner one at once, the inner one is over first. Else it may be
// the outer one.
func TestTimeoutWithinLater(t *testing.T) {
	either()
	outer, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if either() {
		inner, cancelInner := context.WithTimeout(outer, 4500*time.Millisecond)
		defer cancelInner()
		<-inner.Done()
	}
}

// either waits for a second, or not.
func either() bool {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	select {
	case <-a:
		return false
	case <-b:
		time.Sleep(time.Second)
		return true
	}
}
