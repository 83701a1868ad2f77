package runner

import (
	"bytes"
	"strings"
	"testing"
)

// TestOwnFile: a package initialiser that reads the program's own file is refused it, and so is every entry (REFUSE5).
// What protobuf makes of its file nobody can count on.
func TestOwnFile(t *testing.T) {
	reads := `

import "os"

var Hash = binaryHash()

func binaryHash() int {
	exe, err := os.Executable()
	if err != nil {
		return 0
	}
	text, err := os.ReadFile(exe)
	if err != nil {
		return 0
	}
	return len(text)
}
`
	test := func(path string) string {
		return "package m\n\nimport (\n\t\"testing\"\n\n\tx \"" + path + "\"\n)\n\nfunc TestHash(t *testing.T) {\n\tc := make(chan int)\n\tgo func() { c <- x.Hash }()\n\t<-c\n}\n"
	}
	writeModule(t, map[string]string{
		"go.mod":                         "module example.com/m\n\ngo 1.25\n\nrequire google.golang.org/protobuf v1.0.0\n\nreplace google.golang.org/protobuf => ./pb\n",
		"pb/go.mod":                      "module google.golang.org/protobuf\n\ngo 1.25\n",
		"pb/internal/detrand/detrand.go": "package detrand" + reads,
		"pb/text/text.go":                "package text\n\nimport \"google.golang.org/protobuf/internal/detrand\"\n\nvar Hash = detrand.Hash\n",
		"own/own.go":                     "package own" + reads,
		"a/a_test.go":                    test("google.golang.org/protobuf/text"),
		"b/b_test.go":                    test("example.com/m/own"),
	})
	for dir, want := range map[string]string{"./a": "TestHash: exhausted", "./b": "TestHash: refused"} {
		var out, errs bytes.Buffer
		Main([]string{"-cache=off", dir}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if !strings.Contains(out.String()+errs.String(), want) {
			t.Errorf("%s: want %q\n%s%s", dir, want, &out, &errs)
		}
	}
}
