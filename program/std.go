package program

import (
	"fmt"
	"go/build"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// stdClosure returns the entries of the standard packages that paths reach, but for those in has. Heddle's own build
// context selects them, without go list (it asks `go env` once). A vet unit's own view of the standard library has cgo
// and assembly; this is how it gets its closure.
func stdClosure(cfg Config, paths []string, has map[string]PackageRecipe) ([]PackageRecipe, *goEnv, error) {
	env, err := cfg.goEnv()
	if err != nil {
		return nil, nil, err
	}
	ctx := env.context()
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

// context is the build context of the standard library: the user's target and tags, and ours, without cgo.
func (e *goEnv) context() *build.Context {
	ctx := build.Default
	ctx.GOROOT, ctx.GOOS, ctx.GOARCH = e.GOROOT, e.GOOS, e.GOARCH
	ctx.CgoEnabled = false
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
