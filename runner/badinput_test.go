package runner

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/seed"
)

// heddle runs the command in the module of testdata.
func heddle(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	t.Chdir(moduleDir(t))
	var out, errs bytes.Buffer
	code = Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return out.String(), errs.String(), code
}

// testdata is absolute: tests change the current folder.
var testdata = func() string {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		panic(err)
	}
	return dir
}()

// moduleDir is testdata/module, and beside it what no formatter should meet.
func moduleDir(t *testing.T) string {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(testdata, "module"))); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"unparsable/unparsable.go":      "package unparsable\n\nfunc Start( {\n",
		"unparsable/unparsable_test.go": "package unparsable\n\nimport \"testing\"\n\nfunc TestStart(t *testing.T) { Start() }\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBadInput(t *testing.T) {
	other := seed.Token{Package: "example.com/m/racy", Entry: "TestAdd", Digest: "other"}
	foreign := seed.Token{Package: "example.com/m/racy", Entry: "TestAdd"}
	for _, tt := range []struct {
		name string
		args []string
		want string // the last line of standard error; @ stands for the module's folder
	}{
		{"no Go files", []string{"./nogo"}, "heddle: ./nogo: no Go files in @/nogo"},
		{"no folder", []string{"./nowhere"}, "heddle: ./nowhere: stat @/nowhere: directory not found"},
		{"no package", []string{"./nogo/..."}, `heddle: no packages to check: warning: "./nogo/..." matched no packages`},
		{"type error", []string{"./broken"}, "heddle: ./broken/broken.go:5:5: undefined: undefinedFunction"},
		{"syntax error", []string{"./unparsable"}, "heddle: ./unparsable/unparsable.go:3:13: expected ')', found '{'"},
		{"unknown flag", []string{"-nosuch", "./quiet"}, "heddle: there is no flag -nosuch (heddle help lists the flags)"},
		{"no such explorer", []string{"-explorer=nosuch", "./quiet"}, "heddle: -explorer: unknown explorer \"nosuch\": want one of bruteforce, delay, icb, mcr, mcr-s, mcr-s+, pairwise, pct, pos, random, se-mcr, systematic, union"},
		{"no such solver", []string{"-explorer=mcr-s", "-solver=nosuch", "./quiet"}, "heddle: -solver: unknown solver \"nosuch\": want cdcl (the built-in one) or z3"},
		{"solver without use", []string{"-solver=z3", "./quiet"}, "heddle: -solver: only the explorers mcr-s and mcr-s+ ask a solver"},
		{"no such merging", []string{"-merge=no", "./quiet"}, "heddle: -merge=no: want on or off"},
		{"merging without use", []string{"-explorer=systematic", "-merge=off", "./quiet"}, "heddle: -merge: only the explorer union merges states"},
		{"bad limit", []string{"-limit.events=many", "./quiet"}, `heddle: -limit.events=many: want a number (heddle help lists the flags)`},
		{"negative workers", []string{"-workers=-1", "./quiet"}, "heddle: -workers=-1: want a positive number, or 0 for all processors"},
		{"negative limit", []string{"-limit.events=-1", "./quiet"}, "heddle: -limit.events=-1: a limit is a positive number, or 0 for the default"},
		{"unknown letter", []string{"-dump=tz", "./quiet"}, "heddle: -dump=tz: there is no letter 'z'; letters are c, i, s, t"},
		{"bad regular expression", []string{"-run=(", "./quiet"}, "heddle: -run=(: error parsing regexp: missing closing ): `(` (heddle help lists the flags)"},
		{"no such entry", []string{"-run=Nope", "./quiet"}, `heddle: -run "Nope" matches no entry of ./quiet; there are TestTwo`},
		{"no such check", []string{"help", "nosuch"}, `heddle: there is no check, command, topic or flag "nosuch" (heddle help lists them)`},
		{"a slip of a check", []string{"help", "datrace"}, `heddle: there is no check, command, topic or flag "datrace"; did you mean datarace? (heddle help lists them)`},
		{"a slip of a flag", []string{"-rum=X", "./quiet"}, "heddle: there is no flag -rum; did you mean -run? (heddle help lists the flags)"},
		{"a slip of a check's flag", []string{"-dead-lock", "./quiet"}, "heddle: there is no flag -dead-lock; did you mean -deadlock? (heddle help lists the flags)"},
		{"a flag without its value", []string{"-run"}, "heddle: -run needs a value (heddle help lists the flags)"},
		{"a switch that is neither", []string{"-json=maybe", "./quiet"}, "heddle: -json=maybe: want true or false (heddle help lists the flags)"},
		{"no such colour", []string{"-color=red", "./quiet"}, "heddle: -color=red: want auto, always or never (heddle help lists the flags)"},
		{"no command", []string{"check", "./racy"}, `heddle: there is no command "check"; to check packages: heddle ./... (heddle help lists the commands)`},
		{"a slip of a check for a command", []string{"datrace", "./racy"}, `heddle: there is no command "datrace"; did you mean the check heddle -datarace?`},
		{"a folder without packages", nil, "heddle: there are no Go files in this folder; to check the packages below: heddle ./..."},
		{"a slip of a command", []string{"replya", "h1"}, `heddle: there is no command "replya"; did you mean heddle replay?`},
		{"a check is no command", []string{"datarace", "./racy"}, "heddle: datarace is a check and no command: heddle -datarace ./... runs it alone, heddle help datarace says what it finds"},
		{"a word after packages", []string{"./racy", "nosuch"}, "heddle: there is no package or folder nosuch"},
		{"no such file", []string{"racy/nofile.go"}, "heddle: racy/nofile.go: no such file"},
		{"a file that is no Go file", []string{"./racy", "go.mod"}, "heddle: go.mod is no Go file: name packages, folders or .go files"},
		{"a folder outside the module", []string{filepath.Join(testdata, "module", "racy")}, "heddle: directory " + filepath.Join(testdata, "module", "racy") + " outside main module or its selected dependencies; run heddle in a folder of its module"},
		{"graph of no such format", []string{"graph", "-format=x", "./racy"}, "heddle: graph: -format=x: only dot and json are known"},
		{"graph with stats over a source", []string{"graph", "-stats", "racy/racy.go"}, "heddle: graph: -stats=racy/racy.go: that is a Go file, and a name has to stand before it"},
		{"no token", []string{"replay"}, "heddle: replay: usage: heddle replay TOKEN [packages]; the token is in the message of a finding"},
		{"replay in no such form", []string{"replay", "-format=pdf", other.String()}, "heddle: replay: -format=pdf: want text, html, json, perfetto"},
		{"malformed token", []string{"replay", "h1!!!!"}, "heddle: replay: replay token is malformed: character 2 is not base64; copy the whole token from the message of the finding"},
		{"no token at all", []string{"replay", "TestAdd"}, `heddle: replay: not a replay token of this version: want the prefix "h1", got "TestAdd"; copy the whole token from the message of the finding`},
		{"truncated token", []string{"replay", other.String()[:14]}, "heddle: replay: replay token is truncated: 8 bytes of 41; copy the whole token from the message of the finding"},
		{"token of other sources", []string{"replay", other.String()}, "heddle: replay: the token belongs to other sources of example.com/m/racy: check out those that it was made from, or run heddle again for a new token"},
		{"token of another package", []string{"replay", foreign.String(), "./quiet"}, "heddle: replay: the token is of package example.com/m/racy, which is not among ./quiet"},
		{"stats without a folder", []string{"-stats=nowhere/x", "./quiet"}, "heddle: -stats=nowhere/x: there is no folder nowhere"},
		{"a flag for a file", []string{"-stats", "-incomplete", "./racy"}, "heddle: -stats=-incomplete: that is a flag, and a name has to stand before it"},
		{"stats without a file", []string{"-stats", "./..."}, "heddle: -stats=./...: that is a pattern of packages, and a name has to stand before it"},
		{"SARIF over a source", []string{"-sarif", "racy/racy.go"}, "heddle: -sarif=racy/racy.go: that is a Go file, and a name has to stand before it"},
		{"a baseline over go.mod", []string{"-write-baseline", "go.mod", "./racy"}, "heddle: -write-baseline=go.mod: that is a file of the module, and a name has to stand before it"},
		{"a baseline that is a source", []string{"-baseline", "racy/racy.go"}, "heddle: -baseline=racy/racy.go: that is a Go file, and a name has to stand before it"},
		{"HTML without a folder", []string{"-html", "./racy/..."}, "heddle: -html=./racy/...: that is a pattern of packages, and a name has to stand before it"},
		{"SARIF without a folder", []string{"-sarif=nowhere/x", "./racy"}, "heddle: -sarif=nowhere/x: there is no folder nowhere"},
		{"a baseline of what does not compile", []string{"-write-baseline=b.json", "./broken"}, "heddle: -write-baseline=b.json: it was not written, for not everything could be explored"},
		{"SARIF to standard output", []string{"-sarif=-", "./racy"}, "heddle: -sarif=-: name a file; -format=sarif writes to standard output"},
		{"stats to standard output", []string{"-stats=-", "./racy"}, "heddle: -stats=-: name a file; /dev/stdout is standard output"},
		{"JUnit to a folder", []string{"-junit=racy", "./racy"}, "heddle: -junit=racy: that is a folder"},
		{"a page below a file", []string{"-html=go.mod/x", "./racy"}, "heddle: -html=go.mod/x: go.mod is no folder"},
		{"no such form", []string{"-format=sarf", "./racy"}, "heddle: -format=sarf: want text, github, json, junit, sarif; did you mean sarif? (heddle help lists the flags)"},
		{"two forms", []string{"-json", "-format=sarif", "./racy"}, "heddle: -json and -format=sarif: standard output has room for one of them"},
		{"package that no module has", []string{"example.com/none"}, "heddle: no required module provides package example.com/none; to add it: go get example.com/none"},
		{"run nothing", []string{"run"}, "heddle: run: " + runUsage},
		{"run no command", []string{"run", "./quiet"}, "heddle: run: ./quiet is not a main package; heddle run -test runs the tests of a package"},
		{"run two programs", []string{"run", "./..."}, "heddle: run: ./... is more than one program: name one package"},
		{"run -run without -test", []string{"run", "-run=X", "./quiet"}, "heddle: run: -run selects tests, so it needs -test; " + runUsage},
		{"run no file", []string{"run", "hello/nofile.go"}, "heddle: run: hello/nofile.go: no such file"},
		{"run one file of two", []string{"run", "hello/hello.go", "hello/nofile.go"}, "heddle: run: hello/nofile.go: no such file"},
		{"run no folder", []string{"run", "./nowhere"}, "heddle: run: ./nowhere: stat @/nowhere: directory not found"},
		{"run a folder without Go files", []string{"run", "./nogo"}, "heddle: run: ./nogo: no Go files in @/nogo"},
		{"run no package", []string{"run", "example.com/none"}, "heddle: run: no required module provides package example.com/none; to add it: go get example.com/none"},
		{"run tests of no folder", []string{"run", "-test", "./nowhere"}, "heddle: run: ./nowhere: stat @/nowhere: directory not found"},
		{"run tests that are not there", []string{"run", "-test", "./hello"}, "heddle: run: ./hello has no tests"},
		{"run tests with a type error", []string{"run", "-test", "./broken"}, "heddle: run: ./broken/broken.go:5:5: undefined: undefinedFunction"},
		{"run a test that is not there", []string{"run", "-test", "-run=Nope", "./racy"}, `heddle: run: -run "Nope" matches no entry of example.com/m/racy; there are TestAdd, TestLen`},
		{"run -short without -test", []string{"run", "-short", "./hello"}, "heddle: run: -short and -v are for tests, so they need -test; " + runUsage},
		{"run a bad regular expression", []string{"run", "-test", "-run=(", "./racy"}, "heddle: run: -run: error parsing regexp: missing closing ): `(`"},
		{"run without memory", []string{"run", "-limit.memory=0", "./hello"}, "heddle: run: -limit.memory=0: a limit is a positive number"},
		{"run an unknown flag", []string{"run", "-nosuch", "./hello"}, "heddle: run: there is no flag -nosuch (heddle help run lists the flags)"},
		{"version with arguments", []string{"version", "1"}, "heddle: version takes no arguments"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stdout, stderr, code := heddle(t, tt.args...)
			if code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if stdout != "" {
				t.Errorf("standard output: %s", stdout)
			}
			lines := strings.Split(strings.TrimRight(stderr, "\n"), "\n")
			got := lines[len(lines)-1]
			if want := strings.ReplaceAll(tt.want, "@", cwd(t)); got != want {
				t.Errorf("heddle %s\n got: %s\nwant: %s", strings.Join(tt.args, " "), got, want)
			}
		})
	}
}

// TestNoModule: a stranger's first try may be in a folder of no module. The answer is the same however he names the
// packages.
func TestNoModule(t *testing.T) {
	const want = "there is no go.mod in this folder or above; run heddle in a folder of a module (go mod init makes one)\n"
	writeModule(t, map[string]string{"a.go": "package a\n"})
	for _, args := range [][]string{nil, {"./..."}, {"a.go"}} {
		var out, errs bytes.Buffer
		code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != 1 || out.Len() > 0 || !strings.HasSuffix(errs.String(), want) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("heddle %s: exit code %d\n%s%s", args, code, &out, &errs)
		}
	}
}

// TestOutsideWorkspace: nor is a folder that no module of a go.work has one to check.
func TestOutsideWorkspace(t *testing.T) {
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	writeModule(t, map[string]string{"go.work": "go 1.26\n\nuse ./a\n", "a/go.mod": "module example.com/a\n\ngo 1.26\n", "a/a.go": "package a\n"})
	var out, errs bytes.Buffer
	code := Main([]string{"./..."}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code != 1 || out.Len() > 0 || !strings.HasSuffix(errs.String(), "; run heddle in a folder of its module\n") {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}

func cwd(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
