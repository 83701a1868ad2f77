package union

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/beside"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/litmus"
)

// TestBeside goes through all states of random programs: whoever stand somewhere together must be beside each other, as
// package beside has it, and so must those be who stand where one was not started yet.
func TestBeside(t *testing.T) {
	pairs, apart, n := 0, 0, cmp.Or(*unionPrograms, long.Pick(1000, 10000))
	for i := *unionFrom; i < *unionFrom+n; i++ {
		mix := []litmus.Mix{litmus.Chans, litmus.Chans | litmus.Memory, litmus.Chans | litmus.Selects, litmus.Sync | litmus.Chans, litmus.All}[i%5]
		p := litmus.Generate(uint64(i)+1<<43, mix, 5, 10)
		x := New()
		x.Full = true
		if r := (&Explorer{Engine: x, Alone: true}).Explore(p, explore.Limits{Executions: 2000}); r.Verdict != explore.Exhausted {
			continue
		}
		table := beside.Make(&x.Rules)
		everywhere(x, func(s *spec.State, started uint64) {
			for u, m := range s.Nodes {
				for o := 1; m != 0 && o < len(x.Nodes); o++ {
					v := x.Nodes[o].Thread
					if int(v) == u || s.Node(v) != int32(o) && started>>v&1 != 0 {
						continue
					}
					if pairs++; !table.Beside(m, int32(o)) {
						t.Fatalf("program %d, mix %d:\n%v\n%s stands at node %d, and %s has not left %d", i, mix, p, x.IDs[u], m, x.IDs[v], o)
					}
				}
			}
		})
		for m := int32(1); int(m) < len(x.Nodes); m++ {
			for o := int32(1); int(o) < len(x.Nodes); o++ {
				if x.Nodes[m].Thread != x.Nodes[o].Thread && !table.Beside(m, o) {
					apart++
				}
			}
		}
	}
	t.Logf("%d pairs together, %d nodes not beside another one", pairs, apart)
	if pairs < 10*n || apart < 5*n { // of programs in which nobody waits nothing is apart
		t.Errorf("too few")
	}
}

// everywhere calls f for every state that what is known allows, and with who was started by then.
func everywhere(e *Engine, f func(s *spec.State, started uint64)) {
	type at struct {
		s       spec.State
		started uint64
	}
	seen := make(map[string]bool)
	for todo := []at{{e.Start(), 1}}; len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for t, n := range x.s.Nodes {
			if n != 0 {
				x.started |= 1 << t
			}
		}
		if key := fmt.Sprint(x); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		f(&x.s, x.started)
		for _, m := range spec.EnabledOfAll(&e.Rules, &x.s, nil, new(spec.Crowd)) {
			y := at{started: x.started}
			x.s.CopyTo(&y.s)
			id, pid, _ := e.EdgesFor(&x.s, m)
			e.Apply(&y.s, m, id, pid)
			todo = append(todo, y)
		}
	}
}
