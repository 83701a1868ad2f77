package page

import (
	"fmt"
	"strings"
	"testing"
)

func text(lines []DiffLine) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "%s%s|", l.Sign, l.Text)
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{"a\nb\n", "a\nb\n", ""},
		{"a\nb\nc\n", "a\nx\nc\n", " a|-b|+x| c|"},
		{"1\n2\n3\n4\n5\n", "1\n2\n3\n4\nnew\n5\n", " 2| 3| 4|+new| 5|"},
		{"one\n1\n2\n3\n4\n5\n6\n7\n8\ntwo\n9\n", "ONE\n1\n2\n3\n4\n5\n6\n7\n8\n9\n", "-one|+ONE| 1| 2| 3|@| 6| 7| 8|-two| 9|"},
	} {
		if got := text(Diff(test.from, test.to)); got != test.want {
			t.Errorf("%q to %q: %s, want %s", test.from, test.to, got, test.want)
		}
	}
}

// The page has the fix as a diff, with the user's text escaped; a finding without one says nothing of it.
func TestPageShowsFix(t *testing.T) {
	r := sample()
	if got := written(t, r); strings.Contains(got, `class="fix"`) {
		t.Error("a finding without a fix shows one")
	}
	r.Findings[0].Fix = &Fix{Message: "make x an atomic.Int64", Files: []FileDiff{{Name: "./a.go", Lines: Diff("var x <b>\n", "var x atomic.Int64\n")}}}
	got := written(t, r)
	for _, want := range []string{
		"make x an atomic.Int64", "<code>./a.go</code>",
		`<del class="gone"><span class="sign">-</span>var x &lt;b&gt;</del>`, `<ins class="new"><span class="sign">+</span>var x atomic.Int64</ins>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
