// Command drivers explores one corpus of packages through every driver, and says where their findings differ. The
// drivers are heddle by itself, go vet, golangci-lint with Heddle in it, and the hook of pre-commit on the files of all
// packages.
//
//	go run -C internal ./score/drivers [-golangci FILE] [-hook=false] [-run regexp]
//
// The corpus is testdata/corpus and the packages with // want comments of analysistest and passes. What heddle says is
// compared with those comments, and what the others say with heddle. Findings are compared by file, line and the first
// line of their message.
//
// Then it tries cases in which golangci-lint must not end in a silent "0 issues", and measures its memory (traps.go).
//
// Differences that are expected are in the table expected, each with its cause. Any other is a failure.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/internal/tree"
)

// modules are the folders of the corpus, from the root; with the build tags that their packages want.
var modules = []struct{ dir, tags string }{
	{"internal/score/drivers/testdata/corpus", "corpus"},
	{"analysistest/testdata/bugs", ""},
	{"passes/datarace/testdata", ""},
	{"passes/deadlock/testdata", ""},
	{"passes/goroutineleak/testdata", ""},
	{"passes/livelock/testdata", ""},
	{"passes/panics/testdata", ""},
	{"passes/testfailure/testdata", ""},
}

// expected are the differences from heddle: beginnings of lines that are printed, with the cause.
var expected = []struct{ line, cause string }{
	{"outside/", "a build tool analyses a package and its external tests one after the other, and the tests' entries belong to the latter: there the finding stands where the test calls"},
}

func isExpected(f finding) bool {
	for _, e := range expected {
		if strings.HasPrefix(f.String(), e.line) {
			return true
		}
	}
	return false
}

func main() {
	golangci := flag.String("golangci", "", "golangci-lint with Heddle in it (make golangci-lint); empty: leave it out")
	only := flag.String("run", "", "only modules whose folder matches this `regexp`")
	hook := flag.Bool("hook", true, "also run what the hook of pre-commit runs, on the files")
	flag.Parse()
	ok, err := compare(*golangci, *only, *hook)
	if err != nil {
		fmt.Fprintln(os.Stderr, "drivers:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// A driver runs Heddle on a module, and returns what it found.
type driver struct {
	name string
	run  func(dir, tags string) ([]finding, error)
}

// A finding as all drivers show it: file:line, and the first line of the message.
type finding struct{ at, message string }

func (f finding) String() string { return f.at + ": " + f.message }

func compare(golangci, only string, hook bool) (bool, error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return false, err
	}
	if err := tree.Enter(); err != nil {
		return false, err
	}
	tmp, err := os.MkdirTemp("", "drivers")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "heddle")
	if out, err := exec.Command("go", "build", "-o", exe, "./cmd/heddle").CombinedOutput(); err != nil {
		return false, fmt.Errorf("go build: %w\n%s", err, out)
	}
	drivers := []driver{{"heddle", func(dir, tags string) ([]finding, error) {
		return text(dir, exe, "-color=never", "-tags="+tags, "./...")
	}},
		{"go vet", func(dir, tags string) ([]finding, error) {
			return text(dir, "go", "vet", "-vettool="+exe, "-tags="+tags, "./...")
		}}}
	if golangci != "" {
		drivers = append(drivers, driver{"golangci-lint", func(dir, tags string) ([]finding, error) { return lint(golangci, tmp, dir, tags) }})
	}
	if hook {
		drivers = append(drivers, driver{"hook", func(dir, tags string) ([]finding, error) {
			files, err := goFiles(dir)
			return must(text(dir, exe, append([]string{"vet", "-tags=" + tags}, files...)...))(err)
		}})
	}
	packages, ok := 0, true
	counts := make([]int, len(drivers))
	for i, m := range modules {
		if !match.MatchString(m.dir) {
			continue
		}
		dir := filepath.Join(tmp, strconv.Itoa(i))
		if err := os.CopyFS(dir, os.DirFS(m.dir)); err != nil {
			return false, err
		}
		want, n, err := wants(dir)
		if err != nil {
			return false, err
		}
		packages += n
		var first []finding
		for j, d := range drivers {
			got, err := d.run(dir, m.tags)
			if err != nil {
				return false, fmt.Errorf("%s on %s: %w", d.name, m.dir, err)
			}
			counts[j] += len(got)
			if j == 0 {
				first, ok = got, met(m.dir, want, got) && ok
				continue
			}
			for _, f := range without(first, got) {
				if isExpected(f) {
					continue
				}
				fmt.Printf("%s: not shown by %s: %v\n", m.dir, d.name, f)
				ok = false
			}
			for _, f := range without(got, first) {
				if isExpected(f) {
					continue
				}
				fmt.Printf("%s: shown by %s, not by heddle: %v\n", m.dir, d.name, f)
				ok = false
			}
		}
	}
	fmt.Printf("%d packages with // want comments", packages)
	for j, d := range drivers {
		fmt.Printf("; %s: %d findings", d.name, counts[j])
	}
	fmt.Println()
	if packages < 40 && only == "" {
		return false, fmt.Errorf("want at least 40 packages")
	}
	if golangci != "" {
		trapped, err := traps(golangci, tmp)
		return ok && trapped, err
	}
	return ok, nil
}

// must passes on what a driver gave, or an error from before.
func must(fs []finding, err error) func(error) ([]finding, error) {
	return func(before error) ([]finding, error) { return fs, errors.Join(before, err) }
}

// without returns the findings of a that b has not, each as often as it is more in a.
func without(a, b []finding) (out []finding) {
	b = slices.Clone(b)
	for _, f := range a {
		if i := slices.Index(b, f); i >= 0 {
			b = slices.Delete(b, i, i+1)
			continue
		}
		out = append(out, f)
	}
	return out
}

var (
	head    = regexp.MustCompile(`(?m)^(?:vet: )?(?:\./)?([^\s:]+\.go:\d+):\d+: (\S.*)$`)
	check   = regexp.MustCompile(` \(\w+\)$`)
	literal = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
)

// text runs a driver that writes lines of text. An exit code that says that something was found is no error.
func text(dir, name string, args ...string) ([]finding, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "HEDDLE_CACHE=off")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var fs []finding
	for _, m := range head.FindAllStringSubmatch(out.String()+errs.String(), -1) {
		fs = append(fs, finding{m[1], check.ReplaceAllString(m[2], "")})
	}
	if err != nil && len(fs) == 0 {
		return nil, fmt.Errorf("%w\n%s%s", err, out.String(), errs.String())
	}
	return fs, nil
}

const config = `version: "2"
linters:
  default: none
  enable: [heddle]
  settings:
    custom:
      heddle:
        type: module
        description: explores the schedules of tests
issues:
  max-issues-per-linter: 0
  max-same-issues: 0
`

// lint runs golangci-lint.
func lint(exe, tmp, dir, tags string) ([]finding, error) {
	file := filepath.Join(dir, ".golangci.yml")
	if err := os.WriteFile(file, []byte(config), 0o666); err != nil {
		return nil, err
	}
	defer os.Remove(file)
	cmd := exec.Command(exe, "run", "--show-stats=false", "--issues-exit-code=0", "--build-tags="+tags, "--output.json.path=stdout", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+filepath.Join(tmp, "cache"), "GOFLAGS=", "HEDDLE_CACHE=off")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s%s", err, out, errs.String())
	}
	var res struct {
		Issues []struct {
			Text string
			Pos  struct {
				Filename string
				Line     int
			}
		}
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&res); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	var fs []finding
	for _, is := range res.Issues {
		for _, part := range strings.Split(is.Text, "; and on this line: ") { // GCL3 of runner/gclplugin
			line, _, _ := strings.Cut(part, "\n")
			fs = append(fs, finding{fmt.Sprintf("%s:%d", is.Pos.Filename, is.Pos.Line), check.ReplaceAllString(line, "")})
		}
	}
	return fs, nil
}

// goFiles are the Go files below dir, as version control would name them.
func goFiles(dir string) (out []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") {
			path, err = filepath.Rel(dir, path)
			out = append(out, path)
		}
		return err
	})
	return out, err
}

// wants reads the comments: file:line -> expressions. It counts the packages.
func wants(dir string) (map[string][]*regexp.Regexp, int, error) {
	files, err := goFiles(dir)
	if err != nil {
		return nil, 0, err
	}
	out := make(map[string][]*regexp.Regexp)
	packages := make(map[string]bool)
	for _, f := range files {
		src, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			return nil, 0, err
		}
		n := 0
		for line := range strings.Lines(string(src)) {
			n++
			_, comment, ok := strings.Cut(line, "// want")
			offset, list, spaced := strings.Cut(comment, " ")
			if !ok || !spaced {
				continue
			}
			d, _ := strconv.Atoi(strings.TrimPrefix(offset, "+"))
			for _, lit := range literal.FindAllString(list, -1) {
				expr, err := strconv.Unquote(lit)
				if err != nil {
					return nil, 0, fmt.Errorf("%s:%d: %w", f, n, err)
				}
				expr, _, _ = strings.Cut(expr, `\n`) // what follows is of the token and the entry
				re, err := regexp.Compile(expr)
				if err != nil {
					return nil, 0, fmt.Errorf("%s:%d: %w", f, n, err)
				}
				at := fmt.Sprintf("%s:%d", f, n+d)
				out[at] = append(out[at], re)
			}
			packages[filepath.Dir(f)] = true
		}
	}
	return out, len(packages), nil
}

// met compares findings with the comments.
func met(dir string, want map[string][]*regexp.Regexp, got []finding) bool {
	ok := true
	for _, f := range got {
		if check, ok := strings.CutPrefix(filepath.Dir(dir), "passes/"); ok && strings.ReplaceAll(strings.TrimSuffix(strings.SplitN(f.message, ":", 2)[0], "s"), " ", "") != strings.TrimSuffix(check, "s") {
			continue // its comments are for one check
		}
		i := slices.IndexFunc(want[f.at], func(re *regexp.Regexp) bool { return re.MatchString(f.message) })
		if i < 0 {
			fmt.Printf("%s: no comment wants %v\n", dir, f)
			ok = false
			continue
		}
		want[f.at] = slices.Delete(want[f.at], i, i+1)
	}
	for at, res := range want {
		for _, re := range res {
			fmt.Printf("%s: %s: nothing matches %q\n", dir, at, re)
			ok = false
		}
	}
	return ok
}
