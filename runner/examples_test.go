package runner

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The examples show one finding each, at the place and of the category that
// expect.txt says, and their fixed variants none.
func TestExamples(t *testing.T) {
	t.Chdir("..")
	data, err := os.ReadFile("examples/expect.txt")
	if err != nil {
		t.Skip("the examples are not here: ", err)
	}
	var want []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			want = append(want, line)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"./examples/..."}, Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}); code != 3 {
		t.Errorf("exit code %d, want 3\n%s", code, &stderr)
	}
	row := regexp.MustCompile(`^(.*):(\d+):\d+: (data race|deadlock|goroutine leak|panic|fatal error|test failure): `)
	category := map[string]string{
		"data race": "datarace", "goroutine leak": "goroutineleak", "panic": "panics", "fatal error": "panics", "test failure": "testfailure",
	}
	for line := range strings.Lines(stdout.String()) {
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
	}
	for _, w := range want {
		t.Errorf("not reported: %s", w)
	}
	if strings.Contains(stderr.String(), ": incomplete") {
		t.Errorf("an example is not explored to the end:\n%s", &stderr)
	}
}
