package program

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/heddle-go/heddle/program/assembly"
)

// A Recipe is what one closed program is made of. It is plain data, fit for encoding/json and encoding/gob, and
// the same sources give the same bytes.
type Recipe struct {
	Path     string // import path of the analysed package
	Root     string // ID of the package without or with in-package tests, whichever the program holds
	XTest    string // ID of the external test package; "" if none
	Main     bool   // the entry is func main, not the tests
	HasTests bool   // some _test.go file belongs to the program

	GoVersion string // of the toolchain, such as "go1.26.1"
	GOOS      string
	GOARCH    string
	GODEBUG   string // the settings in force by go line and //go:debug, as "a=1,b=0"

	// Packages are the closure, sorted by ID. A package of the standard library stands here as selected
	// by Heddle's own build context.
	Packages []PackageRecipe

	// Digest is a hash of all the above, file contents of user packages included. Those of the standard
	// library are represented by GoVersion.
	Digest string
}

// A PackageRecipe is the part of one package in a recipe.
type PackageRecipe struct {
	ID         string            // import path, and variant if there is one: "p [p.test]"
	Path       string            // import path alone: "p"
	Name       string            // as in the package clause
	Dir        string            // absolute
	GoFiles    []string          // names in Dir (or absolute), in the order of compilation, test files included
	CgoFiles   []string          `json:",omitempty"` // raw files that import "C"
	EmbedFiles []string          `json:",omitempty"` // names below Dir that //go:embed patterns match
	SFiles     []string          `json:",omitempty"` // assembly; of user packages alone
	Includes   []string          `json:",omitempty"` // files in Dir that SFiles include
	ImportMap  map[string]string `json:",omitempty"` // import as written -> ID, where they differ
	Imports    []string          `json:",omitempty"` // IDs
	GoVersion  string            // language version, such as "go1.24"
	Std        bool              `json:",omitempty"` // of the standard library, and not under test
	ForTest    string            `json:",omitempty"` // the package whose test binary this variant belongs to
	Digest     string            // hash of file contents

	// Edits holds other contents for files of GoFiles, by the name there. See [Recipe.Edit].
	Edits map[string][]byte `json:",omitempty"`
}

// HasEntries reports whether the program may have an entry at all.
func (r *Recipe) HasEntries() bool { return r.Main || r.HasTests }

// Package returns the entry with the given ID, or nil.
func (r *Recipe) Package(id string) *PackageRecipe {
	i := sort.Search(len(r.Packages), func(i int) bool { return r.Packages[i].ID >= id })
	if i < len(r.Packages) && r.Packages[i].ID == id {
		return &r.Packages[i]
	}
	return nil
}

// Compose makes the recipe of root from its own entry and the recipes of packages it depends on, without the go
// command. What the dependencies share is kept once. A tool may have chosen not to carry the standard library in facts:
// [Recipe.Complete] reads packages that neither names from GOROOT.
func Compose(root PackageRecipe, deps []*Recipe) *Recipe {
	r := &Recipe{Path: root.Path, Root: root.ID, Main: root.Name == "main"}
	byID := map[string]PackageRecipe{root.ID: root}
	for _, d := range deps {
		for _, p := range d.Packages {
			if _, ok := byID[p.ID]; !ok {
				byID[p.ID] = p
			}
		}
		if r.GoVersion == "" {
			r.GoVersion, r.GOOS, r.GOARCH = d.GoVersion, d.GOOS, d.GOARCH
		}
	}
	r.setPackages(byID)
	for _, f := range root.GoFiles {
		if strings.HasSuffix(f, "_test.go") {
			r.HasTests, r.Main = true, false
		}
	}
	return r
}

// AddXTest adds the external test package, which the recipe of a vet unit lacks: the unit of p does not hold p_test's
// files.
func (r *Recipe) AddXTest(x PackageRecipe, deps []*Recipe) {
	byID := map[string]PackageRecipe{x.ID: x}
	for _, p := range r.Packages {
		byID[p.ID] = p
	}
	for _, d := range deps {
		for _, p := range d.Packages {
			if _, ok := byID[p.ID]; !ok {
				byID[p.ID] = p
			}
		}
	}
	r.XTest, r.HasTests, r.Main = x.ID, true, false
	r.setPackages(byID)
}

// Complete adds the standard packages that the recipe's packages and cfg.Extra import and that it does not name yet.
func (r *Recipe) Complete(cfg Config) error {
	byID := make(map[string]PackageRecipe, len(r.Packages))
	for _, p := range r.Packages {
		byID[p.ID] = p
	}
	want := append([]string(nil), cfg.Extra...)
	for _, p := range r.Packages {
		for _, imp := range p.Imports {
			if _, ok := byID[imp]; !ok && imp != "C" {
				want = append(want, imp)
			}
		}
	}
	std, env, err := stdClosure(cfg, want, byID)
	if err != nil {
		return err
	}
	for _, p := range std {
		byID[p.ID] = p
	}
	r.GoVersion, r.GOOS, r.GOARCH = env.GOVERSION, env.GOOS, env.GOARCH
	r.setPackages(byID)
	return nil
}

// setPackages takes the closure of the recipe's roots out of byID, and computes the digest.
func (r *Recipe) setPackages(byID map[string]PackageRecipe, extra ...string) {
	seen := make(map[string]bool)
	var ids []string
	var visit func(id string)
	visit = func(id string) {
		p, ok := byID[id]
		if !ok || seen[id] {
			return
		}
		seen[id] = true
		ids = append(ids, id)
		for _, imp := range p.Imports {
			visit(imp)
		}
	}
	visit(r.Root)
	visit(r.XTest)
	for _, e := range extra {
		visit(e)
	}
	if len(extra) == 0 { // composed: what the parts hold stays
		for id := range byID {
			visit(id)
		}
	}
	sort.Strings(ids)
	r.Packages = make([]PackageRecipe, len(ids))
	for i, id := range ids {
		r.Packages[i] = byID[id]
	}
	r.setDigest()
}

func (r *Recipe) setDigest() {
	h := sha256.New()
	put(h, "heddle recipe 1", r.Path, r.Root, r.XTest, fmt.Sprint(r.Main, r.HasTests), r.GoVersion, r.GOOS, r.GOARCH, r.GODEBUG)
	for i := range r.Packages {
		p := &r.Packages[i]
		put(h, p.ID, p.Path, p.Name, p.GoVersion, fmt.Sprint(p.Std), p.Digest)
		put(h, p.Imports...)
	}
	r.Digest = hex.EncodeToString(h.Sum(nil)[:16])
}

// SetDigest computes p.Digest from the contents of the package's files. For a package of the standard library it takes
// the toolchain's version and the files' names, because GOROOT does not change under a version.
func (p *PackageRecipe) SetDigest(toolchain string) error {
	h := sha256.New()
	for i, list := range p.Inputs() {
		if i > 2 && len(list) == 0 {
			continue // tokens hold digests: most packages have no assembly
		}
		put(h, fmt.Sprint(len(list)))
		for _, name := range list {
			if p.Std {
				put(h, name)
				continue
			}
			data, err := os.ReadFile(p.File(name))
			if err != nil {
				return &Error{Path: p.Path, Msg: fmt.Sprintf("cannot read a source file: %v", err)}
			}
			put(h, name, string(data))
		}
	}
	if p.Std {
		put(h, toolchain, p.Path)
	}
	p.Digest = hex.EncodeToString(h.Sum(nil)[:16])
	return nil
}

// Inputs are the names of all files that the package is made of.
func (p *PackageRecipe) Inputs() [][]string {
	return [][]string{p.GoFiles, p.CgoFiles, p.EmbedFiles, p.SFiles, p.Includes}
}

// SetAssembly sets the assembly files of a package.
func (p *PackageRecipe) SetAssembly(names []string) {
	p.SFiles, p.Includes = names, assembly.Included(p.Dir, names)
}

// Files returns the paths of the package's Go files.
func (p *PackageRecipe) Files() []string {
	var names []string
	for _, name := range p.GoFiles {
		names = append(names, p.File(name))
	}
	return names
}

// File returns the path of one of the package's files.
func (p *PackageRecipe) File(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, name)
}

// imported returns the ID of the package that an import path written in p's source stands for.
func (p *PackageRecipe) imported(path string) string {
	if id, ok := p.ImportMap[path]; ok {
		return id
	}
	return path
}

// put hashes strings with their lengths, so that no two lists hash alike.
func put(h hash.Hash, parts ...string) {
	for _, s := range parts {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
}
