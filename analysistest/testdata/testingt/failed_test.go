// Package testingt asks whether a test has failed while others may fail it. Each panic stands for one order.
package testingt

import (
	"fmt"
	"testing"
)

func ask(failed func() bool) {
	if failed() {
		panic("failed")
	}
	panic("not failed")
}

// panics: failed | not failed
func TestFail(t *testing.T) {
	go t.Fail()
	ask(t.Failed)
}

// panics: failed | not failed
func TestError(t *testing.T) {
	go t.Error("an error")
	ask(t.Failed)
}

// The test fails with its subtest.
//
// panics: failed | not failed
func TestParent(t *testing.T) {
	t.Run("sub", func(sub *testing.T) {
		done := make(chan bool)
		go func() {
			sub.Fail()
			close(done)
		}()
		ask(t.Failed)
		<-done
	})
}

type failer interface{ Failed() bool }

// panics: failed | not failed
func TestInterface(t *testing.T) {
	go t.Fail()
	var f failer = t
	ask(f.Failed)
}

// Two fail the test.
//
// panics: false false | false true | true true
func TestTwice(t *testing.T) {
	go t.Fail()
	go t.Fail()
	a, b := t.Failed(), t.Failed()
	panic(fmt.Sprint(a, b))
}
