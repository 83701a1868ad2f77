package program

import (
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// Std returns the entries of standard packages and all they import, selected by Heddle's own build context, without
// go list (it asks `go env` once). That is how a vet unit, whose own view of the standard library has cgo and assembly, gets its closure.
func Std(cfg Config, paths ...string) ([]PackageRecipe, error) {
	pkgs, _, err := stdClosure(cfg, paths, nil)
	return pkgs, err
}

// stdClosure returns the entries of the standard packages that paths reach, without those that have has.
func stdClosure(cfg Config, paths []string, has map[string]PackageRecipe) ([]PackageRecipe, *goEnv, error) {
	env, err := cfg.goEnv()
	if err != nil {
		return nil, nil, err
	}
	ctx := env.context(false)
	seen := map[string]bool{}
	var out []PackageRecipe
	work := append([]string(nil), paths...)
	for len(work) > 0 {
		path := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ok := has[path]; ok || seen[path] || path == "C" {
			continue
		}
		seen[path] = true
		p, err := env.stdPackage(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, p)
		work = append(work, p.Imports...)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out, env, nil
}

// context is the build context of the listing: the user's target and tags, and ours.
func (e *goEnv) context(cgo bool) *build.Context {
	ctx := build.Default
	ctx.GOROOT, ctx.GOOS, ctx.GOARCH = e.GOROOT, e.GOOS, e.GOARCH
	ctx.CgoEnabled = cgo
	ctx.ReleaseTags = releaseTags(e.GOVERSION)
	ctx.BuildTags = append(append([]string(nil), e.tags...), stdTags...)
	return &ctx
}

// releaseTags returns "go1.1" up to the toolchain's own version, which need not be the one that built Heddle.
func releaseTags(toolchain string) []string {
	minor, err := strconv.Atoi(strings.TrimPrefix(langVersion(toolchain), "go1."))
	if err != nil {
		return build.Default.ReleaseTags
	}
	tags := make([]string, minor)
	for i := range tags {
		tags[i] = "go1." + strconv.Itoa(i+1)
	}
	return tags
}

// stdPackage reads one package of GOROOT/src.
func (e *goEnv) stdPackage(ctx *build.Context, path string) (PackageRecipe, error) {
	if path == "unsafe" {
		return e.unsafePackage()
	}
	dir := filepath.Join(e.GOROOT, "src", filepath.FromSlash(path))
	bp, err := ctx.ImportDir(dir, 0)
	if err != nil {
		return PackageRecipe{}, &Error{Path: path, Msg: fmt.Sprintf("package %s is not in the recipe and cannot be read from GOROOT: %v", path, err)}
	}
	p := PackageRecipe{
		ID: path, Path: path, Name: bp.Name, Dir: dir, GoFiles: bp.GoFiles, Std: true, GoVersion: langVersion(e.GOVERSION),
	}
	for _, imp := range bp.Imports {
		id := imp
		if strings.HasPrefix(imp, "golang.org/x/") { // the standard library's vendor folder
			id = "vendor/" + imp
			if p.ImportMap == nil {
				p.ImportMap = map[string]string{}
			}
			p.ImportMap[imp] = id
		}
		p.Imports = append(p.Imports, id)
	}
	sort.Strings(p.Imports)
	return p, p.SetDigest(e.GOVERSION)
}

func (e *goEnv) unsafePackage() (PackageRecipe, error) {
	p := PackageRecipe{ID: "unsafe", Path: "unsafe", Name: "unsafe", Dir: filepath.Join(e.GOROOT, "src", "unsafe"),
		GoFiles: []string{"unsafe.go"}, Std: true, GoVersion: langVersion(e.GOVERSION)}
	return p, p.SetDigest(e.GOVERSION)
}

// addCgo corrects the selection of user packages with cgo. Everything was listed with CGO_ENABLED=0, which is right for
// the standard library but hides a user's files that import "C". A package with such files is selected again as the
// user's go command would.
func (l *lister) addCgo() error {
	if l.env.CGO_ENABLED == "0" {
		return nil
	}
	var ctx *build.Context
	missing := map[string]bool{}
	for _, p := range l.list {
		if p.Standard || len(p.IgnoredGoFiles) == 0 || strings.HasSuffix(p.ImportPath, ".test") || !importsC(p) {
			continue
		}
		if ctx == nil {
			ctx = l.env.context(true)
		}
		bp, err := ctx.ImportDir(p.Dir, 0)
		var none *build.NoGoError
		if errors.As(err, &none) || err != nil || len(bp.CgoFiles) == 0 {
			continue
		}
		tests := []string(nil)
		for _, f := range p.GoFiles {
			if strings.HasSuffix(f, "_test.go") {
				tests = append(tests, f)
			}
		}
		l.cgo = append(l.cgo, p.Dir)
		p.Name, p.GoFiles, p.CgoFiles, p.Error = bp.Name, append(bp.GoFiles, tests...), bp.CgoFiles, nil
		have := map[string]bool{}
		for _, imp := range p.Imports {
			have[imp] = true
		}
		for _, imp := range bp.Imports {
			if id, ok := p.ImportMap[imp]; ok {
				imp = id
			}
			if imp != "C" && !have[imp] {
				p.Imports = append(p.Imports, imp)
				if l.all[imp] == nil {
					missing[imp] = true
				}
			}
		}
	}
	var user []string
	for imp := range missing {
		if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") {
			user = append(user, imp)
		}
	}
	if len(user) == 0 {
		return nil
	}
	sort.Strings(user)
	n := len(l.list)
	tests := l.cfg.Tests
	l.cfg.Tests = false
	err := l.run(user)
	l.cfg.Tests = tests
	for _, p := range l.list[n:] {
		p.DepOnly = true
	}
	return err
}

// onlyCgo reports whether e complains that a package has no files without cgo, where addCgo has found it some.
func (l *lister) onlyCgo(e *listError) bool {
	for _, dir := range l.cgo {
		if strings.Contains(e.Err, "build constraints exclude all Go files in "+dir) {
			return true
		}
	}
	return false
}

// importsC reports whether one of the files that CGO_ENABLED=0 hides imports "C".
func importsC(p *listed) bool {
	fset := token.NewFileSet()
	for _, name := range p.IgnoredGoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, imp := range f.Imports {
			if path, _ := strconv.Unquote(imp.Path.Value); path == "C" {
				return true
			}
		}
	}
	return false
}
