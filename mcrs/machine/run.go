package machine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/boundary"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/host"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/loop"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/prim"
	"github.com/heddle-go/heddle/mcrs/machine/tests"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines executions: package initialisers, the snapshot after them, and the start of an entry.

// An InitError says that a program's package initialisers did not finish.
type InitError struct {
	Reason string
	Site   event.Site
}

// Error implements error.
func (e *InitError) Error() string { return "package initialisation: " + e.Reason }

// Prepare runs the package initialisers and takes the snapshot. It is called by the first execution if it was not
// before.
//
// An initialiser that starts a goroutine cannot be part of a snapshot, which holds memory and no goroutines, unless it
// settles (INIT1 to INIT4). Then the snapshot is taken before it, and the initialisers from there on are run by G1 at
// the start of each execution.
func (m *Machine) Prepare() error {
	if m.vm.Prepared {
		return m.initErr
	}
	m.vm.Prepared = true
	m.initErr = m.initialise()
	m.vm.Initialised = true
	return m.initErr
}

func (em *Machine) initialise() error {
	m := em.vm
	m.TriesRW = prim.MentionsTryLock(m.Program)
	m.Mentions = tests.MentionsOf(m.Program)
	m.Mentions[host.Numbers], m.Mentions[host.Files] = host.NamesDescriptors(m.Program), host.NamesFiles(m.Program)
	m.AsksStacks = boundary.AsksStacks(m.Program)
	boundary.MentionsFinalizers(m.Program, m.Mentions)
	m.Mentions[clock.Deadlines] = clock.AsksDeadlines(m.Program)
	if m.Mode != vm.Running && !m.Mentions[host.Files] {
		m.Kernel.TellApart()
	}
	m.BeginInit()
	vars := uint64(0)
	for _, p := range m.Program.Init { // package variables have the same addresses in every run
		for _, g := range p.Vars() {
			if vars += m.Layouts.Of(vm.Deref(g.Type())).Size; vars > vm.InitMemory {
				return &InitError{Reason: fmt.Sprintf("package variables need more than %d MiB, %s.%s among them", vm.InitMemory>>20, p.Path, g.Name())}
			}
			m.GlobalAddr(g)
		}
		if err := embed(m, p); err != nil {
			return err
		}
		if err := layTables(m, p); err != nil {
			return err
		}
	}
	var pkgs []*program.Package
	for _, p := range m.Program.Init {
		if !p.Boundary && p.Path != "unsafe" && (p.HasInit() || p.Path == "testing") {
			pkgs = append(pkgs, p)
		}
	}
	m.Program.BuildAhead(pkgs)
	var inits, late []*vm.Func
	for _, p := range pkgs {
		to := &late
		if p.Std && len(late) == 0 {
			to = &inits
		}
		if fn := p.SSA.Func("init"); fn != nil {
			*to = append(*to, m.Func(fn))
		}
		if fn := m.Overlay("testing.heddleInit"); fn != nil && p.Path == "testing" && !m.Program.IsCommand() {
			*to = append(*to, m.Func(fn))
		}
	}
	for _, f := range inits {
		if err := runInit(m, f); err != nil {
			return err
		}
	}
	m.Unordered = vm.UnorderedOf(m)
	freeze(m)
	m.UserFrom = m.Mem.Next(mem.Init)
	out := hold(m)
	defer out.end()
	for len(late) > 0 {
		first := m.Mem.Next(mem.Init)
		m.BeginInit()
		n, err := runInits(m, late)
		if err != nil {
			return err
		}
		if n < len(late) { // what it has done must go, and with it what was done since the last Freeze
			rollBack(m, first)
			out.said = nil
			m.BeginInit()
			if _, err := runInits(m, late[:n]); err != nil {
				return err
			}
		}
		freeze(m)
		out.tell()
		if late = late[n:]; len(late) == 0 {
			break
		}
		settles := m.Mode != vm.Running && em.settles(late[0])
		m.Mem.Reset()
		m.Kernel.Restore(m.Mark)
		if !settles {
			m.Late = late
			break
		}
		m.BeginInit()
		if err := runInit(m, late[0]); err != nil {
			return err
		}
		freeze(m)
		late = late[1:]
	}
	return nil
}

// freeze makes all that was done the snapshot.
func freeze(m *vm.Machine) {
	m.Mem.Freeze()
	m.Mark, m.InitAsks = m.Kernel.Snapshot(), m.Requests.Clone()
}

// runInits runs initialisers up to one that starts a goroutine, and returns how many come before that.
func runInits(m *vm.Machine, fs []*vm.Func) (int, error) {
	for i, f := range fs {
		err := runInit(m, f)
		if m.InitSpawn {
			return i, nil
		}
		if err != nil {
			return i, err
		}
	}
	return len(fs), nil
}

// rollBack undoes the initialisers that have run since the last Freeze. What the machine keeps for all executions
// must not name what they allocated, from the address first on: it is gone, and the next object there is another.
func rollBack(m *vm.Machine, first uint64) {
	m.Mem.Rollback()
	m.Kernel.Restore(m.Mark)
	m.Handles.RollBack(first)
}

// runInit runs one package's initialiser.
func runInit(m *vm.Machine, f *vm.Func) error {
	m.Threads, m.Live, m.Ran, m.EntryDone, m.Over, m.Main = nil, nil, nil, false, false, nil
	m.Trace.Threads = nil
	g := goroutine.Start(m, nil, f, 0, nil)
	m.Main = g
	goroutine.Advance(m, g)
	loop.Exec(m)
	if f.Name == "os.init" {
		setArgs(m, m.Kernel.Args())
	}
	switch {
	case m.Exited: // EXIT4
		return &InitError{Reason: fmt.Sprintf("os.Exit(%d)", m.Trace.ExitCode), Site: m.Trace.ReasonSite}
	case m.Trace.Status == trace.Limit, m.Trace.Status == trace.Unsupported:
		return &InitError{Reason: m.Trace.Reason, Site: m.Trace.ReasonSite}
	case m.Trace.Status == trace.Failed:
		return &InitError{Reason: strings.TrimSpace(m.Trace.Panic), Site: m.Trace.ReasonSite}
	case !m.EntryDone:
		return &InitError{Reason: "deadlock", Site: m.Trace.ReasonSite}
	}
	return nil
}

// afterInits returns a function that runs the late initialisers and then f(args), for the entry named.
func afterInits(m *vm.Machine, of string, f *vm.Func, args []uint64) (*vm.Func, []uint64) {
	if len(m.Late) == 0 {
		return f, args
	}
	only := isTest(m)
	run := m.Native("init", of, 0, 0, nil)
	run.Instrs = nil
	for i := 0; i <= len(m.Late); i++ {
		next, a := f, args
		if i < len(m.Late) {
			next, a = m.Late[i], nil
		}
		tests := only && i == len(m.Late)
		run.Instrs = append(run.Instrs, code.Instr{Op: code.OpClosure, K: uint64(i)})
		run.Closures = append(run.Closures, func(m *vm.Machine, g *vm.G, _ unsafe.Pointer, _ *code.Instr) vm.Status {
			if tests {
				if host.TestsRun(m, g, true) != vm.Done {
					return vm.Yield
				}
				begins(m, g)
			}
			g.Top().PC++
			return m.PushArgs(g, next, a, 0, vm.CallFrame)
		})
	}
	run.Instrs = append(run.Instrs, code.Instr{Op: code.OpRet})
	run.Sites = make([]event.Site, len(run.Instrs))
	return run, nil
}

// begins notes what the first goroutine has made so far: the test that begins shares it with others.
func begins(m *vm.Machine, g *vm.G) {
	m.Trace.Older = [2]uint64{mem.Segment(g.Segment), m.Mem.Next(g.Segment)}
}

// isTest reports whether tests are run as soon as the initialisers are done.
func isTest(m *vm.Machine) bool {
	return m.Program.TestMain == nil && m.Entry != nil && m.Entry.Kind != program.Main
}

// setArgs sets os.Args.
func setArgs(m *vm.Machine, args []string) {
	p := m.Program.PackageByPath("os")
	if p == nil || p.SSA.Var("Args") == nil {
		return
	}
	a := vm.StringSlice(m, &vm.G{Segment: mem.Init}, args)
	if _, d := m.Mem.Writable(m.GlobalAddr(p.SSA.Var("Args")), 24); d != nil {
		*(*[3]uint64)(d) = a
	}
}

// An entryMachine runs one entry: it is the sched.Machine that explorers see.
type entryMachine struct {
	m    *Machine
	e    program.Entry
	with *program.Entry // the other one of a pair, else nil
}

// Entry returns the machine that runs e from the snapshot.
func (m *Machine) Entry(e program.Entry) sched.Machine { return &entryMachine{m: m, e: e} }

// Pair returns the machine that runs two tests, as go test does that runs these two.
func (m *Machine) Pair(a, b program.Entry) sched.Machine { return &entryMachine{m, a, &b} }

// Run implements sched.Machine.
func (em *entryMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	if err := em.m.Prepare(); err != nil {
		ie := err.(*InitError)
		return &trace.Trace{Diverged: -1, Status: trace.Unsupported, Reason: err.Error(), ReasonSite: ie.Site}
	}
	m := em.m.vm
	m.Reset(&em.e, o)
	st := em.m.starting(em.e, em.with)
	if st.Err != nil {
		return &trace.Trace{Diverged: -1, Status: trace.Unsupported, Reason: st.Err.Error()}
	}
	m.Numbering = st.numbering
	m.Testing = len(m.Late) == 0 && isTest(m)
	m.TestWaits = m.Testing
	m.Main = goroutine.Start(m, nil, st.Func, 0, st.Args)
	goroutine.Advance(m, m.Main)
	loop.Run(m, em.m.namer, s)
	switch m.Trace.Status {
	case trace.Stopped, trace.Limit, trace.Unsupported:
	default:
		vm.NotTakenBack(m)
	}
	return finishTrace(m)
}

// starting returns what G1 runs for an entry. It is made once: a function has one number and one address in all
// executions.
func (m *Machine) starting(e program.Entry, with *program.Entry) starting {
	key, of := startKey{Fn: e.Fn, Kind: e.Kind}, e.Name
	if with != nil {
		of += "|" + with.Name
		key.With, m.vm.Paired = with.Fn, true
	}
	st, ok := m.starts[key]
	if !ok {
		if st.Func, st.Args, st.Err = startOf(m.vm, e, with); st.Err == nil {
			st.Func, st.Args = afterInits(m.vm, of, st.Func, st.Args)
		}
		st.numbering = vm.NewNumbering()
		if m.starts == nil {
			m.starts = map[startKey]starting{}
		}
		m.starts[key] = st
	}
	return st
}

// startOf returns the function that runs an entry, or a pair of tests, and its arguments.
func startOf(m *vm.Machine, e program.Entry, with *program.Entry) (*vm.Func, []uint64, error) {
	fn := m.Func(e.Fn)
	name, n := m.StaticString(e.Name)
	switch e.Kind {
	case program.Main:
		return fn, nil, nil
	case program.Example:
		var args []uint64
		if run := m.Overlay("os.heddleExample"); run != nil { // else nothing can be printed
			fn, args = m.Func(run), []uint64{m.FuncValue(fn)}
		}
		if m.Program.TestMain != nil {
			return underTestMain(m, fn, args, vm.CallFrame, e.Name) // an example runs on the goroutine of TestMain
		}
		return fn, args, nil
	case program.Test, program.Fuzz:
		run := m.Overlay("testing.heddleTest")
		if e.Kind == program.Fuzz {
			run = m.Overlay("testing.heddleFuzz")
		}
		if run == nil {
			return nil, nil, fmt.Errorf("package testing is not in the program of %s", m.Program.Path)
		}
		args := []uint64{name, n, m.FuncValue(fn)}
		names := []string{e.Name}
		if with != nil {
			names = append(names, with.Name)
			run = m.Overlay("testing.heddlePair")
			name, n := m.StaticString(with.Name)
			args = append(args, name, n, m.FuncValue(m.Func(with.Fn)))
		}
		if m.Program.TestMain != nil {
			return underTestMain(m, m.Func(run), args, vm.TestFrame, names...)
		}
		return m.Func(run), args, nil
	}
	return nil, nil, fmt.Errorf("%s is a %s, which is not supported yet", e.Name, e.Kind)
}

// underTestMain runs f(args), the entries of some names, where the package's TestMain calls m.Run, in a frame of the
// kind given. The flag -test.run is as where go test is to run these alone.
func underTestMain(m *vm.Machine, f *vm.Func, args []uint64, kind vm.FrameKind, names ...string) (*vm.Func, []uint64, error) {
	bound := m.Native("testing.entry", fmt.Sprint(f.Text, args), 0, 0, nil)
	bound.Intrinsic = nil
	bound.Instrs = []code.Instr{{Op: code.OpClosure}, {Op: code.OpClosure, K: 1}, {Op: code.OpRet}}
	bound.Sites = make([]event.Site, len(bound.Instrs))
	bound.Closures = []vm.ClosureOp{
		func(m *vm.Machine, g *vm.G, _ unsafe.Pointer, _ *code.Instr) vm.Status {
			g.Top().PC = 1
			m.EntryStart, m.Started, m.RootTest = len(m.Trace.Output), true, 0
			begins(m, g)
			return m.PushArgs(g, f, args, 0, kind)
		},
		func(*vm.Machine, *vm.G, unsafe.Pointer, *code.Instr) vm.Status { return vm.Done },
	}
	main := m.Overlay("testing.heddleWithMain")
	pattern, n := m.StaticString("^" + strings.Join(names, "$|^") + "$")
	return m.Func(main), []uint64{m.FuncValue(m.Func(m.Program.TestMain)), m.FuncValue(bound), pattern, n}, nil
}

func finishTrace(m *vm.Machine) *trace.Trace {
	tr := m.Trace
	tr.Cost = m.Cost()
	if m.Flows != nil {
		m.Flows.Finish()
	}
	if m.Options.Called != nil {
		*m.Options.Called = len(m.Called)
	}
	for _, g := range m.Threads {
		if g.Ended || !g.Waiting {
			continue
		}
		t := &tr.Threads[g.Index]
		o := g.Op
		for i := range g.Sel {
			if c := objects.ChanAt(m, g.Sel[i].Chan); c != nil {
				objects.NoteCap(m, g.Sel[i].Chan, c)
			}
		}
		t.Pending = &o
		t.Waits = cmp.Or(g.NetworkWait(), boundary.WaitsFor(&o))
		if o.Kind.WaitsForLock() {
			t.Holder = m.Taker(o.Loc.Addr)
		}
		if m.Options.Stacks {
			t.Stack = g.StackFrames()
		}
	}
	if e := m.Entry; e != nil && e.Kind == program.Example && e.HasOutput && tr.Status == trace.Returned {
		checkExample(m, e)
	}
	if m.Program.TestMain != nil && !m.Started && tr.Status == trace.Returned && tr.ExitCode == 0 {
		tr.Skipped, tr.SkipText = true, "TestMain ends without running it"
	}
	tr.Environment = host.Environment(m)
	host.RefusedEnd(m)
	boundary.CollectedEnd(m)
	return tr
}

// checkExample compares an example's output by the rules of go test.
func checkExample(m *vm.Machine, e *program.Entry) {
	out := m.Trace.Output[m.EntryStart:max(m.EntryStart, m.EntryEnd)]
	got, want := strings.TrimSpace(string(out)), strings.TrimSpace(e.Output)
	if e.Unordered {
		got, want = sortedLines(got), sortedLines(want)
	}
	if got != want {
		m.Trace.TestFailed = true
		m.Trace.Failures = append(m.Trace.Failures, trace.Failure{
			Event: int32(len(m.Trace.Events)), Message: fmt.Sprintf("got:\n%s\nwant:\n%s", got, want),
		})
	}
}

// Exec runs a main package's main, or all tests and examples selected by names once each, under the deterministic
// schedule, with the program's own output. It returns the program's exit code; an error says that
// the machine could not go on.
func (m *Machine) Exec(s vm.Streams, entries []program.Entry) (int, error) {
	m.vm.Mode, m.vm.Out = vm.Running, s
	defer func() { m.vm.Mode, m.vm.Out = vm.Exploring, vm.Streams{} }()
	if err := m.Prepare(); err != nil {
		ie := err.(*InitError)
		if m.vm.Exited {
			return m.vm.Trace.ExitCode, nil
		}
		if m.vm.Trace.Status == trace.Failed {
			fmt.Fprintf(s.Stderr, "%s\n\ngoroutine 1 [running]:\n%s", m.vm.Trace.Panic, panicStack(m.vm, m.vm.Threads[0]))
			return 2, nil
		}
		return 1, m.at(ie.Site, err)
	}
	m.vm.Reset(nil, m.vm.Config.Exec)
	m.vm.HardSteps, m.vm.MaxSteps = max(m.vm.HardSteps, m.vm.MaxSteps), 0
	m.vm.Direct = true
	var f *vm.Func
	var args []uint64
	if len(entries) == 1 && entries[0].Kind == program.Main {
		m.vm.Entry = &entries[0]
		f = m.vm.Func(entries[0].Fn)
	} else {
		m.vm.Selected = entries
		fn := m.vm.Overlay("testing.heddleRunAll")
		if fn == nil {
			return 1, fmt.Errorf("package testing is not in the program of %s", m.vm.Program.Path)
		}
		tm := uint64(0)
		if m.vm.Program.TestMain != nil {
			tm = m.vm.FuncValue(m.vm.Func(m.vm.Program.TestMain))
		}
		f, args = m.vm.Func(fn), []uint64{tm}
	}
	f, args = afterInits(m.vm, "", f, args)
	m.vm.Main = goroutine.Start(m.vm, nil, f, 0, args)
	goroutine.Advance(m.vm, m.vm.Main)
	loop.Exec(m.vm)
	switch m.vm.Trace.Status {
	case trace.Limit, trace.Unsupported:
		if m.vm.Trace.Panic != "" {
			fmt.Fprintln(s.Stderr, m.vm.Trace.Panic)
			return 2, nil
		}
		return 1, m.at(m.vm.Trace.ReasonSite, fmt.Errorf("incomplete: %s", m.vm.Trace.Reason))
	case trace.Deadlocked:
		text := "no goroutines (main called runtime.Goexit)"
		for _, g := range m.vm.Threads {
			if !g.Ended && !g.Pseudo() {
				text = "all goroutines are asleep"
			}
		}
		fmt.Fprintf(s.Stderr, "fatal error: %s - deadlock!\n", text)
		for _, g := range m.vm.Threads {
			if g.Waiting {
				fmt.Fprintf(s.Stderr, "\ngoroutine %d [%s]:\n%s", g.Index+1, boundary.WaitsFor(&g.Op), stackText(m.vm, g))
			}
		}
		return 2, nil
	case trace.Failed:
		fmt.Fprintf(s.Stderr, "%s\n\ngoroutine %d [running]:\n%s", m.vm.Trace.Panic, m.vm.Trace.PanicThread+1, panicStack(m.vm, m.vm.Threads[m.vm.Trace.PanicThread]))
		return 2, nil
	}
	return m.vm.Trace.ExitCode, nil
}

// panicStack is the stack where g's panic was raised.
func panicStack(m *vm.Machine, g *vm.G) string {
	if n := len(g.Panics); n > 0 && g.Panics[n-1].Origin.Stack != nil {
		return framesText(m, g.Panics[n-1].Origin.Stack)
	}
	return stackText(m, g)
}

func stackText(m *vm.Machine, g *vm.G) string { return framesText(m, g.StackFrames()) }

// framesText is a stack as the runtime prints it, without arguments and offsets.
func framesText(m *vm.Machine, st []trace.Frame) string {
	var b strings.Builder
	for _, f := range st {
		if p := m.Position(f.Site); p.IsValid() {
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", boundary.NativeName(m, m.SiteTable[f.Site].Func), p.Filename, p.Line)
		}
	}
	return b.String()
}

// at adds a position to an error.
func (m *Machine) at(s event.Site, err error) error {
	if p := m.Position(s); p.IsValid() {
		return fmt.Errorf("%s: %w", p, err)
	}
	return err
}

var _ kernel.Mapper = (*host.Memory)(nil)

// BeginNotes forgets what was noted, but for what counts for every entry.
func (m *Machine) BeginNotes() { m.vm.Notes.Begin() }

// SinceNotes returns the functions that executions have called since BeginNotes, in the order of their first calls.
func (m *Machine) SinceNotes() []*ssa.Function { return m.vm.Called }

// Noted returns the functions that executions since BeginNotes depend on, and those of them whose lines matter, or how
// long these are in a log, each once, in no order.
func (m *Machine) Noted() (code, lines, logged []*ssa.Function) {
	all := maps.Clone(m.vm.Always)
	for _, fn := range m.vm.Called {
		all[fn] = true
	}
	asked := maps.Clone(m.vm.AlwaysLines)
	maps.Copy(asked, m.vm.Notes.Lines)
	return slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(asked)), slices.Collect(maps.Keys(m.vm.InLog))
}

// Ran returns the first n functions that executions have called since BeginNotes, and those that initialisers have.
// Where initialisers are part of an execution all of these are run.
func (m *Machine) Ran(n int) (run, before []*ssa.Function) {
	run = m.vm.Called[:n:n]
	for fn := range m.vm.Always {
		before = append(before, fn)
	}
	if len(m.vm.Late) > 0 {
		return slices.Concat(run, before), nil
	}
	return run, before
}

// Initialised reports whether the package initialisers are done.
func (m *Machine) Initialised() bool { return m.vm.Initialised }

// Facts is what the machine decides by looking at the whole program, as text.
func Facts(p *program.Program) string {
	mentions := tests.MentionsOf(p)
	mentions[host.Numbers], mentions[host.Files] = host.NamesDescriptors(p), host.NamesFiles(p)
	mentions[clock.Deadlines] = clock.AsksDeadlines(p)
	var named []string
	for _, name := range slices.Sorted(maps.Keys(mentions)) {
		if mentions[name] {
			named = append(named, name)
		}
	}
	return fmt.Sprint("trylock ", prim.MentionsTryLock(p), " testing ", named, " main ", p.TestMain != nil)
}

// Asked reports whether the last execution called a function that the machine has, but cannot answer as a
// real process does: testing.AllocsPerRun, runtime.ReadMemStats and their kin.
func (m *Machine) Asked(name string) bool { return m.vm.Asked[name] }

// A startKey names an entry.
type startKey struct {
	Fn   *ssa.Function
	Kind program.EntryKind
	With *ssa.Function // of the other test of a pair, else nil
}

// A starting is what G1 runs.
type starting struct {
	Func *vm.Func
	Args []uint64
	Err  error

	numbering vm.Numbering
}
