package suppress

import (
	"fmt"
	"strings"
	"testing"
)

func isCheck(s string) bool { return s == "datarace" || s == "deadlock" }

func TestFormsOfComments(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"on the line", "package p\nvar n int //nolint:heddle // known\n", "2-2 [heddle] known"},
		{"a check", "package p\nvar n int //nolint:datarace\n", "2-2 [datarace] "},
		{"among others", "package p\nvar n int // nolint: errcheck, deadlock\n", "2-2 [deadlock] "},
		{"every linter", "package p\nvar n int //nolint\n", "2-2 [] "},
		{"every linter by name", "package p\nvar n int //nolint:all\n", "2-2 [] "},
		{"other linters", "package p\nvar n int //nolint:errcheck,gosec // heddle\n", ""},
		{"prose", "package p\n// use nolint:heddle here\nvar n int\n// nolinting\n", ""},
		{"before a function", "package p\n\n//nolint:heddle // known\nfunc f() {\n\tg()\n}\n", "4-6 [heddle] known"},
		{"in its documentation", "package p\n\n// f is.\n//\n//nolint:heddle\nfunc f() {\n\tg()\n}\n", "6-8 [heddle] "},
		{"before a statement", "package p\nfunc f() {\n\t//nolint:datarace\n\tif g() {\n\t\th()\n\t}\n\th()\n}\n", "4-6 [datarace] "},
		{"before a statement that ends on its line", "package p\nfunc f() {\n\t//nolint:datarace\n\tn++\n\tn++\n}\n", "4-4 [datarace] "},
		{"before nothing", "package p\nfunc f() {\n\tg()\n\t//nolint:datarace\n}\n", "5-5 [datarace] "},
		{"before a declaration", "package p\n\n//nolint:heddle\nvar (\n\tn int\n)\n", "4-6 [heddle] "},
		{"before an element", "package p\n\nvar l = []int{\n\t//nolint:heddle\n\tf(\n\t\t1),\n}\n", "5-6 [heddle] "},
		{"the whole file", "//nolint:heddle // generated\npackage p\n\nvar n int\n", "1-4 [heddle] generated"},
		{"the whole file, at the clause", "package p //nolint:heddle\n\nvar n int\n", "1-3 [heddle] "},
		{"staticcheck's", "package p\n//lint:ignore heddle/datarace it is benign\nvar n int\n", "3-3 [datarace] it is benign"},
		{"staticcheck's, on the line", "package p\nvar n int //lint:ignore datarace,SA1000 it is benign\n", "2-2 [datarace] it is benign"},
		{"staticcheck's, all", "package p\nvar n int //lint:ignore heddle/* it is benign\n", "2-2 [heddle] it is benign"},
		{"staticcheck's, others", "package p\nvar n int //lint:ignore SA1000 it is benign\n", ""},
		{"staticcheck's, without a reason", "package p\nvar n int //lint:ignore heddle/datarace\n", "2-2 [datarace]  wrong: it has no reason: //lint:ignore CHECK REASON"},
		{"a file's", "package p\n\nvar n int\n//lint:file-ignore heddle/deadlock generated\n", "1-4 [deadlock] generated"},
		{"no such check", "package p\nvar n int //lint:ignore heddle/datarce it is benign\n", "2-2 [datarce] it is benign"},
		{"it does not parse", "package p\nvar n int( //nolint:heddle\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, d := range Parse("p.go", []byte(tt.src), isCheck) {
				s := fmt.Sprintf("%d-%d %v %s", d.First, d.Last, d.Checks, d.Reason)
				if d.Wrong != "" {
					s += " wrong: " + d.Wrong
				}
				got = append(got, s)
			}
			if strings.Join(got, "; ") != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhichLinesACommentCovers(t *testing.T) {
	src := "package p\n\n//nolint:datarace\nfunc f() {\n\tg()\n}\n"
	d := Parse("p.go", []byte(src), isCheck)[0]
	for _, tt := range []struct {
		check, file string
		line        int
		want        bool
	}{
		{"datarace", "p.go", 4, true}, {"datarace", "p.go", 6, true}, {"datarace", "p.go", 3, false}, {"datarace", "p.go", 7, false},
		{"deadlock", "p.go", 5, false}, {"datarace", "q.go", 5, false},
	} {
		if got := d.Covers(tt.check, tt.file, tt.line); got != tt.want {
			t.Errorf("%s at %s:%d: %v, want %v", tt.check, tt.file, tt.line, got, tt.want)
		}
	}
	wrong := Parse("p.go", []byte("package p\nvar n int //lint:ignore datarace\n"), isCheck)[0]
	if wrong.Covers("datarace", "p.go", 2) {
		t.Error("a directive without a reason suppresses something")
	}
	typo := Parse("p.go", []byte("package p\nvar n int //lint:ignore heddle/datarce x\n"), isCheck)[0]
	if u := typo.Unknown(isCheck); len(u) != 1 || u[0] != "datarce" {
		t.Errorf("unknown: %q", u)
	}
}
