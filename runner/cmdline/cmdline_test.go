package cmdline

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func flags() *pflag.FlagSet {
	g := flag.NewFlagSet("x", flag.ContinueOnError)
	g.Bool("json", false, "")
	g.Bool("v", false, "")
	g.String("run", "", "")
	g.Int("limit.events", 0, "")
	g.String("exploration.run", "", "")
	fs := pflag.NewFlagSet("x", pflag.ContinueOnError)
	fs.AddGoFlagSet(g)
	return fs
}

func TestLongFlags(t *testing.T) {
	for _, tt := range []struct {
		args, want   string
		interspersed bool
	}{
		{"", "", true},
		{"-json -run X ./a", "--json --run X ./a", true},
		{"./a -run=X --json", "./a --run=X --json", true},
		{"-run -json ./a", "--run -json ./a", true},
		{"-json -run", "--json --run", true},
		{"-v -h ./a", "-v -h ./a", true},
		{"-nosuch -json", "--nosuch --json", true},
		{"-json -- -run X", "--json -- -run X", true},
		{"- -json", "- --json", true},
		{"-run X ./a -run X", "--run X ./a -run X", false},
		{"-exploration.run=X", "--exploration.run=X", true},
	} {
		if got := strings.Join(LongFlags(flags(), strings.Fields(tt.args), tt.interspersed), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.args, got, tt.want)
		}
	}
}

func TestFlagError(t *testing.T) {
	for args, want := range map[string]string{
		"-rum=X":             "there is no flag -rum; did you mean -run?",
		"-exploration.rum=X": "there is no flag -exploration.rum",
		"-limit.events=many": "-limit.events=many: want a number",
		"-json=maybe":        "-json=maybe: want true or false",
		"-run":               "-run needs a value",
	} {
		fs := flags()
		err := FlagError(fs, fs.Parse(LongFlags(fs, strings.Fields(args), true)))
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	if err := errors.New("another"); FlagError(flags(), err) != err {
		t.Error("another error is changed")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"datarace", "deadlock", "run", "replay", "limit.executions", "timing", "json"}
	for word, want := range map[string]string{
		"datrace": "datarace", "dataraces": "datarace", "dead-lock": "deadlock", "rnu": "run", "Replay": "replay", "limit.exections": "limit.executions",
		"tim": "timing", "limit": "limit.executions", "check": "", "x": "", "": "", "jsno": "json", "nosuchthing": "",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("-", "rnu", known); got != "; did you mean -run?" {
		t.Error(got)
	}
}

func TestPackages(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a/a.go", "a/b.go", "c/d/e.go", "sync/s.go", "x.go/y.go", "main.go", "README.md"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for args, want := range map[string]string{
		"a/a.go a/b.go":            "./a",
		"a c/d":                    "./a ./c/d",
		"./a ./...":                "./a ./...",
		"sync":                     "sync", // the standard library's
		"./sync":                   "./sync",
		"x.go":                     "./x.go", // a folder
		"main.go .":                ".",
		"example.com/p":            "example.com/p",
		dir + "/a/a.go":            dir + "/a",
		"../" + filepath.Base(dir): "../" + filepath.Base(dir),
	} {
		got, err := Packages(strings.Fields(args))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %s", args, got, err, want)
		}
	}
	for arg, want := range map[string]string{
		"README.md": "README.md is no Go file: name packages, folders or .go files", "none.go": "none.go: no such file",
	} {
		if _, err := Packages([]string{arg}); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
	}
	var words []string
	for _, arg := range []string{"check", "a", "sync", "./nosuch", "example.com/p", "all", "...", "fmt"} {
		if IsWord(arg) {
			words = append(words, arg)
		}
	}
	if !slices.Equal(words, []string{"check"}) {
		t.Errorf("the words are %q, want check alone", words)
	}
}

func TestColor(t *testing.T) {
	var c Color
	if c.Set("auto") != nil || c.Set("sometimes") == nil || c != Auto {
		t.Errorf("%q", c)
	}
	var out bytes.Buffer
	if Auto.Style(&out) || !Always.Style(&out) || Never.Style(&out) {
		t.Error("auto is for terminals, always for all, never for none")
	}
	if Style(true).Bad("x") != "\x1b[1;31mx\x1b[0m" || Style(false).Bad("x") != "x" || Style(true).Good("") != "" {
		t.Error("a style is painted wrongly")
	}
}
