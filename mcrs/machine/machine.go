// Package machine is a Go machine: it runs the functions of a closed program
// in memory of its own, one goroutine at a time, under a scheduler.
//
// # Background
//
// It follows Miri, the interpreter of Rust's MIR: the real standard library
// runs from source over a short table of intrinsics (boundary.go). Functions
// are compiled from go/ssa to register code when they are first called
// (package code) and run by one loop (interp.go). Memory is flat (package mem).
//
// # Method
//
// Every goroutine stops before each visible operation: an access to memory that another goroutine may
// reach, a lock, a channel, a spawn, and so on. The scheduler is offered all that can go on and picks one
// (schedule.go). Which memory is visible is decided where a pointer is published: an object is its
// goroutine's own until its address is stored in shared memory, sent, or passed to a new
// goroutine; from then on, with all it reaches, it is shared. Only the owner can do that, so what is
// visible, and the number of each access, is a function of the goroutine's own history and not of the schedule.
//
// # Limits
//
// 65,533 names of goroutines in one process; sequential consistency only; what is missing ends
// the execution as Unsupported and names the function and its caller.
package machine

import (
	"go/types"
	"slices"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// A Machine runs the entries of one program. It is used by one goroutine at a time.
type Machine struct {
	image
	kernel *kernel.Kernel
	cfg    Config
	numbering
	snapshot
	spares
	programRun
	triesRW    bool              // the program calls RWMutex.TryLock (rules RW3 to RW5)
	mentions   map[string]bool   // methods of testing that the program names
	testFields map[string]uint64 // offsets in a testing.common
	handles    handles           // of package unique
	inet       socketCount       // of the initialisers, and of Exec
	mode       mode

	naming naming
	notes

	execution
}

// execution is the state of one execution.
type execution struct {
	record
	goroutines
	clockwork
	aftermath
	testRun
	locks
	progress
	budget
	requests

	exited    bool // the program called os.Exit
	over      bool
	direct    bool
	worked    bool // Exec: an operation on a lock was performed at once
	faultAddr uint64
	state     sched.State
	pooled    bool // something was put into a Pool of the user's
	inits     bool // package initialisers are running
	initSpawn bool // one of them started a goroutine
	entry     *program.Entry
	collection
	flows  *flow.Run         // nil unless Config.Regions is set
	unique map[string]uint64 // handles of this execution, by type and value
	coros  int               // coroutines that have not ended
}

// Config are the constants of a machine.
type Config struct {
	Kernel kernel.Config
	Silent func(importPath string) bool // packages whose accesses to memory and locks make no events; nil is the default
	Exec   sched.Options                // limits of Exec

	// CollectEvery makes the heap be collected whenever so many bytes have been allocated, and what is freed be overwritten. It is
	// for tests: collections change nothing that a program or a trace shows.
	CollectEvery int64

	// CleanFrames makes a call begin with a frame of zeros, and not with what calls before left there. It is for the audit: what is left is no part of a state.
	CleanFrames bool

	// Regions makes the machine follow what each event depends on (trace.Dependence). Nil is the default: nothing is followed, at no cost.
	Regions flow.Regions
}

// New prepares a machine for a program. It runs nothing yet.
func New(p *program.Program, cfg Config) *Machine {
	m := &Machine{
		image: newImage(p), cfg: cfg,
		numbering: numbering{segments: map[event.ThreadID]int{}, names: map[event.ThreadID][]event.ThreadID{}},
	}
	m.mem.Poison = cfg.CollectEvery > 0
	m.notes.begin()
	m.types = rtype.New(m.mem, m.layouts, m)
	m.types.Path = m.linkPath
	if m.cfg.Silent == nil {
		m.cfg.Silent = silentPackage
	}
	if len(m.cfg.Kernel.Args) == 0 {
		m.cfg.Kernel.Args = []string{"/tmp/heddle/main"}
	}
	m.cfg.Kernel.Now = func() int64 { return m.now + m.gain(m.now) }
	m.cfg.Kernel.Stdout, m.cfg.Kernel.Stderr = output{m, false}, output{m, true}
	m.kernel = kernel.New(m.cfg.Kernel)
	return m
}

// Func returns the machine's function for fn.
func (m *Machine) Func(fn *ssa.Function) *Func {
	if f, ok := m.bySSA[fn]; ok {
		return f
	}
	f := m.newFunc(fn, redirects[m.funcName(fn)])
	m.bySSA[fn] = f
	return f
}

// callee is Func for a static call: what an overlay's function calls by the name it stands for is the original.
func (m *Machine) callee(caller *Func, fn *ssa.Function) *Func {
	if to, ok := redirects[m.funcName(fn)]; !ok || caller.ssa == nil || m.funcName(caller.ssa) != to {
		return m.Func(fn)
	}
	f, ok := m.originals[fn]
	if !ok {
		f = m.newFunc(fn, "")
		m.originals[fn] = f
	}
	return f
}

func (m *Machine) newFunc(fn *ssa.Function, redirect string) *Func {
	f := &Func{id: uint32(len(m.funcs)), ssa: fn, name: m.funcName(fn)}
	m.funcs = append(m.funcs, f)
	if redirect != "" {
		if r := m.overlay(redirect); r != nil {
			f.ssa = r
			fn = r
		}
	}
	m.prog.Build(fn)
	if pkg := m.pkgOf(fn); pkg != nil {
		f.std = m.prog.IsStd(pkg)
		f.inet = f.std && inet.Own(m.funcName(fn))
		f.silent = f.std && m.cfg.Silent(pkg.Path()) && !exposed(m.funcName(fn))
		switch pkg.Path() {
		case "sync", "sync/atomic", "internal/sync", "internal/runtime/atomic", "internal/synctest", "testing/synctest":
			f.sync = true
		}
		if strings.HasPrefix(fn.Name(), "heddle") && !strings.HasPrefix(fn.Name(), "heddleSeen") && overlaid[pkg.Path()] {
			f.silent = true // a serial specification of ours, also where the package itself is under test
		}
	}
	if fn.Name() == "init" && fn.Synthetic != "" { // Prepare calls initialisers in the linker's order
		if p := m.prog.Package(m.pkgOf(fn)); p == nil || p.Boundary || p.Path == "unsafe" {
			f.intrinsic = nothing
			f.Sign(m.layouts, f.ssa)
			return f
		}
	}
	f.wrapper = fn.Synthetic != "" && fn.Parent() == nil && fn.Name() != "init" && fn.Origin() == nil // an instance is none
	if in, ok := boundary[f.name]; ok {
		f.intrinsic = in
	} else if mk, ok := instances[f.name]; ok {
		f.intrinsic = mk(m, f)
	} else if body, symbol := m.prog.Resolve(fn); body != fn {
		if body != nil {
			if in, ok := boundary[m.funcName(body)]; ok {
				f.intrinsic = in
			} else {
				m.prog.Build(body)
				f.ssa = body
			}
		} else if in, ok := boundary[symbol]; ok {
			f.intrinsic = in
		} else {
			f.missing = symbol
		}
	}
	if f.intrinsic != nil {
		f.Sign(m.layouts, f.ssa)
		f.quiet = slices.ContainsFunc(quiet, func(s string) bool { return strings.HasPrefix(f.name, s) })
	}
	return f
}

// MethodText implements rtype.Funcs: the receiver is an interface's data word.
func (m *Machine) MethodText(recv types.Type, sel *types.Selection) uint64 {
	if _, ok := recv.Underlying().(*types.Interface); ok {
		return 0
	}
	if !m.layouts.Of(recv).Direct {
		ptr := types.NewPointer(recv)
		sel = types.NewMethodSet(ptr).Lookup(sel.Obj().Pkg(), sel.Obj().Name())
	}
	return m.methodText(sel)
}

// FuncText implements rtype.FuncTexter: the receiver is the value.
func (m *Machine) FuncText(recv types.Type, sel *types.Selection) uint64 { return m.methodText(sel) }

func (m *Machine) methodText(sel *types.Selection) uint64 {
	if sel == nil {
		return 0
	}
	fn := m.prog.MethodValue(sel)
	if fn == nil {
		return 0
	}
	return m.text(m.Func(fn))
}

// EqualFunc implements rtype.Funcs.
func (m *Machine) EqualFunc(t types.Type) uint64 {
	f := m.native("type..eq."+m.types.Str(t), 16, 8, func(m *Machine, g *G, w []uint64) status {
		eq, bad := m.types.Equal(t, w[0], w[1])
		if bad != nil {
			return m.throwComputed(g, "comparing uncomparable type "+m.types.Str(bad))
		}
		w[2] = b2w(eq)
		return done
	})
	return m.funcValue(f)
}

// HashFunc implements rtype.Hashers.
func (m *Machine) HashFunc(t types.Type) uint64 {
	return m.funcValue(m.native("type..hash."+m.types.Str(t), 16, 8, func(m *Machine, g *G, w []uint64) status {
		p := m.mem.At(w[0], m.layouts.Of(t).Size)
		if p == nil {
			return m.throwFault(g, w[0])
		}
		h, bad := m.types.Alg(t).Hash(p, w[1])
		if bad != nil {
			return m.throwComputed(g, "hash of unhashable type "+m.types.Str(bad))
		}
		w[2] = h
		return done
	}))
}

// native makes a function that is an intrinsic and has no declaration.
func (m *image) native(name string, params, results int32, in Intrinsic) *Func {
	f := &Func{id: uint32(len(m.funcs)), name: name, intrinsic: in, Code: code.Code{Params: params, Results: results}, std: true}
	f.Ctx = params + results
	f.Frame = f.Ctx + 8
	f.Instrs = []code.Instr{{Op: code.OpSelf}, {Op: code.OpRet}}
	f.Sites = make([]event.Site, 2)
	f.compiled = true
	f.RecoverPC = -1
	m.funcs = append(m.funcs, f)
	return f
}

func (m *Machine) globalAddr(g *ssa.Global) uint64 {
	if a, ok := m.globals[g]; ok {
		return a
	}
	if to, _ := m.prog.ResolveVar(g); to != nil && to != g {
		a := m.globalAddr(to)
		m.globals[g] = a
		return a
	}
	l := m.layouts.Of(deref(g.Type()))
	if l.Size == 0 {
		m.globals[g] = m.zeroBase
		return m.zeroBase
	}
	live := m.mem.Live // the first execution that meets a variable is like any other
	o := m.mem.Alloc(mem.Init, l.Size, l.Ptrs)
	m.mem.Live = live
	o.Flags |= mem.Shared
	if m.prepared && !m.inits { // of a package behind the boundary, met late
		o.Flags |= mem.Frozen
	}
	if g.Pkg != nil && m.prog.IsStd(g.Pkg.Pkg) {
		o.Flags |= mem.StdVar
		if memoVars[g.Pkg.Pkg.Path()+"."+g.Name()] != "" {
			o.Flags |= mem.Memo
		}
	}
	m.globals[g] = o.Base
	if g.Pkg != nil && g.Pkg.Pkg.Path() == "runtime" {
		m.initRuntimeVar(g, o)
	}
	return o.Base
}

// newString allocates a string.
func (m *Machine) newString(g *G, s string) (p, n uint64, st status) {
	if s == "" {
		return 0, 0, done
	}
	p, st = m.allocUnlogged(g, uint64(len(s)), nil)
	if st == done {
		copy(m.mem.Object(p).Bytes(), s)
	}
	return p, uint64(len(s)), st
}

func (m *Machine) setString(g *G, fp unsafe.Pointer, dst int32, s string) status {
	p, n, status := m.newString(g, s)
	if status == done {
		st(fp, dst, p)
		st(fp, dst+8, n)
	}
	return status
}

// alloc allocates an object of goroutine g.
func (m *Machine) alloc(g *G, size uint64, ptrs *mem.PtrMap) (uint64, status) {
	if size == 0 {
		return m.zeroBase, done
	}
	seg := g.seg
	if g.outputs > 0 {
		seg = m.outputSegment(g)
	}
	if (m.mem.Live+int64(size) > m.collectAt || m.mem.Full(seg, size)) && !m.room(g, int64(size)) {
		return 0, halt
	}
	m.allocated += int64(size)
	o := m.mem.Alloc(seg, size, ptrs)
	if seg != g.seg {
		o.Flags |= mem.Output
	}
	return o.Base, done
}

// allocUnlogged is alloc for what is read without an event.
func (m *Machine) allocUnlogged(g *G, size uint64, ptrs *mem.PtrMap) (uint64, status) {
	p, s := m.alloc(g, size, ptrs)
	if s == done && size > 0 {
		m.mem.Object(p).Flags |= mem.Unlogged
	}
	return p, s
}
