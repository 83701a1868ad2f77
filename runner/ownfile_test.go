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

// TestProcessorTimes: gopsutil reads what the processor has done in an initialiser, for who asks later what it has done
// since. Who asks is refused it, and nobody else.
func TestProcessorTimes(t *testing.T) {
	test := func(asks string) string {
		return "package m\n\nimport (\n\t\"testing\"\n\n\t\"github.com/shirou/gopsutil/v4/cpu\"\n)\n\nfunc Test(t *testing.T) {\n\tc := make(chan int)\n\tgo func() { c <- " + asks + " }()\n\t<-c\n}\n"
	}
	writeModule(t, map[string]string{
		"go.mod":              "module example.com/m\n\ngo 1.25\n\nrequire github.com/shirou/gopsutil/v4 v4.0.0\n\nreplace github.com/shirou/gopsutil/v4 => ./ps\n",
		"ps/go.mod":           "module github.com/shirou/gopsutil/v4\n\ngo 1.25\n",
		"ps/common/common.go": "package common\n\nimport \"os\"\n\nfunc Read() int {\n\tb, _ := os.ReadFile(\"/proc/stat\")\n\treturn len(b)\n}\n",
		"ps/cpu/cpu.go":       "package cpu\n\nimport \"github.com/shirou/gopsutil/v4/common\"\n\nvar last int\n\nfunc init() { last = common.Read() }\n\nfunc Since() int { return common.Read() - last }\n\nfunc Count() int { return 1 }\n",
		"a/a_test.go":         test("cpu.Count()"),
		"b/b_test.go":         test("cpu.Since()"),
	})
	for dir, want := range map[string]string{"./a": "Test: exhausted", "./b": "Test: refused"} {
		var out, errs bytes.Buffer
		Main([]string{"-cache=off", dir}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if !strings.Contains(out.String()+errs.String(), want) {
			t.Errorf("%s: want %q\n%s%s", dir, want, &out, &errs)
		}
	}
}
