// Command xsync is a score on code that is not ours: the tests of golang.org/x/sync, run and explored.
//
//	go run ./internal/score/xsync [package ...]
//
// It downloads the module into the module cache, copies it to a temporary folder where it is its own
// main module, and for each entry of its packages says what `heddle run -test` and `heddle` make of it, with the default
// limits. The table has no times and no paths: the same sources and toolchain give the same table. docs/real-code.md holds one.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/runner"
)

const module = "golang.org/x/sync@v0.24.0"

func main() {
	packages := os.Args[1:]
	if len(packages) == 0 {
		packages = []string{"errgroup", "semaphore", "singleflight"}
	}
	if err := score(os.Stdout, packages); err != nil {
		fmt.Fprintln(os.Stderr, "xsync:", err)
		os.Exit(1)
	}
}

func score(w io.Writer, packages []string) error {
	tmp, err := os.MkdirTemp("", "xsync")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "sync")
	if err := fetch(dir); err != nil {
		return err
	}
	// The module stands alone, whatever surrounds it.
	for name, value := range map[string]string{"GOWORK": "off", "GOFLAGS": "", "GOPROXY": "off"} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	fmt.Fprintln(w, "| package | entry | run | verdict | reason | executions | classes | findings |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- |")
	var sum totals
	for _, pkg := range packages {
		entries, err := explore(pkg, filepath.Join(tmp, "stats"))
		if err != nil {
			return err
		}
		runs := run(pkg, entries)
		for i, e := range entries {
			sum.add(&e, runs[i])
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %d | %d | %s |\n",
				pkg, e.Entry, cell(runs[i]), e.Verdict, cell(e.Reason), e.Executions, e.Classes, e.findings())
		}
	}
	fmt.Fprintf(w, "\n%s\n", &sum)
	return nil
}

// fetch downloads the module and copies it to dir.
func fetch(dir string) error {
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = filepath.Dir(dir) // outside of any module
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	var m struct{ Dir, Error string }
	if e := json.Unmarshal(out, &m); e != nil {
		return fmt.Errorf("go mod download %s: %w", module, errors.Join(err, e))
	}
	if m.Error != "" {
		return errors.New(m.Error)
	}
	return os.CopyFS(dir, os.DirFS(m.Dir))
}

// An entry is a line of heddle's statistics.
type entry struct {
	Entry, Verdict, Reason string
	Executions, Classes    int
	Findings               []struct{ Category, Posn string }
}

// findings names them in a cell.
func (e *entry) findings() string {
	if len(e.Findings) == 0 {
		return "none"
	}
	var all []string
	for _, f := range e.Findings {
		all = append(all, cell(f.Category+" at "+f.Posn))
	}
	return strings.Join(all, ", ")
}

// explore explores the entries of a package.
func explore(pkg, stats string) ([]entry, error) {
	code, errs := heddle("-stats="+stats, "./"+pkg)
	if code == 1 {
		return nil, fmt.Errorf("%s: %s", pkg, errs)
	}
	data, err := os.ReadFile(stats)
	if err != nil {
		return nil, err
	}
	var entries []entry
	for dec := json.NewDecoder(bytes.NewReader(data)); ; {
		var e entry
		if err := dec.Decode(&e); err == io.EOF {
			return entries, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: statistics of %s: %w", stats, pkg, err)
		}
		entries = append(entries, e)
	}
}

// run says of each entry how its one run in the machine ended: of all together if they pass, else of each alone.
func run(pkg string, entries []entry) []string {
	results := slices.Repeat([]string{"pass"}, len(entries))
	if code, _ := heddle("run", "-test", "./"+pkg); code == 0 {
		return results
	}
	for i, e := range entries {
		switch code, errs := heddle("run", "-test", "-run=^"+e.Entry+"$", "./"+pkg); {
		case code == 0:
		case strings.HasPrefix(errs, "heddle: run: "), strings.HasPrefix(errs, "heddle run: "):
			_, reason, _ := strings.Cut(errs, "run: ")
			results[i] = reason
		default:
			results[i] = "fail"
		}
	}
	return results
}

// heddle runs the command and returns its exit code and the first line of its own that it wrote to standard error.
func heddle(args ...string) (code int, message string) {
	var out, errs bytes.Buffer
	code = runner.Main(args, runner.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	for line := range strings.Lines(errs.String()) {
		if strings.HasPrefix(line, "heddle") {
			return code, strings.TrimSpace(line)
		}
	}
	return code, ""
}

// cell makes text fit for a cell of the table, without folders of this computer.
func cell(s string) string {
	if wd, err := os.Getwd(); err == nil {
		s = strings.ReplaceAll(s, wd+string(filepath.Separator), "")
	}
	s = strings.ReplaceAll(s, filepath.Join(build.Default.GOROOT, "src")+string(filepath.Separator), "")
	return strings.ReplaceAll(s, "|", `\|`)
}

// totals is the last line.
type totals struct {
	entries, passed, failed, exhausted, executions, findings int
}

func (t *totals) add(e *entry, run string) {
	t.entries++
	switch run {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
	}
	if e.Verdict == "exhausted" {
		t.exhausted++
	}
	t.executions += e.Executions
	t.findings += len(e.Findings)
}

func (t *totals) String() string {
	return fmt.Sprintf("%d entries: run once, %d pass, %d fail, %d are incomplete; explored, %d exhausted, %d incomplete; %d executions, %d findings",
		t.entries, t.passed, t.failed, t.entries-t.passed-t.failed, t.exhausted, t.entries-t.exhausted, t.executions, t.findings)
}
