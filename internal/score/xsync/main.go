// Command xsync is a score on code that is not ours: the tests of golang.org/x/sync, run and explored.
//
//	go run ./internal/score/xsync [package ...]
//
// It downloads the module into the module cache, copies it to a temporary folder where it is its own
// main module, and for each entry of its packages says what `heddle run -test` and `heddle` make of it, with the default
// limits. Each entry has a process of its own, which ends when it holds more than maxMemory: the limits do not
// bound what an explorer remembers. The table has no times and no paths: the same sources and toolchain give the same table. docs/real-code.md holds one.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/build"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/runner"
)

const version = "golang.org/x/sync@v0.24.0"

// beHeddle makes this command the heddle command.
const beHeddle = "XSYNC_BE_HEDDLE"

// maxMemory is what one entry may take, in bytes; exitMemory says that it took more.
const (
	maxMemory  = 4 << 30
	exitMemory = 4
)

func main() {
	if os.Getenv(beHeddle) != "" {
		go watch()
		os.Exit(runner.Main(os.Args[1:], runner.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	}
	packages := os.Args[1:]
	if len(packages) == 0 {
		packages = []string{"errgroup", "semaphore", "singleflight"}
	}
	if err := score(os.Stdout, packages); err != nil {
		fmt.Fprintln(os.Stderr, "xsync:", err)
		os.Exit(1)
	}
}

// watch ends the process when it holds too much memory.
func watch() {
	for range time.Tick(100 * time.Millisecond) {
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.HeapInuse > maxMemory {
			fmt.Fprintf(os.Stderr, "heddle: stopped: it holds more than %d GB of memory\n", maxMemory>>30)
			os.Exit(exitMemory)
		}
	}
}

func score(w io.Writer, packages []string) error {
	tmp, err := os.MkdirTemp("", "xsync")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	dir := filepath.Join(tmp, "sync")
	if err := module.Fetch(version, dir); err != nil {
		return err
	}
	if err := module.StandAlone(); err != nil {
		return err
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
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
				pkg, e.Entry, cell(runs[i]), e.Verdict, cell(e.Reason), number(e.Executions), number(e.Classes), e.findings())
		}
	}
	fmt.Fprintf(w, "\n%s\n", &sum)
	return nil
}

// An entry is a line of heddle's statistics.
type entry struct {
	Entry, Verdict, Reason string
	Executions, Classes    int
	Findings               []struct{ Category, Posn string }
}

// findings names them in a cell.
func (e *entry) findings() string {
	switch {
	case e.Executions < 0:
		return "not known"
	case len(e.Findings) == 0:
		return "none"
	}
	var all []string
	for _, f := range e.Findings {
		all = append(all, cell(f.Category+" at "+f.Posn))
	}
	return strings.Join(all, ", ")
}

// explore explores the entries of a package, one by one.
func explore(pkg, stats string) ([]entry, error) {
	all, _, err := check(pkg, stats, "-limit.executions=1") // what entries there are
	if err != nil {
		return nil, err
	}
	for i := range all {
		one, stopped, err := check(pkg, stats, "-run=^"+all[i].Entry+"$")
		switch {
		case err != nil:
			return nil, err
		case stopped != "":
			all[i] = entry{Entry: all[i].Entry, Verdict: "none", Reason: stopped, Executions: -1, Classes: -1}
		default:
			all[i] = one[0]
		}
	}
	return all, nil
}

// check runs heddle on a package and returns its statistics, or why it was stopped.
func check(pkg, stats, flag string) (_ []entry, stopped string, _ error) {
	code, errs := heddle("-stats="+stats, flag, "./"+pkg)
	switch code {
	case 0, 3:
		entries, err := read(stats)
		return entries, "", err
	case exitMemory:
		return nil, strings.TrimPrefix(errs, "heddle: "), nil
	}
	return nil, "", fmt.Errorf("%s: %s", pkg, errs)
}

// read reads a file of statistics.
func read(stats string) ([]entry, error) {
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
			return nil, fmt.Errorf("%s: %w", stats, err)
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
	exe, err := os.Executable()
	if err != nil {
		return 1, err.Error()
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), beHeddle+"=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err, ok := cmd.Run().(*exec.ExitError); err != nil && !ok {
		return 1, err.Error()
	}
	code = cmd.ProcessState.ExitCode()
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

func number(n int) string {
	if n < 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// totals is the last line.
type totals struct {
	entries, passed, failed, exhausted, stopped, executions, findings int
}

func (t *totals) add(e *entry, run string) {
	t.entries++
	switch run {
	case "pass":
		t.passed++
	case "fail":
		t.failed++
	}
	switch e.Verdict {
	case "exhausted":
		t.exhausted++
	case "none":
		t.stopped++
	}
	t.executions += max(e.Executions, 0)
	t.findings += len(e.Findings)
}

func (t *totals) String() string {
	return fmt.Sprintf("%d entries: run once, %d pass, %d fail, %d are incomplete; explored, %d exhausted, %d incomplete, %d stopped; %d executions, %d findings",
		t.entries, t.passed, t.failed, t.entries-t.passed-t.failed, t.exhausted, t.entries-t.exhausted-t.stopped, t.stopped, t.executions, t.findings)
}
