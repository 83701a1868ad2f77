package progen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/analysistest/progen/enumerate"
)

// A Program is a random program: what its goroutines do. Goroutine 0 is the starter's.
type Program struct {
	Seed  uint64
	Size  int // visible operations that were asked for
	Timed bool
	API   bool // of GenerateAPI: a test
	Files bool // of GenerateFiles
	Bare  bool // of GenerateWeak: it has no log
	// Sockets says that it is of GenerateSockets.
	Sockets bool
	// Bubble says that Body runs in a bubble of testing/synctest, of a test. Outside is what comes before it.
	Bubble  bool
	Outside []*Stmt
	Main    int // which of prelude.Mains its package has, counted from 1; 0 is none
	Body    []*Stmt
	Notes   Notes
}

// Notes say what a program uses, for the native comparison.
type Notes struct {
	Timed bool // timers, sleeps, deadlines
	Pool  bool
	Locks bool // mutexes: synctest cannot tell who waits for one
	// Others says that it counts goroutines, or has locks that are package variables. Then what the harness and other
	// runs do is seen.
	Others bool
	// Copies says that it uses locks as memory: natively their bytes say who is parked, too.
	Copies bool
}

// A Stmt is a statement: Text[0], Bodies[0], Text[1], Bodies[1] … A text may hold several lines.
type Stmt struct {
	Text   []string
	Bodies [][]*Stmt
	// Needs names the shared objects that the statement uses.
	Needs []object
	// Starts is the number of the goroutine that Bodies[0] is of, 0 if it starts none.
	Starts int
	// Means is what it does, of a program of GenerateWeak.
	Means []enumerate.Step
}

// An object is the name of a shared variable.
type object string

// objects lists the shared objects in the order of their declarations. A reference is passed to goroutines as a
// parameter, of the given type.
var objects = []struct {
	name  object
	decl  string
	typ   string // of a reference
	needs []object
	read  string // an expression of type int that reads it, if there is one
}{
	{name: "x", decl: "var x int", read: "x"},
	{name: "y", decl: "var y int", read: "y"},
	{name: "z", decl: "var z int"},
	{name: "p", decl: "var p struct{ a, b int }", read: "p.a*10 + p.b"},
	{name: "q", decl: "var q *struct{ a, b int }"},
	{name: "s", decl: "var s []int", read: "len(s)"},
	{name: "arr", decl: "var arr [3]int", read: "arr[0]*100 + arr[1]*10 + arr[2]"},
	{name: "m", decl: "m := map[int]int{}", typ: "map[int]int", read: "len(m)"},
	{name: "mu", decl: "var mu sync.Mutex"},
	{name: "mv", decl: "var mv sync.Mutex"},
	{name: "rw", decl: "var rw sync.RWMutex"},
	{name: "cs", decl: "var cs copied[sync.Mutex]"},
	{name: "crw", decl: "var crw copied[sync.RWMutex]"},
	{name: "cg", decl: "var cg copied[sync.WaitGroup]"},
	{name: "co", decl: "var co copied[sync.Once]\nvar turns atomic.Int32\n_ = &turns\nvar keep atomic.Pointer[sync.Once]\nkeep.Store(new(sync.Once))"},
	{name: "cm", decl: "var cm copied[sync.Map]"},
	{name: "gm", decl: "gm := &global", typ: "*sync.Mutex"},
	{name: "grw", decl: "grw := &globalRW", typ: "*sync.RWMutex"},
	{name: "wg", decl: "var wg sync.WaitGroup"},
	{name: "once", decl: "var once sync.Once"},
	{name: "onceF", decl: "onceF := sync.OnceFunc(func() { z++ })", typ: "func()", needs: []object{"z"}},
	{name: "onceV", decl: "onceV := sync.OnceValue(func() int { z++; return z })", typ: "func() int", needs: []object{"z"}},
	{name: "cond", decl: "cond := sync.NewCond(&mu)", typ: "*sync.Cond", needs: []object{"mu"}},
	{name: "pool", decl: "var pool sync.Pool"},
	{name: "sm", decl: "var sm sync.Map", read: "pair(sm.Load(1))"},
	{name: "a", decl: "var a atomic.Int32", read: "int(a.Load())"},
	{name: "cnt", decl: "cnt := &counters{hits: 2, seq: 1, last: 1}", typ: "*counters"},
	{name: "n", decl: "var n int64", read: "int(atomic.LoadInt64(&n))"},
	{name: "av", decl: "var av atomic.Value", read: "number(av.Load())"},
	{name: "str", decl: "var str string", read: "bit(str == \"t1001\")"},
	{name: "box", decl: "var box any", read: "number(box)"},
	{name: "fn", decl: "fn := value(0).get"},
	{name: "sc", decl: "sc := make(chan string, 1)", typ: "chan string", read: "len(sc)"},
	{name: "ap", decl: "var ap atomic.Pointer[int]", read: "deref(ap.Load())"},
	{name: "ab", decl: "var ab atomic.Bool", read: "bit(ab.Load())"},
	{name: "c", decl: "c := make(chan int)", typ: "chan int"},
	{name: "d", decl: "d := make(chan int, 1)", typ: "chan int", read: "len(d)"},
	{name: "e", decl: "e := make(chan int, 2)", typ: "chan int", read: "len(e)"},
	{name: "nc", decl: "var nc chan int", typ: "chan int"},
	{name: "ctx", decl: "ctx, cancel := context.WithCancel(context.Background())", typ: "context.Context", read: "errNumber(ctx.Err())"},
	{name: "cancel", typ: "func()", needs: []object{"ctx"}},
	{name: "dctx", decl: "dctx, dcancel := context.WithTimeout(context.Background(), 2*time.Millisecond)", typ: "context.Context", read: "errNumber(dctx.Err())"},
	{name: "dcancel", typ: "func()", needs: []object{"dctx"}},
	{name: "eg", decl: "eg := new(group)", typ: "*group"},
	{name: "tm", decl: "tm := time.NewTimer(2 * time.Millisecond)", typ: "*time.Timer"},
	{name: "tk", decl: "tk := time.NewTicker(2 * time.Millisecond)\ndefer tk.Stop()", typ: "*time.Ticker"},
	{name: "top", decl: "top := t"},
	{name: "order", decl: "order := 0\ntop.Cleanup(func() {\nl := begin(6)\nl.r(order)\nl.end()\n})", needs: []object{"top"}},
	{name: "base", decl: "base := runtime.NumGoroutine()"},
	{name: "dir", decl: "dir, _ := os.MkdirTemp(\"\", \"p\")\nt.Cleanup(func() { os.RemoveAll(dir) })"},
	{name: "file", decl: "file, _ := os.OpenFile(dir+\"/a\", os.O_CREATE|os.O_RDWR, 0o600)", needs: []object{"dir"}},
	{name: "began", decl: "began := time.Now()", typ: "time.Time", needs: []object{"time"}},
	{name: "na", decl: "na, nb := net.Pipe()", typ: "net.Conn"},
	{name: "nb", typ: "net.Conn", needs: []object{"na"}},
	{name: "pr", decl: "pr, pw, _ := os.Pipe()", typ: "*os.File"},
	{name: "pw", typ: "*os.File", needs: []object{"pr"}},
	{name: "ta", decl: "ta, tb := tcp()", typ: "*net.TCPConn"},
	{name: "tb", typ: "*net.TCPConn", needs: []object{"ta"}},
	{name: "tf", decl: "tf := second(tb)", typ: "net.Conn", needs: []object{"tb"}},
	{name: "ir", decl: "ir, iw := io.Pipe()", typ: "*io.PipeReader"},
	{name: "iw", typ: "*io.PipeWriter", needs: []object{"ir"}},
	{name: "ua", decl: "ua, ub := unix()", typ: "*net.UnixConn"},
	{name: "ub", typ: "*net.UnixConn", needs: []object{"ua"}},
	{name: "da", decl: "da, db := udp()", typ: "*net.UDPConn"},
	{name: "db", typ: "*net.UDPConn", needs: []object{"da"}},
	{name: "ln", decl: "ln := listen()", typ: "*net.TCPListener"},
	{name: "oc", decl: "oc := make(chan int, 1)", typ: "chan int"},
	{name: "oa", decl: "var oa atomic.Int32"},
	{name: "om", decl: "var om sync.Mutex"},
	{name: "join", decl: "var join sync.WaitGroup"},
	{name: "done", decl: "done := make(chan int, 4)", typ: "chan int"},
}

// uses returns the objects that statements use, with what these need, as a set.
func uses(body []*Stmt) map[object]bool {
	used := map[object]bool{}
	var add func(o object)
	add = func(o object) {
		if used[o] {
			return
		}
		used[o] = true
		for i := range objects {
			if objects[i].name == o {
				for _, n := range objects[i].needs {
					add(n)
				}
			}
		}
	}
	walk(body, func(s *Stmt) {
		for _, o := range s.Needs {
			add(o)
		}
	})
	return used
}

// walk visits every statement, the outer ones first.
func walk(body []*Stmt, f func(*Stmt)) {
	for _, s := range body {
		f(s)
		for _, b := range s.Bodies {
			walk(b, f)
		}
	}
}

// triesRW reports whether the program calls TryLock of an RWMutex.
func (p *Program) triesRW() (tries bool) {
	walk(p.Body, func(s *Stmt) {
		for _, o := range []object{"rw", "crw", "grw"} {
			tries = tries || slices.Contains(s.Needs, o) && strings.Contains(s.Text[0], "TryLock()")
		}
	})
	return tries
}

// ops counts statements: the size of a program for shrinking.
func (p *Program) ops() (n int) {
	walk(p.Body, func(*Stmt) { n++ })
	return n
}

// clone copies a program for a change.
func (p *Program) clone() *Program {
	q := *p
	q.Body = cloneBody(p.Body)
	return &q
}

func cloneBody(body []*Stmt) []*Stmt {
	out := make([]*Stmt, len(body))
	for i, s := range body {
		c := *s
		c.Bodies = make([][]*Stmt, len(s.Bodies))
		for j, b := range s.Bodies {
			c.Bodies[j] = cloneBody(b)
		}
		out[i] = &c
	}
	return out
}

// Func writes the program as a function, not formatted.
func (p *Program) Func(name string) string {
	if p.Bubble {
		return p.bubbleFunc(name)
	}
	w := &writer{bare: p.Bare}
	if p.API || p.Main > 0 && p.Seed%2 == 0 { // the others are examples
		w.line(fmt.Sprintf("func %s(t *testing.T) {", name))
	} else {
		w.line(fmt.Sprintf("func %s() {", name))
	}
	if p.Bare {
		w.line("v := 0")
	} else {
		w.line("l, v := begin(0), 0")
		w.line("defer l.end()")
	}
	used := uses(p.Body)
	for _, o := range objects {
		if used[o.name] && o.decl != "" {
			w.line(o.decl)
			switch o.name {
			case "ctx", "dctx":
				w.line(fmt.Sprintf("_, _ = %s, %scancel", o.name, strings.TrimSuffix(string(o.name), "ctx")))
			case "na", "pr", "ir", "ta", "ua", "da":
				w.line(fmt.Sprintf("_, _ = %s, %s", o.name, mate[o.name]))
			default:
				w.line(fmt.Sprintf("_ = &%s", o.name))
			}
		}
	}
	w.body(p.Body)
	w.line("_ = v")
	w.line("}")
	return w.b.String()
}

type writer struct {
	b    strings.Builder
	bare bool // without a log
}

// mate is the other end of a link.
var mate = map[object]object{"na": "nb", "pr": "pw", "ir": "iw", "ta": "tb", "ua": "ub", "da": "db"}

func (w *writer) line(s string) {
	w.b.WriteString(s)
	w.b.WriteByte('\n')
}

func (w *writer) body(body []*Stmt) {
	for _, s := range body {
		if !w.bare {
			w.line("l.p()")
		}
		open, end := "", ""
		if s.Starts > 0 {
			open, end = goroutine(s, w.bare)
		}
		for i, t := range s.Text {
			t = strings.ReplaceAll(t, "GO{", open)
			t = strings.ReplaceAll(t, "}GO", end)
			w.line(t)
			if i < len(s.Bodies) {
				w.body(s.Bodies[i])
			}
		}
	}
}

// goroutine returns what begins and ends the function literal of a go statement, called with the references it uses.
func goroutine(s *Stmt, bare bool) (open, end string) {
	begin := fmt.Sprintf("l, v := begin(%d), 0\ndefer l.end()", s.Starts)
	if bare {
		begin = "v := 0"
	}
	if !slices.Contains(s.Needs, "params") {
		return "func() {\n" + begin, "_ = v\n}()"
	}
	used := uses(s.Bodies[0])
	var params, args []string
	for _, o := range objects {
		if used[o.name] && o.typ != "" {
			params = append(params, string(o.name)+" "+o.typ)
			args = append(args, string(o.name))
		}
	}
	return "func(" + strings.Join(params, ", ") + ") {\n" + begin, "_ = v\n}(" + strings.Join(args, ", ") + ")"
}
