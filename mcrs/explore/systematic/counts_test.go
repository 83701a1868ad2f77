package systematic

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestEachTraceIsExecutedOnce pins the number of executions and of classes. An execution is a
// Mazurkiewicz trace, each met once: the counts for memory are those of Nidhugg's optimal mode.
func TestEachTraceIsExecutedOnce(t *testing.T) {
	r, w, p := litmus.R, litmus.W, litmus.P
	l, u := litmus.L, litmus.U
	for _, test := range []struct {
		name                           string
		prog                           [][]litmus.Op
		caps                           []int
		classes, executions, redundant int
	}{
		{"sb", litmustest.Threads([]litmus.Op{w(0, 1), r(1)}, []litmus.Op{w(1, 1), r(0)}), nil, 3, 3, 0},
		{"indep4", litmustest.Threads([]litmus.Op{w(0, 1)}, []litmus.Op{r(0)}, []litmus.Op{w(1, 1)}, []litmus.Op{r(1)}), nil, 4, 4, 0},
		{"counter 1", litmustest.Threads(litmustest.Loop(1, r(0), p(0, 1)), litmustest.Loop(1, r(0), p(0, -1))), nil, 3, 4, 0},
		{"counter 2", litmustest.Threads(litmustest.Loop(2, r(0), p(0, 1)), litmustest.Loop(2, r(0), p(0, -1))), nil, 19, 34, 0},
		{"counter 3", litmustest.Threads(litmustest.Loop(3, r(0), p(0, 1)), litmustest.Loop(3, r(0), p(0, -1))), nil, 140, 328, 0},
		{"lockcnt 2", litmustest.Times(2, []litmus.Op{l(0), r(0), p(0, 1), u(0)}), nil, 2, 2, 0},
		{"lockcnt 3", litmustest.Times(3, []litmus.Op{l(0), r(0), p(0, 1), u(0)}), nil, 6, 6, 0},
		{"lockcnt 4", litmustest.Times(4, []litmus.Op{l(0), r(0), p(0, 1), u(0)}), nil, 24, 24, 0},
		{"lockcnt 5", litmustest.Times(5, []litmus.Op{l(0), r(0), p(0, 1), u(0)}), nil, 120, 120, 0},
		{"lockcnt 6", litmustest.Times(6, []litmus.Op{l(0), r(0), p(0, 1), u(0)}), nil, 720, 720, 0},
		{"nwriters 2", append(litmustest.Times(2, []litmus.Op{w(0, 1)}), []litmus.Op{r(0)}), nil, 2, 6, 0},
		{"nwriters 4", append(litmustest.Times(4, []litmus.Op{w(0, 1)}), []litmus.Op{r(0)}), nil, 2, 120, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			prog := &litmus.Program{Threads: test.prog, Caps: test.caps}
			res := new(Explorer).Explore(prog, explore.Limits{Executions: 100000})
			if res.Verdict != explore.Exhausted {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			s := res.Stats
			if s.Classes != test.classes || s.Executions != test.executions || s.Redundant != test.redundant {
				t.Errorf("%d classes, %d executions, %d redundant; want %d, %d, %d", s.Classes, s.Executions, s.Redundant,
					test.classes, test.executions, test.redundant)
			}
		})
	}
}
