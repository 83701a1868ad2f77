package runner

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var replays = flag.Int("replays", 1, "how often each finding of the examples is replayed")

// command runs heddle in a process of its own, at the root of the module.
func command(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Dir = filepath.Dir(filepath.Dir(testdata))
	cmd.Env = append(os.Environ(), beHeddle+"=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err, ok := cmd.Run().(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// The examples show one finding each, at the place and of the category that
// expect.txt says, and their fixed variants none; a second process writes the
// same bytes, and others replay each finding to the same failure.
//
// go test ./runner -run TestExamples -replays=10 replays them more often (make replay).
func TestExamples(t *testing.T) {
	data, err := os.ReadFile("../examples/expect.txt")
	if err != nil {
		t.Skip("the examples are not here: ", err)
	}
	var want []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			want = append(want, line)
		}
	}
	stdout, stderr, code := command(t, "./examples/...")
	if code != 3 {
		t.Errorf("exit code %d, want 3\n%s", code, stderr)
	}
	if out, errs, _ := command(t, "./examples/..."); out != stdout || errs != stderr {
		t.Errorf("a second run differs:\n%s%s\nthe first was\n%s%s", out, errs, stdout, stderr)
	}
	if strings.Contains(stderr, ": incomplete") {
		t.Errorf("an example is not explored to the end:\n%s", stderr)
	}
	row := regexp.MustCompile(`^(.*):(\d+):\d+: (data race|deadlock|goroutine leak|panic|fatal error|test failure): .*; replay: heddle replay (h1\S+)\n`)
	category := map[string]string{
		"data race": "datarace", "goroutine leak": "goroutineleak", "livelock": "livelock", "panic": "panics", "fatal error": "panics", "test failure": "testfailure",
	}
	for line := range strings.Lines(stdout) {
		m := row.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("unexpected output: %s", line)
			continue
		}
		c := m[3]
		if category[c] != "" {
			c = category[c]
		}
		i := slices.IndexFunc(want, func(w string) bool {
			place, cat, _ := strings.Cut(w, " ")
			file, numbers, _ := strings.Cut(place, ":")
			return file == m[1] && cat == c && slices.Contains(strings.Split(numbers, ","), m[2])
		})
		if i < 0 {
			t.Errorf("not in expect.txt: %s", line)
			continue
		}
		want = slices.Delete(want, i, i+1)
		t.Run(filepath.Base(filepath.Dir(m[1])), func(t *testing.T) {
			t.Parallel()
			replayed(t, m[4], line)
		})
	}
	for _, w := range want {
		t.Errorf("not reported: %s", w)
	}
}

// replayed replays a token, and compares the first line with that of the finding, and
// the rest with that of the first time.
func replayed(t *testing.T, token, finding string) {
	first := ""
	for i := range *replays {
		stdout, stderr, code := command(t, "replay", token)
		if code != 3 || stderr != "" || !strings.HasPrefix(stdout, finding) {
			t.Fatalf("heddle replay %s: exit code %d\n%s%s\nwant 3 and\n%s", token, code, stdout, stderr, finding)
		}
		if i == 0 {
			first = stdout
		} else if stdout != first {
			t.Fatalf("replay %d of %s wrote\n%s\nthe first\n%s", i, token, stdout, first)
		}
	}
}

// README shows what heddle writes. The token alone may differ: it holds a digest of the toolchain.
func TestReadme(t *testing.T) {
	args, want := documented(t, "../README.md", "<!-- finding -->\n```\n$ go run ./cmd/heddle ", "```\n<!-- /finding -->")
	stdout, _, code := command(t, args...)
	token := regexp.MustCompile(`heddle replay h1\S+`)
	got := strings.TrimRight(stdout, "\n") + "\n"
	if code != 3 || token.ReplaceAllString(got, "") != token.ReplaceAllString(want, "") {
		t.Errorf("heddle %s: exit code %d\n%s\nREADME.md has\n%s", args, code, got, want)
	}
}

// documented returns the arguments of a command that a file shows after a mark, and what it says that this writes, up to another mark.
func documented(t *testing.T, file, before, after string) (args []string, output string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(data), before)
	line, text, _ := strings.Cut(text, "\n")
	output, _, ok := strings.Cut(text, after)
	if !ok {
		t.Fatalf("%s shows no command between %q and %q", file, before, after)
	}
	return strings.Fields(line), output
}
