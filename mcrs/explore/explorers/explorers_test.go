package explorers

import (
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestDeterministic: the same program gives the same result, to the last byte.
func TestDeterministic(t *testing.T) {
	for i := range uint64(100) {
		p := litmus.Generate(i, litmus.All, 4, 9)
		for _, x := range []func() explore.Explorer{func() explore.Explorer { return new(systematic.Explorer) }, func() explore.Explorer { return new(union.Explorer) }} {
			a := x().Explore(p, explore.Limits{Executions: 200})
			b := x().Explore(p, explore.Limits{Executions: 200})
			for _, r := range []*explore.Result{a, b} { // the only fields that may differ
				r.Stats.MachineNS, r.Stats.WitnessNS, r.Stats.WallNS = 0, 0, 0
			}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("program %d: two results of %T\n%v", i, x(), p)
			}
		}
	}
}

func TestEveryNameHasAnExplorer(t *testing.T) {
	p := &litmus.Program{Threads: litmustest.Threads([]litmus.Op{litmus.W(0, 1)}, []litmus.Op{litmus.R(0)})}
	for _, name := range append(Names(), "") {
		x, err := New(name)
		if err != nil {
			t.Fatal(err)
		}
		res := x.Explore(p, explore.Limits{Executions: 100})
		if want := explore.Exhausted; (res.Verdict == want) == Samples(name) || res.Stats.Classes != 2 {
			t.Errorf("%s: %s, %d classes", name, res.Verdict, res.Stats.Classes)
		}
	}
	if _, err := New("magic"); err == nil {
		t.Error("an explorer called magic")
	}
}
