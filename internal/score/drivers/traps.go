package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// This file tries golangci-lint where it could say "0 issues" of what nobody explored, or blame a comment that is of
// use.

// most is how many MiB golangci-lint with Heddle may need with one processor.
const most = 800

const racy = `package p

import "testing"

func TestRace(t *testing.T) {
	n, done := 0, make(chan bool)
	go func() {
		n++
		close(done)
	}()
	n++%s
	<-done
}
`

// A trap is one package, how golangci-lint is called, and what it must say: all of want, and nothing of not.
type trap struct {
	name, comment, settings, args string
	want, not                     string
}

var allTraps = []trap{
	{name: "a finding", want: "data race: n written here"},
	{name: "--tests=false", args: "--tests=false", want: "not explored: golangci-lint gives its linters no tests"},
	{name: "run.tests: false", settings: "run:\n  tests: false\n", want: "not explored: golangci-lint gives its linters no tests"},
	{name: "a comment that names Heddle", comment: " //nolint:heddle // known", settings: nolintlint, not: "p_test.go"},
	{name: "a comment that names a check, as staticcheck has it", comment: " //lint:ignore heddle/datarace known", settings: nolintlint, not: "p_test.go"},
	{name: "a comment without use", comment: " //nolint:heddle // known", settings: nolintlint + "    custom:\n      heddle:\n        type: module\n        settings:\n          deadlock: true\n",
		want: "is unused for linter \"heddle\"", not: "data race"},
	{name: "a setting", settings: custom + "          limit-executions: 1\n          incomplete: true\n", want: "sampled: stopped at the limit of runs"},
	{name: "a setting with a dot", settings: custom + "          limit.executions: 1\n          incomplete: true\n", want: "sampled: stopped at the limit of runs"},
	{name: "no such setting", settings: custom + "          limit-runs: 1\n", want: "unknown key limit-runs"},
	{name: "no such explorer", settings: custom + "          explorer: foo\n", want: "unknown explorer \"foo\""},
}

const (
	head2      = "version: \"2\"\nlinters:\n  default: none\n  enable: [heddle%s]\n  settings:\n"
	custom     = "    custom:\n      heddle:\n        type: module\n        settings:\n"
	nolintlint = "    nolintlint:\n      allow-unused: false\n"
)

// traps goes through them, and then measures the memory that golangci-lint needs for the corpus.
func traps(golangci, tmp string) (bool, error) {
	ok := true
	for i, c := range allTraps {
		dir := filepath.Join(tmp, fmt.Sprint("trap", i))
		config := strings.Replace(head2, "%s", "", 1)
		if strings.Contains(c.settings, "nolintlint") {
			config = strings.Replace(head2, "%s", ", nolintlint", 1)
		}
		if strings.HasPrefix(c.settings, "run:") {
			config = c.settings + config + custom + "          livelock: false\n"
		} else {
			config += c.settings
			if !strings.Contains(c.settings, "custom:") {
				config += custom + "          livelock: false\n"
			}
		}
		for name, text := range map[string]string{
			"go.mod": "module example.com/p\n\ngo 1.26\n", ".golangci.yml": config, "p.go": "// Package p is.\npackage p\n", "p_test.go": fmt.Sprintf(racy, c.comment),
		} {
			if err := os.MkdirAll(dir, 0o777); err != nil {
				return false, err
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				return false, err
			}
		}
		out, _, err := golangciLint(golangci, dir, append([]string{"run"}, strings.Fields(c.args)...)...)
		if err != nil {
			return false, err
		}
		if !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			fmt.Printf("%s: golangci-lint says\n%swant %q, and nothing of %q\n", c.name, out, c.want, c.not)
			ok = false
		}
	}
	dir := filepath.Join(tmp, "memory")
	if err := os.CopyFS(dir, os.DirFS(modules[0].dir)); err != nil {
		return false, err
	}
	if err := os.WriteFile(filepath.Join(dir, ".golangci.yml"), []byte(config), 0o666); err != nil {
		return false, err
	}
	_, mib, err := golangciLint(golangci, dir, "run", "-j", "1", "--build-tags=corpus", "./...")
	fmt.Printf("%d traps; golangci-lint -j 1 on %s: %d MiB\n", len(allTraps), modules[0].dir, mib)
	if mib > most {
		fmt.Printf("want at most %d MiB\n", most)
		ok = false
	}
	return ok, err
}

// golangciLint runs it in a folder, with a cache of its own. It returns what it writes and the MiB that it needed at
// most.
func golangciLint(exe, dir string, args ...string) (out string, mib int64, err error) {
	cmd := exec.Command(exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+filepath.Join(dir, ".cache"), "GOFLAGS=", "HEDDLE_CACHE=off")
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err = cmd.Run(); cmd.ProcessState == nil {
		return "", 0, err
	}
	return text.String(), cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss / 1024, nil
}
