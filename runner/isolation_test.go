package runner

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

const hostSecret = "what no program in the machine may learn"

// A host is what hostile programs reach for: a folder outside theirs with a secret, the same secret in the environment,
// a listening socket.
type host struct {
	module, outside, addr string
	calls                 atomic.Int32
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{outside: t.TempDir()}
	root := t.TempDir()
	h.module = filepath.Join(root, "a", "module")
	if err := os.CopyFS(h.module, os.DirFS(filepath.Join(testdata, "hostile"))); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(h.outside, "secret")
	for name, target := range map[string]string{"link": secret, "linkdir": h.outside} {
		if err := os.Symlink(target, filepath.Join(h.module, "files", name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{secret, filepath.Join(h.module, "..", "secret"), filepath.Join(root, "secret")} {
		if err := os.WriteFile(name, []byte(hostSecret), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			h.calls.Add(1)
			c.Close()
		}
	}()
	h.addr = l.Addr().String()
	t.Setenv("HEDDLE_HOSTILE_SECRET", hostSecret)
	t.Chdir(h.module)
	return h
}

// state is everything of the host that a program could have changed.
func (h *host) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, root := range []string{filepath.Join(h.module, "..", ".."), h.outside} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			var content []byte
			if d.Type().IsRegular() {
				if content, err = os.ReadFile(path); err != nil {
					return err
				}
			}
			fmt.Fprintln(&b, path, info.Mode(), info.Size(), info.ModTime(), string(content))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&b, wd, os.Environ(), h.calls.Load())
	return b.String()
}

// headed are the words of the line at the head of a hostile program that begins so. "// Flags: " has the flags to run
// it with, "// Long: " says why it belongs to the long tests, and "// Always: " why it is never left out.
func headed(t *testing.T, dir, begin string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(l, begin); ok {
			return strings.Fields(rest)
		}
	}
	return nil
}

// wants are the conditions at the head of a hostile program: the exit code, and what its output or the verdict must
// hold.
func wants(t *testing.T, dir string) (want []*regexp.Regexp) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan() && strings.HasPrefix(s.Text(), "//"); {
		if w, ok := strings.CutPrefix(s.Text(), "// Want: "); ok {
			want = append(want, regexp.MustCompile(w))
		}
	}
	if len(want) == 0 {
		t.Fatalf("%s does not say what it wants", dir)
	}
	return want
}

// TestHostile runs the programs of testdata/hostile. Each must end as it says, with an error that it sees itself or a
// verdict that names the reason, and leave the host as it was. `make isolation` runs them again under a trace of system
// calls.
func TestHostile(t *testing.T) {
	h := newHost(t)
	before := h.state(t)
	check := func(t *testing.T, out string) {
		t.Helper()
		if strings.Contains(out, hostSecret) {
			t.Errorf("the secret is in the output:\n%s", out)
		}
		if after := h.state(t); after != before {
			t.Errorf("the host has changed:\n%s\nbefore:\n%s", after, before)
		}
	}
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) < 40 {
		t.Fatal(mains, err)
	}
	for i, main := range mains {
		name := filepath.Dir(main)
		if i%long.Step(3) != 0 && len(headed(t, name, "// Always: ")) == 0 {
			continue // the programs of a kind have names that begin alike, so some of each are left
		}
		t.Run(name, func(t *testing.T) {
			if why := headed(t, name, "// Long: "); len(why) > 0 {
				long.Only(t, strings.Join(why, " "))
			}
			var buf bytes.Buffer
			args := append(append([]string{"run"}, headed(t, name, "// Flags: ")...), "./"+name, h.outside, h.addr)
			code := Main(args, Streams{In: strings.NewReader(""), Out: &buf, Err: &buf})
			out := fmt.Sprintf("%s\nexit %d", buf.String(), code)
			t.Log(out)
			for _, w := range wants(t, name) {
				if !w.MatchString(out) {
					t.Errorf("no %q in\n%s", w, out)
				}
			}
			if strings.Contains(out, "internal error") {
				t.Errorf("a fault of Heddle:\n%s", out)
			}
			check(t, out)
		})
	}
	t.Run("explored", func(t *testing.T) {
		var buf bytes.Buffer
		code := Main([]string{"-limit.executions=" + long.Pick("100", "10000"), "./tests"}, Streams{In: strings.NewReader(""), Out: &buf, Err: &buf})
		t.Log(buf.String())
		if code != 0 {
			t.Errorf("exit %d\n%s", code, buf.String())
		}
		check(t, buf.String())
	})
}
