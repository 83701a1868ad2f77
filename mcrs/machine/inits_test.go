package machine

import (
	"errors"
	"testing"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestExitInInitialiser shows that a program that ends while its packages are initialised has nothing to explore, and
// that this is no success (EXIT4).
func TestExitInInitialiser(t *testing.T) {
	err := New(loadMain(t, "testdata/inits/exits.go"), Config{}).Prepare()
	if e := (*InitError)(nil); !errors.As(err, &e) || e.Reason != "os.Exit(3)" {
		t.Errorf("%v", err)
	}
}

// TestLateInitialisers shows that executions run the initialisers of packages from that on which starts a goroutine.
// They begin with what those before it have left.
func TestLateInitialisers(t *testing.T) {
	p := loadMain(t, "testdata/inits/late.go")
	m := New(p, Config{})
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got := m.Entry(p.Entries[0]).Run(sched.RunToBlock{}, sched.Options{})
		if got.Status != trace.Returned || len(got.Threads) < 2 || got.Steps > 10_000 {
			t.Errorf("%s %s %s, %d goroutines, %d instructions", got.Status, got.Reason, got.Panic, len(got.Threads), got.Steps)
		}
	}
}

// TestSettledInitialisers shows which initialisers that start goroutines are part of the snapshot. Executions do not
// run them.
func TestSettledInitialisers(t *testing.T) {
	for name, settles := range map[string]bool{"settles": true, "senders": false, "once": false, "races": false, "after": false, "stays": false, "looks": false} {
		p := loadMain(t, "testdata/inits/settled/"+name+".go")
		m := New(p, Config{})
		if err := m.Prepare(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got := m.Entry(p.Entries[0]).Run(sched.RunToBlock{}, sched.Options{})
			if settled := len(got.Threads) == 1; settled != settles || got.Status != trace.Returned && name != "after" {
				t.Errorf("%s: %s %s %s, %d goroutines", name, got.Status, got.Reason, got.Panic, len(got.Threads))
			}
		}
	}
}

// TestSpins shows that time passes for a goroutine that counts its rounds and does nothing else (SPIN1), and not for
// one that reads its way through what is large, or calls itself and looks at the same in each call (SPIN2).
func TestSpins(t *testing.T) {
	for name, spins := range map[string]bool{"spins": true, "looks": false, "recurses": false, "matches": false, "builds": false, "draws": false, "reckons": false, "ranges": false, "asks": false} {
		p := loadMain(t, "testdata/inits/"+name+".go")
		m := New(p, Config{})
		if err := m.Prepare(); err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Entries {
			if got := m.Entry(e).Run(sched.RunToBlock{}, sched.Options{MaxEvents: 20_000}); got.Status != trace.Returned || got.Spun != spins {
				t.Errorf("%s: %s %s, time passed: %v", name, got.Status, got.Reason, got.Spun)
			}
		}
	}
}
