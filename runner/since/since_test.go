package since

import (
	"fmt"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/program"
)

// A place is a folder in which a test calls git.
type place struct {
	t   *testing.T
	dir string
}

// newPlace returns an empty repository.
func newPlace(t *testing.T) *place {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); ofRepository(v) {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"} {
		t.Setenv(name, value)
	}
	p := &place{t, resolved(t.TempDir())}
	p.git("init", "-q")
	return p
}

func (p *place) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = p.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

func (p *place) write(files map[string]string) {
	p.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(p.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			p.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(files[name]), 0o666); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *place) commit() {
	p.t.Helper()
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "a commit")
}

// open lists the changes since a revision, below the repository.
func (p *place) open(rev string) (*Since, string) {
	p.t.Helper()
	s, err := Open(p.dir, rev)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			p.t.Error(err)
		}
	})
	var out []string
	for _, c := range s.changed {
		rel, err := filepath.Rel(p.dir, c.path)
		if err != nil {
			p.t.Fatal(err)
		}
		word := rel
		switch {
		case c.gone:
			word += " gone"
		case c.from == "":
			word += " new"
		case c.from != filepath.ToSlash(rel):
			word += " was " + c.from
		}
		out = append(out, word)
	}
	slices.Sort(out)
	return s, strings.Join(out, ", ")
}

const long = "package p\n\nfunc F() int {\n\treturn 1\n}\n\nfunc G() int {\n\treturn 2\n}\n\nvar V = func() int {\n\treturn 3\n}\n"

// Changes are those in commits, in the index and in the folder, and files that are not tracked; what git ignores is
// none.
func TestChangesAreThoseOfCommitsIndexAndFolder(t *testing.T) {
	p := newPlace(t)
	if _, got := p.open("HEAD"); got != "" {
		t.Errorf("before the first commit of nothing: %s", got)
	}
	p.write(map[string]string{"a.go": "package p\n", "b.go": "package p\n", "c.go": "package p\n", "d/long.go": long, "e/e.go": "package e\n", ".gitignore": "gen.go\n", "f g/ü.go": "package f\n"})
	if _, got := p.open("HEAD"); !strings.Contains(got, "a.go new") {
		t.Errorf("before the first commit: %s", got)
	}
	p.commit()
	if _, got := p.open("HEAD"); got != "" {
		t.Errorf("nothing has changed, and there is %s", got)
	}
	p.write(map[string]string{"a.go": "package p // staged\n"})
	p.git("add", "a.go")
	p.write(map[string]string{"b.go": "package p // not staged\n", "u/u.go": "package u\n", "gen.go": "package p\n", "f g/ü.go": "package f // changed\n"})
	p.git("mv", "d/long.go", "d/other.go")
	p.git("rm", "-q", "e/e.go")
	want := "a.go, b.go, d/long.go gone, d/other.go was d/long.go, e/e.go gone, f g/ü.go, u/u.go new"
	s, got := p.open("HEAD")
	if got != want {
		t.Errorf("changes: %s\nwant: %s", got, want)
	}
	if !s.ignored[filepath.Join(p.dir, "gen.go")] || len(s.ignored) != 1 {
		t.Errorf("ignored: %v", s.ignored)
	}
	p.commit()
	if _, got := p.open("HEAD"); got != "" {
		t.Errorf("since the second commit: %s", got)
	}
	if _, got := p.open("HEAD~"); got != strings.Replace(want, "u/u.go new", "u/u.go new", 1) {
		t.Errorf("since the first commit: %s", got)
	}
}

// A folder that got another name is known again, in the index or not; and nothing is written for that.
func TestRenamedFolderIsNotNew(t *testing.T) {
	p := newPlace(t)
	p.write(map[string]string{"go.mod": "module m\n\ngo 1.26\n", "sub/p/p.go": long, "sub/p/p_test.go": strings.Replace(long, "package p", "package p_test", 1)})
	p.commit()
	for _, do := range []func(){
		func() { p.git("mv", "sub/p", "sub/q") },
		func() { p.git("reset", "-q") },
		func() { p.write(map[string]string{"sub/q/p.go": strings.Replace(long, "package p", "package q", 1)}) },
	} {
		do()
		before := p.state() + p.objects()
		s, got := p.open("HEAD")
		if want := "sub/p/p.go gone, sub/p/p_test.go gone, sub/q/p.go was sub/p/p.go, sub/q/p_test.go was sub/p/p_test.go"; got != want {
			t.Errorf("changes: %s\nwant: %s", got, want)
		}
		if then, ok, err := s.past.folder(filepath.Join(p.dir, "sub", "q")); !ok || err != nil || s.past.moved(filepath.Join(p.dir, "sub", "q")) != "p" || filepath.Base(then) != "p" {
			t.Errorf("sub/q was %s, %t, %v; its package %q", then, ok, err, s.past.moved(filepath.Join(p.dir, "sub", "q")))
		}
		if s.Changed(token.Position{Filename: filepath.Join(p.dir, "sub/q/p.go"), Line: 4}) {
			t.Error("a function has changed")
		}
		s.Close()
		if p.state()+p.objects() != before {
			t.Error("the repository is another")
		}
	}
}

// objects lists all that the repository has.
func (p *place) objects() (out string) {
	p.t.Helper()
	err := filepath.WalkDir(filepath.Join(p.dir, ".git", "objects"), func(name string, _ os.DirEntry, err error) error {
		out += name + "\n"
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// Files of submodules have changed since the commit that the revision had of them.
func TestSubmodules(t *testing.T) {
	lib, p := newPlace(t), newPlace(t)
	lib.write(map[string]string{"x/x.go": "package x\n", "y/y.go": "package y\n"})
	lib.commit()
	p.git("submodule", "--quiet", "add", lib.dir, "lib")
	p.commit()
	if _, got := p.open("HEAD"); got != "" {
		t.Errorf("nothing has changed, and there is %s", got)
	}
	p.write(map[string]string{"lib/x/x.go": "package x // edited\n"})
	s, got := p.open("HEAD")
	if got != "lib, lib/x/x.go was x/x.go" { // in the submodule
		t.Errorf("changes: %s", got)
	}
	to := filepath.Join(t.TempDir(), "then")
	if err := s.repo.checkout(to); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(to, "lib/x/x.go")); string(text) != "package x\n" {
		t.Errorf("the file was %q, %v", text, err)
	}
}

// What is wrong is said in one line that says what to do.
func TestErrors(t *testing.T) {
	p := newPlace(t)
	p.write(map[string]string{"a.go": "package p\n"})
	p.commit()
	p.write(map[string]string{"a.go": "package p // more\n"})
	p.commit()
	shallow := &place{t, resolved(t.TempDir())}
	shallow.git("clone", "-q", "--depth=1", "file://"+p.dir, ".")
	bare := &place{t, resolved(t.TempDir())}
	bare.git("init", "-q", "--bare")
	for _, tt := range []struct{ dir, rev, want string }{
		{t.TempDir(), "HEAD", "is in no git repository"},
		{bare.dir, "HEAD", "is in no git repository with files"},
		{p.dir, "nothing", `no revision "nothing"`},
		{p.dir, "--help", `no revision "--help"`},
		{shallow.dir, "HEAD~", "git fetch --unshallow"},
	} {
		_, err := Open(tt.dir, tt.rev)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("-new-from-rev=%s in %s: %v, want %s", tt.rev, tt.dir, err, tt.want)
		}
	}
	t.Setenv("PATH", "")
	if _, err := Open(p.dir, "HEAD"); err == nil || !strings.Contains(err.Error(), "git") {
		t.Errorf("without git: %v", err)
	}
}

// A program may be touched by files that it is made of, and by those that its tests can read (SINCE1).
func TestUnchanged(t *testing.T) {
	top := resolved(t.TempDir())
	pkg := func(dir string, embeds ...string) program.PackageRecipe {
		return program.PackageRecipe{ID: dir, Path: dir, Dir: filepath.Join(top, dir), GoFiles: []string{"x.go"}, EmbedFiles: embeds}
	}
	std := program.PackageRecipe{ID: "fmt", Std: true, Dir: filepath.Join(top, "fmt")}
	module := program.PackageRecipe{ID: "m", Dir: "/cache/example.com/m@v1.0.0", GoFiles: []string{"x.go"}}
	beside := program.PackageRecipe{ID: "n", Dir: "/elsewhere/n", GoFiles: []string{"x.go"}}
	r := &program.Recipe{Root: "p", Packages: []program.PackageRecipe{std, module, pkg("dep"), pkg("emb", "data/f.txt"), pkg("p")}}
	for _, tt := range []struct {
		changed string
		touched bool
	}{
		{"p/x.go", true}, {"p/new.go", true}, {"p/testdata/a/b.txt", true}, {"p/sub/y.go", true}, {"px/x.go", false}, {"README.md", false},
		{"dep/x.go", true}, {"dep/testdata/f.txt", false}, {"dep/sub/y.go", false}, {"emb/data/f.txt", true}, {"emb/data/g.txt", true}, {"fmt/print.go", false},
		{"go.mod", true}, {"sub/go.mod", true}, {"go.sum", true}, {"go.work", true}, {"vendor/modules.txt", true}, {"modules.txt", false},
		{"dep", true}, // a submodule
	} {
		s := &Since{Rev: "HEAD", repo: &repo{top: top}, changed: []change{{path: filepath.Join(top, tt.changed)}}}
		if why := s.Unchanged(r); (why == "") != tt.touched {
			t.Errorf("%s has changed: %q", tt.changed, why)
		}
	}
	s := &Since{repo: &repo{top: top}, ignored: map[string]bool{filepath.Join(top, "dep/x.go"): true}}
	if s.Unchanged(r) != "" {
		t.Error("a file that git ignores cannot have changed")
	}
	s.ignored = nil
	if s.Unchanged(r) == "" {
		t.Error("nothing has changed, and the program has")
	}
	if r.Packages = append(r.Packages, beside); s.Unchanged(r) != "" {
		t.Error("a package outside of the repository cannot have changed")
	}
}

// Lines are touched where the declaration around them has changed; not by comments, layout, the place in the file, or
// its name (SINCE2).
func TestTouchedLinesAreThoseOfChangedDeclarations(t *testing.T) {
	p := newPlace(t)
	p.write(map[string]string{"p/long.go": long, "p/other.go": "package p\n\nfunc H() {}\n"})
	p.commit()
	for _, tt := range []struct {
		name, file, text, want string // names of functions of long.go in the order of its text
	}{
		{"nothing", "p/long.go", long, ""},
		{"body", "p/long.go", strings.Replace(long, "return 1", "return 4", 1), "F"},
		{"variable", "p/long.go", strings.Replace(long, "return 3", "return 4", 1), "V"},
		{"comment", "p/long.go", strings.Replace(long, "return 1", "// why\n\treturn 1", 1), ""},
		{"layout", "p/long.go", strings.Replace(long, "func F() int {\n\treturn 1\n}", "func F() int { return 1 }", 1), ""},
		{"moved", "p/long.go", strings.Replace(long, "package p\n", "package p\n\nfunc New() {}\n", 1), "New"},
		{"from another file", "p/long.go", long + "\nfunc H() {}\n", "H"},
		{"renamed", "p/later.go", long, ""},
		{"renamed and edited", "p/later.go", strings.Replace(long, "return 2", "return 5", 1), "G"},
		{"in another folder", "q/long.go", long, ""},
	} {
		p.git("reset", "-q", "--hard")
		if tt.file != "p/long.go" {
			p.write(map[string]string{tt.file: ""})
			p.git("mv", "-f", "p/long.go", tt.file)
		}
		p.write(map[string]string{tt.file: tt.text})
		s, _ := p.open("HEAD")
		var got []string
		for i, line := range strings.Split(tt.text, "\n") {
			name, ok := strings.CutPrefix(line, "func ")
			if v, isVar := strings.CutPrefix(line, "var "); isVar {
				name, ok = v, true
			}
			if ok && s.Changed(token.Position{Filename: filepath.Join(p.dir, tt.file), Line: i + 1}) {
				got = append(got, name[:strings.IndexAny(name, "( ")])
			}
		}
		if g := strings.Join(got, " "); g != tt.want {
			t.Errorf("%s: touched %q, want %q", tt.name, g, tt.want)
		}
		if s.Changed(token.Position{Filename: filepath.Join(p.dir, "p/other.go"), Line: 3}) {
			t.Errorf("%s: another file is touched", tt.name)
		}
		p.git("clean", "-qfd")
	}
}

// What was there cannot be told of a package that did not compile, or whose revision cannot be had: that is said
// (SINCE4).
func TestFailed(t *testing.T) {
	p := newPlace(t)
	p.write(map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { undefined() }\n"})
	p.commit()
	s, _ := p.open("HEAD")
	defer s.Close()
	if s.past.told(filepath.Join(p.dir, "p"), "m/p"); len(s.Failed()) != 1 || !strings.Contains(s.Failed()[0], "m/p: what was there at HEAD cannot be told") {
		t.Errorf("it is said that %q", s.Failed())
	}
	if s.past.told(filepath.Join(p.dir, "p"), "m/p"); len(s.Failed()) != 1 {
		t.Error("it is said twice")
	}
}

// The files of a revision are written without a trace in the repository; those that git ignores are taken along.
func TestCheckout(t *testing.T) {
	p := newPlace(t)
	p.write(map[string]string{"p/a.go": "package p\n", "old/o.go": "package old\n\nfunc O() {}\n", ".gitignore": "gen.go\n"})
	p.commit()
	p.write(map[string]string{"p/a.go": "package p // edited\n", "p/gen.go": "package p // generated\n", "new/n.go": "package n\n"})
	p.git("mv", "old", "later")
	p.git("add", "p")
	before := p.state()
	s, _ := p.open("HEAD")
	for dir, want := range map[string]string{"p": "a.go package p\n gen.go package p // generated\n", "later": "o.go package old\n\nfunc O() {}\n", "new": ""} {
		then, ok, err := s.past.folder(filepath.Join(p.dir, dir))
		var got strings.Builder
		for _, name := range []string{"a.go", "gen.go", "o.go", "n.go"} {
			if text, err := os.ReadFile(filepath.Join(then, name)); err == nil {
				fmt.Fprintf(&got, "%s %s ", name, text)
			}
		}
		if strings.TrimSpace(got.String()) != strings.TrimSpace(want) || err != nil || ok != (want != "") {
			t.Errorf("%s: %q, %t, %v, want %q", dir, got.String(), ok, err, want)
		}
	}
	tmp := s.past.tmp
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(tmp); err == nil || p.state() != before {
		t.Error("something was left, or the repository is another")
	}
}

// state is all that there is in the repository.
func (p *place) state() string {
	p.t.Helper()
	cmd := exec.Command("git", "status", "--porcelain", "--ignored", "-z")
	cmd.Dir = p.dir
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatal(err)
	}
	files := 0
	_ = filepath.WalkDir(filepath.Join(p.dir, ".git", "objects"), func(string, os.DirEntry, error) error { files++; return nil })
	return fmt.Sprint(string(out), files)
}
