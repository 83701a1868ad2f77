package machine

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// A reach says what a value of a function that makes no events leads to.
type reach uint8

const (
	theirs reach = 1 << iota // memory that the program's code may have: what a parameter points to
	ours                     // memory that only the package's own code has
)

// An unseen is a walk over functions whose accesses to memory make no events. It finds those accesses to memory that
// the program's own code may have.
type unseen struct {
	m        *vm.Machine
	values   map[ssa.Value]reach // of pointers, slices, maps, and what has them in it
	contents map[ssa.Value]reach // of what lies in a local variable, by its Alloc, or by the FreeVar that is bound to it
	results  map[*ssa.Function]reach
	funcs    map[*ssa.Function]bool
	methods  map[string][]*ssa.Function // of silent packages, by name
	strict   bool                       // no object is the package's own because nobody can name its fields
	quiet    func(*vm.Func) bool        // whether a function makes no events
	changed  bool
	hits     map[unseenAccess]bool
}

// An unseenAccess is what a function does to such memory.
type unseenAccess struct {
	by, does string
	to       string // which function of the machine it gives it to, "" if it accesses it by itself
}

func (u *unseen) add(to map[ssa.Value]reach, v ssa.Value, r reach) {
	if old := to[v]; old|r != old {
		to[v] = old | r
		u.changed = true
	}
}

// leads reports whether values of a type can lead to memory that is written.
func leads(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr
	case *types.Struct:
		for f := range t.Fields() {
			if leads(f.Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return leads(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if leads(v.Type()) {
				return true
			}
		}
		return false
	case *types.Signature, *types.Chan:
		return false
	}
	return true
}

// silent returns the function that a call of fn runs, if its accesses make no events.
func (u *unseen) silent(caller, fn *ssa.Function) (*ssa.Function, *vm.Func) {
	f := u.m.Callee(u.m.Func(caller), fn)
	if f.Intrinsic != nil || f.Missing != "" || !u.quiet(f) || f.SSA == nil || f.SSA.Blocks == nil {
		return nil, f
	}
	return f.SSA, f
}

func (u *unseen) enter(fn *ssa.Function) {
	if !u.funcs[fn] {
		u.funcs[fn] = true
		u.changed = true
	}
}

// entry has fn called by the program.
func (u *unseen) entry(fn *ssa.Function) {
	f := u.m.Func(fn)
	if f.Intrinsic != nil || f.Missing != "" || !u.quiet(f) || f.SSA == nil || f.SSA.Blocks == nil {
		return
	}
	u.enter(f.SSA)
	for _, p := range f.SSA.Params {
		if leads(p.Type()) {
			u.add(u.values, p, theirs)
		}
	}
}

// hit notes an access by fn, or by the function that it is a literal in.
func (u *unseen) hit(fn *ssa.Function, does, to string) {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	name, _, _ := strings.Cut(fn.String(), "[")
	u.hits[unseenAccess{name, does, to}] = true
}

func (u *unseen) access(fn *ssa.Function, addr ssa.Value, verb string) {
	if p, ok := addr.Type().Underlying().(*types.Pointer); ok && u.own(p.Elem()) {
		return
	}
	if u.values[addr]&theirs != 0 {
		u.hit(fn, verb+" "+what(addr), "")
	}
}

// what names the memory that a value points to.
func what(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		t := v.X.Type().Underlying().(*types.Pointer).Elem()
		return fmt.Sprintf("%s.%s", types.TypeString(t, nil), t.Underlying().(*types.Struct).Field(v.Field).Name())
	case *ssa.IndexAddr:
		return "an element of " + v.X.Type().String()
	}
	return "what a " + v.Type().String() + " points to"
}

// field is what the address of a field leads to.
func (u *unseen) field(r reach, t types.Type, i int) reach {
	f := t.Underlying().(*types.Struct).Field(i)
	if r&theirs == 0 {
		return r
	}
	if u.own(t) || !u.strict && !f.Exported() {
		return ours
	}
	return r
}

// own reports whether nobody but its package has values of a type, but by pointers to something else.
func (u *unseen) own(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	return strings.HasPrefix(n.Obj().Name(), "heddle") || strings.Contains(n.Obj().Pkg().Path(), "internal/") || !u.strict && !n.Obj().Exported()
}

func (u *unseen) instr(fn *ssa.Function, in ssa.Instruction) {
	v, _ := in.(ssa.Value)
	pass := func(from ...ssa.Value) {
		if !leads(v.Type()) {
			return
		}
		for _, x := range from {
			u.add(u.values, v, u.values[x])
		}
	}
	switch in := in.(type) {
	case *ssa.FieldAddr:
		t := in.X.Type().Underlying().(*types.Pointer).Elem()
		u.add(u.values, v, u.field(u.values[in.X], t, in.Field))
		u.add(u.contents, v, u.contents[in.X])
	case *ssa.IndexAddr:
		u.add(u.values, v, u.values[in.X])
		u.add(u.contents, v, u.contents[in.X])
	case *ssa.Field:
		pass(in.X)
	case *ssa.Index:
		pass(in.X)
	case *ssa.UnOp:
		if in.Op != token.MUL {
			break
		}
		u.access(fn, in.X, "reads")
		if leads(v.Type()) {
			u.add(u.values, v, u.values[in.X]|u.contents[in.X])
		}
	case *ssa.Store:
		u.access(fn, in.Addr, "writes")
		if r := u.values[in.Val]; r != 0 {
			for a := in.Addr; ; {
				u.add(u.contents, a, r)
				if f, ok := a.(*ssa.FieldAddr); ok {
					a = f.X
				} else if x, ok := a.(*ssa.IndexAddr); ok {
					a = x.X
				} else {
					break
				}
			}
		}
	case *ssa.Phi:
		pass(in.Edges...)
		for _, e := range in.Edges {
			u.add(u.contents, v, u.contents[e])
		}
	case *ssa.ChangeType:
		pass(in.X)
		u.add(u.contents, v, u.contents[in.X])
	case *ssa.Convert:
		if _, ok := in.X.Type().Underlying().(*types.Slice); ok && types.Identical(v.Type().Underlying(), types.Typ[types.String]) {
			u.access(fn, in.X, "reads")
		}
		pass(in.X)
		u.add(u.contents, v, u.contents[in.X])
	case *ssa.MakeInterface:
		pass(in.X)
	case *ssa.ChangeInterface:
		pass(in.X)
	case *ssa.SliceToArrayPointer:
		pass(in.X)
	case *ssa.Slice:
		pass(in.X)
		u.add(u.contents, v, u.contents[in.X])
	case *ssa.TypeAssert:
		pass(in.X)
	case *ssa.Extract:
		pass(in.Tuple)
	case *ssa.BinOp:
		pass(in.X, in.Y)
	case *ssa.Lookup:
		u.access(fn, in.X, "reads")
		pass(in.X)
	case *ssa.Range:
		u.access(fn, in.X, "reads")
		u.add(u.values, v, u.values[in.X])
	case *ssa.Next:
		pass(in.Iter)
	case *ssa.MapUpdate:
		u.access(fn, in.Map, "writes")
		u.add(u.contents, in.Map, u.values[in.Value]|u.values[in.Key])
	case *ssa.MakeClosure:
		c := in.Fn.(*ssa.Function)
		u.enter(c)
		for i, b := range in.Bindings {
			u.add(u.values, c.FreeVars[i], u.values[b])
			u.add(u.contents, c.FreeVars[i], u.contents[b])
			u.add(u.contents, b, u.contents[c.FreeVars[i]])
		}
	case *ssa.Return:
		for _, x := range in.Results {
			if r := u.values[x]; u.results[fn]|r != u.results[fn] {
				u.results[fn] |= r
				u.changed = true
			}
		}
	case ssa.CallInstruction:
		u.call(fn, in)
	}
}

func (u *unseen) call(fn *ssa.Function, in ssa.CallInstruction) {
	c := in.Common()
	v := in.Value()
	result := func(r reach) {
		if v != nil && leads(v.Type()) {
			u.add(u.values, v, r)
		}
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "copy":
			u.access(fn, c.Args[0], "writes")
			u.access(fn, c.Args[1], "reads")
		case "append":
			u.access(fn, c.Args[0], "appends to")
			if len(c.Args) > 1 {
				u.access(fn, c.Args[1], "reads")
				result(u.values[c.Args[0]] | u.values[c.Args[1]])
			}
			result(u.values[c.Args[0]])
		case "clear", "delete":
			u.access(fn, c.Args[0], "writes")
		case "len", "cap":
			if _, ok := c.Args[0].Type().Underlying().(*types.Map); ok {
				u.access(fn, c.Args[0], "reads")
			}
		case "Add", "Slice", "SliceData", "StringData", "String":
			result(u.values[c.Args[0]])
		}
		return
	}
	args, any := c.Args, reach(0)
	for _, a := range args {
		any |= u.values[a]
	}
	var callees []*ssa.Function
	switch {
	case c.IsInvoke():
		any |= u.values[c.Value]
		args = append([]ssa.Value{c.Value}, args...)
		for _, m := range u.methods[c.Method.Name()] {
			if types.Implements(m.Signature.Recv().Type(), c.Value.Type().Underlying().(*types.Interface)) {
				callees = append(callees, m)
			}
		}
		result(any)
	case c.StaticCallee() != nil:
		callees = append(callees, c.StaticCallee())
	default:
		result(any)
	}
	for _, callee := range callees {
		to, f := u.silent(fn, callee)
		if to == nil {
			if f.Intrinsic != nil {
				for _, a := range args {
					if u.values[a]&theirs != 0 {
						u.hit(fn, "gives a "+a.Type().String()+" to "+f.Name, f.Name)
					}
				}
			}
			result(any)
			continue
		}
		u.enter(to)
		for i, a := range args {
			if i < len(to.Params) && leads(to.Params[i].Type()) {
				u.add(u.values, to.Params[i], u.values[a])
				u.add(u.contents, to.Params[i], u.contents[a])
				u.add(u.contents, a, u.contents[to.Params[i]])
			}
		}
		result(u.results[to])
	}
}

// unseenPackages are those whose functions may work in silence on what the program gives them. Others below internal
// are called by the standard library alone, with memory of its own.
var unseenPackages = []string{
	"context", "internal/poll", "internal/syscall/unix", "iter", "net", "net/textproto", "os", "os/signal", "os/user", "reflect", "runtime",
	"runtime/debug", "runtime/metrics", "strings", "sync", "sync/atomic", "syscall", "testing", "testing/synctest", "time",
}

// announced are functions of the machine that are given memory of the program's by functions that make no events. They
// say themselves what they touch, or touch nothing that changes.
var announced = map[string]string{
	"internal/poll.heddleFdMutex":    "an operation on the descriptor",
	"internal/poll.heddleFilled":     "likewise",
	"internal/poll.heddleFills":      "addresses alone",
	"internal/poll.heddleShares":     "addresses, and whether it is a file, which does not change",
	"runtime.KeepAlive":              "nothing",
	"reflect.heddleArrayOf":          "descriptors of types do not change",
	"reflect.heddleChanOf":           "likewise",
	"reflect.heddleMapOf":            "likewise",
	"reflect.heddlePointerTo":        "likewise",
	"reflect.heddleSliceOf":          "likewise",
	"reflect.heddleStub":             "likewise",
	"sync.heddleHome":                "where a copy leads, which is looked up again when the operation is visible",
	"sync.heddleKeyed":               "bytes of an interface, which do not change",
	"sync.heddleLook":                "an operation",
	"sync.heddleLookAtNew":           "an operation",
	"sync.heddleMemo":                "which variable it is (SILENT3)",
	"sync.heddleObject":              "an operation",
	"sync.heddleOnceBegin":           "an operation",
	"sync.heddleOnceEnd":             "an operation",
	"sync.heddleSetMemo":             "which variable it is (SILENT3)",
	"sync.heddleStdPrivate":          "which variable it is (SILENT4)",
	"sync.heddleStore":               "an operation",
	"sync.heddleUnchanged":           "says something of an operation",
	"sync.heddleValue":               "says something of an operation",
	"sync/atomic.heddleValueGet":     "an operation",
	"sync/atomic.heddleValuePut":     "an operation",
	"sync/atomic.heddleValueReplace": "an operation",
	"syscall.heddleBuffer":           "addresses alone",
	"syscall.heddleShared":           "addresses alone",
	"syscall.heddleShares":           "addresses, and an array of Iovec that is then read by events",
	"testing.heddleFailed":           "an operation",
	"testing.heddleFails":            "an operation",
	"testing.heddleFinishes":         "an operation",
	"testing.heddleLate":             "an operation",
	"time.heddleMakeTimer":           "a timer that nobody else has yet",
	"time.resetTimer":                "an operation",

	"internal/poll.heddleHostOpen":                 "a number",
	"internal/poll.runtime_isPollServerDescriptor": "a number",
	"(*runtime.TypeAssertionError).Error":          "an error of the runtime's own, whose fields nobody can write",
	"internal/syscall/unix.vgetrandom":             "nothing: it says that it is not there",
}

// The reasons why a function may access such memory without an event.
const (
	copied  = "a copy, which is made by an event"
	made    = "made by the function that calls it, or by itself"
	refused = "the process is refused, and so is the entry"
	before  = "announced as it is entered (package tests)"
	numbers = "numbers, and paths that package syscall has copied"
)

var unseenAllowed = map[string]string{
	"(*internal/poll.FD).Writev":      copied, // heddleWritev
	"internal/poll.consume":           copied,
	"(*syscall.heddleFd).message":     copied, // heddleIovecs
	"(*syscall.heddleFd).vector":      copied,
	"syscall.heddleGather":            copied,
	"syscall.heddleScatter":           copied,
	"syscall.heddleVectors":           copied,
	"(*syscall.heddleSock).parse":     copied, // heddleTaken
	"(*syscall.heddleSock).setOption": copied,
	"syscall.heddleKernel":            copied,

	"(*syscall.heddleFile).sendFile": made,
	"syscall.HeddleMove":             made,
	"os.Getwd":                       made,
	"os.doInRoot":                    made,
	"os.removeAllFrom":               made,
	"syscall.recvfromInet4":          made, // by package poll, for net
	"syscall.recvfromInet6":          made,
	"syscall.recvmsgInet4":           made,
	"syscall.recvmsgInet6":           made,
	"(os.dirFS).ReadDir":             made,
	"testing.heddleCheckCorpus":      made,
	"testing.heddleReadCorpus":       made,
	"sync.heddleMemoLoad":            made,
	"sync.heddleMemoStore":           made,
	"sync.heddlePoolPut":             made,

	"syscall.heddleFlock": numbers,
	"syscall.heddleFork":  numbers,
	"syscall.heddleKill":  numbers,
	"syscall.heddleOpen":  numbers,

	"os.ensurePidfd":                    refused,
	"os.getPidfd":                       refused,
	"os.startProcess":                   refused,
	"syscall.forkAndExecFailureCleanup": refused,
	"syscall.forkAndExecInChild":        refused,
	"syscall.forkAndExecInChild1":       refused,
	"syscall.forkExec":                  refused,
	"syscall.formatIDMappings":          refused,
	"syscall.ptracePeek":                refused,
	"syscall.ptracePoke":                refused,
	"syscall.writeUidGidMappings":       refused,

	"(*testing.F).Add":                  before,
	"(*testing.outputWriter).Write":     before,
	"(*testing.outputWriter).writeLine": before,
	"(testing.indenter).Write":          before,

	"(*testing.B).loopSlowPath": "a field of tests.LoudFields",
	"sync.heddlePoolOf":         "in the operation of heddleObject",
	"sync.heddlePoolGet":        "heddleLookAtNew comes before",
}

// TestUnseen looks for functions that make no events and read or write memory that the program gives them. What others
// do with that memory under the same lock would be seen in one order alone.
func TestUnseen(t *testing.T) {
	var src strings.Builder
	src.WriteString("package main\n\nimport (\n")
	for _, p := range unseenPackages {
		if !strings.Contains(p, "internal/") {
			fmt.Fprintf(&src, "\t_ %q\n", p)
		}
	}
	src.WriteString(")\n\nfunc main() {}\n")
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := program.Config{Overlay: Overlay(), KeepBody: KeepBody, Extra: []string{"runtime"}} // all bodies
	m := New(loadIn(t, program.NewUniverse(cfg), cfg, file), Config{}).vm
	used := map[string]bool{}
	silent := func(f *vm.Func) bool { return f.Silent }
	for _, h := range append(accessesUnseen(m, false, silent), accessesUnseen(m, true, silent)...) {
		switch {
		case h.to != "" && announced[h.to] != "":
			used[h.to] = true
		case unseenAllowed[h.by] != "":
			used[h.by] = true
		default:
			t.Errorf("%s %s, which the program may have given it, without an event", h.by, h.does)
		}
	}
	for _, names := range []map[string]string{announced, unseenAllowed} {
		for name := range names {
			if !used[name] {
				t.Errorf("%s is listed, and accesses nothing that the program gives", name)
			}
		}
	}

	// What makes events because it is of the program's memory, it finds as well.
	found := map[string]bool{}
	for _, strict := range []bool{false, true} {
		for _, h := range accessesUnseen(m, strict, func(f *vm.Func) bool { return f.Std }) {
			found[h.by] = true
		}
	}
	for _, name := range []string{
		"runtime.heddleSeenFramesNext", "runtime.heddleSeenReadMemStats", "runtime/metrics.heddleSeenRead", "runtime/debug.heddleSeenReadGCStats",
		"reflect.heddleSeenStruct", "reflect.heddleSeenFunc", "(*os.SyscallError).Error", "syscall.heddleSeenGive", "syscall.Pipe2",
		"internal/poll.heddleSeenConsume", "testing.heddleSeenRunTests", "(testing.BenchmarkResult).NsPerOp",
	} {
		if !found[name] {
			t.Errorf("nothing is found in %s", name)
		}
	}
}

// silentByThemselves have state of their own, of which the program is told by operations (SILENT1).
var silentByThemselves = []string{"internal/poll", "internal/syscall/unix", "os", "syscall", "testing"}

// accessesUnseen walks the functions that are silent, from those that the program or another package calls. If it is
// strict it begins with those that an overlay has in the place of others.
func accessesUnseen(m *vm.Machine, strict bool, silent func(*vm.Func) bool) []unseenAccess {
	u := &unseen{
		m: m, strict: strict, quiet: silent, values: map[ssa.Value]reach{}, contents: map[ssa.Value]reach{}, results: map[*ssa.Function]reach{},
		funcs: map[*ssa.Function]bool{}, methods: map[string][]*ssa.Function{}, hits: map[unseenAccess]bool{},
	}
	for _, p := range m.Program.Init {
		if p.Boundary && p.Path != "runtime" || !slices.Contains(unseenPackages, p.Path) {
			continue
		}
		begins := func(fn *ssa.Function) bool {
			if m.Library.Redirects[fn.String()] != "" {
				return !strict || !slices.Contains(silentByThemselves, p.Path)
			}
			return !strict && fn.Object() != nil && fn.Object().Exported() && fn.TypeParams().Len() == 0
		}
		for _, mem := range p.SSA.Members {
			switch mem := mem.(type) {
			case *ssa.Function:
				if begins(mem) {
					u.entry(mem)
				}
			case *ssa.Type:
				for _, fn := range methodsOf(m, mem) {
					if begins(fn) {
						u.entry(fn)
					}
					if u.quiet(m.Func(fn)) {
						u.methods[fn.Name()] = append(u.methods[fn.Name()], fn)
					}
				}
			}
		}
	}
	for u.changed = true; u.changed; {
		u.changed = false
		for _, fn := range slices.SortedFunc(maps.Keys(u.funcs), func(a, b *ssa.Function) int { return cmp.Compare(a.String(), b.String()) }) {
			m.Program.Build(fn)
			for _, b := range fn.Blocks {
				for _, in := range b.Instrs {
					u.instr(fn, in)
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(u.hits), func(a, b unseenAccess) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.does, b.does)) })
}
