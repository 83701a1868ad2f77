package report

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// The messages are as the libraries of assertion.go wrote them.
func TestAssertion(t *testing.T) {
	for _, tt := range []struct{ name, message, want string }{
		{"plain", "got 1, want 2\n", "got 1, want 2"},
		{"several lines", "first\n\n\tsecond  line\n", "first; second line"},
		{"an example", "got:\na\nc\nb\nwant:\na\nb\nc", `line 2 of the output is "c", want "b"`},
		{"an example that ends early", "got:\na\nwant:\na\nb", `the output ends before "b"`},
		{"an example that goes on", "got:\na\nb\nwant:\na", `the output goes on with "b"`},
		{"an example without output", "got:\n\nwant:\na\nb", `the output is empty, want "a"`},
		{"no example", "got:\nx\nand\nwant: y", "got:; x; and; want: y"},
		{"a list", "missing:\n- a\n- b\n- c\n", "missing: -a -b ..."},
		{"a rule is no difference", "got -1\n--- x\n", "got -1; --- x"},
		{"colours", "\x1b[31mred\x1b[0m", "red"},
		{"testify", "\n\tError Trace:\t/home/x/a_test.go:23\n\t            \t\t\t\t/home/x/b.go:7\n\tError:      \tNot equal: \n\t            \texpected: 2\n" +
			"\t            \tactual  : 1\n\tTest:       \tTestEqual\n\tMessages:   \tcounter after 3\n", "counter after 3: Not equal: expected: 2, actual: 1"},
		{"testify, two lines", "\n\tError Trace:\t/home/x/a_test.go:24\n\tError:      \tReceived unexpected error:\n\t            \tboom\n\tTest:       \tTestErr\n",
			"Received unexpected error: boom"},
		{"testify, a difference", "\n\tError Trace:\t/home/x/a_test.go:25\n\tError:      \tNot equal: \n\t            \texpected: T{A:1}\n\t            \tactual  : T{A:2}\n" +
			"\t            \t\n\t            \tDiff:\n\t            \t--- Expected\n\t            \t+++ Actual\n\t            \t@@ -2,3 +2,3 @@\n" +
			"\t            \t- A: (int) 1,\n\t            \t+ A: (int) 2,\n\tTest:       \tTestStruct\n", "Not equal: expected: T{A:1}, actual: T{A:2}"},
		{"testify, its words in a message of ours", "Error: it fails\n", "Error: it fails"},
		{"cmp", "Get() mismatch (-want +got):\n\u00a0\u00a0main.T{\n\u00a0\u00a0\tA: 1,\n-\u00a0\tB: \"x\",\n+\u00a0\tB: \"y\",\n\u00a0\u00a0}\n",
			`Get() mismatch (-want +got): -B: "x" +B: "y"`},
		{"gotest.tools", "assertion failed: 1 (x int) != 2 (int): what", "assertion failed: 1 (x int) != 2 (int): what"},
		{"gotest.tools, a difference", "assertion failed: \n--- \u2190\n+++ \u2192\n\u00a0\u00a0main.T{\n-\u00a0\tB: \"x\",\n+\u00a0\tB: \"y\",\n\u00a0\u00a0}\n\n",
			`assertion failed: -B: "x" +B: "y"`},
		{"quicktest", "\nerror:\n  values are not equal\ncomment:\n  hello\ngot:\n  int(1)\nwant:\n  int(2)\nstack:\n  /home/x/a_test.go:42\n    func TestQuick(t *testing.T) {\n        start()\n    }\n",
			"hello: values are not equal: got int(1), want int(2)"},
		{"qt, a difference", "\nerror:\n  values are not deep equal\ndiff (-want +got):\n  \u00a0\u00a0main.T{\n  -\u00a0\tB: \"y\",\n  \u00a0\u00a0}\ngot:\n  main.T{B:\"x\"}\nwant:\n  main.T{B:\"y\"}\nstack:\n  /home/x/a_test.go:44\n",
			`values are not deep equal: got main.T{B:"x"}, want main.T{B:"y"}`},
		{"gomega", "\nExpected\n    <int>: 1\nto equal\n    <int>: 2\n", "Expected <int>: 1 to equal <int>: 2"},
		{"gomega, an error", "\nopening\nUnexpected error:\n    <main.errT>: \n    boom\n    boom\noccurred\n", "opening Unexpected error: <main.errT>: boom occurred"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Assertion(tt.message); got != tt.want {
				t.Errorf("Assertion(%q)\n got %s\nwant %s", tt.message, got, tt.want)
			}
		})
	}
}

// A failure within an assertion library stands at the line that calls it, be that in the analysed package or not.
func TestAssertionStandsAtTheCall(t *testing.T) {
	b, f := race()
	assert := trace.Frame{Func: "github.com/stretchr/testify/assert.Equal", Site: b.src.site(place{pkg: "github.com/stretchr/testify/assert", file: "assertions.go", line: 500})}
	helper := trace.Frame{Func: "example.com/helper.Check", Site: b.src.site(place{pkg: "example.com/helper", file: "helper.go", line: 7})}
	trace500 := "\n\tError Trace:\t/home/x/a_test.go:1\n\tError:      \tShould be true\n\tTest:       \tTestAdd\n"
	f.Category, f.Events, f.Threads = TestFailure, nil, []int{0}
	headline := func(stack ...trace.Frame) string {
		b.t.Failures = []trace.Failure{{Message: trace500, Stack: append([]trace.Frame{b.std("(*testing.common).Errorf", "testing", "testing.go", 1, ""), assert}, stack...)}}
		v := b.view()
		if text := v.Text(f); strings.Contains(text, "/home/") || strings.Contains(text, "assertions.go") || !strings.Contains(text, "Should be true") {
			t.Errorf("the text is\n%s", text)
		}
		for _, r := range v.Related(f) {
			if strings.Contains(r.Position.Filename, "assertions.go") {
				t.Errorf("a related position is the library's: %v", r)
			}
		}
		return v.Headline(f)
	}
	if got, want := headline(b.code("TestAdd", "cache_test.go", 15, "")), "test failure: Should be true, by G1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := headline(helper, b.code("TestAdd", "cache_test.go", 15, "")), "test failure: Should be true, by G1 at helper/helper.go:7 (called here)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Package is writes what it has to say to the standard output, with the line that asks.
func TestAssertionOnOutput(t *testing.T) {
	b, f := race()
	is := trace.Frame{Func: "github.com/matryer/is.(*I).Equal", Site: b.src.site(place{pkg: "github.com/matryer/is", file: "is.go", line: 200})}
	f.Category, f.Events, f.Threads = TestFailure, nil, []int{0}
	b.t.Output = []byte("\t\x1b[90mcache_test.go:14: \x1b[39m3 != 4\n\t\x1b[90mcache_test.go:15: \x1b[39m1 != 2\x1b[31m // one is two\x1b[39m\nbye\n")
	test := b.code("TestAdd", "cache_test.go", 15, "")
	b.t.Failures = []trace.Failure{{Stack: []trace.Frame{is, test}}}
	if got, want := b.view().Headline(f), "test failure: 1 != 2 // one is two, by G1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b.t.Failures = []trace.Failure{{Stack: []trace.Frame{test}}}
	if got, want := b.view().Headline(f), "test failure: the test fails, by G1"; got != want {
		t.Errorf("without the library: got %s, want %s", got, want)
	}
}

// A headline never has more than its room, however long names and texts are.
func TestHeadlineRoom(t *testing.T) {
	b, f := race()
	for i := range b.src {
		b.src[i].name = strings.Repeat("very.long.name.", 20)
	}
	if h := b.view().Headline(f); len([]rune(h)) > lineRoom {
		t.Errorf("%d characters: %s", len([]rune(h)), h)
	}
	b.t.Panic = "panic: " + strings.Repeat("long ", 100)
	f.Category = Panics
	if h := b.view().Headline(f); len([]rune(h)) > lineRoom || !strings.Contains(h, "..., by G1") {
		t.Errorf("%d characters: %s", len([]rune(h)), h)
	}
}
