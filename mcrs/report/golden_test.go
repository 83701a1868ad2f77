package report

import (
	"flag"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const pkg = "example.com/cache"

// A place is a site of the fake source.
type place struct {
	pkg, file string
	line      int
	name      string // of the variable
	std       bool
}

// places is a Source; a site is an index in it, plus one.
type places []place

func (p *places) site(pl place) event.Site {
	*p = append(*p, pl)
	return event.Site(len(*p))
}

func (p *places) Position(s event.Site) token.Position {
	if s == 0 {
		return token.Position{}
	}
	pl := (*p)[s-1]
	return token.Position{Filename: filepath.Join("testdata", pl.file), Line: pl.line, Column: 2}
}
func (p *places) IsUser(s event.Site) bool     { return !(*p)[s-1].std }
func (p *places) Package(s event.Site) string  { return (*p)[s-1].pkg }
func (p *places) Variable(s event.Site) string { return (*p)[s-1].name }

// A builder makes traces by hand.
type builder struct {
	src places
	t   trace.Trace
}

func (b *builder) thread(id string, parent, spawn int) int {
	b.t.Threads = append(b.t.Threads, trace.Thread{ID: event.ThreadID(id), Parent: int32(parent), Spawn: int32(spawn), Holder: -1})
	return len(b.t.Threads) - 1
}

// code is a frame of the package's own code.
func (b *builder) code(fn, file string, line int, name string) trace.Frame {
	return trace.Frame{Func: "example.com/cache." + fn, Site: b.src.site(place{pkg: pkg, file: file, line: line, name: name})}
}

func (b *builder) std(fn, p, file string, line int, name string) trace.Frame {
	return trace.Frame{Func: fn, Site: b.src.site(place{pkg: p, file: file, line: line, name: name, std: true})}
}

// do adds an event with its stack and returns its index.
func (b *builder) do(thread int, e event.Event, stack ...trace.Frame) int {
	seq := 0
	for i := range b.t.Events {
		if b.t.Events[i].Thread == int32(thread) {
			seq++
		}
	}
	e.Thread, e.Seq, e.Case, e.Partner, e.Cases = int32(thread), int32(seq), -1, -1, -1
	e.Site = stack[0].Site
	b.t.Events = append(b.t.Events, e)
	b.t.Stacks = append(b.t.Stacks, stack)
	return len(b.t.Events) - 1
}

func (b *builder) spawn(parent int, id string, stack ...trace.Frame) int {
	i := b.do(parent, event.Event{Kind: event.Spawn, Other: int64(len(b.t.Threads))}, stack...)
	return b.thread(id, parent, i)
}

// block makes a thread stand at an operation.
func (b *builder) block(thread int, op event.Op, waits string, holder int, stack ...trace.Frame) {
	th := &b.t.Threads[thread]
	op.Site = stack[0].Site
	th.Pending, th.Waits, th.Holder, th.Stack = &op, waits, int32(holder), stack
}

func (b *builder) view() *View {
	return &View{
		Code: Code{
			Source: &b.src, Packages: []string{pkg, pkg + "_test"},
			ReadFile: func(name string) ([]byte, error) { return os.ReadFile(name + ".src") },
		},
		Entry: "TestAdd", Token: "h1abc", EntryPos: token.Position{Filename: "testdata/cache_test.go", Line: 8, Column: 6},
	}
}

// golden compares everything a finding is shown as with a golden file.
func golden(t *testing.T, name string, v *View, f *Finding) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "-- position --\n%s\n-- message --\n%s\n-- detail --\n%s\n-- related --\n", v.Position(f), v.Message(f), v.Detail(f))
	for _, r := range v.Related(f) {
		fmt.Fprintf(&b, "%s: %s\n", r.Position, r.Message)
	}
	b.WriteString("-- elsewhere --\n")
	for _, r := range v.Elsewhere(f) {
		fmt.Fprintf(&b, "%s: %s\n", r.Position, r.Message)
	}
	fmt.Fprintf(&b, "-- text --\n%s-- table --\n%s", v.Text(f), v.Table(f))
	if h := v.Headline(f); strings.Contains(h, "\n") || len([]rune(h))+len(f.Category)+3 > lineRoom {
		t.Errorf("the headline has more than one line, or more than %d characters: %q", lineRoom, h)
	}
	for l := range strings.Lines(v.Table(f)) {
		if len([]rune(l)) > v.width()+1 {
			t.Errorf("line of the table longer than %d: %s", v.width(), l)
		}
	}
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with go test -run %s -update)", err, t.Name())
	}
	if got := b.String(); got != string(want) {
		t.Errorf("%s differs (go test -run %s -update rewrites it)\ngot:\n%s\nwant:\n%s", file, t.Name(), got, want)
	}
}

var (
	mu    = event.Location{Addr: 0x100000010}
	mu2   = event.Location{Addr: 0x200000010}
	count = event.Location{Addr: 0x100000018, Size: 8}
	own   = event.Location{Addr: 0x300000000, Size: 8}
	wg    = event.Location{Addr: 0x400000000}
	ch    = event.Location{Addr: 0x500000000}
)

// race is TestAdd of testdata: Add holds the lock, Len does not.
func race() (*builder, *Finding) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	test := func(line int, name string) trace.Frame { return b.code("TestAdd", "cache_test.go", line, name) }
	wgGo := func() trace.Frame { return b.std("sync.(*WaitGroup).Go", "sync", "waitgroup.go", 237, "") }
	b.do(g1, event.Event{Kind: event.Write, Loc: own, Value: 7}, test(9, "c"))
	b.do(g1, event.Event{Kind: event.WaitGroupAdd, Loc: wg, Value: 1, Other: 1}, wgGo(), test(11, ""))
	a := b.spawn(g1, "G1.1", wgGo(), test(11, ""))
	b.do(g1, event.Event{Kind: event.WaitGroupAdd, Loc: wg, Value: 1, Other: 2}, wgGo(), test(12, ""))
	l := b.spawn(g1, "G1.2", wgGo(), test(12, ""))
	add := func(line int, name string) []trace.Frame {
		return []trace.Frame{b.code("(*Cache).Add", "cache.go", line, name), test(11, "")}
	}
	b.do(a, event.Event{Kind: event.Lock, Loc: mu}, add(16, "c.mu")...)
	b.do(a, event.Event{Kind: event.Read, Loc: count}, add(18, "c.n")...)
	w := b.do(a, event.Event{Kind: event.Write, Loc: count, Value: 1}, add(18, "c.n")...)
	r := b.do(l, event.Event{Kind: event.Read, Loc: count, Value: 1}, b.code("(*Cache).Len", "cache.go", 12, "c.n"), test(12, ""))
	return b, &Finding{Category: DataRace, Witness: &b.t, Events: []int{w, r}, Threads: []int{a, l}}
}

func TestRace(t *testing.T) {
	b, f := race()
	golden(t, "race", b.view(), f)
}

// TestNamesOfOneMemory: what the source does not name at one access has the name that it has at the other, in the
// headline and beside it.
func TestNamesOfOneMemory(t *testing.T) {
	for _, event := range []int{0, 1} {
		b, f := race()
		b.src[b.t.Events[f.Events[event]].Site-1].name = ""
		text := fmt.Sprint(b.view().Headline(f), b.view().Related(f))
		for _, want := range []string{"data race: c.n ", "write of c.n by G1.1", "read of c.n by G1.2"} {
			if !strings.Contains(text, want) {
				t.Errorf("without the name at event %d there is no %q in\n%s", event, want, text)
			}
		}
	}
}

// The finding must not move when the explorer meets the accesses the other way round.
func TestRacePositionDoesNotDependOnOrder(t *testing.T) {
	b, f := race()
	v := b.view()
	want := v.Position(f)
	if want.Line != 18 {
		t.Errorf("the race stands at line %d, want the write's, 18", want.Line)
	}
	f.Events[0], f.Events[1] = f.Events[1], f.Events[0]
	if got := v.Position(f); got != want {
		t.Errorf("with the accesses swapped the race stands at %v, want %v", got, want)
	}
}

func TestRaceSeenFromAnotherPackage(t *testing.T) {
	b, f := race()
	v := b.view()
	v.Packages = []string{"example.com/other"}
	golden(t, "race_elsewhere", v, f)
}

func TestDeadlock(t *testing.T) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	test := func(line int) trace.Frame { return b.code("TestSwap", "cache_test.go", line, "") }
	x := b.spawn(g1, "G1.1", test(11))
	y := b.spawn(g1, "G1.2", test(12))
	b.do(x, event.Event{Kind: event.Lock, Loc: mu}, b.code("(*Cache).Swap", "cache.go", 22, "c.mu"))
	b.do(y, event.Event{Kind: event.Lock, Loc: mu2}, b.code("(*Cache).Swap", "cache.go", 22, "c.mu"))
	b.block(g1, event.Op{Kind: event.WaitGroupWait, Loc: wg}, "sync.WaitGroup.Wait", -1, b.std("sync.(*WaitGroup).Wait", "sync", "waitgroup.go", 100, ""), test(13))
	b.block(x, event.Op{Kind: event.Lock, Loc: mu2}, "sync.Mutex.Lock", y, b.code("(*Cache).Swap", "cache.go", 23, "d.mu"))
	b.block(y, event.Op{Kind: event.Lock, Loc: mu}, "sync.Mutex.Lock", x, b.code("(*Cache).Swap", "cache.go", 23, "d.mu"))
	b.t.Status = trace.Deadlocked
	golden(t, "deadlock", b.view(), &Finding{Category: Deadlock, Witness: &b.t, Threads: []int{g1, x, y}})
}

func TestLeak(t *testing.T) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	x := b.spawn(g1, "G1.1", b.code("TestWait", "cache_test.go", 12, ""))
	b.block(x, event.Op{Kind: event.ChanRecv, Loc: ch}, "chan receive", -1, b.code("(*Cache).Wait", "cache.go", 30, "ch"))
	b.t.Threads[x].Leaked = true
	golden(t, "leak", b.view(), &Finding{Category: GoroutineLeak, Witness: &b.t, Threads: []int{x}})
}

func TestPanic(t *testing.T) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	x := b.spawn(g1, "G1.1", b.code("TestAdd", "cache_test.go", 11, ""))
	b.do(g1, event.Event{Kind: event.Write, Loc: count, Value: ^uint64(0)}, b.code("TestAdd", "cache_test.go", 9, "c.n"))
	b.do(x, event.Event{Kind: event.Read, Loc: count, Value: ^uint64(0)}, b.code("(*Cache).Add", "cache.go", 18, "c.n"))
	p := b.do(x, event.Event{Kind: event.Panic}, b.code("(*Cache).Add", "cache.go", 18, ""))
	b.t.Status, b.t.PanicThread = trace.Failed, int32(x)
	b.t.Panic = "panic: first\n\tpanic: runtime error: index out of range [-1]\n"
	golden(t, "panic", b.view(), &Finding{Category: Panics, Witness: &b.t, Threads: []int{x}, Events: []int{p}})
}

func TestTestFailure(t *testing.T) {
	b, f := race()
	b.t.TestFailed = true
	b.t.Failures = []trace.Failure{
		{Event: int32(len(b.t.Events)), Message: "Len() = 0, want 1\n", Stack: []trace.Frame{b.code("TestAdd", "cache_test.go", 15, "")}},
		{Event: int32(len(b.t.Events)), Message: "another\nwith two lines"},
	}
	// What comes behind the last message is not in the table.
	b.do(1, event.Event{Kind: event.Write, Loc: count, Value: 2}, b.code("(*Cache).Add", "cache.go", 18, "c.n"))
	f.Category, f.Events, f.Threads = TestFailure, nil, []int{0}
	golden(t, "testfailure", b.view(), f)
}

func TestInternalHasAMessage(t *testing.T) {
	v := new(builder).view()
	got := v.Message(&Finding{Category: Internal})
	if want := "internal: no text was recorded\n\treplay: heddle replay h1abc\n\tin TestAdd"; got != want {
		t.Errorf("Message = %q, want %q", got, want)
	}
}

// busy has n goroutines that add to a counter in turn, and long loops.
func busy(n, loops int) (*builder, *Finding) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	var last [2]int
	for range n {
		b.spawn(g1, fmt.Sprintf("G1.%d", len(b.t.Threads)), b.code("TestAdd", "cache_test.go", 11, ""))
	}
	value := uint64(0)
	for range loops {
		for g := 1; g <= n; g++ {
			b.do(g, event.Event{Kind: event.Read, Loc: count, Value: value}, b.code("(*Cache).Len", "cache.go", 12, "c.n"))
			value++
			last[0] = last[1]
			last[1] = b.do(g, event.Event{Kind: event.Write, Loc: count, Value: value}, b.code("(*Cache).Add", "cache.go", 18, "c.n"))
		}
	}
	return b, &Finding{Category: DataRace, Witness: &b.t, Events: last[:], Threads: []int{n - 1, n}}
}

func TestWideTable(t *testing.T) {
	b, f := busy(4, 1)
	golden(t, "wide", b.view(), f)
}

// TestClipPlace: in a narrow column the line number stays.
func TestClipPlace(t *testing.T) {
	for at, want := range map[string]string{
		"cache.go:12":                 "cache.go:12",
		"cache_example_test.go:12":    "...ple_test.go:12",
		"context/withcancel.go:12345": "...ancel.go:12345",
	} {
		if got := clipPlace(at, 17); got != want {
			t.Errorf("%s is %s, want %s", at, got, want)
		}
	}
}

func TestManyGoroutinesAreAList(t *testing.T) {
	b, f := busy(8, 1)
	golden(t, "list", b.view(), f)
}

func TestLongTableIsCut(t *testing.T) {
	b, f := busy(2, 200)
	v := b.view()
	table := v.Table(f)
	if n := strings.Count(table, "\n"); n > 300 {
		t.Errorf("the table has %d lines", n)
	}
	if !strings.Contains(table, "steps ...") || strings.Count(table, "<== race") != 2 {
		t.Errorf("the cut table lacks its gap or its race:\n%s", table)
	}
}

func TestRunsAreFolded(t *testing.T) {
	b, f := race()
	stack := b.t.Stacks[6]
	for n := range 12 { // a loop of the last goroutine over two lines
		file, line := "cache.go", 12+n%2
		b.do(2, event.Event{Kind: event.Read, Loc: count, Value: 1}, b.code("(*Cache).Len", file, line, "c.n"), stack[0])
	}
	if table := b.view().Table(f); !strings.Contains(table, "more steps)") {
		t.Errorf("a run of 12 steps is not folded:\n%s", table)
	}
}

// Failures of one test are one finding for each line of the analysed package, whatever
// is said there; the library that makes the assertion does not blur them.
func TestIdentityOfFailingLines(t *testing.T) {
	b := new(builder)
	b.thread("G1", -1, -1)
	assert := trace.Frame{Func: "example.com/assert.Equal", Site: b.src.site(place{pkg: "example.com/assert", file: "assert.go", line: 5})}
	id := func(message string, line int) string {
		stack := []trace.Frame{b.std("(*testing.common).Error", "testing", "testing.go", 1, ""), assert, b.code("TestAdd", "cache_test.go", line, "")}
		w := &trace.Trace{Threads: b.t.Threads, Failing: trace.Failing{TestFailed: true, Failures: []trace.Failure{{Message: message, Stack: stack}}}}
		return b.view().Identity(&Finding{Category: TestFailure, Witness: w, Threads: []int{0}})
	}
	if a, b := id("got 10", 12), id("got 20", 12); a != b {
		t.Errorf("two findings of one line: %s and %s", a, b)
	}
	if a, b := id("got 10", 12), id("got 10", 13); a == b {
		t.Errorf("one finding of two lines: %s", a)
	}
}
