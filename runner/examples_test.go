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

	"github.com/heddle-go/heddle/analysistest/long"
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

// again is command, but the short tests stay in this process, where most of the program has been loaded.
func again(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	if long.On() {
		return command(t, args...)
	}
	t.Chdir(filepath.Dir(filepath.Dir(testdata)))
	var out, errs bytes.Buffer
	code = Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return out.String(), errs.String(), code
}

// TestExamples shows that each example has one finding, at the place and of the category that expect.txt says, and its
// fixed variant none. A second run, in a process of its own, writes the same bytes (for one example, or for all with
// the long tests). Each finding is replayed to the same failure, with the long tests in a process of its own too.
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
	stdout, stderr, code := again(t, "./examples/...")
	if code != 3 {
		t.Errorf("exit code %d, want 3\n%s", code, stderr)
	}
	out, errs, _ := command(t, long.Pick("./examples/pubsub/...", "./examples/..."))
	parts, sum := strings.LastIndexByte(strings.TrimSpace(errs), '\n')+1, errs
	if !long.On() {
		sum = errs[:parts] // of one example, all but the sum is a part of what was written of all
	}
	if out == "" || !strings.Contains(stdout, out) || sum == "" || !strings.Contains(stderr, sum) || long.On() && (out != stdout || errs != stderr) {
		t.Errorf("a second run differs:\n%s%s\nthe first was\n%s%s", out, errs, stdout, stderr)
	}
	if strings.Contains(stderr, ": incomplete") {
		t.Errorf("an example is not explored to the end:\n%s", stderr)
	}
	words := map[string]string{
		"datarace": "data race", "deadlock": "deadlock", "goroutineleak": "goroutine leak", "livelock": "livelock", "panics": "panic", "testfailure": "test failure",
	}
	head := regexp.MustCompile(`^\./(.*):(\d+):\d+: (data race|deadlock|goroutine leak|panic|test failure): .* \((\w+)\)\n\treplay: heddle replay (h1\S+)\n$`)
	related := regexp.MustCompile(`^\t\./\S+:\d+:\d+: \S`)
	for _, f := range findingsOf(stdout) {
		line := f.head
		m := head.FindStringSubmatch(line)
		if m == nil || words[m[4]] != m[3] {
			t.Errorf("unexpected output: %s", line)
			continue
		}
		if first, _, _ := strings.Cut(line, "\n"); len(first) >= 160 {
			t.Errorf("%d characters: %s", len(first), first)
		}
		if len(f.rest) == 0 {
			t.Errorf("nothing is related to %s", line)
		}
		for _, l := range f.rest {
			if !related.MatchString(l) {
				t.Errorf("unexpected output: %s", l)
			}
		}
		c := m[4]
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
			if long.On() {
				t.Parallel()
			}
			replayed(t, m[5], line)
		})
	}
	for _, w := range want {
		t.Errorf("not reported: %s", w)
	}
}

// A shown is a finding as text shows it.
type shown struct {
	head string   // its line, and that of its token
	rest []string // the lines below
}

// findingsOf takes the text of heddle's findings apart.
func findingsOf(stdout string) (out []shown) {
	for line := range strings.Lines(stdout) {
		switch n := len(out) - 1; {
		case !strings.HasPrefix(line, "\t"):
			out = append(out, shown{head: line})
		case n >= 0 && strings.HasPrefix(line, "\treplay: "):
			out[n].head += line
		case n >= 0:
			out[n].rest = append(out[n].rest, line)
		}
	}
	return out
}

// replayed replays a token, and compares the first lines with that of the finding, and
// the rest with that of the first time.
func replayed(t *testing.T, token, finding string) {
	first := ""
	for i := range *replays {
		stdout, stderr, code := again(t, "replay", token)
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

var update = flag.Bool("update", false, "rewrite what the documents show of heddle's output")

// TestReadme shows that README shows what heddle writes. Its token holds a digest of the toolchain's version. With
// another version than README names the token differs; with that one it can be replayed.
func TestReadme(t *testing.T) {
	const before, after = "<!-- finding, with %s -->\n```\n$ go run ./cmd/heddle ", "```\n<!-- /finding -->"
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`<!-- finding, with (\S+) -->`).FindStringSubmatch(string(data))
	if version == nil {
		t.Fatal("README.md shows no finding")
	}
	args, want := documented(t, "../README.md", strings.Replace(before, "%s", version[1], 1), after)
	stdout, _, code := command(t, args...)
	got := strings.TrimRight(stdout, "\n") + "\n"
	same := strings.TrimSpace(string(out)) == version[1]
	token := regexp.MustCompile(`heddle replay h1\S+`)
	if *update {
		text := strings.NewReplacer(want, got, version[0], "<!-- finding, with "+strings.TrimSpace(string(out))+" -->").Replace(string(data))
		if err := os.WriteFile("../README.md", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	shown := want
	if !same {
		got, want = token.ReplaceAllString(got, ""), token.ReplaceAllString(want, "")
	}
	if code != 3 || got != want {
		t.Errorf("heddle %s: exit code %d\n%s\nREADME.md has (go test ./runner -run TestReadme -update rewrites it)\n%s", args, code, got, want)
	}
	if same {
		head := findingsOf(shown)[0].head
		replayed(t, strings.Fields(token.FindString(head))[2], head)
	}
}

// README's table has the flags that the tool has, and no others.
func TestReadmeFlags(t *testing.T) {
	data, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "\n## Flags\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var got, want []string
	for row := range strings.Lines(table) {
		if cells := strings.Split(row, "|"); len(cells) > 2 {
			for _, m := range regexp.MustCompile("`-([a-z.-]+)").FindAllStringSubmatch(cells[1], -1) {
				got = append(got, m[1])
			}
		}
	}
	fs, _ := new(options).flagSet()
	visible(fs).VisitAll(func(f *flag.Flag) {
		if f.Name != "exploration" {
			want = append(want, f.Name)
		}
	})
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("README.md has the flags %q, the tool %q", got, want)
	}
}

// documented returns the arguments of a command that a file shows after a mark, and the output that the file shows for
// it, up to another mark.
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
