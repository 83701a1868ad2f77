package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/passes/cache"
)

// TestCache shows that a second run explores nothing and shows the same, that -cache=off and heddle clean -cache have
// everything explored, and that a cache that cannot be written is said once, and changes nothing.
func TestCache(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	for name, text := range map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.26\n",
		// With a limit of forty million instructions TestLong needs a second turn, so its line comes last.
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestLong(t *testing.T) {\n\tn, ch := 0, make(chan bool)\n\tgo func() { ch <- true }()\n" +
			"\tfor range 1000000 {\n\t\tn++\n\t}\n\tselect {\n\tcase <-ch:\n\tdefault:\n\t\t<-ch\n\t}\n}\n\nfunc TestRace(t *testing.T) {\n\tn, ch := 0, make(chan bool)\n" +
			"\tgo func() { n++; ch <- true }()\n\tn++\n\t<-ch\n}\n\nfunc TestQuiet(t *testing.T) {\n\tch := make(chan bool)\n\tgo func() { ch <- true }()\n\t<-ch\n}\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	store := t.TempDir()
	t.Setenv(cache.Variable, store)
	limit := []string{"-limit.work=40"}
	run := func(args ...string) (stdout, stderr string, cached int) {
		var out, errs bytes.Buffer
		Main(append(args, limit...), Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		stdout, stderr = out.String(), errs.String()
		return stdout, strings.ReplaceAll(stderr, " (cached)", ""), strings.Count(stderr, " (cached)")
	}
	out, errs, n := run()
	if n != 0 || !strings.Contains(out, "data race") || strings.Index(errs, "TestLong") < strings.Index(errs, "TestQuiet") {
		t.Fatalf("the first run: %d cached\n%s%s", n, out, errs)
	}
	for _, tt := range []struct {
		name   string
		before func()
		args   []string
		cached int
		also   string // on standard error
	}{
		{"again", nil, nil, 3, ""},
		{"off", nil, []string{"-cache=off"}, 0, ""},
		{"one entry", nil, []string{"-run=Quiet", "-stats=stats.json"}, 1, ""},
		{"cut short", func() { halve(t, store) }, nil, 0, ""},
		{"once more", nil, nil, 3, ""},
		{"read-only", func() {
			// Whoever tests as root may write anywhere, but not below a file.
			_ = os.RemoveAll(store)
			_ = os.WriteFile(store, nil, 0o666)
		}, nil, 0, "heddle: verdicts cannot be kept for the next run: "},
		{"new", func() { _ = os.Remove(store) }, nil, 0, ""},
		{"clean", func() { limit = nil; run("clean", "-cache"); limit = []string{"-limit.work=40"} }, nil, 0, ""},
		{"named off", func() { t.Setenv(cache.Variable, cache.Off) }, nil, 0, ""},
	} {
		if tt.before != nil {
			tt.before()
		}
		gotOut, gotErrs, n := run(tt.args...)
		gotErrs, warning, _ := strings.Cut(gotErrs, "heddle: ")
		if tt.also == "" != (warning == "") || !strings.HasPrefix("heddle: "+warning, tt.also) || strings.Count(warning, "\n") > 1 {
			t.Errorf("%s: on standard error: %q", tt.name, warning)
		}
		if n != tt.cached || tt.name != "one entry" && (gotOut != out || gotErrs != errs) {
			t.Errorf("%s: %d cached, want %d\n%s%s", tt.name, n, tt.cached, gotOut, gotErrs)
		}
	}
	stats, err := os.ReadFile("stats.json")
	if err != nil || !strings.Contains(string(stats), `"cached":true`) || strings.Contains(string(stats), "_ns") {
		t.Errorf("-stats: %s%v", stats, err)
	}
	t.Setenv(cache.Variable, filepath.Join("not", "absolute"))
	if _, errs, _ = run(); !strings.Contains(errs, "neither off nor an absolute path") {
		t.Errorf("with a relative path: %s", errs)
	}
}

// halve leaves half of every record.
func halve(t *testing.T, store string) {
	t.Helper()
	err := filepath.WalkDir(store, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Truncate(name, info.Size()/2)
	})
	if err != nil {
		t.Fatal(err)
	}
}
