package fix

import (
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
)

const head = "package p\n\nimport \"sync\"\n\nvar _ sync.Mutex\n\n"

// Each test marks the operations of a finding by comments: @access, @send (blocked), @recv (blocked), @lock (blocked),
// @held (where the lock was taken), @fail.
var marks = map[string]report.Place{
	"@access": {Role: report.Access, Kind: event.Read},
	"@send":   {Role: report.Blocked, Kind: event.ChanSend},
	"@recv":   {Role: report.Blocked, Kind: event.ChanRecv},
	"@lock":   {Role: report.Blocked, Kind: event.Lock},
	"@held":   {Role: report.Acquired, Kind: event.Lock},
	"@fail":   {Role: report.Failing},
}

var tests = []struct {
	name, source string
	rule         string   // of the candidate looked at, "" if the rule in the name may propose nothing
	want         []string // parts of the edited file, in order
	not          string   // what must be gone
}{
	{"FIX1 room for one element", `func f() {
	c := make(chan int)
	go func() {
		c <- 1 // @send
	}()
}`, "FIX1", []string{"c := make(chan int, 1)"}, "make(chan int)\n"},
	{"FIX1 a field made in a literal", `type t struct{ c chan int }
func f() {
	x := t{c: make(chan int)}
	go func() {
		x.c <- 1 // @send
	}()
}`, "FIX1", []string{"t{c: make(chan int, 1)}"}, ""},
	{"FIX1 not where the channel has room already", `func f() {
	c := make(chan int, 2)
	c <- 1 // @send
}`, "", nil, ""},
	{"FIX1 not where it is made at two places", `func f(b bool) {
	c := make(chan int)
	if b {
		c = make(chan int)
	}
	c <- 1 // @send
}`, "", nil, ""},
	{"FIX2 unlock before the send", `func f(mu *sync.Mutex, c chan int) {
	mu.Lock()
	c <- 1 // @send
	mu.Unlock()
}`, "FIX2", []string{"mu.Lock()", "mu.Unlock()", "c <- 1"}, "c <- 1 // @send\n\tmu.Unlock"},
	{"FIX2 a deferred unlock before the last statement", `func f(mu *sync.RWMutex, c chan int) {
	mu.RLock()
	defer mu.RUnlock()
	<-c // @recv
}`, "FIX2", []string{"mu.RLock()", "mu.RUnlock()", "<-c"}, "defer"},
	{"FIX2 not where the function returns before", `func f(mu *sync.Mutex, c chan int, b bool) {
	mu.Lock()
	defer mu.Unlock()
	if b {
		return
	}
	c <- 1 // @send
}`, "", nil, ""},
	{"FIX3 a path without unlock", `func f(mu *sync.Mutex, b bool) {
	mu.Lock() // @held
	if b {
		return
	}
	mu.Unlock()
}`, "FIX3", []string{"mu.Lock()", "defer mu.Unlock()", "return"}, "}\n\tmu.Unlock()"},
	{"FIX3 not where the unlock is deferred", `func f(mu *sync.Mutex) {
	mu.Lock() // @held
	defer mu.Unlock()
}`, "", nil, ""},
	{"FIX3 not in a loop", `func f(mu *sync.Mutex) {
	for range 2 {
		mu.Lock() // @held
	}
}`, "", nil, ""},
	{"FIX4 a copy in the loop", `func f() {
	var i int
	for i = 0; i < 2; i++ {
		go func() {
			println(i) // @access
		}()
	}
}`, "FIX4", []string{"i := i", "go func() {"}, ""},
	{"FIX4 a parameter in the same block", `func f() {
	s := "a"
	go func() {
		println(s) // @access
	}()
	s = "b"
	_ = s
}`, "FIX4", []string{"go func(s string) {", "}(s)"}, ""},
	{"FIX4 not a lock", `func f() {
	var wg sync.WaitGroup
	go func() {
		wg.Done() // @access
	}()
	wg.Wait()
}`, "", nil, ""},
	{"FIX4 not for what the goroutine declares", `func f() {
	go func() {
		s := "a"
		println(s) // @access
	}()
}`, "", nil, ""},
	{"FIX5 Add before go", `func f(wg *sync.WaitGroup) {
	go func() {
		wg.Add(1) // @access
		defer wg.Done()
	}()
	wg.Wait()
}`, "FIX5", []string{"wg.Add(1)", "go func() {", "defer wg.Done()"}, "go func() {\n\t\twg.Add"},
	{"FIX5 not an Add of something else", `type set struct{}
func (set) Add(int) {}
func f(s set) {
	go func() {
		s.Add(1) // @access
	}()
}`, "", nil, ""},
	{"FIX6 a field", `type t struct { n int; s string }
func (x *t) inc() {
	x.n++ // @access
	x.n += 2
	x.n = 7
}
func (x *t) get() int { return x.n }`, "FIX6",
		[]string{`"sync/atomic"`, "n atomic.Int64", "x.n.Add(1)", "x.n.Add(2)", "x.n.Store(7)", "return int(x.n.Load())"}, "x.n++"},
	{"FIX6 a flag", `var done bool
func f() {
	done = true // @access
}
func g() bool { return !done }`, "FIX6", []string{"var done atomic.Bool", "done.Store(true)", "return !done.Load()"}, ""},
	{"FIX6 a local variable", `func f() {
	n := 0
	go func() {
		n += 3 // @access
	}()
	println(n)
}`, "FIX6", []string{"var n atomic.Int64", "n.Add(3)", "println(int(n.Load()))"}, "n := 0"},
	{"FIX6 a pointer", `type t struct { n int }
var p *t
func f() {
	p = new(t) // @access
}
func g() int {
	if p == nil {
		return 0
	}
	return p.n
}`, "FIX6", []string{"var p atomic.Pointer[t]", "p.Store(new(t))", "p.Load() == nil", "return p.Load().n"}, "p *t"},
	{"FIX6 one of several names", `func f() {
	var x, y int
	go func() {
		x = y + 1 // @access
	}()
	println(x, y)
}`, "FIX6", []string{"var y int", "var x atomic.Int64", "x.Store(int64(y + 1))", "println(int(x.Load()), y)"}, "x, y int"},
	{"FIX6 not where the address is taken", `var n int
func f() {
	n++ // @access
	p := &n
	_ = p
}`, "", nil, ""},
	{"FIX6 not an exported field", `type T struct { N int }
func f(x *T) {
	x.N++ // @access
}`, "", nil, ""},
	{"FIX6 not where a literal sets it", `type t struct { n int }
var x = t{n: 1}
func f() {
	x.n++ // @access
}`, "", nil, ""},
	{"FIX6 not where it is assigned from itself", `var n int
func f() {
	n = n * 2 // @access
}`, "", nil, ""},
}

func TestCandidates(t *testing.T) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := []byte(head + tt.source + "\n")
			read := func(string) ([]byte, error) { return text, nil }
			s, err := Parse("p", []string{"/p/a.go"}, read, func(path string) *types.Package {
				if path == "sync" {
					return syncPackage()
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			fixes := s.Candidates(places(string(text)))
			if tt.rule == "" {
				own, _, _ := strings.Cut(tt.name, " ")
				if slices.ContainsFunc(fixes, func(f Fix) bool { return f.Rule == own }) {
					t.Fatalf("proposed: %+v", fixes)
				}
				return
			}
			for _, f := range fixes {
				if f.Rule != tt.rule {
					continue
				}
				files, err := Apply(f.Edits, read)
				if err != nil {
					t.Fatal(err)
				}
				check(t, string(files["/p/a.go"]), tt.want, tt.not)
				return
			}
			t.Fatalf("no candidate of %s among %+v", tt.rule, fixes)
		})
	}
}

// TestAtomicTogether shows that variables which race together are made atomic together, where one is assigned from
// another as well.
func TestAtomicTogether(t *testing.T) {
	const text = `package p

func f() {
	var x, y, z int
	go func() {
		x = 1 // @access
		z = y
	}()
	y = x + 2
	println(x, y, z)
}
`
	read := func(string) ([]byte, error) { return []byte(text), nil }
	s, err := Parse("p", []string{"/p/a.go"}, read, func(string) *types.Package { return nil })
	if err != nil {
		t.Fatal(err)
	}
	at := places(text)
	second := at[0]
	second.Pos.Line, second.Pos.Column = 9, 2
	second.Pos.Offset = strings.Index(text, "y = x + 2")
	fixes := slices.DeleteFunc(s.Candidates(append(at, second)), func(f Fix) bool { return f.Rule != "FIX6" })
	var messages []string
	for _, f := range fixes {
		messages = append(messages, f.Message)
	}
	want := []string{"make x an atomic.Int64", "make y an atomic.Int64", "make x and y atomic"}
	if !slices.Equal(messages, want) {
		t.Fatalf("proposed: %q, want %q", messages, want)
	}
	files, err := Apply(fixes[2].Edits, read)
	if err != nil {
		t.Fatal(err)
	}
	check(t, string(files["/p/a.go"]), []string{"var z int", "var x, y atomic.Int64", "x.Store(1)", "z = int(y.Load())", "y.Store(int64(int(x.Load()) + 2))"}, "")
}

func check(t *testing.T, got string, want []string, not string) {
	t.Helper()
	rest := got
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			t.Fatalf("the edited file lacks %q after what stands before it:\n%s", w, got)
		}
		rest = after
	}
	if not != "" && strings.Contains(got, not) {
		t.Errorf("the edited file still has %q:\n%s", not, got)
	}
}

// places finds the marks; an operation stands at the first word of its line.
func places(text string) (out []report.Place) {
	offset := 0
	for i, l := range strings.SplitAfter(text, "\n") {
		for m, p := range marks {
			if strings.Contains(l, m) {
				indent := len(l) - len(strings.TrimLeft(l, "\t"))
				p.Pos = token.Position{Filename: "/p/a.go", Offset: offset + indent, Line: i + 1, Column: indent + 1}
				out = append(out, p)
			}
		}
		offset += len(l)
	}
	return out
}

// syncPackage is a stand-in for package sync with the types that the rules ask for.
func syncPackage() *types.Package {
	pkg := types.NewPackage("sync", "sync")
	for name, methods := range map[string][]string{"Mutex": {"Lock", "Unlock"}, "RWMutex": {"Lock", "Unlock", "RLock", "RUnlock"}, "WaitGroup": {"Done", "Wait"}} {
		named := types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.NewStruct(nil, nil), nil)
		pkg.Scope().Insert(named.Obj())
		recv := func() *types.Var { return types.NewVar(token.NoPos, pkg, "", types.NewPointer(named)) }
		for _, m := range methods {
			named.AddMethod(types.NewFunc(token.NoPos, pkg, m, types.NewSignatureType(recv(), nil, nil, nil, nil, false)))
		}
		if name == "WaitGroup" {
			arg := types.NewTuple(types.NewVar(token.NoPos, pkg, "n", types.Typ[types.Int]))
			named.AddMethod(types.NewFunc(token.NoPos, pkg, "Add", types.NewSignatureType(recv(), nil, nil, arg, nil, false)))
		}
	}
	pkg.MarkComplete()
	return pkg
}

func TestApplyRejectsOverlaps(t *testing.T) {
	read := func(string) ([]byte, error) { return []byte("package p\n"), nil }
	if _, err := Apply([]Edit{{"a.go", 0, 5, "x"}, {"a.go", 3, 7, "y"}}, read); err == nil || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("overlapping edits: %v", err)
	}
	if _, err := Apply([]Edit{{"a.go", 0, 9, "func"}}, read); err == nil {
		t.Error("an edit after which the file does not parse was applied")
	}
	// Two findings with one cause ask for one edit.
	got, err := Apply([]Edit{{"a.go", 9, 9, "q"}, {"a.go", 9, 9, "q"}}, read)
	if err != nil || string(got["a.go"]) != "package pq\n" {
		t.Errorf("the same edit twice: %q, %v", got["a.go"], err)
	}
	if _, err := Apply([]Edit{{"a.go", 0, 1, "x"}}, func(string) ([]byte, error) { return nil, os.ErrNotExist }); err == nil {
		t.Error("a file that cannot be read was edited")
	}
}
