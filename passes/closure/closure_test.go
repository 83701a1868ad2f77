package closure

import (
	"bytes"
	"encoding/gob"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/heddle-go/heddle/program"
)

var files = map[string]string{
	"go.mod":        "module example.com/m\n\ngo 1.26\n",
	"deep/d.go":     "package deep\n\nfunc F() int { return 1 }\n",
	"mid/m.go":      "package mid\n\nimport \"example.com/m/deep\"\n\nfunc F() int { return deep.F() }\n",
	"top/t.go":      "package top\n\nimport (\n\t\"fmt\"\n\n\t\"example.com/m/mid\"\n)\n\nfunc F() { fmt.Println(mid.F()) }\n",
	"top/t_test.go": "package top\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { go F() }\n",
	"top/x_test.go": "package top_test\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n",
}

// analyse runs the analyzer on packages of a module, with x/tools' own driver.
func analyse(t *testing.T, dir string, patterns ...string) map[string]*checker.Action {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Tests: true, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS="),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	acts := map[string]*checker.Action{}
	for act := range graph.All() {
		if act.Err != nil {
			t.Errorf("%s: %v", act.Package.ID, act.Err)
		}
		acts[act.Package.ID] = act
	}
	return acts
}

func writeModule(t *testing.T, change map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if c, ok := change[name]; ok {
			text = c
		}
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The recipe does not depend on the driver, or a token would not either.
func TestCompleteIsWhatListGives(t *testing.T) {
	dir := writeModule(t, nil)
	listing, err := program.List(Config(dir), "./top")
	if err != nil {
		t.Fatal(err)
	}
	acts := analyse(t, dir, "./top")
	for _, id := range []string{"example.com/m/top [example.com/m/top.test]", "example.com/m/top_test [example.com/m/top.test]"} {
		res := acts[id].Result.(*Result)
		if !res.HasEntries() {
			t.Errorf("%s has no entries", id)
		}
		if err := res.Complete(); err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if !reflect.DeepEqual(res.Recipe, listing.Recipes[0]) {
			t.Errorf("%s: Complete and program.List differ", id)
		}
	}
}

func TestPackageWithoutTestsHasNoEntries(t *testing.T) {
	act := analyse(t, writeModule(t, nil), "./mid")["example.com/m/mid"]
	if act.Result.(*Result).HasEntries() {
		t.Error("example.com/m/mid has entries")
	}
}

// Types stay as they are when a body deep below changes; the fact may not, or a build tool would replay old answers.
func TestFactChangesWithBodiesBelow(t *testing.T) {
	fact := func(change map[string]string) string {
		act := analyse(t, writeModule(t, change), "./mid")["example.com/m/mid"]
		var f Fact
		if !act.PackageFact(act.Package.Types, &f) {
			t.Fatal("example.com/m/mid has no fact")
		}
		return f.Recipe.Digest
	}
	old := fact(nil)
	if again := fact(nil); again != old {
		t.Errorf("the same sources in another folder give digests %s and %s", old, again)
	}
	if changed := fact(map[string]string{"deep/d.go": "package deep\n\nfunc F() int { return 2 }\n"}); changed == old {
		t.Error("the digest does not change with the body of deep.F")
	}
}

func TestFactRoundTrip(t *testing.T) {
	act := analyse(t, writeModule(t, nil), "./mid")["example.com/m/mid"]
	var f, back Fact
	if !act.PackageFact(act.Package.Types, &f) {
		t.Fatal("example.com/m/mid has no fact")
	}
	encode := func() []byte {
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(&f); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	data := encode()
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(f, back) {
		t.Errorf("after a round trip the fact is %+v, was %+v", back, f)
	}
	if !bytes.Equal(data, encode()) {
		t.Error("the same fact has two encodings")
	}
	if per := len(data) / len(f.Recipe.Packages); per > 1000 {
		t.Errorf("the fact takes %d bytes for each package; the standard library should not be in it", per)
	}
}
