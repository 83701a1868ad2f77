// Rules shows, for rules of the project, that a test breaks when the rule is dropped. It applies each change of
// rules.txt, alone and to a copy, and runs the test that the change is to break.
//
//	go run -C internal ./rules              # all
//	go run -C internal ./rules -run '^DEP'  # those whose code matches
//
// A line of rules.txt that begins with a code names the package and the test. The lines below it are the change:
//
//	DEP3 ./mcrs/explore/causality TestCommute
//		mcrs/explore/causality/class.go
//		- conflict(classLock, classRLock)
//		+ conflict(classLock)
//
// Several lines with "-" stand in the file one below the other. The text must be there once. A test at the root
// (rules_test.go) makes sure of that, that each rule has a change, or is on the list of those that have none, and that
// the test exists. That the test breaks is only shown here.
//
// The changed file is laid over the tree, so that the build cache serves all that it does not reach. Whether a test
// passes with the rule is asked once for all rules that it is to hold, and go test may answer from its cache.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/tree"
)

func main() {
	run := flag.String("run", "", "only rules whose code matches `REGEXP`")
	file := flag.String("file", "internal/rules/rules.txt", "the changes")
	timeout := flag.Duration("timeout", 3*time.Minute, "of one test")
	flag.Parse()
	only, err := regexp.Compile(*run)
	if err == nil {
		err = tree.Enter()
	}
	if err != nil {
		fail(err)
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		fail(err)
	}
	changes, err := parse(string(text))
	if err != nil {
		fail(err)
	}
	bad, passes := 0, bases{}
	for _, c := range changes {
		if !only.MatchString(c.rule) {
			continue
		}
		begin := time.Now()
		err := passes.ask(c, *timeout)
		verdict := ""
		if err == nil {
			verdict, err = c.try(*timeout)
		}
		if err != nil {
			bad++
			verdict = err.Error()
		}
		fmt.Printf("%-10s %s %s: %s (%.1f s)\n", c.rule, c.pkg, c.test, verdict, time.Since(begin).Seconds())
	}
	if bad > 0 {
		fail(fmt.Errorf("%d rules were dropped, and no test broke", bad))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "rules:", err)
	os.Exit(1)
}

// A change drops a rule.
type change struct {
	rule, pkg, test string
	file            string
	old, new        []string
}

// parse reads rules.txt.
func parse(text string) (all []*change, err error) {
	for n, line := range strings.Split(text, "\n") {
		bad := func() ([]*change, error) { return nil, fmt.Errorf("line %d of the changes: %q", n+1, line) }
		body, indented := strings.CutPrefix(line, "\t")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0, strings.HasPrefix(line, "#"), !indented && len(fields) > 1 && (fields[1] == "untied:" || fields[1] == "definition:"):
		case !indented && len(fields) == 3:
			all = append(all, &change{rule: fields[0], pkg: fields[1], test: fields[2]})
		case !indented || len(all) == 0:
			return bad()
		case strings.HasPrefix(body, "- "):
			all[len(all)-1].old = append(all[len(all)-1].old, body[2:])
		case strings.HasPrefix(body, "+ "):
			all[len(all)-1].new = append(all[len(all)-1].new, body[2:])
		case len(fields) == 1:
			all[len(all)-1].file = body
		default:
			return bad()
		}
	}
	return all, nil
}

// bases has what came of the tests that were run with all rules.
type bases map[string]error

// ask returns an error if the test of c does not pass while its rule is there.
func (b bases) ask(c *change, timeout time.Duration) error {
	key := c.pkg + " " + c.test
	err, done := b[key]
	if done {
		return err
	}
	if out, bad := c.command(timeout).CombinedOutput(); bad != nil || strings.Contains(string(out), "[no tests to run]") {
		err = fmt.Errorf("the test does not pass, or is not run, with the rule:\n%s", out)
	}
	b[key] = err
	return err
}

// command is the run of the test, in the module that its package belongs to.
func (c *change) command(timeout time.Duration, more ...string) *exec.Cmd {
	args := append([]string{"test", "-vet=off"}, more...)
	args = append(args, "-failfast", "-timeout", timeout.String(), "-run", "^"+strings.ReplaceAll(c.test, "/", "$/^")+"$")
	for dir := filepath.Clean(c.pkg); dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			cmd := exec.Command("go", append(args, "./"+strings.TrimPrefix(filepath.Clean(c.pkg), dir))...)
			cmd.Dir = dir
			return cmd
		}
	}
	return exec.Command("go", append(args, c.pkg)...)
}

// try runs the test without the rule. It returns an error if the test still passes, or the changed package does not
// compile.
func (c *change) try(timeout time.Duration) (string, error) {
	src, err := os.ReadFile(c.file)
	if err != nil {
		return "", err
	}
	old := strings.Join(c.old, "\n")
	if n := strings.Count(string(src), old); n != 1 {
		return "", fmt.Errorf("%s has the text to be changed %d times", c.file, n)
	}
	dir, err := os.MkdirTemp("", "heddle-rules")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	abs, err := filepath.Abs(c.file)
	if err != nil {
		return "", err
	}
	mutant, list := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{abs: mutant}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(mutant, []byte(strings.Replace(string(src), old, strings.Join(c.new, "\n"), 1)), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(list, overlay, 0o644); err != nil {
		return "", err
	}
	out, err := c.command(timeout, "-count=1", "-overlay", list).CombinedOutput()
	switch {
	case err == nil:
		return "", fmt.Errorf("the test passes without the rule")
	case strings.Contains(string(out), "[build failed]") || strings.Contains(string(out), "[setup failed]"):
		return "", fmt.Errorf("it does not compile without the rule:\n%s", out)
	case strings.Contains(string(out), "panic: test timed out"):
		return "breaks (it does not end)", nil
	}
	return "breaks", nil
}
