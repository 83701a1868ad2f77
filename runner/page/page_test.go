package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/report"
)

// sample is a report with one race of three steps, in a file of 200 lines.
func sample() *Report {
	pos := func(line int) token.Position { return token.Position{Filename: "/m/a.go", Line: line, Column: 1} }
	return &Report{
		Title: "example.com/m",
		Findings: []Finding{{
			Check: "datarace", Headline: "data race on x </script><b>", Position: "./a.go:100:2", Package: "example.com/m", Entry: "TestA",
			Token: "h1abc", Text: "WARNING: DATA RACE", Table: "   G1  G1.1",
			Diagram: &report.Diagram{
				Lanes: []report.Lane{{ID: "G1"}, {ID: "G1.1", Started: "G1 at a.go:98"}},
				Steps: []report.Step{
					{N: 1, Lane: 0, At: "a.go:98", Pos: pos(98), Text: "go f()", Notes: []string{"starts G1.1"}},
					{N: 2, Lane: 1, At: "a.go:101", Pos: pos(101), Text: "x = 1", Notes: []string{"write x = 1"}, Switch: true, Final: true},
					{N: 3, Lane: 0, At: "a.go:100", Pos: pos(100), Text: "x = 2 // <i>", Notes: []string{"write x = 2"}, Switch: true, Final: true},
				},
				Arrows: []report.Arrow{{From: 1, To: 2, Cause: report.Starts}},
			},
		}},
		Packages: []Package{
			{Path: "example.com/m", Entries: []Entry{{Name: "TestA", Verdict: "exhausted", Detail: "2 runs, 1 finding"}, {Name: "TestB", Verdict: "exhausted", Detail: "1 run", Clean: true}}},
			{Path: "example.com/m/none", Note: "it has no tests"},
		},
		ReadFile: func(string) ([]byte, error) { return []byte(strings.Repeat("line </script>\n", 200)), nil },
	}
}

func written(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page says in text what its drawings show, so that it is whole without its script.
func TestPageIsWholeWithoutScript(t *testing.T) {
	got := written(t, sample())
	for _, want := range []string{
		`<tr id="f1-s2" class="step switch final" data-n="2" data-file="/m/a.go" data-line="101"`,
		`<span class="sr">started in step 1</span>`,
		`data-lane="G1.1"`, "write x = 1", `value="heddle replay h1abc"`, "1 finding; 2 entries in 2 packages, 1 of them exhausted without a finding",
		"Not explored: it has no tests", "x = 2 // &lt;i&gt;", "data race on x &lt;/script&gt;&lt;b&gt;",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Nothing of the user's text can end a script or add an element, and nothing is fetched.
func TestPageIsSelfContained(t *testing.T) {
	got := written(t, sample())
	if n, want := strings.Count(got, "</script>"), strings.Count(got, "<script"); n != want {
		t.Errorf("%d script elements begin and %d end", want, n)
	}
	if m := regexp.MustCompile(`(?i)(src|href)="?(https?:|//)|@import|url\((https?:)?//`).FindString(got); m != "" {
		t.Errorf("the page refers to the network: %q", m)
	}
}

// The source that goes along is the part around the steps.
func TestPageSource(t *testing.T) {
	got := written(t, sample())
	_, rest, _ := strings.Cut(got, `id="sources">`)
	data, _, _ := strings.Cut(rest, "</script>")
	var s map[string]source
	if err := json.Unmarshal([]byte(data), &s); err != nil {
		t.Fatal(err)
	}
	if f := s["/m/a.go"]; f.Name != "a.go" || f.First != 98-sourceLines || len(f.Lines) != 101-98+1+2*sourceLines || f.Lines[0] != "line </script>" {
		t.Errorf("source: name %q, first line %d, %d lines", f.Name, f.First, len(f.Lines))
	}
	r := sample()
	r.ReadFile = func(string) ([]byte, error) { return nil, errors.New("gone") }
	if got := written(t, r); !strings.Contains(got, `id="sources">{}<`) {
		t.Error("a file that cannot be read is in the page")
	}
}

func TestPageIsDeterministic(t *testing.T) {
	if a, b := written(t, sample()), written(t, sample()); a != b {
		t.Error("two pages of one report differ")
	}
}

func TestWriteFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := WriteFile(dir, sample()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || string(data) != written(t, sample()) {
		t.Fatalf("the file differs from the page: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files in the folder, want index.html alone", len(left))
	}
	// A file stands where the folder should be.
	if err := WriteFile(filepath.Join(dir, "index.html"), sample()); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line", err)
	}
}
