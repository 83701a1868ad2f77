package exploration

import (
	"fmt"
	"go/build"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/depends"
	"github.com/heddle-go/heddle/passes/sequential"
	"github.com/heddle-go/heddle/program"
)

// A target is a closed program in a machine, ready to run. Tests replace it
// with programs of a few lines.
type target interface {
	report.Source
	entries() []entry
	machine(entry) sched.Machine
	// pair returns the machine that runs two tests side by side.
	pair(a, b entry) sched.Machine
	// userMemory reports whether an address is of the user's variables, or of what they were initialised with.
	userMemory(addr uint64) bool
	// waits reports whether an entry could come to wait.
	waits(entry) bool
	// read returns a file that the program has read though it is no build
	// input, "" if there is none.
	read() string
}

// An entry is a function that the target can be started at.
type entry struct {
	index int
	name  string
	kind  string
	pkg   string // import path of the package that declares it
	// sequential says that the program starts no goroutine.
	sequential bool
	pos        token.Position
}

// newExplorer makes an explorer; tests replace it.
var newExplorer = explorers.New

// load is loadTarget, and turns a panic in it into an error.
func load(c *closure.Result, world given) (t target, err error) {
	err = protect(func() error {
		t, err = loadTarget(c, world)
		return err
	})
	return t, err
}

// loadTarget makes the program of a recipe and puts it into a machine; tests replace it.
var loadTarget = func(c *closure.Result, world given) (target, error) {
	u := c.Universe
	if u == nil {
		u = closure.NewUniverse(c.BuildFlags...)
	}
	p, err := u.Build(c.Recipe)
	if err != nil {
		return nil, err
	}
	t := &programTarget{prog: p, graphs: depends.NewGraphs(p), inputs: buildInputs(c.Recipe), faults: world.faults}
	t.config = func(hostRead func(string)) kernel.Config { return KernelConfig(c.Recipe, hostRead, world.env) }
	t.start()
	return t, nil
}

// KernelConfig is the world that every driver shows to a program: the folder
// of its package, and an environment that is the same everywhere, but for the variables env.
func KernelConfig(r *program.Recipe, hostRead func(string), env []string) kernel.Config {
	root := ""
	for _, id := range []string{r.Root, r.XTest} {
		if p := r.Package(id); p != nil && root == "" {
			root = p.Dir
		}
	}
	binary := filepath.Base(filepath.FromSlash(r.Path))
	if !r.Main {
		binary += ".test"
	}
	return kernel.Config{
		Root: root, Module: moduleOf(root), GOROOT: build.Default.GOROOT, HostRead: hostRead,
		Args: []string{"/tmp/heddle/" + binary},
		Env:  withEnv(env),
	}
}

// moduleOf returns the folder of the module that a folder is of: the next one above that has a go.mod. It is "" if
// there is none, and in GOROOT, which can be read anyway.
func moduleOf(dir string) string {
	if dir == "" || inGoroot(dir) {
		return ""
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// programTarget is a target of the Go machine.
type programTarget struct {
	*machine.Machine
	prog   *program.Program
	graphs *depends.Graphs
	inputs map[string]bool
	config config
	faults machine.Faults

	executing sync.Mutex // held during an execution, and while somebody asks for a position
	made      sync.Once
	ready     chan struct{} // closed when an execution was made
	other     []string      // files read that are no build inputs
	world     world
}

func (t *programTarget) entries() []entry {
	var out []entry
	for i, e := range t.prog.Entries {
		pos := t.prog.Fset.Position(e.Pos)
		out = append(out, entry{index: i, name: e.Name, kind: e.Kind.String(), pkg: e.Fn.Pkg.Pkg.Path(), pos: pos})
	}
	return out
}

func (t *programTarget) machine(e entry) sched.Machine {
	return lockedMachine{t.Machine.Entry(t.prog.Entries[e.index]), t}
}

func (t *programTarget) pair(a, b entry) sched.Machine {
	return lockedMachine{t.Machine.Pair(t.prog.Entries[a.index], t.prog.Entries[b.index]), t}
}

func (t *programTarget) userMemory(addr uint64) bool { return t.UserMemory(addr) }

func (t *programTarget) waits(e entry) bool {
	return sequential.Waits(t.prog, t.prog.Entries[e.index].Fn, t.prog.TestMain)
}

func (t *programTarget) hostRead(name string) {
	goroot := build.Default.GOROOT + string(filepath.Separator)
	if t.world.on && !inGoroot(name) {
		t.world.note(name, t.Initialised())
	}
	if !t.inputs[name] && !strings.HasPrefix(name, goroot) && len(t.other) < 100 && !slices.Contains(t.other, name) {
		t.other = append(t.other, name)
	}
}

func (t *programTarget) read() string {
	if len(t.other) == 0 {
		return ""
	}
	slices.Sort(t.other)
	return filepath.Base(t.other[0])
}

// buildInputs are the files whose change a build tool notices.
func buildInputs(r *program.Recipe) map[string]bool {
	m := map[string]bool{}
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.Std {
			continue
		}
		for _, list := range p.Inputs() {
			for _, name := range list {
				m[p.File(name)] = true
			}
		}
	}
	return m
}

// readOutside makes an entry incomplete that has read what a build tool does
// not know of: the tool would not run it again when that changes, and show the old answer.
func readOutside(r *explore.Result, name string) {
	if r.Verdict == explore.Exhausted {
		r.Verdict, r.NotSupported = explore.Incomplete, true
		r.Reason = fmt.Sprintf("it reads %s, which is no build input: go vet would not notice a change of it; run heddle itself", name)
	}
}
