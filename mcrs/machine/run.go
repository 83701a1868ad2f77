package machine

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines executions: package initialisers, the snapshot after them, and the start of an entry.

// A snapshot is what Prepare leaves: the state in which each execution begins.
type snapshot struct {
	prepared bool
	initErr  error
	userFrom uint64 // from here on, objects of segment Init were made by initialisers of the user's packages
	userVars map[uint64]bool
	initEnv  envNotes // what package initialisers asked for
	late     []*Func  // initialisers that each execution runs, see Prepare
	starts   map[startKey]starting
	mark     kernel.Mark
}

// An InitError says that a program's package initialisers did not finish.
type InitError struct {
	Reason string
	Site   event.Site
}

func (e *InitError) Error() string { return "package initialisation: " + e.Reason }

// Limits of package initialisation.
const (
	initSteps  = 500_000_000
	initMemory = 256 << 20
)

// Prepare runs the package initialisers and takes the snapshot. It is called by the first execution if it was not before.
//
// An initialiser that starts a goroutine cannot be part of a snapshot, which holds memory and no goroutines. Then the
// snapshot is taken before the first package of the user's, and the initialisers from there on are run by G1 at the start of each execution.
func (m *Machine) Prepare() error {
	if m.prepared {
		return m.initErr
	}
	m.prepared = true
	m.initErr = m.initialise()
	m.initialised = true
	m.initEnv = m.env.clone()
	return m.initErr
}

func (m *Machine) initialise() error {
	m.triesRW = mentionsTryLock(m.prog)
	m.mentions = mentionsOf(m.prog)
	m.beginInit()
	vars := uint64(0)
	for _, p := range m.prog.Init { // package variables have the same addresses in every run
		for _, name := range slices.Sorted(maps.Keys(p.SSA.Members)) {
			g, ok := p.SSA.Members[name].(*ssa.Global)
			if !ok {
				continue
			}
			if vars += m.layouts.Of(deref(g.Type())).Size; vars > initMemory {
				return &InitError{Reason: fmt.Sprintf("package variables need more than %d MiB, %s.%s among them", initMemory>>20, p.Path, name)}
			}
			m.globalAddr(g)
		}
		if err := m.embed(p); err != nil {
			return err
		}
		if err := m.layTables(p); err != nil {
			return err
		}
	}
	var pkgs []*program.Package
	for _, p := range m.prog.Init {
		if !p.Boundary && p.Path != "unsafe" && (p.HasInit() || p.Path == "testing") {
			pkgs = append(pkgs, p)
		}
	}
	m.prog.BuildAhead(pkgs)
	var inits, late []*Func
	for _, p := range pkgs {
		to := &late
		if p.Std && len(late) == 0 {
			to = &inits
		}
		if fn := p.SSA.Func("init"); fn != nil {
			*to = append(*to, m.Func(fn))
		}
		if fn := m.overlay("testing.heddleInit"); fn != nil && p.Path == "testing" {
			*to = append(*to, m.Func(fn))
		}
	}
	for _, f := range inits {
		if err := m.runInit(f); err != nil {
			return err
		}
	}
	m.mem.Freeze()
	m.mark = m.kernel.Snapshot()
	m.beginInit()
	first := m.mem.Next(mem.Init)
	m.userFrom = first
	for _, f := range late {
		err := m.runInit(f)
		if m.initSpawn {
			m.rollBack(first)
			m.late = late
			return nil
		}
		if err != nil {
			return err
		}
	}
	m.mem.Freeze()
	m.mark = m.kernel.Snapshot()
	return nil
}

// rollBack undoes the initialisers that have run since the last Freeze. What the machine keeps for all executions must not name what they
// allocated, from the address first on: it is gone, and the next object there is another.
func (m *Machine) rollBack(first uint64) {
	m.mem.Rollback()
	m.kernel.Restore(m.mark)
	m.handles.rollBack(first)
}

func (m *Machine) beginInit() {
	m.execution = execution{
		record: record{tr: &trace.Trace{Diverged: -1}}, clockwork: clockwork{timeline: timeline{now: Epoch}}, requests: requests{env: m.env},
		inits: true, direct: true,
	}
	m.opts = sched.Options{MaxMemory: initMemory}
	m.beginFlows()
	m.collectFrom()
	m.maxSteps = max(initSteps, m.cfg.Exec.MaxSteps)
	m.outputMax = 1 << 16
}

// runInit runs one package's initialiser.
func (m *Machine) runInit(f *Func) error {
	m.gs, m.live, m.ran, m.entryDone, m.over, m.main = nil, nil, nil, false, false, nil
	m.tr.Threads = nil
	g := m.start(nil, f, 0, nil)
	m.main = g
	m.advance(g)
	m.execLoop()
	if f.name == "os.init" {
		m.setArgs(m.kernel.Args())
	}
	switch {
	case m.exited: // EXIT4
		return &InitError{Reason: fmt.Sprintf("os.Exit(%d)", m.tr.ExitCode), Site: m.tr.ReasonSite}
	case m.tr.Status == trace.Limit, m.tr.Status == trace.Unsupported:
		return &InitError{Reason: m.tr.Reason, Site: m.tr.ReasonSite}
	case m.tr.Status == trace.Failed:
		return &InitError{Reason: strings.TrimSpace(m.tr.Panic), Site: m.tr.ReasonSite}
	case !m.entryDone:
		return &InitError{Reason: "deadlock", Site: m.tr.ReasonSite}
	}
	return nil
}

// afterInits returns a function that runs the late initialisers and then f(args).
func (m *Machine) afterInits(f *Func, args []uint64) (*Func, []uint64) {
	if len(m.late) == 0 {
		return f, args
	}
	begins := m.isTest()
	run := m.native("init", 0, 0, nil)
	run.Instrs = nil
	for i := 0; i <= len(m.late); i++ {
		next, a := f, args
		if i < len(m.late) {
			next, a = m.late[i], nil
		}
		tests := begins && i == len(m.late)
		run.Instrs = append(run.Instrs, code.Instr{Op: code.OpClosure, K: uint64(i)})
		run.closures = append(run.closures, func(m *Machine, g *G, _ unsafePointer, _ *code.Instr) status {
			if tests && m.testsRun(g, true) != done {
				return yield
			}
			g.top().pc++
			return m.pushArgs(g, next, a, 0, callFrame)
		})
	}
	run.Instrs = append(run.Instrs, code.Instr{Op: code.OpRet})
	run.Sites = make([]event.Site, len(run.Instrs))
	return run, nil
}

// isTest reports whether tests are run as soon as the initialisers are done.
func (m *Machine) isTest() bool {
	return m.prog.TestMain == nil && m.entry != nil && m.entry.Kind != program.Main
}

// setArgs sets os.Args.
func (m *Machine) setArgs(args []string) {
	p := m.prog.PackageByPath("os")
	if p == nil || p.SSA.Var("Args") == nil {
		return
	}
	a := m.stringSlice(&G{seg: mem.Init}, args)
	if _, d := m.mem.Writable(m.globalAddr(p.SSA.Var("Args")), 24); d != nil {
		*(*[3]uint64)(d) = a
	}
}

// stringSlice allocates a []string.
func (m *Machine) stringSlice(g *G, ss []string) [3]uint64 {
	o := m.mem.Alloc(g.seg, uint64(len(ss))*16, &mem.PtrMap{Elem: 16, Offs: []uint32{0}})
	m.keep = append(m.keep, o.Base)
	defer func() { m.keep = m.keep[:len(m.keep)-1] }()
	for i, s := range ss {
		p, n, _ := m.newString(g, s)
		*(*[2]uint64)(d2(o.Data(), uint64(i)*16)) = [2]uint64{p, n}
	}
	return [3]uint64{o.Base, uint64(len(ss)), uint64(len(ss))}
}

// reset returns to the snapshot and begins an execution.
func (m *Machine) reset(e *program.Entry, o sched.Options) {
	m.mem.Reset()
	m.kernel.Restore(m.mark)
	m.recycle()
	m.execution = execution{
		record: record{tr: m.newTrace(), lastEvent: -1}, goroutines: goroutines{gs: m.gs}, clockwork: clockwork{timeline: timeline{now: Epoch}},
		testRun: testRun{outputMax: 1 << 16}, budget: budget{opts: o}, requests: requests{env: m.initEnv.clone()},
		entry: e, state: m.state,
	}
	m.beginFlows()
	m.tr.Timing, m.tr.Memory = o.Timing, o.Memory
	m.collectFrom()
	m.maxSteps = o.MaxSteps
	if m.maxSteps == 0 {
		m.maxSteps = 1<<63 - 1
	}
	if o.Cancelled != nil {
		m.hardSteps, m.maxSteps = m.maxSteps, min(m.maxSteps, sliceSteps)
	}
}

// newTrace returns an empty trace with room for an execution like the one before.
func (m *record) newTrace() *trace.Trace {
	tr := &trace.Trace{Diverged: -1, Clockwork: trace.Clockwork{Start: Epoch}}
	if last := m.tr; last != nil {
		tr.Events = make([]event.Event, 0, len(last.Events)+4)
		tr.Threads = make([]trace.Thread, 0, len(last.Threads)+1)
		if n := len(last.Silent); n > 0 {
			tr.Silent = make([]trace.Silent, 0, n+4)
		}
	}
	return tr
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
	m := em.m
	if err := m.Prepare(); err != nil {
		ie := err.(*InitError)
		return &trace.Trace{Diverged: -1, Status: trace.Unsupported, Reason: err.Error(), ReasonSite: ie.Site}
	}
	m.reset(&em.e, o)
	st := m.starting(em.e, em.with)
	if st.err != nil {
		return &trace.Trace{Diverged: -1, Status: trace.Unsupported, Reason: st.err.Error()}
	}
	m.testing = len(m.late) == 0 && m.isTest()
	m.main = m.start(nil, st.f, 0, st.args)
	m.advance(m.main)
	m.loop(s)
	return m.finishTrace()
}

// A startKey names an entry.
type startKey struct {
	fn   *ssa.Function
	kind program.EntryKind
	with *ssa.Function // of the other test of a pair, else nil
}

// A starting is what G1 runs.
type starting struct {
	f    *Func
	args []uint64
	err  error
}

// starting returns what G1 runs for an entry. It is made once: a function has one number and one address in all executions.
func (m *Machine) starting(e program.Entry, with *program.Entry) starting {
	key := startKey{fn: e.Fn, kind: e.Kind}
	if with != nil {
		key.with, m.paired = with.Fn, true
	}
	st, ok := m.starts[key]
	if !ok {
		if st.f, st.args, st.err = m.startOf(e, with); st.err == nil {
			st.f, st.args = m.afterInits(st.f, st.args)
		}
		if m.starts == nil {
			m.starts = map[startKey]starting{}
		}
		m.starts[key] = st
	}
	return st
}

// startOf returns the function that runs an entry, or a pair of tests, and its arguments.
func (m *Machine) startOf(e program.Entry, with *program.Entry) (*Func, []uint64, error) {
	fn := m.Func(e.Fn)
	name, n := m.staticString(e.Name)
	switch e.Kind {
	case program.Main, program.Example:
		if m.prog.TestMain != nil && e.Kind == program.Example {
			return m.underTestMain(fn, nil)
		}
		return fn, nil, nil
	case program.Test, program.Fuzz:
		run := m.overlay("testing.heddleTest")
		if e.Kind == program.Fuzz {
			run = m.overlay("testing.heddleFuzz")
		}
		if run == nil {
			return nil, nil, fmt.Errorf("package testing is not in the program of %s", m.prog.Path)
		}
		args := []uint64{name, n, m.funcValue(fn)}
		if with != nil {
			run = m.overlay("testing.heddlePair")
			name, n := m.staticString(with.Name)
			args = append(args, name, n, m.funcValue(m.Func(with.Fn)))
		}
		if m.prog.TestMain != nil {
			return m.underTestMain(m.Func(run), args)
		}
		return m.Func(run), args, nil
	}
	return nil, nil, fmt.Errorf("%s is a %s, which is not supported yet", e.Name, e.Kind)
}

// underTestMain runs f(args) where the package's TestMain calls m.Run.
func (m *Machine) underTestMain(f *Func, args []uint64) (*Func, []uint64, error) {
	bound := m.native("testing.entry", 0, 0, nil)
	bound.intrinsic = nil
	bound.Instrs = []code.Instr{{Op: code.OpClosure}, {Op: code.OpClosure, K: 1}, {Op: code.OpRet}}
	bound.Sites = make([]event.Site, len(bound.Instrs))
	bound.closures = []closureOp{
		func(m *Machine, g *G, _ unsafePointer, _ *code.Instr) status {
			g.top().pc = 1
			m.entryStart, m.started, m.rootTest = len(m.tr.Output), true, 0
			return m.pushArgs(g, f, args, 0, callFrame)
		},
		func(m *Machine, _ *G, _ unsafePointer, _ *code.Instr) status {
			m.entryEnd = len(m.tr.Output)
			return done
		},
	}
	main := m.overlay("testing.heddleWithMain")
	return m.Func(main), []uint64{m.funcValue(m.Func(m.prog.TestMain)), m.funcValue(bound)}, nil
}

func (m *Machine) finishTrace() *trace.Trace {
	tr := m.tr
	tr.Steps, tr.Allocated = m.steps, m.allocated
	if m.flows != nil {
		m.flows.Finish()
	}
	for _, g := range m.gs {
		if g.ended || !g.waiting {
			continue
		}
		t := &tr.Threads[g.idx]
		o := g.op
		for i := range g.sel {
			if c := m.chanAt(g.sel[i].ch); c != nil {
				m.noteCap(g.sel[i].ch, c)
			}
		}
		t.Pending = &o
		t.Waits = waitsFor(&o)
		if o.Kind.WaitsForLock() {
			t.Holder = m.taker(o.Loc.Addr)
		}
		if m.opts.Stacks {
			t.Stack = m.stackOf(g)
		}
	}
	if e := m.entry; e != nil && e.Kind == program.Example && e.HasOutput && tr.Status == trace.Returned {
		m.checkExample(e)
	}
	if m.prog.TestMain != nil && !m.started && tr.Status == trace.Returned && tr.ExitCode == 0 {
		tr.Skipped, tr.SkipText = true, "TestMain ends without running it"
	}
	tr.Environment = m.environment()
	m.refusedEnd()
	return tr
}

// checkExample compares an example's output by the rules of go test.
func (m *execution) checkExample(e *program.Entry) {
	out := m.tr.Output
	if m.entryEnd > 0 {
		out = out[m.entryStart:m.entryEnd]
	}
	got, want := strings.TrimSpace(string(out)), strings.TrimSpace(e.Output)
	if e.Unordered {
		got, want = sortedLines(got), sortedLines(want)
	}
	if got != want {
		m.tr.TestFailed = true
		m.tr.Failures = append(m.tr.Failures, trace.Failure{
			Event: int32(len(m.tr.Events)), Message: fmt.Sprintf("got:\n%s\nwant:\n%s", got, want),
		})
	}
}

// waitsFor names a pending operation as the runtime's goroutine dumps do.
func waitsFor(o *event.Op) string {
	switch s := cmp.Or(o.Kind.Waits(), o.Kind.String()); {
	case o.IsSelect() && len(o.Cases) == 0:
		return "select (no cases)"
	case o.IsSelect():
		return "select"
	case o.Kind.IsComm() && o.Loc.Addr == 0:
		return s + " (nil chan)"
	case o.Kind == event.Lock && o.Key != event.MutexKey:
		return event.LockAnnounce.Waits() // the second half of RWMutex.Lock
	default:
		return s
	}
}

// Streams are the standard streams of `heddle run`.
type Streams struct {
	Stdout, Stderr io.Writer
}

// Exec runs a main package's main, or all tests and examples selected by names once each, under the deterministic
// schedule, with the program's own output. It returns the program's exit code; an error says that
// the machine could not go on.
func (m *Machine) Exec(s Streams, entries []program.Entry) (int, error) {
	m.mode, m.out = running, s
	defer func() { m.mode, m.out = exploring, Streams{} }()
	if err := m.Prepare(); err != nil {
		ie := err.(*InitError)
		if m.exited {
			return m.tr.ExitCode, nil
		}
		if m.tr.Status == trace.Failed {
			fmt.Fprintf(s.Stderr, "%s\n\ngoroutine 1 [running]:\n%s", m.tr.Panic, m.panicStack(m.gs[0]))
			return 2, nil
		}
		return 1, m.at(ie.Site, err)
	}
	m.reset(nil, m.cfg.Exec)
	m.hardSteps, m.maxSteps = m.maxSteps, 0
	m.direct = true
	var f *Func
	var args []uint64
	if len(entries) == 1 && entries[0].Kind == program.Main {
		m.entry = &entries[0]
		f = m.Func(entries[0].Fn)
	} else {
		m.selected = entries
		fn := m.overlay("testing.heddleRunAll")
		if fn == nil {
			return 1, fmt.Errorf("package testing is not in the program of %s", m.prog.Path)
		}
		tm := uint64(0)
		if m.prog.TestMain != nil {
			tm = m.funcValue(m.Func(m.prog.TestMain))
		}
		f, args = m.Func(fn), []uint64{tm}
	}
	f, args = m.afterInits(f, args)
	m.main = m.start(nil, f, 0, args)
	m.advance(m.main)
	m.execLoop()
	switch m.tr.Status {
	case trace.Limit, trace.Unsupported:
		if m.tr.Panic != "" {
			fmt.Fprintln(s.Stderr, m.tr.Panic)
			return 2, nil
		}
		return 1, m.at(m.tr.ReasonSite, fmt.Errorf("incomplete: %s", m.tr.Reason))
	case trace.Deadlocked:
		text := "no goroutines (main called runtime.Goexit)"
		for _, g := range m.gs {
			if !g.ended && !g.pseudo() {
				text = "all goroutines are asleep"
			}
		}
		fmt.Fprintf(s.Stderr, "fatal error: %s - deadlock!\n", text)
		for _, g := range m.gs {
			if g.waiting {
				fmt.Fprintf(s.Stderr, "\ngoroutine %d [%s]:\n%s", g.idx+1, waitsFor(&g.op), m.stackText(g))
			}
		}
		return 2, nil
	case trace.Failed:
		fmt.Fprintf(s.Stderr, "%s\n\ngoroutine %d [running]:\n%s", m.tr.Panic, m.tr.PanicThread+1, m.panicStack(m.gs[m.tr.PanicThread]))
		return 2, nil
	}
	return m.tr.ExitCode, nil
}

// panicStack is the stack where g's panic was raised.
func (m *Machine) panicStack(g *G) string {
	if n := len(g.panics); n > 0 && g.panics[n-1].origin.stack != nil {
		return m.framesText(g.panics[n-1].origin.stack)
	}
	return m.stackText(g)
}

func (m *Machine) stackText(g *G) string { return m.framesText(m.stackOf(g)) }

// framesText is a stack as the runtime prints it, without arguments and offsets.
func (m *Machine) framesText(st []trace.Frame) string {
	var b strings.Builder
	for _, f := range st {
		if p := m.Position(f.Site); p.IsValid() {
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", m.nativeName(m.siteTable[f.Site].f), p.Filename, p.Line)
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

// output routes what the program writes to its standard streams.
type output struct {
	m   *Machine
	err bool
}

func (o output) Write(p []byte) (int, error) {
	m := o.m
	if m.mode == running {
		if o.err {
			return m.out.Stderr.Write(p)
		}
		return m.out.Stdout.Write(p)
	}
	if m.tr != nil && !o.err {
		if room := m.outputMax - len(m.tr.Output); room > 0 {
			m.tr.Output = append(m.tr.Output, p[:min(room, len(p))]...)
		}
	}
	return len(p), nil
}

// write2 writes to standard error, as print does.
func (m *Machine) write2(b []byte) { output{m, true}.Write(b) }

var _ kernel.Memory = memory{}

// memory is the machine's memory as the kernel sees it.
type memory struct{ m *Machine }

func (x memory) ReadBytes(addr uint64, n int) ([]byte, bool) {
	if n < 0 {
		return nil, false
	}
	b, ok := x.m.mem.Bytes(addr, uint64(n))
	return append([]byte(nil), b...), ok
}

func (x memory) WriteBytes(addr uint64, p []byte) bool {
	b, ok := x.m.mem.WritableBytes(addr, uint64(len(p)))
	copy(b, p)
	return ok
}
