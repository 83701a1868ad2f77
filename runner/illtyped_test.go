package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeModule writes a module into a new folder, and goes there.
func writeModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// TestIllTyped: what does not compile is an error, whether it could start a goroutine or not.
func TestIllTyped(t *testing.T) {
	const test = "import \"testing\"\n\nfunc TestX(t *testing.T) "
	writeModule(t, map[string]string{
		"go.mod":             "module example.com/ill\n\ngo 1.26\n",
		"fine/a_test.go":     "package fine\n\n" + test + "{}\n",
		"bytest/a_test.go":   "package bytest\n\n" + test + "{ var n int = \"x\"; _ = n }\n",
		"many/a_test.go":     "package many\n\n" + test + "{\n\tundefined()\n\tundefined2()\n}\n",
		"byuse/a.go":         "package byuse\n\nfunc f() { n := 1 }\n",
		"byuse/a_test.go":    "package byuse\n\n" + test + "{ f() }\n",
		"external/a.go":      "package external\n\nconst A = 1\n",
		"external/x_test.go": "package external_test\n\nimport (\n\t\"example.com/ill/external\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { external.B() }\n",
		"below/a_test.go":    "package below\n\nimport (\n\t\"example.com/ill/bad\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { bad.F() }\n",
		"bad/bad.go":         "package bad\n\nfunc F() { return 1 }\n",
	})
	var out, errs bytes.Buffer
	code := Main([]string{"./..."}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	for _, want := range []string{
		"heddle: ./bytest/a_test.go:5:40: cannot use \"x\" (untyped string constant) as int value in variable declaration\n",
		"heddle: ./many/a_test.go:6:2: undefined: undefined\n",
		"heddle: ./byuse/a.go:3:12: declared and not used: n\n",
		"heddle: ./external/x_test.go:8:37: undefined: external.B\n",
		"heddle: ./bad/bad.go:3:19: too many return values",
		"example.com/ill/fine: not explored: nothing in it starts a goroutine, or waits\n",
	} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("no line %q", want)
		}
	}
	if code != 1 || out.Len() > 0 || t.Failed() {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}
