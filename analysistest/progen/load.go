package progen

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/depends"
	"github.com/heddle-go/heddle/program"
)

// Name is the name of the function of the i-th program of a package.
func Name(i int) string { return fmt.Sprintf("P%d", i) }

// File writes programs as the functions P0, P1 … of one file.
func File(ps []*Program) ([]byte, error) {
	var b strings.Builder
	switch {
	case len(ps) == 0:
	case ps[0].API:
		return apiFile(ps)
	case ps[0].Sockets:
		b.WriteString(prelude.SocketsHead)
	case ps[0].Bubble:
		b.WriteString(prelude.BubbleHead())
	case ps[0].Main > 0:
		b.WriteString(prelude.WithMain(ps[0].Main))
	default:
		b.WriteString(prelude.Head)
	}
	for i, p := range ps {
		fmt.Fprintf(&b, "// %s: seed %d, size %d.\n%s\n", Name(i), p.Seed, p.Size, p.Func(Name(i)))
	}
	return format.Source([]byte(b.String()))
}

// programs is their file. A TestMain has to be in a file of tests.
const programs = "programs_test.go"

// writePackage writes files, and the go.mod of a module of their own, to a folder.
func writePackage(dir string, files map[string][]byte) error {
	files["go.mod"] = []byte("module programs\n\ngo 1.26\n")
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// A Loaded is a package of programs in the machine.
type Loaded struct {
	m       *machine.Machine
	p       *program.Program
	graphs  *depends.Graphs
	prelude string
}

// Load makes the machine of a file that File has written.
func Load(file []byte, l prelude.Log) (*Loaded, error) {
	c := machine.Config{}
	for _, s := range Subjects {
		if s.Deps == depends.ByFlow && !s.Own {
			c = s.Deps.MachineConfig()
		}
	}
	return LoadWith(file, l, c)
}

// LoadWith is Load with a machine of that configuration.
func LoadWith(file []byte, l prelude.Log, config machine.Config) (*Loaded, error) {
	dir, err := os.MkdirTemp("", "progen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := writePackage(dir, map[string][]byte{programs: file, "prelude.go": []byte(prelude.Text(l))}); err != nil {
		return nil, err
	}
	cfg := closure.Config(dir)
	cfg.Env = append(os.Environ(), "GO111MODULE=on", "GOWORK=off", "GOPROXY=off", "GOFLAGS=")
	list, err := program.List(cfg, ".")
	if err != nil {
		return nil, err
	}
	if len(list.Errors) > 0 {
		return nil, fmt.Errorf("%v", list.Errors)
	}
	if len(list.Recipes) != 1 {
		return nil, fmt.Errorf("%d packages in place of one", len(list.Recipes))
	}
	p, err := closure.NewUniverse().Build(list.Recipes[0])
	if err != nil {
		return nil, err
	}
	m := machine.New(p, config)
	if err := m.Prepare(); err != nil {
		return nil, err
	}
	return &Loaded{m, p, depends.NewGraphs(p), prelude.Text(l)}, nil
}

// Groups parts programs into those of one package each. Those that call RWMutex.TryLock are by themselves: in their
// package every RWMutex has other steps (rules RW3 to RW5 of the Go machine). So a program does alone what it does
// among others. A package has one TestMain.
func Groups(ps []*Program) (groups [][]*Program) {
	type kind struct {
		main  int
		tries bool
	}
	at := map[kind]int{}
	for _, p := range ps {
		k := kind{p.Main, p.triesRW()}
		i, ok := at[k]
		if !ok {
			i, groups = len(groups), append(groups, nil)
			at[k] = i
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// machines returns the machine of each program.
func machines(ps []*Program) (map[*Program]sched.Machine, error) {
	out := make(map[*Program]sched.Machine, len(ps))
	for _, group := range Groups(ps) {
		file, err := File(group)
		if err != nil {
			return nil, err
		}
		l, err := Load(file, prelude.NoLog)
		if err != nil {
			return nil, err
		}
		for i, p := range group {
			if out[p], err = l.Machine(i); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Machine returns the machine of the i-th program.
func (l *Loaded) Machine(i int) (sched.Machine, error) {
	if l.p.Root.SSA.Func(Name(i)) == nil {
		return nil, fmt.Errorf("no function %s", Name(i))
	}
	m, e := l.Entry(i)
	return entry{m.Entry(e), l}, nil
}

var Plain = program.Example // a plain function: an example whose output is not looked at, or a main program

// Entry returns the machine of the package, and the i-th program as its entry.
func (l *Loaded) Entry(i int) (*machine.Machine, program.Entry) {
	e := program.Entry{Name: Name(i), Kind: Plain, Fn: l.p.Root.SSA.Func(Name(i))}
	if e.Fn.Signature.Params().Len() > 0 {
		e.Kind = program.Test
	}
	return l.m, e
}

// An entry is the machine of a program, and what it was loaded from.
type entry struct {
	sched.Machine
	l *Loaded
}

// Line returns the line of a site, in the file of the programs; "prelude" and its line there.
func (l *Loaded) Line(s event.Site) string {
	p := l.m.Position(s)
	if filepath.Base(p.Filename) == programs {
		return fmt.Sprint(p.Line)
	}
	if filepath.Base(p.Filename) == "prelude.go" {
		return prelude.Line(l.prelude, p.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}
