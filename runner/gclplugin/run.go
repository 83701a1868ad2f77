package gclplugin

import (
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/analysis"

	"github.com/heddle-go/heddle/passes/closure"
)

// This file finds out how golangci-lint was called, of which it tells plugins only a part. It leaves build tags in
// build.Default. Whether tests are on, and from which revision on issues are new, stands on its command line and in its
// configuration.

// A runSetup is what of golangci-lint's command line and configuration concerns Heddle.
type runSetup struct {
	tests   bool
	diff    []string // arguments of git diff that give what is new; nil if all is
	changes func() changes
}

type configFile struct {
	Run struct {
		Tests *bool `yaml:"tests"`
	} `yaml:"run"`
	Issues struct {
		New              bool   `yaml:"new"`
		NewFromRev       string `yaml:"new-from-rev"`
		NewFromMergeBase string `yaml:"new-from-merge-base"`
	} `yaml:"issues"`
}

// readRun reads the command line and the configuration. If it cannot read something, golangci-lint complains about it
// itself.
func readRun() runSetup {
	var c configFile
	if text, err := os.ReadFile(configName(os.Args[1:])); err == nil {
		_ = yaml.Unmarshal(text, &c) // golangci-lint has read it
	}
	s := runSetup{tests: c.Run.Tests == nil || *c.Run.Tests}
	if v, ok := argument(os.Args[1:], "--tests"); ok {
		s.tests = v != "false"
	}
	rev, base := c.Issues.NewFromRev, c.Issues.NewFromMergeBase
	if v, ok := argument(os.Args[1:], "--new-from-rev"); ok {
		rev = v
	}
	if v, ok := argument(os.Args[1:], "--new-from-merge-base"); ok {
		base = v
	}
	_, n := argument(os.Args[1:], "-n")
	_, isNew := argument(os.Args[1:], "--new")
	switch {
	case base != "":
		s.diff = []string{"--merge-base", base}
	case rev != "":
		s.diff = []string{rev}
	case c.Issues.New || n || isNew:
		s.diff = []string{"HEAD"}
	}
	s.changes = sync.OnceValue(func() changes { return changedSince(s.diff) })
	return s
}

// argument returns the value of a flag of golangci-lint's.
func argument(args []string, name string) (value string, ok bool) {
	for i, a := range args {
		if v, found := strings.CutPrefix(a, name+"="); found {
			return v, true
		}
		if a == name {
			if i+1 < len(args) {
				value = args[i+1]
			}
			return value, true
		}
	}
	return "", false
}

// configName returns the configuration file: that of the command line, or the first in this folder and those above.
func configName(args []string) string {
	for _, f := range []string{"--config", "-c"} {
		if v, ok := argument(args, f); ok {
			return v
		}
	}
	dir, err := os.Getwd()
	for err == nil {
		for _, name := range []string{".golangci.yml", ".golangci.yaml", ".golangci.json"} { // JSON is YAML
			if file := filepath.Join(dir, name); exists(file) {
				return file
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func base(file string) string { return filepath.Base(file) }

// unexplored says why nothing of a package can be explored though it has tests, "" if it can (GCL5).
func (s runSetup) unexplored(pass *analysis.Pass) string {
	if len(pass.Files) == 0 || strings.HasSuffix(pass.Pkg.Name(), "_test") {
		return ""
	}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go") {
			return ""
		}
	}
	dir := filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name())
	p, err := build.Default.ImportDir(dir, 0)
	if err != nil || len(p.TestGoFiles) == 0 && (s.tests || len(p.XTestGoFiles) == 0) {
		return ""
	}
	return "golangci-lint gives its linters no tests (run.tests: false, --tests=false), and Heddle explores nothing but tests"
}

// tags takes over the build tags: golangci-lint sets them before it analyses the first package, and never again.
var tags = &analysis.Analyzer{
	Name:       "heddletags",
	Doc:        "pass golangci-lint's build tags on",
	ResultType: reflect.TypeFor[closure.BuildFlags](),
	Run: func(*analysis.Pass) (any, error) {
		if t := build.Default.BuildTags; len(t) > 0 {
			return closure.BuildFlags{"-tags=" + strings.Join(t, ",")}, nil
		}
		return closure.BuildFlags(nil), nil
	},
}

// changes are the lines that are new, by absolute file name; nil means that all are.
type changes map[string]map[int]bool

func (c changes) has(p interface{ String() string }) bool {
	file, line, ok := cutLine(p.String())
	return ok && c[file][line]
}

// cutLine takes file:line:column apart.
func cutLine(s string) (file string, line int, ok bool) {
	parts := strings.Split(s, ":")
	if len(parts) < 3 {
		return "", 0, false
	}
	line, err := strconv.Atoi(parts[len(parts)-2])
	return strings.Join(parts[:len(parts)-2], ":"), line, err == nil
}

// changedSince asks git for the lines that are new.
func changedSince(diff []string) changes {
	if diff == nil {
		return nil
	}
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return nil // golangci-lint says so itself
	}
	args := append([]string{"diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-prefix"}, diff...)
	text, err := exec.Command("git", append(args, "--", "*.go")...).Output()
	if err != nil {
		return nil
	}
	return parseDiff(strings.TrimSpace(string(top)), string(text))
}

// parseDiff reads the hunks of a unified diff.
func parseDiff(top, text string) changes {
	out := make(changes)
	file := ""
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			file = filepath.Join(top, strings.TrimSpace(name))
			out[file] = make(map[int]bool)
			continue
		}
		if !strings.HasPrefix(line, "@@ ") {
			continue
		}
		_, plus, _ := strings.Cut(line, " +")
		span, _, _ := strings.Cut(plus, " ")
		from, n := 0, 1
		if _, err := fmt.Sscanf(span, "%d,%d", &from, &n); err != nil && from == 0 {
			continue
		}
		for i := range n {
			out[file][from+i] = true
		}
	}
	return out
}
