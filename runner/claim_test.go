package runner

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// noise makes an entry too large for its limits, before it comes to what it is about.
const noise = `package p

import (
	"sync"
	"testing"
)

func noise(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range 6 {
		wg.Go(func() {
			for range 3 {
				mu.Lock()
				n = 5*n + i
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if n == 3 {
		t.Error("cannot be")
	}
}
`

// counter loses an update where add has no lock.
const counter = `package p

import (
	"sync"
	"sync/atomic"
	"testing"

	"example.com/m/q"
)

var (
	mu sync.Mutex
	n  atomic.Int32
)

const locked = true

var always = true

func get() int32  { return n.Load() }
func set(x int32) { n.Store(x) }

type guard struct{}

func (guard) Lock()   { mu.Lock() }
func (guard) Unlock() { mu.Unlock() }

var guarded sync.Locker = guard{}

func add() {
	guarded.Lock()
	set(get() + 1)
	guarded.Unlock()
}

func apply[T any](f func(T), x T) { mu.Lock(); f(x); mu.Unlock() }

func another() {
	apply(set, 1)
	q.Touch()
}

func run(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(add)
	wg.Go(add)
	wg.Wait()
}

func TestIt(t *testing.T) {
	another()
	noise(t)
	n.Store(0)
	run(t)
	if n.Load() != 2 {
		t.Error("an update is lost")
	}
}
`

const touch = "package q\n\nimport \"sync/atomic\"\n\nvar n atomic.Int32\n\nfunc Touch() { n.Add(1) }\n"

// A claim is a change of counter, and what is said of it.
type claim struct {
	name  string
	base  []string             // replacements in counter before the change
	edit  []string             // and the change, in what came of these
	files map[string][2]string // other files, before and now; "" is none
	flags []string
	// claimed says that the changed functions were explored in pairs: "yes", or "early" if the schedules in which no
	// timer fires early alone. "" says that nothing is claimed.
	claimed string
	finds   string // what pairs show then, "" if nothing
}

var claims = []claim{
	{name: "lock removed, its section in other functions", edit: []string{"guarded.Lock()\n", "\n", "guarded.Unlock()\n", "\n"}, claimed: "yes", finds: "an update is lost"},
	{name: "lock removed", base: []string{"set(get() + 1)", "n.Store(n.Load() + 1)"}, edit: []string{"guarded.Lock()\n", "\n", "guarded.Unlock()\n", "\n"}, claimed: "yes", finds: "an update is lost"},
	{name: "lock not released", edit: []string{"guarded.Unlock()\n", "\n"}, claimed: "yes", finds: "deadlock"},
	{name: "the change means nothing", edit: []string{"return n.Load()", "return n.Load() + 0"}, claimed: "yes"},
	{name: "a comment", edit: []string{"func add() {", "func add() { // counts"}},
	{name: "function elsewhere", edit: []string{"func get() int32  { return n.Load() }\n", ""}, files: map[string][2]string{"p/get_test.go": {"", "package p\n\nfunc get() int32 { return n.Load() }\n"}}},
	{name: "constant", base: []string{"guarded.Lock()\n", "if locked { guarded.Lock() }\n", "guarded.Unlock()\n", "if locked { guarded.Unlock() }\n"}, edit: []string{"locked = true", "locked = false"}, claimed: "yes", finds: "an update is lost"},
	{name: "initialiser", base: []string{"guarded.Lock()\n", "if always { guarded.Lock() }\n", "guarded.Unlock()\n", "if always { guarded.Unlock() }\n"}, edit: []string{"always = true", "always = false", "return n.Load()", "return n.Load() + 0"}},
	{name: "method behind an interface", edit: []string{"{ mu.Lock() }", "{ get() }", "{ mu.Unlock() }", "{}"}, claimed: "yes", finds: "an update is lost"},
	{name: "method with nothing in it", edit: []string{"{ mu.Lock() }", "{}", "{ mu.Unlock() }", "{}"}},
	{name: "another type behind an interface", edit: []string{"sync.Locker = guard{}", "sync.Locker = none{}", "func get()", "type none struct{}\n\nfunc (none) Lock() {}\nfunc (none) Unlock() {}\n\nfunc get()", "return n.Load()", "return n.Load() + 0"}},
	{name: "a method more", edit: []string{"func get()", "func (guard) String() string { return \"\" }\n\nfunc get()", "return n.Load()", "return n.Load() + 0"}},
	{name: "generic function", base: []string{"wg.Go(add)\n\twg.Go(add)", "wg.Go(func() { apply(inc, 1) })\n\twg.Go(func() { apply(inc, 1) })", "func get()", "func inc(by int32) { set(get() + by) }\n\nfunc get()"}, edit: []string{"mu.Lock(); f(x); mu.Unlock()", "f(x)"}, claimed: "yes", finds: "an update is lost"},
	{name: "function of another package", base: []string{"wg.Go(add)\n\twg.Go(add)", "wg.Go(q.Add)\n\twg.Go(q.Add)", "n.Load() != 2", "q.N() != 2"}, files: map[string][2]string{"q/add.go": {
		"package q\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc N() int32 { return n.Load() - 1 }\n\nfunc Add() { mu.Lock(); n.Store(n.Load() + 1); mu.Unlock() }\n",
		"package q\n\nfunc N() int32 { return n.Load() - 1 }\n\nfunc Add() { n.Store(n.Load() + 1) }\n"}}},
	{name: "only the function of another package", base: []string{"wg.Go(add)\n\twg.Go(add)", "wg.Go(q.Add)\n\twg.Go(q.Add)", "n.Load() != 2", "q.N() != 2"}, files: map[string][2]string{"q/add.go": {
		"package q\n\nimport \"sync\"\n\nvar Mu sync.Mutex\n\nfunc N() int32 { return n.Load() - 1 }\n\nfunc Add() { Mu.Lock(); n.Store(n.Load() + 1); Mu.Unlock() }\n",
		"package q\n\nimport \"sync\"\n\nvar Mu sync.Mutex\n\nfunc N() int32 { return n.Load() - 1 }\n\nfunc Add() { n.Store(n.Load() + 1) }\n"}}, claimed: "yes", finds: "an update is lost"},
	{name: "new observer", base: []string{"wg.Wait()\n", "wg.Wait()\n\tlook(t)\n", "set(get() + 1)", "set(2*get() + x)", "func add() {", "func look(t *testing.T) { get() }\n\nfunc add() { put(1) }\n\nfunc put(x int32) {", "wg.Go(add)\n\twg.Go(add)", "wg.Go(add)\n\twg.Go(func() { put(2) })", "n.Load() != 2", "n.Load() == 17"}, edit: []string{"{ get() }", "{ if get() != 4 { t.Error(\"an update is lost\") } }"}, claimed: "yes"}, // the paper's hole: the changed function is alone
	{name: "reached in other schedules alone", base: []string{"wg.Go(add)\n\twg.Go(add)", "wg.Go(func() { flag.Store(true); set(1); flag.Store(false) })\n\twg.Go(func() { if flag.Load() { bad() }; good() })", "func get()", "var flag atomic.Bool\n\nfunc bad() { get() }\nfunc good() { get() }\n\nfunc get()", "n.Load() != 2", "n.Load() == 17"}, edit: []string{"func bad() { get()", "func bad() { set(17)", "func good() { get()", "func good() { get(); get()"}, claimed: "yes"},
	{name: "time-out", base: []string{"func get()", "func wait(c chan bool) { <-c }\n\nfunc get()", "wg.Go(add)\n\twg.Go(add)", "c := make(chan bool, 1)\n\twg.Go(func() { add(); c <- true })\n\twg.Go(func() { wait(c); add() })", "\"testing\"\n", "\"testing\"\n\t\"time\"\n", "func set(", "const patience = time.Second\n\nfunc set("}, edit: []string{"{ <-c }", "{\n\tselect {\n\tcase <-c:\n\tcase <-time.After(patience):\n\t\tset(7)\n\t}\n}"}, claimed: "early"},
	{name: "go.mod", edit: []string{"guarded.Lock()\n", "\n", "guarded.Unlock()\n", "\n"}, files: map[string][2]string{"go.mod": {"module example.com/m\n\ngo 1.26\n", "module example.com/m\n\ngo 1.25\n"}}},
	{name: "embedded file", edit: []string{"return n.Load()", "return n.Load() + 0"}, files: map[string][2]string{"p/e.txt": {"a", "b"}, "p/e_test.go": {"package p\n\nimport _ \"embed\"\n\n//go:embed e.txt\nvar text string\n", "package p\n\nimport _ \"embed\"\n\n//go:embed e.txt\nvar text string\n"}}},
	{name: "file that tests may read", edit: []string{"return n.Load()", "return n.Load() + 0"}, files: map[string][2]string{"p/testdata/x": {"a", "b"}}},
	{name: "init taken away", edit: []string{"return n.Load()", "return n.Load() + 0"}, files: map[string][2]string{"p/i_test.go": {"package p\n\nfunc init() { always = true }\n", "package p\n"}}},
	{name: "TestMain taken away", edit: []string{"return n.Load()", "return n.Load() + 0"}, files: map[string][2]string{"p/i_test.go": {"package p\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) { m.Run() }\n", "package p\n"}}},
	{name: "folder renamed", edit: []string{"return n.Load()", "return n.Load() + 0"}, files: map[string][2]string{"q/touch.go": {touch, ""}, "q/q/touch.go": {"", touch}}},
	{name: "limit of pairs", flags: []string{"-limit.executions=16"}, edit: []string{"set(get() + 1)", "set(get() + 1); get(); get(); get(); get()"}},
	{name: "the test itself", edit: []string{"another()\n\tnoise(t)", "noise(t)\n\tanother()"}, flags: []string{"-limit.executions=40"}},
	{name: "two entries", base: []string{"func TestIt(", "func TestAlso(t *testing.T) {\n\tnoise(t)\n\trun(t)\n}\n\nfunc TestIt("}, edit: []string{"guarded.Lock()\n", "\n", "guarded.Unlock()\n", "\n"}, claimed: "yes", finds: "an update is lost"},
}

// TestClaimOfPairs changes a program in many ways, and looks whether it is said that the changed functions were
// explored in pairs. That must not be said where something else has changed, or where pairs were left out.
func TestClaimOfPairs(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for name, value := range map[string]string{"GOWORK": "off", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"} {
		t.Setenv(name, value)
	}
	list := claims
	if !long.On() {
		list = []claim{claims[0], claims[4]}
	}
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := exchanged(t, counter, c.base)
			files := map[string][2]string{"go.mod": {"module example.com/m\n\ngo 1.26\n", "module example.com/m\n\ngo 1.26\n"}, "p/noise_test.go": {noise, noise}, "q/touch.go": {touch, touch}}
			maps.Copy(files, c.files)
			now := exchanged(t, text, c.edit)
			if c.name == "folder renamed" {
				now = strings.Replace(now, "m/q\"", "m/q/q\"", 1)
			}
			files["p/p_test.go"] = [2]string{text, now}
			writeAll(t, files, 0)
			for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "a"}} {
				if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
					t.Fatalf("git %q: %v: %s", args, err, out)
				}
			}
			writeAll(t, files, 1)
			var out, errs bytes.Buffer
			args := append([]string{"-new-from-rev=HEAD", "-limit.executions=600", "-timing=off", "-cache=off"}, c.flags...)
			if code := Main(append(args, "./p"), Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code == exitFailure {
				t.Fatal(errs.String())
			}
			said := errs.String()
			got := ""
			if strings.Contains(said, "changed functions, where they were reached") {
				if got = "yes"; strings.Contains(said, "in schedules in which no timer fires early") {
					got = "early"
				}
			}
			if got != c.claimed || c.name == "two entries" && strings.Count(said, "changed functions") != 2 {
				t.Errorf("claimed: %q, want %q\n%s", got, c.claimed, said)
			}
			if c.claimed == "" {
				return
			}
			out.Reset() // what the default explorer has found may be from other schedules
			Main(append(args, "-explorer=pairwise", "-limit.executions=500", "./p"), Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
			if c.finds == "" && out.Len() > 0 || !strings.Contains(out.String(), c.finds) {
				t.Errorf("pairs showed, want %q:\n%s", c.finds, out.String())
			}
		})
	}
}

// exchanged makes replacements, each of a text that is there.
func exchanged(t *testing.T, text string, pairs []string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("there is no %q in\n%s", pairs[i], text)
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// writeAll writes a version of files, and removes those that are not in it.
func writeAll(t *testing.T, files map[string][2]string, version int) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name][version]
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil && text != "" {
			err = os.WriteFile(name, []byte(text), 0o666)
		} else if err == nil && version > 0 {
			err = os.Remove(name)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestHeldUp: an entry has a long way to go, and few runs. That two goroutines are in a section at once, which a third
// sees, is new, and needs both to be held up there. Neither the exploration nor pairs come to it; the samples in which
// goroutines are held up in changed code do.
func TestHeldUp(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	for name, value := range map[string]string{"GOWORK": "off", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"} {
		t.Setenv(name, value)
	}
	t.Chdir(t.TempDir())
	far, mod := strings.NewReplacer("range 3", "range 55", "range 6", "range 9").Replace(noise), "module example.com/m\n\ngo 1.26\n"
	files := map[string][2]string{"go.mod": {mod, mod}, "p/noise_test.go": {far, far}, "p/p_test.go": {section, exchanged(t, section, []string{"door.Lock()\n", "\n", "door.Unlock()\n", "\n"})}}
	writeAll(t, files, 0)
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "a"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	writeAll(t, files, 1)
	for _, test := range []struct {
		flag  string
		finds bool
	}{{"-new-from-rev=", false}, {"-new-from-rev=HEAD", true}} {
		var out, errs bytes.Buffer
		if code := Main([]string{test.flag, "-limit.executions=100", "-cache=off", "./p"}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code == exitFailure {
			t.Fatal(errs.String())
		}
		if got := strings.Contains(out.String(), "two are inside"); got != test.finds {
			t.Errorf("%s finds it: %t, want %t\n%s%s", test.flag, got, test.finds, out.String(), errs.String())
		}
	}
}

// section is one that a lock guards.
const section = `package p

import (
	"sync"
	"sync/atomic"
	"testing"
)

var (
	door   sync.Mutex
	inside atomic.Int32
)

func enter() {
	door.Lock()
	inside.Add(1)
	inside.Add(-1)
	door.Unlock()
}

func TestIt(t *testing.T) {
	noise(t)
	var wg sync.WaitGroup
	wg.Go(enter)
	wg.Go(enter)
	wg.Go(func() {
		if inside.Load() == 2 {
			t.Error("two are inside")
		}
	})
	wg.Wait()
}
`
