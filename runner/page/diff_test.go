package page

import (
	"fmt"
	"math/rand/v2"
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

// What stays and goes is the old text, what stays and comes the new one, and lines that differ by chance alone do not go and come.
func TestMiddleIsBothTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lines := func() []string {
		out := make([]string, r.IntN(9))
		for i := range out {
			out[i] = string(rune('a' + r.IntN(3)))
		}
		return out
	}
	for range 500 {
		a, b := lines(), lines()
		var from, to []string
		for _, l := range middle(a, b) {
			if l.Sign != "+" {
				from = append(from, l.Text)
			}
			if l.Sign != "-" {
				to = append(to, l.Text)
			}
		}
		if strings.Join(from, "") != strings.Join(a, "") || strings.Join(to, "") != strings.Join(b, "") {
			t.Fatalf("%q to %q: %s", a, b, text(middle(a, b)))
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
