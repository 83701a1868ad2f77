package machine

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestCompares has a goroutine compare no more of its rounds than its events pay for (POLL6): in all they have 800
// million words.
func TestCompares(t *testing.T) {
	p := loadMain(t, "testdata/compares.go")
	m := machineOf(p)
	e := program.Entry{Name: "main", Kind: program.Main, Fn: p.PackageByPath(p.Path).SSA.Func("main")}
	tr := m.Entry(e).Run(&sched.RunToBlock{}, sched.Options{})
	words := m.vm.Threads[0].Polling.Compared
	if tr.Status != trace.Returned || len(tr.Events) < 5990 || words < 1<<18 || words > 12<<18 {
		t.Errorf("it %v after %d events, and %d words were compared", tr.Status, len(tr.Events), words)
	}
}
