package heddle

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/heddle-go/heddle"

// depsRules is the import order of the rooms: one way through the house. It is a
// statement of policy, modelled on src/go/build/deps_test.go of the Go tree.
// Do not change it to make a build pass; docs/ says why the order is what it is.
//
// "a < b" means that b may import a, and what a may import. "a, b < c, d" means that c and d may import a and b, but
// neither a and b each other nor c and d. A package that is not named belongs to
// the room of its nearest parent that is; packages of a room may import each other.
const depsRules = `
	NONE < program/assembly, program/gcorder, program/tables < program;
	NONE < mcrs/solver;
	NONE < mcrs/verdict;

	NONE
	< mcrs/event
	< mcrs/seed, mcrs/trace;

	# The solver knows no events; the two meet in constraint.
	mcrs/seed, mcrs/trace < mcrs/sched, mcrs/report;
	mcrs/trace < mcrs/race;
	mcrs/trace < mcrs/constraint/prior;
	mcrs/seed, mcrs/constraint/prior, mcrs/solver < mcrs/constraint;

	# The compiler to register code knows layouts of memory, and no goroutines.
	NONE < mcrs/machine/mem < mcrs/machine/layout;
	mcrs/event, mcrs/machine/layout < mcrs/machine/code;
	mcrs/trace, mcrs/machine/code < mcrs/machine/flow;

	# What the machine has of a computer, and of the standard library's sources.
	NONE < mcrs/machine/kernel;
	NONE < mcrs/machine/inet < mcrs/machine/overlay;
	mcrs/machine/layout < mcrs/machine/rtype;

	# The machine runs what package program closes. At the bottom is the state of a run, on top the boundary.
	program, mcrs/sched, mcrs/machine/flow, mcrs/machine/rtype, mcrs/machine/kernel, mcrs/machine/inet
	< mcrs/machine/vm
	< mcrs/machine/goroutine, mcrs/machine/tests;
	mcrs/machine/goroutine < mcrs/machine/access, mcrs/machine/objects, mcrs/machine/host;
	mcrs/machine/objects < mcrs/machine/naming;
	mcrs/machine/access < mcrs/machine/prim;
	mcrs/machine/naming, mcrs/machine/prim
	< mcrs/machine/clock
	< mcrs/machine/interp, mcrs/machine/loop;
	mcrs/machine/interp < mcrs/machine/reflects;
	mcrs/machine/reflects, mcrs/machine/loop, mcrs/machine/host, mcrs/machine/tests, mcrs/machine/overlay
	< mcrs/machine/boundary;
	mcrs/machine/boundary, mcrs/report
	< mcrs/machine
	< mcrs/oracle;


	# Explorers know neither the machine nor the oracle that judges them. Tests may.
	mcrs/sched < mcrs/explore/causality;
	mcrs/explore/causality, mcrs/report, mcrs/race, mcrs/verdict
	< mcrs/explore
	< mcrs/explore/systematic, mcrs/explore/icb, mcrs/explore/delay, mcrs/explore/sample, mcrs/explore/plain, mcrs/explore/meet, mcrs/explore/team
	< mcrs/explore/union;
	mcrs/explore, mcrs/constraint < mcrs/explore/predict < mcrs/explore/aimed, mcrs/explore/union;

	# What all executions say, the specification on top of it, and the two that use it: to learn, and to leave out.
	mcrs/sched < mcrs/explore/known < mcrs/explore/spec < mcrs/explore/beside;
	mcrs/explore/spec, mcrs/explore/beside
	< mcrs/explore/learn, mcrs/explore/reduce, mcrs/explore/settled
	< mcrs/explore/union;
	mcrs/explore/union, mcrs/constraint
	< mcrs/explore/mcr
	< mcrs/explore/formula
	< mcrs/explore/explorers;
	mcrs/explore/aimed < mcrs/explore/explorers;

	# A machine for tiny programs, and what tests of explorers share.
	mcrs/sched < mcrs/litmus;
	NONE < analysistest/long;
	NONE < analysistest/edits;
	mcrs/litmus, mcrs/oracle, analysistest/long < mcrs/litmus/litmustest;

	# The audit of what explorers call independent, and of the names of states. Tests and commands of internal import it.
	mcrs/explore/union, mcrs/oracle < mcrs/audit;
	mcrs/audit, mcrs/explore/explorers, mcrs/litmus/litmustest < analysistest;

	# sdg knows nothing of mcrs, and mcrs nothing of sdg: depends joins them.
	program < sdg;
	program < passes/sequential;

	NONE < passes/internal/analyzerdoc;

	passes/internal/analyzerdoc, mcrs/oracle, mcrs/explore < passes/closure;
	passes/internal/analyzerdoc, sdg < passes/buildsdg;
	passes/closure < passes/buildsdg;
	passes/buildsdg, mcrs/explore/formula < passes/depends;

	# fix proposes edits, and exploration proves them.
	mcrs/report < passes/fix;

	NONE < passes/suppress, passes/baseline;

	# cache keeps verdicts.
	program, mcrs/explore < passes/cache;

	mcrs/explore/explorers, passes/cache, passes/closure, passes/depends, passes/sequential, passes/fix, passes/suppress,
	passes/baseline
	< passes/exploration
	< passes/datarace, passes/deadlock, passes/goroutineleak, passes/livelock, passes/panics, passes/robustness, passes/testfailure
	< passes
	< runner/driver
	< runner/since
	< analysistest, runner;

	# internal holds tools for development, such as scores on real modules. It is a module of its own.
	analysistest, analysistest/edits, runner < internal;
	analysistest, runner < cmd;
`

func TestDependencies(t *testing.T) {
	allowed, err := parseRules(depsRules)
	if err != nil {
		t.Fatal(err)
	}
	imports := ownImports(t)
	if len(imports) == 0 {
		t.Fatal("no package was found: is the test run in the module's root?")
	}
	for _, pkg := range slices.Sorted(maps.Keys(imports)) {
		room := roomOf(pkg, allowed)
		if room == "" {
			t.Errorf("package %s is in no room of depsRules: add it where it belongs in the import order", pkg)
			continue
		}
		for _, imp := range imports[pkg] {
			if to := roomOf(imp.path, allowed); to != room && !allowed[room][to] {
				t.Errorf("%s: %s imports %s, which does not stand left of it in the import order", imp.file, pkg, imp.path)
			}
		}
	}
}

type ownImport struct{ path, file string }

// ownImports returns the imports that packages of this module have of each
// other, for all build tags, test files left out. Paths are relative to the module.
func ownImports(t *testing.T) map[string][]ownImport {
	out := map[string][]ownImport{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if name != "." && (base == "testdata" || base == "examples" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(name))
		out[pkg] = slices.Clip(out[pkg]) // a package without imports is one too
		for _, spec := range f.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if rel, ok := strings.CutPrefix(imp, module+"/"); ok {
				out[pkg] = append(out[pkg], ownImport{rel, name})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// roomOf returns the room of a package: itself or its nearest parent that the rules name.
func roomOf(pkg string, rooms map[string]map[string]bool) string {
	for ; pkg != "."; pkg = path.Dir(pkg) {
		if rooms[pkg] != nil {
			return pkg
		}
	}
	return ""
}

// parseRules returns for each room the rooms it may import.
func parseRules(text string) (map[string]map[string]bool, error) {
	rooms := map[string]map[string]bool{}
	var clean strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		clean.WriteString(line + " ")
	}
	for rule := range strings.SplitSeq(clean.String(), ";") {
		if strings.TrimSpace(rule) == "" {
			continue
		}
		levels := strings.Split(rule, "<")
		if len(levels) < 2 {
			return nil, fmt.Errorf("rule without <: %s", rule)
		}
		var left []string
		for _, level := range levels {
			var names []string
			for name := range strings.SplitSeq(level, ",") {
				if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, " \t\n") {
					return nil, fmt.Errorf("malformed rule: %s", rule)
				}
				if name != "NONE" {
					names = append(names, name)
				}
			}
			for _, name := range names {
				if rooms[name] == nil {
					rooms[name] = map[string]bool{}
				}
				for _, l := range left {
					rooms[name][l] = true
				}
			}
			left = names
		}
	}
	closure(rooms)
	for name, may := range rooms {
		if may[name] {
			return nil, fmt.Errorf("%s stands left of itself", name)
		}
	}
	return rooms, nil
}

// closure makes the relation transitive.
func closure(rooms map[string]map[string]bool) {
	for changed := true; changed; {
		changed = false
		for _, may := range rooms {
			for mid := range maps.Clone(may) {
				for l := range rooms[mid] {
					changed = changed || !may[l]
					may[l] = true
				}
			}
		}
	}
}

func TestRules(t *testing.T) {
	rooms, err := parseRules("NONE < a, b; # comment\n a < c < d; b < d")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		room, imp string
		want      bool
	}{
		{"c", "a", true}, {"d", "a", true}, {"d", "b", true}, {"c", "b", false}, {"a", "b", false}, {"a", "d", false},
	} {
		if got := rooms[tt.room][tt.imp]; got != tt.want {
			t.Errorf("%s may import %s: %v, want %v", tt.room, tt.imp, got, tt.want)
		}
	}
	if room := roomOf("a/b/c", rooms); room != "a" {
		t.Errorf("a/b/c is in room %q, want a", room)
	}
	for _, bad := range []string{"a", "a < ", "a < b; b < a", "a b < c"} {
		if _, err := parseRules(bad); err == nil {
			t.Errorf("parseRules(%q) gave no error", bad)
		}
	}
}

// TestInstall checks what go install ./... leaves in a user's folder of binaries: heddle, and no tool for work on
// Heddle. Those are in modules of their own. It also checks that there are no replacements: with one, go install
// github.com/heddle-go/heddle/cmd/heddle@version refuses the module.
func TestInstall(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		if word, _, _ := strings.Cut(line, " "); word == "replace" || word == "exclude" {
			t.Errorf("go.mod: %s: go install with a version refuses it", strings.TrimSpace(line))
		}
	}
	if _, err := os.Stat("go.work"); err == nil {
		t.Error("go.work: with a workspace the go command refuses the modules of testdata, which tests load from their folders")
	}
	commands, modules := []string{}, []string{}
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case name != "." && (d.Name() == "testdata" || d.Name()[0] == '.' || d.Name()[0] == '_'):
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != "." {
			modules = append(modules, filepath.ToSlash(name))
			return fs.SkipDir
		}
		if p, err := build.ImportDir(name, 0); err == nil && p.Name == "main" {
			commands = append(commands, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"cmd/heddle"}; !slices.Equal(commands, want) {
		t.Errorf("go install ./... installs %q, want %q: a tool for work on Heddle belongs into internal", commands, want)
	}
	if want := []string{"internal", "runner/gclplugin"}; !slices.Equal(modules, want) {
		t.Errorf("modules below the root: %q, want %q", modules, want)
	}
}
