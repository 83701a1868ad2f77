package machine

import (
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// TestAddressesOfAnEntry shows that what an entry prints of addresses does not depend on the entries that the machine
// has run before.
func TestAddressesOfAnEntry(t *testing.T) {
	p := loadMain(t, "testdata/numbers.go")
	entry := func(name string) program.Entry {
		return program.Entry{Name: name, Kind: program.Main, Fn: p.PackageByPath(p.Path).SSA.Func(name)}
	}
	second := func(before ...string) string {
		m := New(p, Config{Kernel: kernel.Config{GOROOT: runtime.GOROOT(), Args: []string{"prog"}}})
		for _, name := range before {
			m.Entry(entry(name)).Run(&sched.RunToBlock{}, sched.Options{})
		}
		return string(m.Entry(entry("second")).Run(&sched.RunToBlock{}, sched.Options{}).Output)
	}
	want := second()
	if strings.Count(want, "0x") < 19 || !strings.Contains(want, " true main.second") {
		t.Fatalf("it prints %q, want addresses of variables, functions, instructions, constants and descriptors", want)
	}
	if got := second("first"); got != want {
		t.Errorf("after another entry it prints %q, want %q", got, want)
	}
	if got := second("second", "first"); got != want {
		t.Errorf("between runs of another entry it prints %q, want %q", got, want)
	}
}
