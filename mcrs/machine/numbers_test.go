package machine

import (
	"strings"
	"testing"

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
		m := machineOf(p)
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

// TestAddressesArePositive runs a goroutine whose segment is among the last ones.
func TestAddressesArePositive(t *testing.T) {
	p := loadMain(t, "testdata/numbers.go")
	e := program.Entry{Name: "deep", Kind: program.Main, Fn: p.PackageByPath(p.Path).SSA.Func("deep")}
	m := machineOf(p)
	if got, want := string(m.Entry(e).Run(&sched.RunToBlock{}, sched.Options{}).Output), "written <nil> true\n"; got != want {
		t.Errorf("it prints %q, want %q", got, want)
	}
}

// TestAddressesOfASchedule shows that what an entry prints of addresses does not depend on the schedules in which the
// machine has run it before.
func TestAddressesOfASchedule(t *testing.T) {
	p := loadMain(t, "testdata/numbers.go")
	e := program.Entry{Name: "eitherFirst", Kind: program.Main, Fn: p.PackageByPath(p.Path).SSA.Func("eitherFirst")}
	machine := func() sched.Machine {
		return machineOf(p).Entry(e)
	}
	orders := map[string]string{}
	after := machine()
	for seed := range sched.RandSeed(20) {
		run := func(m sched.Machine) string {
			return string(m.Run(sched.NewRandom(seed), sched.Options{}).Output)
		}
		want := run(machine())
		if got := run(after); got != want {
			t.Errorf("after other schedules it prints %q, want %q", got, want)
		}
		order, addresses, _ := strings.Cut(want, " ")
		orders[order] = addresses
	}
	if len(orders) != 2 || orders["01"] != orders["10"] || strings.Count(orders["01"], "0x") != 4 {
		t.Errorf("it prints, by who is first: %q", orders)
	}
}
