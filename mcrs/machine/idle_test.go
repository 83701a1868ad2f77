package machine

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestIdleMain shows when main at `select {}` is no deadlock (STUCK2): as a main program, while somebody goes on. A
// test that stands there never ends.
func TestIdleMain(t *testing.T) {
	p := loadMain(t, "testdata/idle.go")
	m := machineOf(p)
	for _, test := range []struct {
		name string
		kind program.EntryKind
		want trace.Status
	}{
		{"timers", program.Main, trace.Returned},
		{"sleeps", program.Main, trace.Returned},
		{"ticks", program.Main, trace.Returned},
		{"rarely", program.Main, trace.Returned},
		{"ends", program.Main, trace.Deadlocked},
		{"alone", program.Main, trace.Deadlocked},
		{"exits", program.Main, trace.Returned},
		{"exitsBesideTimers", program.Main, trace.Returned},
		{"exitsBesideBlocked", program.Main, trace.Returned},
		{"exitsLast", program.Main, trace.Deadlocked},
		{"exitsAndBlocks", program.Main, trace.Deadlocked},
		{"locks", program.Main, trace.Deadlocked},
		{"receives", program.Main, trace.Deadlocked},
		{"polls", program.Main, trace.Deadlocked},
		{"timers", program.Example, trace.Deadlocked},
		{"sleeps", program.Example, trace.Deadlocked},
	} {
		e := program.Entry{Name: test.name, Kind: test.kind, Fn: p.PackageByPath(p.Path).SSA.Func(test.name)}
		if got := m.Entry(e).Run(&sched.RunToBlock{}, sched.Options{}).Status; got != test.want {
			t.Errorf("%s: it %v, want %v", test.name, got, test.want)
		}
	}
}
