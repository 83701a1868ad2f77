package program

import (
	"encoding/json"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// conditioned is a module in which cgo decides about files of every sort.
var conditioned = map[string]string{
	"go.mod":              "module conditioned\n\ngo 1.24\n", // no dot in its path
	"with/a_cgo.go":       "//go:build cgo\n\npackage with\n\nconst With = true\n",
	"with/a_nocgo.go":     "//go:build !cgo\n\npackage with\n\nconst With = false\n",
	"with/a_test.go":      "package with\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { _ = With }\n",
	"tests/a.go":          "package tests\n",
	"tests/cgo_test.go":   "//go:build cgo && !ignore\n\npackage tests\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
	"tests/nocgo_test.go": "// +build !cgo\n\npackage tests\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
	"tests/x_test.go":     "//go:build cgo\n\npackage tests_test\n\nimport (\n\t\"conditioned/only\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { only.F() }\n",
	"only/only.go":        "//go:build cgo\n\npackage only\n\nimport \"net/netip\"\n\nvar A netip.Addr\n\nfunc F() {}\n",
	"without/w.go":        "//go:build !cgo\n\npackage without\n\nimport _ \"conditioned/only2\"\n",
	"without/w_test.go":   "package without\n\nimport \"testing\"\n\nfunc TestW(t *testing.T) {}\n",
	"only2/only2.go":      "package only2\n",
	"real/real.go":        "package real\n\nimport \"C\"\n\nfunc F() {}\n",
	"real/pure.go":        "package real\n",
	"real/real_test.go":   "package real\n\nimport \"testing\"\n\nfunc TestR(t *testing.T) { F() }\n",
}

// TestCgoConditions shows that a user's files are those of the user's own build, whether that has cgo or not, and the
// standard library's those without.
func TestCgoConditions(t *testing.T) {
	dir := module(t, conditioned)
	for _, cgo := range []string{"0", "1"} {
		cfg := Config{Dir: dir, Tests: true, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED="+cgo)}
		l, err := List(cfg, "./with", "./tests", "./without", "./real")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range l.Recipes {
			for i := range r.Packages {
				p := &r.Packages[i]
				if p.Std {
					if len(p.CgoFiles) > 0 || slices.Contains(p.Imports, "runtime/cgo") {
						t.Errorf("CGO_ENABLED=%s: %s of the standard library has cgo", cgo, p.ID)
					}
					continue
				}
				if got, want := slices.Concat(p.GoFiles, p.CgoFiles), native(t, cfg, p); !slices.Equal(sorted(got), sorted(want)) {
					t.Errorf("CGO_ENABLED=%s: %s has files %v, the go command says %v", cgo, p.ID, got, want)
				}
			}
		}
		if len(l.Recipes) != 4 || len(l.Errors) > 0 {
			t.Fatalf("CGO_ENABLED=%s: %d packages, want 4: %v", cgo, len(l.Recipes), l.Errors)
		}
		for i, imports := range []string{1: "net/netip", 2: "conditioned/only2"} { // by what files of cgo, or of !cgo, import
			if imports != "" && (l.Recipes[i].Package(imports) != nil) != ((cgo == "1") == (i == 1)) {
				t.Errorf("CGO_ENABLED=%s: %s imports %s, or should", cgo, l.Recipes[i].Path, imports)
			}
		}
	}
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

// native asks the go command for the files of a package, tests included if its variant has them.
func native(t *testing.T, cfg Config, p *PackageRecipe) []string {
	cmd := exec.Command("go", "list", "-json=GoFiles,CgoFiles,TestGoFiles,XTestGoFiles", "./"+filepath.Base(p.Dir))
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", p.ID, err)
	}
	var l listed
	if err := json.Unmarshal(out, &l); err != nil {
		t.Fatal(err)
	}
	switch {
	case p.Name == l.Name+"_test", filepath.Base(p.Path) == filepath.Base(p.Dir)+"_test":
		return l.XTestGoFiles
	case p.ForTest == p.Path:
		return slices.Concat(l.GoFiles, l.CgoFiles, l.TestGoFiles)
	}
	return slices.Concat(l.GoFiles, l.CgoFiles)
}

// TestPureConditions shows that a user's files are those of the user's own build, also if tags select pure Go variants,
// but where the package has assembly.
func TestPureConditions(t *testing.T) {
	constant := func(tags, value string) string {
		return "//go:build " + tags + "\n\npackage p\n\nconst Which = " + value + "\n"
	}
	dir := module(t, map[string]string{
		"go.mod":        "module example.com/pure\n\ngo 1.24\n",
		"go/a.go":       constant("purego || noasm", `"pure"`),
		"go/b.go":       constant("!purego && !noasm", `"plain"`),
		"go/b_test.go":  "//go:build !purego\n\npackage p\n\nimport \"testing\"\n\nfunc TestPlain(t *testing.T) {}\n",
		"asm/a.go":      "//go:build purego\n\npackage p\n\nimport _ \"example.com/pure/only\"\n\nconst Which = \"pure\"\n",
		"asm/b.go":      constant("!purego", `"assembly"`),
		"asm/b.s":       "//go:build !purego\n",
		"always/a.go":   constant("purego", `"pure"`),
		"always/b.go":   constant("!purego", `"assembly"`),
		"always/b.s":    "//go:build !purego\n",
		"always/c.go":   "package p\n\nimport _ \"example.com/pure/go\"\n",
		"always/cgo.go": "//go:build cgo\n\npackage p\n\nconst Cgo = 1\n",
		"only/a.go":     "//go:build purego\n\npackage only\n",
	})
	for _, test := range []struct{ cgo, tags, folder, want string }{
		{"0", "", "go", "plain"}, {"1", "", "go", "plain"}, {"1", "purego", "go", "pure"}, {"0", "noasm", "go", "pure"},
		{"0", "", "asm", "pure"}, {"1", "", "asm", "pure"}, {"0", "noasm", "asm", "pure"},
		{"0", "", "always", "pure"}, {"1", "", "always", "pure"},
	} {
		cfg := Config{Dir: dir, Tests: true, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED="+test.cgo), BuildFlags: []string{"-tags=" + test.tags}}
		p := load(t, cfg, "./"+test.folder)
		if got := p.Root.Types.Scope().Lookup("Which").(*types.Const).Val().String(); got != strconv.Quote(test.want) {
			t.Errorf("%v: Which is %s", test, got)
		}
		if cgo := p.Root.Types.Scope().Lookup("Cgo"); test.folder == "always" && (cgo != nil) != (test.cgo == "1") {
			t.Errorf("%v: Cgo is %v", test, cgo)
		}
		if got := entryNames(p); (got == "TestPlain") != (test.folder == "go" && test.tags != "purego") {
			t.Errorf("%v: entries %q", test, got)
		}
		if o := p.PackageByPath("example.com/pure/only"); (o != nil) != (test.folder == "asm") {
			t.Errorf("%v: what the pure variant imports: %v", test, o)
		}
	}
	l, err := List(Config{Dir: dir, Tests: true, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=off")}, "./...")
	if err != nil || len(l.Errors) > 0 || len(l.Recipes) != 3 {
		t.Errorf("%d packages, want 3: %v %v", len(l.Recipes), err, l.Errors)
	}
}

func TestFileAsksCgo(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]bool{
		"//go:build cgo\n\npackage p\n":                 true,
		"//go:build linux && !cgo\n\npackage p\n":       true,
		"// +build !cgo\n\npackage p\n":                 true,
		"package p\n\nimport \"C\"\n":                   true,
		"package p\n\nimport (\n\t\"C\" // why\n)\n":    true,
		"package p\n\nimport (\"fmt\"; \"C\")\n":        true,
		"//go:build linux\n\npackage p\n":               false,
		"package p\n\nvar s = \"C\" // without cgo\n":   false,
		"// about cgo\npackage p\n\nimport \"fmt\"\n":   false,
		"package p\n\n// import of C\nimport \"CGO\"\n": false,
	} {
		name := filepath.Join(dir, "x.go")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := fileAsks(name, asksCgo); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if fileAsks(filepath.Join(dir, "none.go"), asksCgo) {
		t.Error("a file that is not there asks")
	}
}
