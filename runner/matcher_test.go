package runner

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A matcher is what GitHub's documentation says of problem matchers (actions/toolkit, docs/problem-matchers.md), and
// nothing else.
type matcher struct {
	ProblemMatcher []struct {
		Owner    string `json:"owner"`
		Severity string `json:"severity"`
		Pattern  []struct {
			Regexp  string `json:"regexp"`
			File    int    `json:"file"`
			Line    int    `json:"line"`
			Column  int    `json:"column"`
			Message int    `json:"message"`
		} `json:"pattern"`
	} `json:"problemMatcher"`
}

// An annotation is what GitHub makes of a line that matches.
type annotation struct{ file, line, column, message string }

// annotations returns what the problem matcher of the action makes of a text. The matcher has one pattern, of one line,
// without what Go's expressions and JavaScript's understand differently.
func annotations(t *testing.T, text string) (out []annotation) {
	t.Helper()
	file, err := os.Open(filepath.Join(filepath.Dir(filepath.Dir(testdata)), ".github", "heddle-matcher.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var m matcher
	dec := json.NewDecoder(file)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil || len(m.ProblemMatcher) != 1 || len(m.ProblemMatcher[0].Pattern) != 1 {
		t.Fatalf("%v: %+v", err, m)
	}
	action, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(testdata)), "action.yml"))
	if err != nil || !strings.Contains(string(action), "::remove-matcher owner="+m.ProblemMatcher[0].Owner+"::") {
		t.Errorf("action.yml does not take back the matcher of %s (%v)", m.ProblemMatcher[0].Owner, err)
	}
	if s := m.ProblemMatcher[0].Severity; !slices.Contains([]string{"error", "warning", "notice"}, s) {
		t.Errorf("there is no severity %q", s)
	}
	p := m.ProblemMatcher[0].Pattern[0]
	re := regexp.MustCompile(p.Regexp)
	for line := range strings.Lines(text) {
		if s := re.FindStringSubmatch(strings.TrimSuffix(line, "\n")); s != nil {
			out = append(out, annotation{s[p.File], s[p.Line], s[p.Column], s[p.Message]})
		}
	}
	return out
}

// setupGo is the expression of actions/setup-go, which every workflow with Go in it has registered before. It takes a
// file to begin at a slash, so that dir/file.go would be a file in the root.
var setupGo = regexp.MustCompile(`((?:\.{0,2}/|\.{0,2}\\)(?:.+\.go)):(?:(\d+):(\d+):)? (.*)`)

// TestProblemMatcher shows that a finding is one annotation at its place, with its headline. Its related positions, its
// token and the verdicts are none.
func TestProblemMatcher(t *testing.T) {
	stdout, stderr, _ := heddle(t, "-run=Len", "./racy")
	want := annotation{"./racy/racy.go", "16", "4", "data race: c.n written here by G1.1, read at racy.go:11 by G1.2 (datarace)"}
	if got := annotations(t, stdout+stderr); len(got) != 1 || got[0] != want {
		t.Errorf("%+v\nwant %+v\nof\n%s%s", got, want, stdout, stderr)
	}
	head, _, _ := strings.Cut(stdout, "\n")
	if m := setupGo.FindStringSubmatch(head); m == nil || (annotation{m[1], m[2], m[3], m[4]}) != want {
		t.Errorf("setup-go's matcher makes %q of %s", m, head)
	}
	// The go command leaves the "./" out of what a vettool writes, and says vet where a package does not compile.
	for line, want := range map[string]annotation{
		"a/a.go:10:9: data race: k.N written":      {"a/a.go", "10", "9", "data race: k.N written"},
		"a.go:1:2: panic: no":                      {"a.go", "1", "2", "panic: no"},
		"vet: ./a.go:5:5: undefined: x":            {"./a.go", "5", "5", "undefined: x"},
		"../a-b_c/x.y/a_test.go:5:5: undefined: x": {"../a-b_c/x.y/a_test.go", "5", "5", "undefined: x"},
	} {
		if got := annotations(t, line); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
	for _, line := range []string{"# example.com/p", "\t./a.go:1:2: G1.1 was started here", "  TestA: exhausted, 4 runs", "exit status 3", "see a.go:1:2: there", "a.txt:1:2: no"} {
		if got := annotations(t, line); len(got) != 0 {
			t.Errorf("%q is no finding: %+v", line, got)
		}
	}
}
