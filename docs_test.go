package heddle

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// This file checks that what the documents and the workflows name is there.

var (
	link     = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)
	page     = regexp.MustCompile(`\bdocs/[\w/-]+\.\w+`)
	internal = regexp.MustCompile(`go (?:run|test|vet|build) -C internal\b[^\n` + "`" + `]*? \./([\w/]+)`)
	made     = regexp.MustCompile("(?m)(?:`|run: |^    )make ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)*)")
)

// TestDocumentsNameWhatIsThere checks links, pages, the programs of the module internal, and targets of the Makefile.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	makefile, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	there := func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	}
	named := 0
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(name); d.IsDir() || ext != ".md" && ext != ".yml" {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text := string(data)
		check := func(re *regexp.Regexp, ok func(string) bool) {
			for _, m := range re.FindAllStringSubmatch(text, -1) {
				if named++; !ok(m[len(m)-1]) {
					t.Errorf("%s: there is no %s (%q)", name, m[len(m)-1], m[0])
				}
			}
		}
		if filepath.Ext(name) == ".md" {
			check(link, func(s string) bool { return strings.Contains(s, ":") || there(filepath.Join(filepath.Dir(name), s)) })
		}
		check(page, there)
		check(internal, func(s string) bool { return there(filepath.Join("internal", s)) })
		check(made, func(s string) bool {
			for _, target := range strings.Fields(s) {
				if !regexp.MustCompile(`(?m)^(?:[\w -]* )?` + target + `(?: [\w -]*)?:`).Match(makefile) {
					return false
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if named < 100 {
		t.Errorf("%d things are named: are they still written as this test looks for them?", named)
	}
}

// TestFirstMinutes: who meets the project finds how to get it, what has changed, whom to tell of a hole, and what is
// run on every change.
func TestFirstMinutes(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(mod), "\n")
	module := strings.TrimPrefix(first, "module ")
	for _, want := range []string{"go install " + module + "/cmd/heddle@latest", "git clone https://" + module + " && cd heddle"} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md has no %q", want)
		}
	}
	for name, want := range map[string]string{
		"CHANGELOG.md":                      "Unreleased",
		"SECURITY.md":                       "report",
		"LICENSE":                           "",
		".github/workflows/ci.yml":          ".ci/run",
		".github/workflows/release.yml":     "goreleaser",
		".goreleaser.yaml":                  "runner.stamp",
		"cmd/heddle/main.go":                "package main",
		".github/ISSUE_TEMPLATE":            "",
		".pre-commit-hooks.yaml":            "id: heddle-deep",
		"action.yml":                        "heddle-matcher.json",
		"internal/go.mod":                   "module ",
		"runner/gclplugin/go.mod":           "module ",
		".github/ISSUE_TEMPLATE/config.yml": "",
	} {
		if want == "" {
			if _, err := os.Stat(name); err != nil {
				t.Error(err)
			}
			continue
		}
		if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s has no %q (%v)", name, want, err)
		}
	}
}
