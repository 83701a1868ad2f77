package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/xeipuuv/gojsonschema"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/solver/z3"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/runner/format"
	"github.com/heddle-go/heddle/runner/outcome"
)

// finding is what heddle writes for racy.
var finding = regexp.MustCompile(`^\./racy/racy\.go:16:4: data race: c\.n written here by G1\.1, read at racy\.go:11 by G1\.2 \(datarace\)
	replay: heddle replay (h1\S+)
	\./racy/racy\.go:11:\d+: read of c\.n by G1\.2
	\./racy/racy_test\.go:22:\d+: G1\.1 was started here
	\./racy/racy_test\.go:23:\d+: G1\.2 was started here
	\./racy/racy_test\.go:19:6: in TestLen
$`)

func TestCheck(t *testing.T) {
	stdout, stderr, code := heddle(t, "./racy", "./quiet", "./user")
	if code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	if !finding.MatchString(stdout) {
		t.Errorf("standard output, where the race of racy and user should stand once:\n%s", stdout)
	}
	want := regexp.MustCompile(`^example.com/m/racy:
  TestAdd: exhausted, \d+ runs
  TestLen: exhausted, \d+ runs, 1 finding
  2 entries: 2 exhausted, 1 finding
example.com/m/quiet: not explored: nothing in it starts a goroutine, or waits
example.com/m/user:
  TestUse: exhausted, \d+ runs, 1 finding
3 entries in 3 packages: 3 exhausted, 1 finding
$`)
	if !want.MatchString(stderr) {
		t.Errorf("standard error:\n%s\nwant a match of:\n%s", stderr, want)
	}
}

func TestOutputIsDeterministic(t *testing.T) {
	args := []string{"-table", "-dump=cst", "-incomplete", "./racy"}
	out1, err1, code1 := heddle(t, args...)
	out2, err2, code2 := heddle(t, args...)
	if out1 != out2 || err1 != err2 || code1 != code2 {
		t.Errorf("two runs differ:\n%s%s\n%s%s", out1, err1, out2, err2)
	}
}

// TestDumpConstraints: the race that was found is a question whose answer Z3, where it is present, says is yes.
func TestDumpConstraints(t *testing.T) {
	_, stderr, _ := heddle(t, "-dump=c", "./racy")
	at := strings.Index(stderr, "; Can events ")
	if at < 0 || !strings.Contains(stderr[at:], "(check-sat)") {
		t.Fatalf("no question in\n%s", stderr)
	}
	text, _, _ := strings.Cut(stderr[at:], "(check-sat)")
	out, err := z3.Eval(text + "(check-sat)")
	if err != nil {
		t.Skip("NOT COMPARED WITH Z3: ", err)
	}
	if strings.TrimSpace(out) != "sat" {
		t.Errorf("Z3 says %s of\n%s", out, text)
	}
}

// TestSolverZ3: with Z3 in the place of the solver the same is found.
func TestSolverZ3(t *testing.T) {
	if _, err := z3.New(); err != nil {
		t.Skip("NOT COMPARED WITH Z3: ", err)
	}
	deps := "-deps=" + long.Pick("none", "static") // the dependence graph takes longer to build than the rest
	out, _, code := heddle(t, "-explorer=mcr-s", "-solver=z3", deps, "./racy")
	want, _, wantCode := heddle(t, "-explorer=mcr-s", deps, "./racy")
	if code != wantCode || !finding.MatchString(out) || !finding.MatchString(want) {
		t.Errorf("exit code %d, with the built-in solver %d\n%s%s", code, wantCode, out, want)
	}
}

// TestMergeChangesOnlyTheWork: whether union tells goroutines with equal futures apart changes how much it does, and
// nothing else.
func TestMergeChangesOnlyTheWork(t *testing.T) {
	want, _, wantCode := heddle(t, "-merge=on", "./racy")
	out, _, code := heddle(t, "-merge=off", "./racy")
	if out != want || code != wantCode || !finding.MatchString(out) {
		t.Errorf("exit code %d, with merging %d\n%s\n%s", code, wantCode, out, want)
	}
}

func TestRunFlag(t *testing.T) {
	stdout, stderr, code := heddle(t, "-run=Add$", "./racy")
	if code != 0 || stdout != "" || !strings.Contains(stderr, "  1 entry left out by -run\n1 entry in 1 package: 1 exhausted, 0 findings\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestChecksCanBeSelected(t *testing.T) {
	if stdout, _, code := heddle(t, "-deadlock", "./racy"); code != 0 || stdout != "" {
		t.Errorf("with -deadlock alone: exit code %d\n%s", code, stdout)
	}
	if stdout, _, code := heddle(t, "-datarace=false", "./racy"); code != 0 || stdout != "" {
		t.Errorf("with -datarace=false: exit code %d\n%s", code, stdout)
	}
	if stdout, _, code := heddle(t, "-datarace", "./racy"); code != 3 || !finding.MatchString(stdout) {
		t.Errorf("with -datarace: exit code %d\n%s", code, stdout)
	}
}

func TestIncomplete(t *testing.T) {
	stdout, stderr, code := heddle(t, "-limit.executions=1", "-run=Add$", "./racy")
	if code != 0 || stdout != "" || !strings.Contains(stderr, "TestAdd: sampled, 1 run: stopped at the limit of runs (-limit.executions)\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	stdout, _, code = heddle(t, "-incomplete", "-exploration.limit.executions=1", "-run=Add$", "./racy")
	if want := "./racy/racy_test.go:8:6: TestAdd: sampled: stopped at the limit of runs (-limit.executions)\n"; code != 3 || stdout != want {
		t.Errorf("exit code %d\n%swant 3 and\n%s", code, stdout, want)
	}
}

func TestJSON(t *testing.T) {
	stdout, _, code := heddle(t, "-json", "./racy", "./quiet")
	var tree map[string]map[string][]struct {
		Category, Posn, End, Message, Entry, Token string
		Related                                    []struct{ Posn, End, Message string }
	}
	if err := json.Unmarshal([]byte(stdout), &tree); err != nil || code != 3 {
		t.Fatalf("exit code %d, %v\n%s", code, err, stdout)
	}
	diags := tree["example.com/m/racy"]["datarace"]
	if len(tree) != 1 || len(diags) != 1 {
		t.Fatalf("want one diagnostic of datarace in racy:\n%s", stdout)
	}
	d := diags[0]
	if d.Category != "datarace" || !strings.HasSuffix(d.Posn, filepath.FromSlash("/racy/racy.go:16:4")) || !strings.HasPrefix(d.Message, "data race: ") || strings.Contains(d.Message, "\n") || len(d.Related) < 2 ||
		d.Entry != "TestLen" || !strings.HasPrefix(d.Token, "h1") {
		t.Errorf("the diagnostic is %+v", d)
	}
}

// One exploration writes every form, each with the finding and its token, and the JSON form as the schema says.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	stdout, stderr, code := heddle(t, "-run=Len", "-format=json", "-sarif="+filepath.Join(dir, "x.sarif"), "-junit="+filepath.Join(dir, "x.xml"), "./racy")
	if code != 3 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	var run outcome.Run
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatal(err)
	}
	f := run.Packages[0].Findings[0]
	if f.Check != "datarace" || f.Position.File != "racy/racy.go" || f.Position.Line != 16 || f.Schedule == nil || len(f.Related) == 0 || run.Packages[0].Entries[0].Verdict.Kind != verdict.Exhausted {
		t.Errorf("the finding is %+v", f)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewReferenceLoader("file://" + filepath.Join(filepath.Dir(filepath.Dir(testdata)), "docs", "output.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	if res, err := schema.Validate(gojsonschema.NewStringLoader(stdout)); err != nil || !res.Valid() {
		t.Errorf("by the schema: %v %v", err, res.Errors())
	}
	for _, name := range []string{"x.sarif", "x.xml"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(data), f.Token) || !strings.Contains(string(data), f.Message) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("the folder has %v", files)
	}
	replaysAlike(t, &f)
}

// replaysAlike replays a token in other forms than text: they have the same steps in the same order.
func replaysAlike(t *testing.T, f *outcome.Finding) {
	t.Helper()
	stdout, stderr, code := heddle(t, "replay", "-format", "json", f.Token)
	var r outcome.Replay
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 3 {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if len(r.Findings) != 1 || !reflect.DeepEqual(r.Findings[0], *f) || r.Entry != "TestLen" || r.Package != "example.com/m/racy" {
		t.Errorf("the replay is %+v, the finding %+v", r, f)
	}
	stdout, stderr, code = heddle(t, "replay", f.Token, "-format=html")
	if n := strings.Count(stdout, `<tr id="f1-s`); code != 3 || n != len(f.Schedule.Steps) {
		t.Errorf("exit code %d, the page has %d steps, want %d\n%s", code, n, len(f.Schedule.Steps), stderr)
	}
	var b bytes.Buffer
	if err := format.Perfetto(&b, &r); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Name, Ph     string
			Ts, Tid, Dur int
			Args         map[string]any
		}
	}
	if err := json.Unmarshal(b.Bytes(), &trace); err != nil {
		t.Fatal(err)
	}
	d := f.Schedule
	counts, last := map[string]int{}, 0
	for _, e := range trace.TraceEvents {
		counts[e.Ph]++
		if e.Ph == "X" {
			if e.Ts <= last || e.Tid < 1 || e.Tid > len(d.Lanes) {
				t.Errorf("a step out of order, or of no goroutine: %+v", e)
			}
			last = e.Ts
		}
	}
	if counts["X"] != len(d.Steps) || counts["s"] != len(d.Arrows) || counts["f"] != len(d.Arrows) || counts["M"] != 1+2*len(d.Lanes) {
		t.Errorf("the trace has %v for %d steps, %d arrows, %d goroutines", counts, len(d.Steps), len(d.Arrows), len(d.Lanes))
	}
}

func TestStats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stats")
	if _, stderr, code := heddle(t, "-stats="+file, "./racy"); code != 3 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want one for each entry:\n%s", len(lines), data)
	}
	var l statsLine
	if err := json.Unmarshal([]byte(lines[1]), &l); err != nil {
		t.Fatal(err)
	}
	if l.Package != "example.com/m/racy" || l.Entry != "TestLen" || l.Posn != "racy/racy_test.go:19:6" || l.Verdict != "exhausted" {
		t.Errorf("the second line is %s", lines[1])
	}
	if l.Executions == nil || *l.Executions == 0 || len(l.Findings) != 1 || l.Findings[0].Posn != "racy/racy.go:16:4" || !strings.HasPrefix(l.Findings[0].Token, "h1") {
		t.Errorf("the second line is %s", lines[1])
	}
}

func TestTable(t *testing.T) {
	stdout, _, _ := heddle(t, "-table", "./racy")
	for _, want := range []string{"WARNING: DATA RACE", "racy.go:16  c.n++", "write c.n = 1", "<== race", "\tTestLen: exhausted, "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the output lacks %q:\n%s", want, stdout)
		}
	}
}

// The schedule of a failing test ends where the test says why it fails, and what it does to its state is said in words.
func TestTableOfFailingTest(t *testing.T) {
	writeModule(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.25\n",
		"first_test.go": `package m

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestFirst(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		if n.Add(1) != 1 {
			t.Error("not the first")
		}
	})
	n.Add(1)
	wg.Wait()
}
`})
	var out, errs bytes.Buffer
	if code := Main([]string{"-cache=off", "-table"}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 3 {
		t.Fatalf("exit code %d\n%s%s", code, &out, &errs)
	}
	_, table, _ := strings.Cut(out.String(), "G1.1\n")
	table, rest, _ := strings.Cut(table, "<== failure")
	if !strings.Contains(table, "looks whether the test has ended") || strings.Contains(table, "object read") {
		t.Errorf("the table does not say what t.Error looks at:\n%s", &out)
	}
	if rest, _, _ := strings.Cut(rest, "TestFirst: "); strings.TrimSpace(rest) != "" {
		t.Errorf("the table goes on behind the failure:\n%s", &out)
	}
}

func TestReplay(t *testing.T) {
	stdout, _, _ := heddle(t, "./racy")
	m := finding.FindStringSubmatch(stdout)
	if m == nil {
		t.Fatalf("no finding to replay:\n%s", stdout)
	}
	for _, args := range [][]string{{"replay", m[1]}, {"replay", m[1], "./..."}} {
		stdout, stderr, code := heddle(t, args...)
		if code != 3 || stderr != "" {
			t.Errorf("heddle %v: exit code %d\n%s", args, code, stderr)
		}
		if !strings.HasPrefix(stdout, "./racy/racy.go:16:4: data race: ") || !strings.Contains(stdout, "<== race") || !strings.Contains(stdout, "WARNING: DATA RACE") {
			t.Errorf("heddle %v wrote\n%s", args, stdout)
		}
	}
}

// The command line of a run may stand between go files and the program's own arguments.
func TestRunArguments(t *testing.T) {
	for args, want := range map[string]string{
		"./p":              "[./p] [] false",
		"./p a -b":         "[./p] [a -b] false",
		"a.go b.go c":      "[a.go b.go] [c] false",
		"-test -run=X ./p": "[./p] [] true",
	} {
		o := new(runOptions)
		fs := pflag.NewFlagSet("run", pflag.ContinueOnError)
		fs.AddGoFlagSet(o.flagSet())
		fs.SetInterspersed(false)
		err := fs.Parse(cmdline.LongFlags(fs, strings.Fields(args), false))
		if err == nil {
			err = o.take(fs.Args())
		}
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if got := fmt.Sprint(o.patterns, o.args, o.test); got != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
}

func TestRunCommand(t *testing.T) {
	stdout, stderr, code := heddle(t, "run", "./hello", "a", "b")
	if code != 2 || stdout != "hello a\nhello b\n" || stderr != "" {
		t.Errorf("heddle run ./hello a b: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func TestRunTests(t *testing.T) {
	if stdout, stderr, code := heddle(t, "run", "-test", "./racy"); code != 0 {
		t.Errorf("heddle run -test ./racy: exit code %d\n%s%s", code, stdout, stderr)
	}
	for flag, want := range map[string]string{"-short": "--- SKIP: TestShort", "-short=false": "--- PASS: TestShort"} {
		if stdout, stderr, code := heddle(t, "run", "-test", "-v", flag, "-run=Short", "./branches"); code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("heddle run -test -v %s: exit code %d, no %q\n%s%s", flag, code, want, stdout, stderr)
		}
	}
}

// TestRunPackages runs the tests of several packages at once, one of which does not compile.
func TestRunPackages(t *testing.T) {
	stdout, stderr, code := heddle(t, "run", "-test", "-run=TestTwo", "./quiet", "./racy", "./broken")
	want := "PASS\nok  \texample.com/m/quiet\nok  \texample.com/m/racy [no tests to run]\nFAIL\texample.com/m/broken\n" +
		"1 entry of 3 packages: 1 ok, 1 failed, 1 with no tests to run\n"
	if code != 1 || stdout != want || !strings.Contains(stderr, "undefined: undefinedFunction") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	stdout, stderr, code = heddle(t, "run", "-test", "-run=Nope", "./quiet", "./racy")
	if code != 1 || !strings.HasSuffix(stderr, "-run \"Nope\" matches no entry of 2 packages\n") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestRunBesideMissing runs the tests of a module beside packages that the go command cannot load.
func TestRunBesideMissing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	for name, text := range map[string]string{
		"a": "import _ \"example.com/none\"\n", "b": "func f( {}\n", "c": "import \"testing\"\n\nfunc TestOne(t *testing.T) {}\n",
	} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, dir, filepath.Join(name, name+"_test.go"), "package "+name+"\n\n"+text)
	}
	stdout, stderr, code := in(t, dir, "run", "-test", "./...")
	want := "FAIL\texample.com/m/a [setup failed]\nFAIL\texample.com/m/b [setup failed]\nPASS\nok  \texample.com/m/c\n" +
		"1 entry of 3 packages: 1 ok, 2 failed, 0 with no tests to run\n"
	if code != 1 || stdout != want || !strings.Contains(stderr, "no required module provides package example.com/none") || !strings.Contains(stderr, "b_test.go:3:") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if stdout, stderr, code := in(t, dir, "run", "-test", "./a", "./b"); code != 1 || stdout != "" || !strings.Contains(stderr, "example.com/none") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// brokenWriter stands for a fault of the machine: it panics in the middle of a run.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("no\n  luck") }

func TestRunSurvivesFaultsOfHeddle(t *testing.T) {
	t.Chdir(moduleDir(t))
	var errs bytes.Buffer
	code := Main([]string{"run", "./hello", "a"}, Streams{In: strings.NewReader(""), Out: brokenWriter{}, Err: &errs})
	first, stack, _ := strings.Cut(errs.String(), "\n")
	if want := "heddle run: internal error: no luck (this is a fault of Heddle)"; code != 1 || first != want {
		t.Errorf("exit code %d\n%s\nwant 1 and\n%s", code, first, want)
	}
	if !strings.HasPrefix(stack, "goroutine ") || !strings.Contains(stack, "brokenWriter.Write") {
		t.Errorf("the stack is\n%s", stack)
	}
}

func TestHelp(t *testing.T) {
	stdout, _, code := heddle(t, "help")
	for _, want := range []string{"datarace ", "-limit.executions", "-stats file", "-vettool", "t: the trace"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("help (exit code %d) lacks %q", code, want)
		}
	}
	if again, _, _ := heddle(t, "-h"); again != stdout {
		t.Error("heddle -h and heddle help differ")
	}
	stdout, _, code = heddle(t, "help", "deadlock")
	if code != 0 || !strings.HasPrefix(stdout, "deadlock: find interleavings") {
		t.Errorf("help deadlock: exit code %d\n%s", code, stdout)
	}
}

// TestVetAgreesWithStandalone shows that go vet says the same as heddle, with the same token, now and from its cache,
// and nothing of packages that start no goroutine.
func TestVetAgreesWithStandalone(t *testing.T) {
	packages, entries := []string{"./alone"}, []string{"main"}
	if long.On() { // what a test needs of the standard library takes go vet seconds
		packages, entries = []string{"./racy", "./alone"}, []string{"TestLen", "main"}
	}
	stdout, _, _ := heddle(t, packages...)
	found := findingsOf(stdout)
	if len(found) != len(entries) {
		t.Fatalf("%d findings, want %d\n%s", len(found), len(entries), stdout)
	}
	dir := moduleDir(t)
	for _, when := range []string{"first", "cached"} {
		stdout, stderr, code := goVet(t, dir, append(packages, "./quiet")...)
		for i, f := range found {
			want := strings.Replace(strings.TrimPrefix(f.head, "./"), " (datarace)", "", 1) + "\tin " + entries[i] + "\n"
			if code != 1 || !strings.Contains("\n"+stderr, "\n"+want) {
				t.Errorf("go vet (%s): exit code %d\n%s\nwant the lines\n%s", when, code, stderr, want)
			}
		}
		if got := annotations(t, stderr); len(got) != len(found) {
			t.Errorf("go vet (%s): the problem matcher makes %+v of\n%s", when, got, stderr)
		}
		if stdout != "" || strings.Contains(stderr, "quiet") {
			t.Errorf("go vet (%s): of quiet there is nothing to say\n%s%s", when, stdout, stderr)
		}
	}
}

func TestFactsOnly(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]bool{`{"VetxOnly": true}`: true, `{"VetxOnly": false}`: false, `{`: false, `{}`: false} {
		name := filepath.Join(dir, "vet.cfg")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := factsOnly(name); got != want {
			t.Errorf("factsOnly(%s) = %v, want %v", text, got, want)
		}
	}
	if factsOnly(filepath.Join(dir, "none.cfg")) {
		t.Error("a unit without a file is taken for facts only")
	}
}
