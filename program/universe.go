package program

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/program/assembly"
)

// A Universe holds the packages that the programs of one run share. Its methods are safe for concurrent use.
type Universe struct {
	cfg  Config
	fset *token.FileSet
	prog *ssa.Program

	// ssaMu is held for writing while packages are created in prog, and for reading while anything else uses prog:
	// ssa.Program.CreatePackage is the one operation that is not safe beside the others.
	ssaMu sync.RWMutex
	built sync.Map // *ssa.Function -> *sync.Once
	// broken holds what BuildAhead panicked with, by package: a second Build of one would find it half built.
	broken sync.Map

	late     sync.Map   // *ast.FuncDecl without its body -> *lateBody
	lateMu   sync.Mutex // held while one is type-checked
	declared sync.Map   // *ssa.Function that holds a late body -> *ssa.Function whose body it is

	shared sync.Map // see Program.Shared

	mu    sync.Mutex        // held during Build
	cache map[string]*entry // by cacheKeys
	byTyp sync.Map          // *types.Package -> *Package
}

// entry is a package in the making. done is closed when pkg or err is set.
type entry struct {
	recipe *PackageRecipe
	key    string            // in Universe.cache
	deps   map[string]*entry // import path as written -> package
	done   chan struct{}
	pkg    *Package
	err    error
	fresh  bool // type-checked, but not yet created in the ssa.Program
}

// NewUniverse returns an empty universe.
func NewUniverse(cfg Config) *Universe {
	fset := token.NewFileSet()
	return &Universe{
		cfg:   cfg,
		fset:  fset,
		prog:  ssa.NewProgram(fset, ssa.InstantiateGenerics|ssa.BareInits),
		cache: make(map[string]*entry),
	}
}

// Build makes the closed program of a recipe. The error is an [Errors] where packages of the program are at fault.
func (u *Universe) Build(r *Recipe) (*Program, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	entries := make(map[string]*entry, len(r.Packages))
	keys := cacheKeys{r, make(map[string]string, len(r.Packages))}
	var work []*entry
	for i := range r.Packages {
		pr := &r.Packages[i]
		key := keys.of(pr.ID)
		e := u.cache[key]
		if e == nil {
			e = &entry{recipe: pr, key: key, done: make(chan struct{}), fresh: true}
			u.cache[key] = e
			work = append(work, e)
		}
		entries[pr.ID] = e
	}
	if err := u.load(r, entries, work); err != nil {
		for _, e := range work { // a later program may not find half-made packages
			if e.fresh {
				delete(u.cache, e.key)
			}
		}
		return nil, err
	}
	return u.program(r, entries)
}

// cacheKeys names packages by all that decides what they are: their ID, their folder, their sources, and the same of
// their imports. (A variant under test has the same sources as the package itself, but other imports.)
type cacheKeys struct {
	recipe *Recipe
	memo   map[string]string
}

func (k cacheKeys) of(id string) string {
	if key, ok := k.memo[id]; ok {
		return key
	}
	k.memo[id] = id // an import cycle is reported later
	p := k.recipe.Package(id)
	if p == nil {
		return id
	}
	h := sha256.New()
	put(h, p.ID, p.Dir, p.Digest, p.GoVersion, k.recipe.GOARCH, strconv.FormatBool(p.Std))
	for _, imp := range p.Imports {
		put(h, k.of(imp))
	}
	key := string(h.Sum(nil))
	k.memo[id] = key
	return key
}

// load parses and type-checks the packages of work, and creates them in the ssa.Program.
func (u *Universe) load(r *Recipe, entries map[string]*entry, work []*entry) error {
	sources := make(map[*entry]*source, len(work))
	var mu sync.Mutex
	each(len(work), func(i int) {
		src := u.parse(work[i].recipe)
		mu.Lock()
		sources[work[i]] = src
		mu.Unlock()
	})
	order, err := linkDeps(work, sources, entries)
	if err != nil {
		return err
	}
	sizes := types.SizesFor("gc", r.GOARCH)
	if sizes == nil {
		return fmt.Errorf("unknown architecture GOARCH=%s", r.GOARCH)
	}
	u.check(order, sources, sizes)

	// The first faulty packages in dependency order are the cause; those above them only follow.
	var errs Errors
	for _, e := range order {
		if e.err == nil || errors.Is(e.err, errDependency) {
			continue
		}
		var list Errors
		if !errors.As(e.err, &list) {
			return e.err
		}
		errs = append(errs, list...)
	}
	if len(errs) > 0 {
		return errs
	}
	u.ssaMu.Lock()
	defer u.ssaMu.Unlock()
	for _, e := range order {
		u.create(e)
		e.fresh = false
	}
	return nil
}

// linkDeps resolves the imports of freshly parsed packages and returns them with dependencies first.
func linkDeps(work []*entry, sources map[*entry]*source, entries map[string]*entry) ([]*entry, error) {
	const (
		visiting = 1
		visited  = 2
	)
	state := make(map[*entry]int)
	var order []*entry
	var visit func(e *entry) error
	visit = func(e *entry) error {
		switch {
		case sources[e] == nil || state[e] == visited:
			return nil // made before
		case state[e] == visiting:
			return &Error{Path: e.recipe.ID, Msg: "import cycle through " + e.recipe.ID}
		}
		state[e] = visiting
		e.deps = make(map[string]*entry)
		for _, path := range sources[e].imports {
			dep := entries[e.recipe.imported(path)]
			if _, variant, ok := strings.Cut(e.recipe.ID, " "); ok && dep == nil {
				dep = entries[path+" "+variant] // an overlay imports it, so ImportMap does not know of it
			}
			if dep == nil {
				continue // the type checker will report it at the import
			}
			e.deps[path] = dep
			if err := visit(dep); err != nil {
				return err
			}
		}
		state[e] = visited
		order = append(order, e)
		return nil
	}
	sort.Slice(work, func(i, j int) bool { return work[i].recipe.ID < work[j].recipe.ID })
	for _, e := range work {
		if err := visit(e); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// create adds a checked package to the ssa.Program.
func (u *Universe) create(e *entry) {
	p := e.pkg
	for _, dep := range e.deps {
		p.Imports = append(p.Imports, dep.pkg)
	}
	sort.Slice(p.Imports, func(i, j int) bool { return p.Imports[i].ID < p.Imports[j].ID })
	if p.Types == types.Unsafe {
		if p.SSA = u.prog.Package(types.Unsafe); p.SSA == nil {
			p.SSA = u.prog.CreatePackage(types.Unsafe, nil, nil, false)
		}
	} else {
		files := p.Files
		if u.cfg.LateBodies && !p.Std && !p.Cgo {
			files = u.detach(p)
		}
		p.SSA = u.prog.CreatePackage(p.Types, files, p.Info, false)
		// DebugRefs tell gcorder and position.go what an instruction belongs to. The standard library has them too:
		// it relies on gc's order as much as user code does, and they cost a tenth of the time to build SSA.
		p.SSA.SetDebugMode(true)
	}
	p.runsInit = runsInit(p)
	p.vars = sync.OnceValue(func() []*ssa.Global { return varsOf(p.SSA) })
	if p.Std {
		p.Info = &types.Info{InitOrder: p.Info.InitOrder} // go/ssa drops its own when the package is built
	}
	u.byTyp.Store(p.Types, p)
}

// packageOf returns the package that declares fn, or nil.
func (u *Universe) packageOf(fn *ssa.Function) *Package {
	pkg := u.declaringPackage(fn)
	if pkg == nil {
		return nil
	}
	p, _ := u.byTyp.Load(pkg.Pkg)
	q, _ := p.(*Package)
	return q
}

// infoOf returns what type-checking left of the package that declares fn, or nil.
func (u *Universe) infoOf(fn *ssa.Function) *types.Info {
	if p := u.packageOf(fn); p != nil {
		return p.Info
	}
	return nil
}

// program puts a Program together from its packages.
func (u *Universe) program(r *Recipe, entries map[string]*entry) (*Program, error) {
	p := &Program{
		Path: r.Path, Fset: u.fset, SSA: u.prog, GODEBUG: r.GODEBUG, Toolchain: r.GoVersion, u: u,
		byTyp: make(map[*types.Package]*Package, len(entries)),
		byID:  make(map[string]*Package, len(entries)),
	}
	for id, e := range entries {
		p.byTyp[e.pkg.Types] = e.pkg
		p.byID[id] = e.pkg
	}
	p.Test = p.byID[r.Root]
	p.Root = p.Test
	p.XTest = p.byID[r.XTest]
	if p.Root == nil && p.XTest == nil {
		return nil, fmt.Errorf("%s: its recipe holds no package %q: list it again", r.Path, r.Root)
	}
	p.Init = initOrder(p.byID)
	p.embedded = sync.OnceValue(func() map[string]bool { return embeddedIn(p.Init, p.Fset) })
	p.links = newLinkTable(p.Init, u.hasBody)
	p.assembled = map[string]*assembly.Value{}
	for _, pkg := range p.Init {
		maps.Copy(p.assembled, pkg.assembled)
	}
	if err := p.findEntries(r); err != nil {
		return nil, err
	}
	return p, nil
}

// each calls f for 0 … n-1 on as many goroutines as there are processors.
func each(n int, f func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
