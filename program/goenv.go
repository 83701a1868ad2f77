package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// goEnv is what `go env` says about the user's toolchain.
type goEnv struct {
	GOROOT, GOVERSION, GOOS, GOARCH, GOFLAGS, CGO_ENABLED string
	GOMOD                                                 string // os.DevNull where there is no module

	tags []string // the user's, from GOFLAGS and build flags
}

// goEnv asks the go command for the user's settings.
func (c *Config) goEnv() (*goEnv, error) {
	cmd := exec.Command("go", "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "CGO_ENABLED", "GOMOD")
	cmd.Dir = c.Dir
	cmd.Env = c.environ()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, goError("env", err, stderr.String())
	}
	e := new(goEnv)
	if err := json.Unmarshal(stdout.Bytes(), e); err != nil {
		return nil, fmt.Errorf("go env: cannot read its output: %w", err)
	}
	for _, dir := range []string{"runtime", "internal/abi", "sync", "testing"} {
		if _, err := os.Stat(filepath.Join(e.GOROOT, "src", dir)); err != nil {
			return nil, fmt.Errorf("GOROOT %s is no Go installation: it has no package %s", e.GOROOT, dir)
		}
	}
	given := fields(e.GOFLAGS)
	for _, f := range append(slices.Clone(given), c.BuildFlags...) {
		name, value, _ := strings.Cut(f, "=")
		switch {
		case name == "-overlay" || name == "--overlay":
			return nil, errors.New("the build flag -overlay (in GOFLAGS?) has other files compiled than those on disk, which Heddle reads: unset it")
		case (name == "-ldflags" || name == "--ldflags") && setsVariables(value):
			return nil, errors.New("the build flag -ldflags (in GOFLAGS?) has -X, which gives variables other values than the source does, which Heddle reads: leave -X out")
		}
	}
	// -tags on the command line replaces that of GOFLAGS, and so does ours.
	e.tags, _ = splitTags(given)
	if tags, _ := splitTags(c.BuildFlags); tags != nil {
		e.tags = tags
	}
	return e, nil
}

// fields splits GOFLAGS as the go command does: at spaces, where a word in quotes is one.
func fields(s string) (out []string) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		word, rest := s, ""
		if q := s[0]; q == '\'' || q == '"' {
			word, rest, _ = strings.Cut(s[1:], string(q))
		} else if i := strings.IndexAny(s, " \t\r\n"); i >= 0 {
			word, rest = s[:i], s[i:]
		}
		out, s = append(out, word), rest
	}
	return out
}

// setsVariables reports whether flags of the linker have -X, for whatever packages.
func setsVariables(ldflags string) bool {
	return slices.ContainsFunc(fields(ldflags), func(f string) bool {
		if _, of, ok := strings.Cut(f, "="); ok && !strings.HasPrefix(f, "-") { // pattern=flags
			f = of
		}
		f, _, _ = strings.Cut(f, "=")
		return f == "-X" || f == "--X"
	})
}

// buildFlags returns the user's build flags, with some tags appended.
func (e *goEnv) buildFlags(c *Config, tags []string) []string {
	_, rest := splitTags(c.BuildFlags)
	return append(rest, "-tags="+strings.Join(append(append([]string(nil), e.tags...), tags...), ","))
}

// langVersion cuts a toolchain version to a language version: "go1.26.8" and "go1.27-devel_abc X:foo" to "go1.26",
// "go1.27".
func langVersion(toolchain string) string {
	v := strings.TrimPrefix(toolchain, "devel ")
	if i := strings.IndexAny(v, "- "); i >= 0 {
		v = v[:i]
	}
	major, rest, ok := strings.Cut(v, ".")
	if !ok {
		return v
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	return major + "." + rest[:n]
}

// absPath makes path absolute; dir is what it may be relative to.
func absPath(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if abs, err := filepath.Abs(filepath.Join(dir, path)); err == nil {
		return abs
	}
	return path
}
