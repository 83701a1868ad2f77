package since

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// This file asks git. Each question is a process; none writes to the repository.

// A repo is a repository, or a submodule, with the commit that is looked at.
type repo struct {
	top    string // its folder
	commit string
	sub    bool     // it is a submodule: what git tells a hook in the environment is of the repository around
	env    []string // more of it
}

// A change is a file that is not what it was.
type change struct {
	in   *repo
	path string // of the file now, absolute; of a removed one, as it was
	gone bool
	from string // its path at the commit, relative to the repository; "" if it was not there
}

// gitError is what git wrote, on one line.
type gitError struct{ text string }

func (e *gitError) Error() string { return e.text }

// git runs git in the repository's folder.
func (r *repo) git(args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.top, os.Environ()
	if r.sub {
		cmd.Env = slices.DeleteFunc(cmd.Env, ofRepository)
	}
	cmd.Env = append(append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0"), r.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		line, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, &gitError{fmt.Sprintf("git %s: %s", args[0], strings.TrimPrefix(line, "fatal: "))}
	case err != nil:
		return nil, fmt.Errorf("git: %w", err)
	}
	return out.Bytes(), nil
}

// list runs git, whose answer are words that end in a null byte.
func (r *repo) list(args ...string) ([]string, error) {
	out, err := r.git(args...)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// open finds the repository around a folder, and the commit that a revision names.
func open(dir, rev string) (*repo, error) {
	r := &repo{top: dir}
	out, err := r.git("rev-parse", "--show-toplevel")
	var said *gitError
	switch {
	case errors.As(err, &said):
		return nil, fmt.Errorf("%s is in no git repository with files", abs(dir))
	case err != nil:
		return nil, err
	}
	r.top = strings.TrimSuffix(string(out), "\n")
	out, err = r.git("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err == nil {
		r.commit = strings.TrimSpace(string(out))
		return r, nil
	}
	if _, unborn := r.git("rev-parse", "--verify", "--quiet", "HEAD"); unborn != nil && rev == "HEAD" {
		out, err := r.git("hash-object", "-t", "tree", os.DevNull)
		r.commit = strings.TrimSpace(string(out)) // nothing is committed yet, so all is new
		return r, err
	}
	if out, _ := r.git("rev-parse", "--is-shallow-repository"); strings.TrimSpace(string(out)) == "true" {
		return nil, fmt.Errorf("there is no revision %q in this clone, which is shallow: git fetch --unshallow, or git fetch --depth=1 origin %s and then -new-from-rev=FETCH_HEAD, gets it", rev, rev)
	}
	return nil, fmt.Errorf("there is no revision %q in the repository %s", rev, r.top)
}

func abs(dir string) string {
	if a, err := filepath.Abs(dir); err == nil {
		return a
	}
	return dir
}

// changes lists the files that are not what they were, those of submodules with them.
func (r *repo) changes() (out []change, err error) {
	words, err := r.list("-c", "diff.relative=false", "diff", "--name-status", "-z", "-M", "--no-ext-diff", "--no-color", r.commit, "--")
	if err != nil {
		return nil, err
	}
	for len(words) > 1 {
		status, name := words[0], words[1]
		words = words[2:]
		c := change{in: r, path: r.file(name), from: name}
		switch status[0] {
		case 'R', 'C':
			if len(words) == 0 {
				return nil, errors.New("git diff: an answer that is cut short")
			}
			c.path = r.file(words[0])
			if status[0] == 'R' {
				out = append(out, change{in: r, path: r.file(name), gone: true, from: name})
			}
			words = words[1:]
		case 'A':
			c.from = ""
		case 'D':
			c.gone = true
		}
		out = append(out, c)
	}
	untracked, err := r.list("ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, err
	}
	var from map[string]string
	if slices.ContainsFunc(out, func(c change) bool { return c.gone && filepath.Ext(c.path) == ".go" }) {
		if from, err = r.renames(untracked); err != nil {
			return nil, err
		}
	}
	for _, name := range untracked {
		out = append(out, change{in: r, path: r.file(name), from: from[name]})
	}
	subs, err := r.submodules()
	if err != nil {
		return nil, err
	}
	for _, s := range subs {
		more, err := s.changes()
		if err != nil {
			continue // it does not have the commit: git diff lists it as a whole
		}
		out = append(out, more...)
	}
	return out, nil
}

// alternates has folders of objects.
const alternates = "GIT_ALTERNATE_OBJECT_DIRECTORIES"

// renames tells of Go files that are not tracked which ones of the commit they were. Git tells of tracked ones alone.
// So it is asked with a copy of the index to which they are added by name.
func (r *repo) renames(untracked []string) (map[string]string, error) {
	if !slices.ContainsFunc(untracked, func(name string) bool { return path.Ext(name) == ".go" }) {
		return nil, nil
	}
	out, err := r.git("rev-parse", "--git-path", "index", "--git-path", "objects")
	if err != nil {
		return nil, err
	}
	name, objects, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.top, name)
	}
	if !filepath.IsAbs(objects) {
		objects = filepath.Join(r.top, objects)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil // nothing was ever added
	}
	dir, err := os.MkdirTemp("", "heddle-index")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	if err := os.WriteFile(index, text, 0o600); err != nil {
		return nil, err
	}
	// Git writes an empty object for them: into the folder, too.
	others := objects
	if more := os.Getenv(alternates); more != "" {
		others += string(filepath.ListSeparator) + more
	}
	x := &repo{top: r.top, commit: r.commit, sub: r.sub, env: []string{"GIT_INDEX_FILE=" + index, "GIT_OBJECT_DIRECTORY=" + dir, alternates + "=" + others}}
	if _, err := x.git("add", "--intent-to-add", "--", "*.go"); err != nil {
		return nil, err
	}
	words, err := x.list("-c", "diff.relative=false", "diff", "--name-status", "-z", "-M", "--diff-filter=R", "--no-ext-diff", "--no-color", r.commit, "--")
	from := map[string]string{}
	for ; len(words) > 2; words = words[3:] {
		from[words[2]] = words[1]
	}
	return from, err
}

func (r *repo) file(name string) string { return filepath.Join(r.top, filepath.FromSlash(name)) }

// submodules are those of the commit that are there, each at the commit that it had then.
func (r *repo) submodules() (out []*repo, err error) {
	words, err := r.list("ls-tree", "-r", "-z", r.commit)
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		head, name, _ := strings.Cut(w, "\t")
		f := strings.Fields(head)
		if len(f) != 3 || f[1] != "commit" {
			continue
		}
		s := &repo{top: r.file(name), commit: f[2], sub: true}
		if _, err := os.Stat(filepath.Join(s.top, ".git")); err == nil {
			out = append(out, s)
		}
	}
	return out, nil
}

// ofRepository reports whether a variable of the environment says which repository git is to look at.
func ofRepository(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"}, name)
}

// then is what a file had at the commit.
func (c *change) then() ([]byte, error) { return c.in.git("cat-file", "blob", c.in.commit+":"+c.from) }

// ignored lists the Go files that git ignores, and what else the go command reads of them.
func (r *repo) ignored() ([]string, error) {
	names, err := r.list("ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", "*.go", "go.work", "go.work.sum")
	for i, n := range names {
		names[i] = r.file(n)
	}
	return names, err
}

// checkout writes the files of the commit to a folder, which gets made.
func (r *repo) checkout(to string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	index, err := os.CreateTemp("", "heddle-index")
	if err != nil {
		return err
	}
	index.Close()
	if err := os.Remove(index.Name()); err != nil { // git takes no empty file for an index
		return err
	}
	defer os.Remove(index.Name())
	x := &repo{top: r.top, commit: r.commit, sub: r.sub, env: []string{"GIT_INDEX_FILE=" + index.Name()}}
	if _, err := x.git("read-tree", r.commit); err != nil {
		return err
	}
	if _, err := x.git("checkout-index", "--all", "--force", "--prefix="+to+string(filepath.Separator)); err != nil {
		return err
	}
	subs, err := r.submodules()
	if err != nil {
		return err
	}
	for _, s := range subs {
		rel, err := filepath.Rel(r.top, s.top)
		if err != nil {
			return err
		}
		if err := s.checkout(filepath.Join(to, rel)); err != nil {
			return err
		}
	}
	return nil
}
