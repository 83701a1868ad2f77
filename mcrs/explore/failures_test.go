package explore

import (
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestFailuresOfOneLine: values in the message make no finding of their own, calls do.
func TestFailuresOfOneLine(t *testing.T) {
	key := func(message string, calls ...trace.Frame) string {
		stack := append([]trace.Frame{{Func: "(*testing.common).Fail", Site: 1}, {Func: "(*testing.common).Errorf", Site: 2}}, calls...)
		stack = append(stack, trace.Frame{Func: "testing.tRunner", Site: 3})
		tr := &trace.Trace{Failing: trace.Failing{TestFailed: true, Failures: []trace.Failure{{Message: message, Stack: stack}}}}
		fs := Failures(tr)
		if len(fs) != 1 || fs[0].Category != report.TestFailure || !reflect.DeepEqual(fs[0].Threads, []int{0}) {
			t.Fatalf("%q shows %+v", message, fs)
		}
		return fs[0].Key
	}
	helper := trace.Frame{Func: "p.check", Site: 10}
	a := key("Balance = 10", helper, trace.Frame{Func: "p.TestA", Site: 11})
	for _, test := range []struct {
		key  string
		same bool
	}{
		{key("Balance = 20", helper, trace.Frame{Func: "p.TestA", Site: 11}), true},
		{key("Balance = 10", helper, trace.Frame{Func: "p.TestA", Site: 12}), false},
		{key("Balance = 10", trace.Frame{Func: "p.TestA", Site: 11}), false},
	} {
		if (test.key == a) != test.same {
			t.Errorf("keys %q and %q, want the same: %v", a, test.key, test.same)
		}
	}
}
