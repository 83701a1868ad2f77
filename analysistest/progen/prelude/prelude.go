// Package prelude has the text that all random programs of a package share: helpers, and what a program's log does. In
// the machine the log is dropped, or goes to standard output. Compiled programs have a harness that runs them many
// times.
package prelude

import (
	"fmt"
	"strings"
)

// shared is what the programs of a package share.
const shared = `package programs

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var (
	_ = context.Background
	_ = runtime.Gosched
	_ atomic.Int32
	_ = time.Now
)

var (
	global   sync.Mutex
	globalRW sync.RWMutex
)

var errs = []error{nil, errors.New("1"), errors.New("2")}

// stands tells where all goroutines stand, and which of them wait there.
func stands() int {
	b := make([]byte, 1<<13)
	h := uint32(2166136261)
	for _, c := range b[:runtime.Stack(b, true)] {
		h = (h ^ uint32(c)) * 16777619
	}
	return int(h % 9973)
}

// errNumber is -1 for nil, and else tells the errors apart.
func errNumber(err error) int {
	switch err {
	case nil:
		return -1
	case errs[1]:
		return 1
	case errs[2]:
		return 2
	case context.Canceled:
		return 3
	case context.DeadlineExceeded:
		return 4
	}
	return 5
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func number(x any) int {
	if n, ok := x.(int); ok {
		return n
	}
	return -1
}

func pair(x any, ok bool) int { return number(x)*2 + bit(ok) }

func ptr(n int) *int { return &n }

func tag(n int) string { return "t" + strconv.Itoa(1000+n) }

// A copied is a lock in a struct that is copied and overwritten.
type copied[T any] struct {
	l T
	n int
}

type value int

func (v value) get() int { return int(v) }

func choose(n int) int {
	if n > 1 {
		return 2
	}
	return 1
}

// element is -1 beyond the end.
func element(i int) (n int) {
	defer func() {
		if recover() != nil {
			n = -1
		}
	}()
	return []int{3, 2, 1}[i]
}

func sum(n int) int {
	if n <= 0 {
		return 0
	}
	return (n + sum(n-1)) & 3
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

func adder(n int) func(int) int { return func(i int) int { n += i; return n } }

type shape interface{ area() int }

type one struct{}

func (one) area() int { return 1 }

type many int

func (m many) area() int { return int(m) }

func deref(p *int) int {
	if p == nil {
		return -1
	}
	return *p
}

// A group is what golang.org/x/sync/errgroup is without limits.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error {
	g.wg.Wait()
	return g.err
}

// counters are what nobody acts upon, mostly.
type counters struct {
	hits, seq int
	last      int32
	busy      bool
	n         atomic.Int32
}

func plus(a, b int) int { return a + b }

// cnt2 copies a part of them: what it returns is another struct.
type pairOf struct{ a, b int }

func cnt2(c *counters) *pairOf { return &pairOf{c.hits, c.seq} }
`

// A Log says what a program's log does.
type Log int

const (
	// NoLog drops what is logged: the events of the machine say it already.
	NoLog Log = iota
	// MachineLog writes to standard output, which makes no event: for each entry the goroutine's number, with the
	// highest bit set (what testing prints there has none such), and the value, 3 bytes;
	// the values logBegin and logEnd stand for themselves.
	MachineLog
)

const noLog = `
// A log is of one goroutine.
type log int

func begin(n int) log { return log(n) }
func (l log) end()    {}
func (l log) p()      {}
func (l log) r(v int) {}
`

const machineLog = `
func begin(n int) log {
	log(n).r(0x7ffe)
	return log(n)
}

func (l log) end()    { l.r(0x7fff) }
func (l log) p()      {}
func (l log) r(v int) { syscall.Write(1, []byte{0x80 + byte(l), byte(v), byte(v >> 8)}) }

// A log is of one goroutine.
type log int
`

// Text returns the file that programs share in the machine.
func Text(l Log) string {
	if l == MachineLog {
		return strings.Replace(shared, "\t\"sync/atomic\"\n", "\t\"sync/atomic\"\n\t\"syscall\"\n", 1) + machineLog
	}
	return shared + noLog
}

// Head is the beginning of a file of programs.
const Head = `package programs

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

var (
	_ = context.Background
	_ = runtime.Gosched
	_ sync.Mutex
	_ atomic.Int32
	_ = time.Now
	_ unsafe.Pointer
)

`

const bubbleText = `var _ = synctest.Wait

var _ testing.T

//go:linkname inBubble internal/synctest.heddleRun
func inBubble(f func())

`

// BubbleHead is the beginning of a file of tests with bubbles.
func BubbleHead() string {
	return strings.Replace(Head, "\t\"time\"\n", "\t\"testing\"\n\t\"testing/synctest\"\n\t\"time\"\n", 1) + bubbleText
}

// Mains are functions TestMain. Their variables are read and written by nobody else.
var Mains = []string{
	`func TestMain(m *testing.M) { os.Exit(m.Run()) }`,
	`func TestMain(m *testing.M) { m.Run() }`,
	`var ready int

func TestMain(m *testing.M) {
	ready = 1
	code := m.Run()
	ready = 0
	os.Exit(code)
}`,
	`func TestMain(m *testing.M) {
	stop, stopped := make(chan int), make(chan int)
	go func() {
		<-stop
		close(stopped)
	}()
	code := m.Run()
	close(stop)
	<-stopped
	os.Exit(code)
}`,
	`func TestMain(m *testing.M) {
	var mu sync.Mutex
	served := 0
	go func() {
		mu.Lock()
		served++
		mu.Unlock()
	}()
	defer os.Exit(m.Run())
	mu.Lock()
	defer mu.Unlock()
	served++
}`,
}

// WithMain is the beginning of a file with the n-th of Mains, counted from 1.
func WithMain(n int) string {
	return strings.NewReplacer("\t\"runtime\"\n", "\t\"os\"\n\t\"runtime\"\n", "\t\"time\"\n", "\t\"testing\"\n\t\"time\"\n").Replace(Head) + "var _ = os.Exit\n\n" + Mains[n-1] + "\n\n"
}

// Line names a line of a prelude: what is imported before differs.
func Line(prelude string, n int) string {
	before, _, _ := strings.Cut(prelude, "var errs")
	return fmt.Sprint("prelude:", n-strings.Count(before, "\n"))
}

// Native is the prelude of the compiled programs.
func Native() string {
	return strings.Replace(shared, "import (\n", "import (\n"+nativeImports, 1) + nativeLog + NativeStart
}
