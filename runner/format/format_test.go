package format

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/xeipuuv/gojsonschema"

	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/runner/outcome"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample has a finding of each kind of acceptance, entries of several verdicts, and text that does not fit a format
// without being escaped.
func sample() *outcome.Run {
	root := outcome.Root("/repo")
	step := func(n, lane, line int, final bool, notes ...string) report.Step {
		return report.Step{N: n, Lane: lane, At: "racy.go:" + strconv.Itoa(line), Pos: token.Position{Filename: "/repo/my pkg/racy.go", Line: line, Column: 2}, Text: "c.n++", Notes: notes, Final: final}
	}
	race := outcome.Finding{
		Check: "datarace", Message: "data race: c.n written here by G1.1, read at racy.go:11 by G1, 100%", Position: root.Position("/repo/my pkg/racy.go", 16, 4),
		Entry: "TestLen", Token: "h1abc", Fingerprint: "0123", Root: root, Text: "WARNING: <DATA RACE> & ]]>\n",
		Related: []outcome.Related{{Position: root.Position("/go/src/sync/x.go", 3, 1), Message: "read of c.n by G1"}},
		Schedule: &report.Diagram{
			Lanes:  []report.Lane{{ID: "G1"}, {ID: "G1.1", Started: "G1 at racy_test.go:8"}},
			Steps:  []report.Step{step(1, 0, 8, false, "starts G1.1"), step(2, 1, 16, true, "write c.n = 1"), {N: 3, Lane: 0, Notes: []string{"the clock"}, Folded: true}, step(4, 0, 11, true, "read c.n")},
			Arrows: []report.Arrow{{From: 1, To: 2, Cause: report.Starts}},
		},
	}
	at2 := func(line, column int) outcome.Position { return root.Position("/repo/my pkg/racy.go", line, column) }
	race.Fix = &outcome.Fix{Message: "make c.n an atomic.Int64", Changes: []outcome.Change{
		{From: at2(4, 1), To: at2(4, 1), New: "import \"sync/atomic\"\n", Characters: [2]int{1, 1}}, {From: at2(16, 2), To: at2(16, 7), Old: "c.n++", New: "c.n.Add(1)", Characters: [2]int{2, 7}}, {From: at2(20, 1), To: at2(21, 1), Old: "gone\n", Characters: [2]int{1, 1}},
		{From: root.Position("/repo/my pkg/other.go", 11, 9), To: root.Position("/repo/my pkg/other.go", 11, 12), Old: "c.n", New: "c.n.Load()", Characters: [2]int{8, 11}},
	}}
	accepted, known := race, race
	accepted.Fix, known.Fix = nil, nil
	accepted.Accepted, known.Accepted = &outcome.Accepted{By: "comment", Reason: "benign"}, &outcome.Accepted{By: "baseline"}
	second := outcome.Finding{Check: "panics", Message: "panic: second", Position: root.Position("/repo/my pkg/racy.go", 20, 1), Entry: "TestLen", Related: []outcome.Related{}}
	fault := outcome.Finding{Check: "internal", Related: []outcome.Related{}, Message: "internal: broken", Position: root.Position("/repo/my pkg/racy_test.go", 30, 6), Entry: "TestFault"}
	at := root.Position("/repo/my pkg/racy_test.go", 19, 6)
	return &outcome.Run{Version: outcome.Version, Heddle: "v1.2.3", Errors: []string{"./broken.go:1:1: no"}, Packages: []outcome.Package{
		{Path: "example.com/m/racy", Findings: []outcome.Finding{race, accepted, known, second, fault}, Entries: []outcome.Entry{
			{Name: "TestLen", Kind: "test", Position: at, Verdict: verdict.Verdict{Kind: verdict.Exhausted, Preemptions: -1}, Runs: 2, Findings: 2},
			{Name: "TestBig", Kind: "test", Position: at, Verdict: verdict.Verdict{Kind: verdict.Sampled, Preemptions: -1, Reason: "stopped at the limit of runs"}, Runs: 10000},
			{Name: "TestToo", Kind: "test", Position: at, Verdict: verdict.Verdict{Kind: verdict.Exhausted, Preemptions: -1}, Runs: 3, Findings: 1},
			{Name: "TestTick", Kind: "test", Position: at, Verdict: verdict.Verdict{Kind: verdict.InTime, Preemptions: -1, Early: 2, Reason: "stopped at the limit of runs"}, Runs: 5000},
			{Name: "TestFault", Kind: "test", Position: at, Verdict: verdict.Verdict{Kind: verdict.NotExplored, Preemptions: -1, Reason: "broken"}},
		}, Notices: []outcome.Notice{{Category: "suppression", Position: root.Position("/repo/my pkg/racy.go", 1, 1), Message: "this comment suppresses nothing"}}},
		{Path: "example.com/m/quiet", Note: "it has no tests", Entries: []outcome.Entry{}, Findings: []outcome.Finding{}},
	}}
}

func TestGolden(t *testing.T) {
	for name, write := range Writers {
		var got, again bytes.Buffer
		if err := write(&got, sample()); err != nil {
			t.Fatal(err)
		}
		if err := write(&again, sample()); err != nil || !bytes.Equal(got.Bytes(), again.Bytes()) {
			t.Errorf("%s: written twice, it differs (%v)", name, err)
		}
		file := filepath.Join("testdata", name+".golden")
		if name == "sarif" {
			continue // it holds the documentation of the checks; TestSARIF looks at it
		}
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s (go test ./runner/format -update rewrites it): %v\ngot:\n%s\nwant:\n%s", file, err, &got, want)
		}
	}
}

// schema is the text of the published schema, which module go-sarif carries.
func schema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && len(l.Value) > len(text) {
			text = l.Value
		}
		return true
	})
	text, err = strconv.Unquote(text)
	if err != nil || !strings.Contains(text, sarifSchema) {
		t.Fatalf("the schema is not that of %s: %v", sarifSchema, err)
	}
	return text
}

// A fix has the replacements of each file together, and what is only taken away has nothing inserted.
func TestSARIFFixes(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	for i, r := range log.Runs[0].Results {
		if want := map[bool]int{true: 1}[i == 0]; len(r.Fixes) != want {
			t.Fatalf("result %d has %d fixes, want %d", i, len(r.Fixes), want)
		}
	}
	x := log.Runs[0].Results[0].Fixes[0]
	if x.Description.Text != "make c.n an atomic.Int64" || len(x.Changes) != 2 || len(x.Changes[0].Replacements) != 3 || len(x.Changes[1].Replacements) != 1 || x.Changes[0].Artifact.URI != "my%20pkg/racy.go" {
		t.Fatalf("the fix is %+v", x)
	}
	if r := x.Changes[0].Replacements[1]; r.Deleted != (sarifDeleted{16, 2, 16, 7}) || r.Inserted == nil || r.Inserted.Text != "c.n.Add(1)" {
		t.Errorf("the second replacement is %+v", r)
	}
	if r := x.Changes[1].Replacements[0]; r.Deleted.Column != 8 { // characters, not bytes
		t.Errorf("the column is %d", r.Deleted.Column)
	}
	if r := x.Changes[0].Replacements[2]; r.Deleted != (sarifDeleted{20, 1, 21, 1}) || r.Inserted != nil {
		t.Errorf("the third replacement is %+v", r)
	}
}

// What is written is valid by the published schema, and that schema tells valid from invalid.
func TestSARIFSchema(t *testing.T) {
	s, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(schema(t)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := SARIF(&b, sample()); err != nil {
		t.Fatal(err)
	}
	valid := func(text string) []gojsonschema.ResultError {
		t.Helper()
		res, err := s.Validate(gojsonschema.NewStringLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		return res.Errors()
	}
	if errs := valid(b.String()); len(errs) > 0 {
		t.Errorf("it is not valid: %v", errs)
	}
	if errs := valid(`{"version": "2.1.0", "runs": []}`); len(errs) > 0 {
		t.Errorf("the smallest file is not valid: %v", errs)
	}
	for _, change := range [][2]string{{`"ruleId"`, `"rule_id"`}, {`"executionOrder": 2`, `"executionOrder": "two"`}, {`"kind": "inSource"`, `"kind": "comment"`}, {`"version": "2.1.0"`, `"version": "2.1"`}} {
		if text := strings.ReplaceAll(b.String(), change[0], change[1]); text == b.String() || len(valid(text)) == 0 {
			t.Errorf("with %s in place of %s it is valid", change[1], change[0])
		}
	}
}

// The JSON form is as docs say.
func TestJSONSchema(t *testing.T) {
	text, err := os.ReadFile("../../docs/output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	s, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := JSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{b.String(): true, strings.Replace(b.String(), `"fingerprint"`, `"print"`, 1): false, strings.Replace(b.String(), `"sampled"`, `"incomplete"`, 1): false} {
		if res, err := s.Validate(gojsonschema.NewStringLoader(text)); err != nil || res.Valid() != want {
			t.Errorf("valid: %v, want %v: %v", res.Valid(), want, res.Errors())
		}
	}
	for _, w := range verdict.Table { // every word is in the schema
		if !bytes.Contains(text, []byte(`"`+string(w.Kind)+`"`)) {
			t.Errorf("the schema has no verdict %s", w.Kind)
		}
	}
	for _, c := range report.Categories {
		if !bytes.Contains(text, []byte(`"`+string(c)+`"`)) {
			t.Errorf("the schema has no check %s", c)
		}
	}
}

func TestSARIF(t *testing.T) {
	var b bytes.Buffer
	if err := SARIF(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	for _, r := range run.Tool.Driver.Rules {
		if r.Short.Text == "" || r.Full.Text == "" || r.Help.Text == "" || strings.Count(r.Help.Markdown, "```")%2 != 0 || r.HelpURI == "" {
			t.Errorf("rule %s lacks something: %+v", r.ID, r)
		}
	}
	if len(run.Results) != 6 {
		t.Fatalf("%d results, want 6", len(run.Results))
	}
	r := run.Results[0]
	if rule := run.Tool.Driver.Rules[r.Index]; rule.ID != "datarace" || r.Rule != "datarace" {
		t.Errorf("the rule is %s, by its index %s", r.Rule, rule.ID)
	}
	if at := r.Locations[0].Physical; at.Artifact.URI != "my%20pkg/racy.go" || at.Artifact.Base != base || at.Region.Line != 16 || at.Region.Column != 4 {
		t.Errorf("the location is %+v", at)
	}
	if at := r.Related[0].Physical; at.Artifact.URI != "file:///go/src/sync/x.go" || at.Artifact.Base != "" {
		t.Errorf("the file elsewhere is %+v", at)
	}
	if r.Fingerprints[fingerprint] != "0123" || r.Properties["token"] != "h1abc" || !strings.Contains(r.Message.Text, "heddle replay h1abc") {
		t.Errorf("the result is %+v", r)
	}
	threads := r.Flows[0].Threads
	if len(threads) != 2 || threads[0].ID != "G1" || len(threads[0].Locations) != 3 || threads[1].Locations[0].Order != 2 || threads[1].Locations[0].Importance != "essential" ||
		threads[0].Locations[1].Importance != "unimportant" || threads[0].Locations[0].Location.Physical.Artifact.URI != "my%20pkg/racy.go" {
		t.Errorf("the thread flows are %+v", threads)
	}
	if a, k := run.Results[1].Suppressions, run.Results[2].Suppressions; len(a) != 1 || a[0] != (sarifSuppression{"inSource", "benign"}) || len(k) != 1 || k[0].Kind != "external" {
		t.Errorf("the suppressions are %v and %v", a, k)
	}
	if n := run.Invoked[0].Notifications; run.Invoked[0].Successful || len(n) != 5 {
		t.Errorf("the invocation is %+v", run.Invoked[0])
	}
}

// TestSARIFColumns shows that the columns of all locations count characters, as columnKind says: those of the finding,
// of what it is related to, of the schedule's steps, of notices and of entries.
func TestSARIFColumns(t *testing.T) {
	r := sample()
	asked := 0
	r.Characters = func(p outcome.Position) int { asked++; return p.Column + 1000 }
	var b bytes.Buffer
	if err := SARIF(&b, r); err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`"region": \{\s*"startLine": \d+,\s*"startColumn": (\d+)`).FindAllStringSubmatch(b.String(), -1)
	if len(found) == 0 || len(found) != asked {
		t.Fatalf("%d regions, and %d of them were asked about", len(found), asked)
	}
	for _, m := range found {
		if len(m[1]) != 4 {
			t.Errorf("a column is %s, want it in characters", m[1])
		}
	}
}

// Who reads JUnit XML counts cases: each entry is one, and has failed, is skipped, or is exhausted without a finding.
func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	if err := JUnit(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var all junitSuites
	if err := xml.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatalf("%v\n%s", err, &b)
	}
	if all.Tests != 8 || all.Failures != 3 || all.Errors != 2 || all.Skipped != 3 {
		t.Errorf("%d tests, %d failures, %d errors, %d skipped", all.Tests, all.Failures, all.Errors, all.Skipped)
	}
	c := all.Suites[0].Cases[0]
	if c.Failure == nil || !strings.Contains(c.Failure.Text, "<DATA RACE> & ]]>") || !strings.Contains(c.Failure.Text, "panic: second") || strings.Count(c.Failure.Text, "data race:") != 1 {
		t.Errorf("the case is %+v", c)
	}
	if s := all.Suites[0].Cases[1].Skipped; s == nil || s.Message != "sampled: stopped at the limit of runs" {
		t.Errorf("the sampled entry is %+v", s)
	}
}
