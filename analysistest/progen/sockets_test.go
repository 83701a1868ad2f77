package progen

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// TestQuietSteps compares brute force that leaves out the orders of quiet steps with brute force that does not
// (QUIET1 to QUIET3 of package oracle).
func TestQuietSteps(t *testing.T) {
	var ps []*Program
	for s := uint64(1); len(ps) < long.Pick(50, 500); s++ {
		if p := Generate(s, min(Size(s), 6)); !p.Notes.Others {
			ps = append(ps, p)
		}
	}
	l := loadAll(t, ps)
	compared, left, races := 0, 0, 0
	for i, p := range ps {
		m, err := l.Machine(i)
		if err != nil {
			t.Fatal(err)
		}
		limits := oracle.Limits{Executions: 1500, Options: sched.Options{MaxEvents: maxEvents}}
		all := oracle.SearchStates(m, limits, nil)
		limits.Quiet = true
		got := oracle.SearchStates(m, limits, nil)
		if !all.Complete || !got.Complete {
			continue
		}
		compared, races = compared+1, races+len(all.Races)
		left += max(0, all.Executions-got.Executions)
		if lacks, adds := all.Missing(got), got.Missing(all); len(lacks)+len(adds) > 0 {
			t.Errorf("seed %d: without: %s\nmore: %s\n%s", p.Seed, lacks, adds, p.Func("P"))
		}
	}
	if compared < len(ps)*2/3 || left < compared || races < compared/5 {
		t.Errorf("too little was compared: %d programs, %d executions fewer, %d races", compared, left, races)
	}
}

// TestSockets compares union with the oracle on clients and servers. `go run -C internal ./random -sockets` compares
// any number, with the other explorers too.
func TestSockets(t *testing.T) {
	defer func(all []Subject) { Subjects = all }(Subjects)
	var err error
	if Subjects, err = own.Select([]string{"union"}); err != nil {
		t.Fatal(err)
	}
	n := long.Pick(8, 100)
	tally, err := Run(1, n, Config{Kind: Sockets, Regime: Regime{Sockets: true}, Executions: 400}, func(f Failure) {
		t.Errorf("seed %d, size %d: %s", f.Program.Seed, f.Program.Size, strings.Join(f.Result.Problems, "\n"))
	})
	if err != nil {
		t.Fatal(err)
	}
	if tally.Programs != n || tally.Outcomes < n*4/3 || tally.Blocking < n/5 {
		t.Errorf("too little was compared: %+v", tally)
	}
}
