package docs

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/internal/tree"
	"github.com/heddle-go/heddle/runner"
)

var update = flag.Bool("update", false, "write what commands print into the pages")

var (
	block   = regexp.MustCompile("(?s)<!-- (file|output) ?([^\\n]*?) ?-->\\n```[a-z]*\\n(.*?)\\n?```\\n")
	version = regexp.MustCompile(`<!-- go (go\S+) -->`)
	token   = regexp.MustCompile(`\bh1[A-Za-z0-9_-]{20,}`)
	address = regexp.MustCompile(`0x[0-9a-f]+`)
)

// TestPages runs every command of every page.
func TestPages(t *testing.T) {
	t.Chdir(".") // and back at the end
	if err := tree.Enter(); err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	toolchain := strings.TrimSpace(string(out))
	ran := 0
	err = filepath.WalkDir(filepath.Join(root, "docs"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(data, []byte("<!-- output")) {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		t.Run(rel, func(t *testing.T) { ran += page(t, name, string(data), toolchain) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if ran == 0 {
		t.Error("no page shows a command: are the marks still what this test looks for?")
	}
}

// page runs the commands of one page, and returns how many there were.
func page(t *testing.T, name, text, toolchain string) (ran int) {
	t.Setenv("GOWORK", "off")
	t.Setenv("NO_COLOR", "1")
	t.Setenv("HEDDLE_CACHE", "off") // what a page shows is shown by a first run
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/demo\n\ngo 1.26\n")
	t.Chdir(dir)
	same := false
	if m := version.FindStringSubmatch(text); m != nil {
		same = m[1] == toolchain
	} else {
		t.Error("the page does not say which toolchain its tokens belong to: <!-- go go1.26.8 -->")
	}
	for _, b := range block.FindAllStringSubmatch(text, -1) {
		kind, arg, body := b[1], b[2], b[3]
		if kind == "file" {
			write(t, filepath.Join(dir, filepath.FromSlash(arg)), body+"\n")
			continue
		}
		ran++
		line, want, _ := strings.Cut(body, "\n")
		args, ok := strings.CutPrefix(line, "$ heddle ")
		if !ok {
			t.Errorf("the block begins with %q, want $ heddle …", line)
			continue
		}
		var stdout, stderr bytes.Buffer
		runner.Main(strings.Fields(args), runner.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
		got := strings.TrimRight(stdout.String()+stderr.String(), "\n")
		if *update {
			text = strings.Replace(text, body+"\n```", line+"\n"+got+"\n```", 1)
			continue
		}
		if a, b := plain(got, same), plain(strings.TrimRight(want, "\n"), same); a != b {
			t.Errorf("%s\nprints\n%s\nthe page has (go test ./internal/docs -update rewrites it)\n%s", line, a, b)
		}
	}
	if *update {
		text = version.ReplaceAllString(text, "<!-- go "+toolchain+" -->")
		write(t, name, text)
	}
	return ran
}

// plain is what must be the same: all but addresses, which any change of the standard library's initialisers moves,
// and, under another toolchain, tokens.
func plain(s string, same bool) string {
	s = address.ReplaceAllString(s, "ADDRESS")
	if same {
		return s
	}
	return token.ReplaceAllString(s, "TOKEN")
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
