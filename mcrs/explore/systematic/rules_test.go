package systematic

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestDependenceRules compares the explorer with brute force on a program for each rule of package causality, or part
// of one, that random programs do not need: without it an outcome is missed, or one that is there already is executed
// again.
func TestDependenceRules(t *testing.T) {
	get := func(key int) []litmus.Op { return []litmus.Op{litmus.Do(litmus.MapGet, 0, key, 0)} }
	set := func(key, v int) []litmus.Op { return []litmus.Op{litmus.Do(litmus.MapSet, 0, key, v)} }
	rlock, wlock := litmus.Do(litmus.RLock, 2, 0, 0), litmus.Do(litmus.WLock, 2, 0, 0)
	for _, test := range []struct {
		rule       string
		threads    [][]litmus.Op
		executions int
	}{
		{"DEP2 key", litmustest.Threads(set(1, 1), get(1)), 2},
		{"DEP2 keys", litmustest.Threads(set(1, 1), get(2)), 1},
		{"DEP2 len", litmustest.Threads(set(1, 1), get(0)), 2},
		{"DEP2 clear", litmustest.Threads(set(0, 0), append(set(1, 1), get(1)...)), 3},
		{"DEP2 clear and len", litmustest.Threads(append(set(1, 1), set(0, 0)...), get(0)), 3},
		// Whoever is second waits for ever.
		{"DEP3", litmustest.Threads([]litmus.Op{rlock}, []litmus.Op{wlock}), 2},
		{"DEP3 readers", litmustest.Threads([]litmus.Op{rlock}, []litmus.Op{rlock}), 1},
		{"END2", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Spawn(3)}, {litmus.Spawn(4)}, {}, {}}, 1},
	} {
		t.Run(test.rule, func(t *testing.T) {
			s, ok := compare(t, &litmus.Program{Threads: test.threads}, t.Name())
			if !ok || s.Executions != test.executions {
				t.Errorf("%d executions, want %d; compared %v", s.Executions, test.executions, ok)
			}
		})
	}
}
