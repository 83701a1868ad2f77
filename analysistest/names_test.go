package analysistest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

const namedProgram = `package p

import (
	"errors"
	"fmt"
	"sync"
	"testing"
)

type pair struct {
	a int
	m map[string]int
}

type doer interface{ do() int }

type number int

func (n number) do() int { return int(n) }

var failed = errors.New("failed")

func TestOther(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		c <- 1
		mu.Unlock()
	}()
	fmt.Sprint(<-c)
}

func put(c chan int, x *int) {
	*x++
	c <- *x
}

func TestNamed(t *testing.T) {
	c := make(chan int, 1)
	var wg sync.WaitGroup
	for i := range 2 {
		x := &pair{a: i, m: map[string]int{"a": i}}
		wg.Go(func() {
			var d doer = number(i)
			put(c, &x.a)
			x.m["b"] = d.do()
			_ = fmt.Sprint(x.a, failed)
			<-c
		})
	}
	wg.Wait()
}
`

// naming notes the names of the states that goroutines are in.
type naming struct {
	sched.RunToBlock
	names []uint64
	known int
}

func (n *naming) Next(s *sched.State) int {
	for i := range s.Standing {
		l := s.Local(i)
		if l.Known {
			n.known++
		} else {
			l.Digest = 0
		}
		n.names = append(n.names, l.Digest)
	}
	return n.RunToBlock.Next(s)
}

// TestNamesInTwoBuilds: the names of the states of an entry are those of another build of the program, where what it
// does not run is another, and those of a machine that has run another entry. Where a function has one more statement,
// those in which the goroutine does not stand in it have their names. docs/cache.md says where they differ.
func TestNamesInTwoBuilds(t *testing.T) {
	names := func(text string, entries ...string) *naming {
		dir := t.TempDir()
		for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p_test.go": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		m, p := loadDirWith(t, dir, machine.Config{})
		var n *naming
		for _, name := range append(entries, "TestNamed") {
			i := slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == name })
			if i < 0 {
				t.Fatalf("no entry %s", name)
			}
			n = new(naming)
			m.Entry(p.Entries[i]).Run(n, sched.Options{MaxSteps: 1 << 30, MaxEvents: 1 << 20})
		}
		return n
	}
	want := names(namedProgram)
	if want.known < 60 {
		t.Errorf("%d states of %d have names", want.known, len(want.names))
	}
	for what, edit := range map[string][2]string{
		"a comment":          {"type pair struct {\n", "// A comment.\ntype pair struct { // here\n"},
		"a function":         {"type doer", "func unused(c chan int) {\n\tgo func() { c <- 1 }()\n\tfmt.Print(c)\n}\n\ntype doer"},
		"a type with String": {"type doer", "type more struct{ x, y int }\n\nfunc (more) String() string { return \"\" }\n\ntype doer"},
		"another test":       {"\tvar mu sync.Mutex\n", "\tvar mu sync.Mutex\n\tmu.Lock()\n\tmu.Unlock()\n"},
		"a test before":      {"func TestOther", "func TestFirst(t *testing.T) { fmt.Sprint(t.Name()) }\n\nfunc TestOther"},
	} {
		text := strings.Replace(namedProgram, edit[0], edit[1], 1)
		if text == namedProgram {
			t.Fatalf("%s: nothing is edited", what)
		}
		if got := names(text); !slices.Equal(got.names, want.names) {
			t.Errorf("%s: %d states have other names", what, len(got.names))
		}
	}
	if got := names(strings.Replace(namedProgram, "*x++\n", "*x += 2\n", 1)); slices.Equal(got.names, want.names) {
		t.Error("another function that runs gives no other name")
	}
	if got := names(namedProgram, "TestOther"); !slices.Equal(got.names, want.names) {
		t.Error("after another entry states have other names")
	}
	more := names(strings.Replace(namedProgram, "*x++\n", "*x++\n\tif *x > 100 {\n\t\tpanic(\"large\")\n\t}\n", 1), "TestOther")
	others := make(map[uint64]bool)
	for _, name := range more.names {
		if !slices.Contains(want.names, name) {
			others[name] = true
		}
	}
	if inPut := 2 * 5; len(others) != inPut { // two goroutines, each at two reads, a write, another read, and a send
		t.Errorf("with one more statement %d states have other names, want the %d in its function", len(others), inPut)
	}
}
