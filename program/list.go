package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"os/exec"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Listing is what List found.
type Listing struct {
	Recipes []*Recipe // one for each package to analyse (two with Config.Mains), in the order of go list
	Errors  Errors    // packages that cannot be analysed
}

// List runs go list for the patterns and returns a recipe for each package they match. Patterns are those of `go vet`,
// or a list of .go files. What is wrong with a single package goes to Listing.Errors; the error is for a run of go list
// that failed, and for patterns that match nothing.
func List(cfg Config, patterns ...string) (*Listing, error) {
	env, err := cfg.goEnv()
	if err != nil {
		return nil, err
	}
	l := &lister{cfg: &cfg, env: env, all: map[string]*listed{}, made: map[string]PackageRecipe{}}
	if err := l.run(patterns, "0", stdTags); err != nil {
		return nil, err
	}
	if err := l.addUsers(patterns); err != nil {
		return nil, err
	}
	return l.listing(patterns)
}

// listed is the part of go list's answer that recipes need.
type listed struct {
	ImportPath, Name, Dir, ForTest  string
	GoFiles, CgoFiles, EmbedFiles   []string
	IgnoredGoFiles, SFiles          []string
	TestEmbedFiles, XTestEmbedFiles []string
	TestGoFiles, XTestGoFiles       []string
	Imports                         []string
	ImportMap                       map[string]string
	Standard, DepOnly               bool
	DefaultGODEBUG                  string
	Module                          *struct{ Path, GoVersion string }
	Error                           *listError
	DepsErrors                      []*listError
	InvalidGoFiles                  []string
}

type listError struct {
	ImportStack []string
	Pos, Err    string
}

const listFields = "ImportPath,Name,Dir,ForTest,GoFiles,CgoFiles,EmbedFiles,IgnoredGoFiles,SFiles,TestEmbedFiles,XTestEmbedFiles," +
	"TestGoFiles,XTestGoFiles,Imports,ImportMap,Standard,DepOnly,DefaultGODEBUG,Module,Error,DepsErrors,InvalidGoFiles"

// lister gathers one run's packages and makes recipes of them.
type lister struct {
	cfg  *Config
	env  *goEnv
	all  map[string]*listed
	list []*listed // in go list's order
	made map[string]PackageRecipe
}

// run calls go list once, with cgo or without ("1" or "0") and with some tags beside the user's, and adds what it
// prints.
func (l *lister) run(patterns []string, cgo string, tags []string) error {
	args := []string{"list", "-e", "-deps", "-pgo=off", "-json=" + listFields}
	if l.cfg.Tests {
		args = append(args, "-test")
	}
	args = append(args, l.env.buildFlags(l.cfg, tags)...)
	args = append(append(args, "--"), patterns...)
	cmd := exec.Command("go", args...)
	cmd.Dir = l.cfg.Dir
	cmd.Env = l.cfg.environ("CGO_ENABLED=" + cgo)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return goError("list", err, stderr.String())
	}
	dec := json.NewDecoder(&stdout)
	for {
		p := new(listed)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("go list: cannot read its output: %w", err)
		}
		if l.all[p.ImportPath] == nil {
			l.all[p.ImportPath] = p
			l.list = append(l.list, p)
		}
	}
	if len(l.list) == 0 {
		msg := strings.TrimSpace(stderr.String())
		if msg == "" {
			msg = fmt.Sprintf("%s matched no packages", strings.Join(patterns, " "))
		}
		return fmt.Errorf("no packages to check: %s", oneLine(strings.TrimPrefix(msg, "go: ")))
	}
	return nil
}

const noModule = "there is no go.mod in this folder or above; run heddle in a folder of a module (go mod init makes one)"

// goError describes a failed run of the go command by what it printed.
func goError(verb string, err error, stderr string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("go %s: the go command is not on PATH: install Go or add its bin folder to PATH: %w", verb, err)
	}
	if strings.Contains(stderr, "go.mod file not found") {
		return errors.New(noModule)
	}
	if msg := oneLine(stderr); msg != "" {
		return fmt.Errorf("go %s: %s", verb, strings.TrimPrefix(msg, "go: "))
	}
	return fmt.Errorf("go %s: %w", verb, err)
}

// listing makes the recipes of all packages that the patterns name.
func (l *lister) listing(patterns []string) (*Listing, error) {
	out := &Listing{}
	for _, p := range l.list {
		if p.DepOnly || p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") && l.all[strings.TrimSuffix(p.ImportPath, ".test")] != nil {
			continue
		}
		test := l.all[p.ImportPath+".test"]
		ids := []string{p.ImportPath}
		if v := p.ImportPath + " [" + p.ImportPath + ".test]"; test != nil && l.all[v] != nil {
			ids[0] = v
		}
		xtest := ""
		if x := p.ImportPath + "_test [" + p.ImportPath + ".test]"; test != nil && l.all[x] != nil {
			xtest = x
			ids = append(ids, x)
		}
		if errs := l.errorsOf(p, ids); len(errs) > 0 {
			out.Errors = append(out.Errors, errs...)
			continue
		}
		r := &Recipe{Path: p.ImportPath, Root: ids[0], XTest: xtest, HasTests: test != nil, GODEBUG: p.DefaultGODEBUG}
		if test != nil {
			r.GODEBUG = test.DefaultGODEBUG
		}
		r.Main = p.Name == "main" && test == nil
		recipes := []*Recipe{r}
		if p.Name == "main" && test != nil && l.cfg.Mains {
			recipes = append(recipes, &Recipe{Path: p.ImportPath, Root: p.ImportPath, Main: true, GODEBUG: p.DefaultGODEBUG})
		}
		for _, r := range recipes {
			if err := l.fill(r); err != nil {
				var e *Error
				if !errors.As(err, &e) {
					return nil, err
				}
				out.Errors = append(out.Errors, e)
				continue
			}
			out.Recipes = append(out.Recipes, r)
		}
	}
	if len(out.Recipes) == 0 && len(out.Errors) == 0 {
		return nil, fmt.Errorf("no packages to check: %s matched no packages", strings.Join(patterns, " "))
	}
	return out, nil
}

// fill adds the closure to a recipe.
func (l *lister) fill(r *Recipe) error {
	r.GoVersion, r.GOOS, r.GOARCH = l.env.GOVERSION, l.env.GOOS, l.env.GOARCH
	byID := map[string]PackageRecipe{}
	var missing []string
	var visit func(id string) error
	visit = func(id string) error {
		if _, ok := byID[id]; ok || id == "" || id == "C" {
			return nil
		}
		p := l.all[id]
		if p == nil {
			missing = append(missing, id)
			return nil
		}
		pr, err := l.recipe(p, id == r.Root || id == r.XTest)
		if err != nil {
			return err
		}
		byID[id] = pr
		for _, imp := range pr.Imports {
			if err := visit(imp); err != nil {
				return err
			}
		}
		return nil
	}
	extra := make([]string, len(l.cfg.Extra))
	for i, id := range l.cfg.Extra {
		extra[i] = id
		if v := id + " [" + r.Path + ".test]"; !r.Main && l.all[v] != nil {
			extra[i] = v // what the package under test is imported by is compiled again for it
		}
		if id == r.Path {
			extra[i] = r.Root
		}
	}
	for _, id := range append([]string{r.Root, r.XTest}, extra...) {
		if err := visit(id); err != nil {
			return err
		}
	}
	if len(missing) > 0 { // Extra packages that nothing imports, or what cgo files import
		std, _, err := stdClosure(*l.cfg, missing, byID)
		if err != nil {
			return err
		}
		for _, p := range std {
			byID[p.ID] = p
		}
	}
	r.setPackages(byID, append(extra, "unsafe")...)
	return nil
}

// recipe makes the entry of one listed package, once. root says that it is the one to analyse. Then it does not count
// as standard, even if it is.
func (l *lister) recipe(p *listed, root bool) (PackageRecipe, error) {
	std := p.Standard && !root
	key := fmt.Sprint(std, p.ImportPath)
	if pr, ok := l.made[key]; ok {
		return pr, nil
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	pr := PackageRecipe{
		ID: p.ImportPath, Path: path, Name: p.Name, Dir: p.Dir, GoFiles: p.GoFiles, CgoFiles: p.CgoFiles,
		EmbedFiles: p.EmbedFiles, ImportMap: p.ImportMap, Imports: p.Imports,
		Std: std, ForTest: p.ForTest,
	}
	if !std {
		pr.SetAssembly(p.SFiles)
	}
	if p.ForTest == path {
		pr.EmbedFiles = slices.Concat(p.EmbedFiles, p.TestEmbedFiles) // both may name one
		slices.Sort(pr.EmbedFiles)
		pr.EmbedFiles = slices.Compact(pr.EmbedFiles)
	}
	switch {
	case p.Standard, p.Module == nil:
		pr.GoVersion = langVersion(l.env.GOVERSION)
	case p.Module.GoVersion == "":
		pr.GoVersion = "go1.16" // what the go command takes a go.mod without go line for
	default:
		pr.GoVersion = "go" + p.Module.GoVersion
	}
	if err := pr.SetDigest(l.env.GOVERSION); err != nil {
		return pr, err
	}
	l.made[key] = pr
	return pr, nil
}

// errorsOf returns what go list says is wrong with p, its variants, or what they depend on.
func (l *lister) errorsOf(p *listed, ids []string) Errors {
	var errs Errors
	seen := map[string]bool{}
	add := func(path string, e *listError) {
		if e == nil || seen[e.Pos+e.Err] {
			return
		}
		seen[e.Pos+e.Err] = true
		at, msg := listMessage(e.Err)
		if l.env.GOMOD == os.DevNull && strings.Contains(msg, "does not contain main module") {
			msg = noModule
		}
		if e.Pos != "" {
			at = e.Pos
		}
		errs = append(errs, &Error{Path: path, Pos: parsePos(at, l.cfg.Dir), Msg: msg})
	}
	for _, id := range append([]string{p.ImportPath}, ids...) {
		q := l.all[id]
		add(p.ImportPath, q.Error)
		if q.Error == nil {
			for _, e := range q.DepsErrors {
				add(p.ImportPath, e)
			}
		}
	}
	if t := l.all[p.ImportPath+".test"]; t != nil && len(errs) == 0 {
		add(p.ImportPath, t.Error)
	}
	sort.SliceStable(errs, func(i, j int) bool { return lessPos(errs[i].Pos, errs[j].Pos) })
	return errs
}

// otherModule are what the go command says of a package that is of no module, or of another one than that of the
// current folder.
var otherModule = []string{"outside main module", "does not contain main module", "does not contain modules listed in go.work", "does not contain package"}

// listMessage makes one line of a message of go list, and takes off the position that some start with.
func listMessage(text string) (pos, msg string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue // "# package" heads a list of errors
		}
		if i := strings.Index(line, ".go:"); i >= 0 {
			if at, rest, ok := strings.Cut(line[i:], ": "); ok && !strings.ContainsAny(line[:i], " \t") {
				return line[:i] + at, rest
			}
		}
		if strings.HasSuffix(line, ":") {
			break // what to do about it is on the next lines
		}
		if slices.ContainsFunc(otherModule, func(s string) bool { return strings.Contains(line, s) }) {
			line += "; run heddle in a folder of its module"
		}
		return "", line
	}
	return "", oneLine(text)
}

// parsePos reads the "file:line:col" of go list.
func parsePos(s, dir string) token.Position {
	var pos token.Position
	rest := s
	var nums []int
	for len(nums) < 2 {
		i := strings.LastIndexByte(rest, ':')
		if i < 0 {
			break
		}
		n, err := strconv.Atoi(rest[i+1:])
		if err != nil {
			break
		}
		nums, rest = append(nums, n), rest[:i]
	}
	pos.Filename = rest
	switch len(nums) {
	case 1:
		pos.Line = nums[0]
	case 2:
		pos.Line, pos.Column = nums[1], nums[0]
	}
	if pos.Filename != "" {
		pos.Filename = absPath(pos.Filename, dir)
	}
	return pos
}

func lessPos(a, b token.Position) bool {
	if a.Filename != b.Filename {
		return a.Filename < b.Filename
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}
