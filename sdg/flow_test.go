package sdg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// randomFlow returns a graph in which 0 reaches every node, and 1, the exit, is reached from
// 0 but perhaps not from the others, all of which lead somewhere.
func randomFlow(r *rand.Rand) [][]int {
	n := 2 + r.IntN(10)
	succs := make([][]int, n)
	for i := range n {
		if i == 1 {
			continue
		}
		for range 1 + r.IntN(3) {
			succs[i] = append(succs[i], r.IntN(n))
		}
		if i > 1 { // a tree from 0
			from := r.IntN(i)
			if from == 1 {
				from = 0
			}
			succs[from] = append(succs[from], i)
		}
	}
	succs[0] = append(succs[0], 1)
	return succs
}

// postDominates is the definition: no way from n to exit avoids p.
func postDominates(succs [][]int, p, n, exit int) bool {
	if p == n {
		return true
	}
	cut := make([][]int, len(succs))
	copy(cut, succs)
	cut[p] = nil
	return p == exit || !reachable(cut, n)[exit]
}

func TestPostDominators(t *testing.T) {
	opened := 0
	for seed := range 3000 {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		succs := randomFlow(r)
		var before [][]int
		for _, ss := range succs {
			before = append(before, slices.Clone(ss))
		}
		succs = openLoops(succs, 1)
		checkOpened(t, seed, before, succs)
		if len(succs) > len(before) {
			opened++
		}
		ipdom := postDominators(succs, 1)
		above := func(p, n int) bool { // p is n or an ancestor of it
			for n != p && n != 1 {
				n = ipdom[n]
			}
			return n == p
		}
		for n := range succs {
			for p := range succs {
				if got, want := above(p, n), postDominates(succs, p, n, 1); got != want {
					t.Fatalf("seed %d: %d post-dominates %d: got %v, want %v\n%v", seed, p, n, got, want, succs)
				}
			}
		}
		checkControl(t, seed, succs, controllers(succs, ipdom))
	}
	t.Logf("3000 graphs, %d of them with loops to open", opened)
}

// checkOpened: every node reaches the exit; new nodes stand, one each, before the first node
// of a component that could not be left; seen through them nothing has changed.
func checkOpened(t *testing.T, seed int, before, after [][]int) {
	t.Helper()
	if slices.Contains(reaching(after, 1), false) {
		t.Fatalf("seed %d: a node is still stuck: %v", seed, after)
	}
	opened := map[int]bool{}
	for _, ss := range after[len(before):] {
		if len(ss) != 2 || ss[1] != 1 || opened[ss[0]] {
			t.Fatalf("seed %d: bad new nodes: %v", seed, after)
		}
		opened[ss[0]] = true
	}
	for n := range before {
		var seen []int
		for _, s := range after[n] {
			if s >= len(before) {
				s = after[s][0]
			} else if opened[s] {
				t.Fatalf("seed %d: a way around the new node: %v", seed, after)
			}
			seen = append(seen, s)
		}
		if !slices.Equal(seen, before[n]) {
			t.Fatalf("seed %d: the graph has changed: %v, %v", seed, before, after)
		}
		from := reachable(before, n)
		want := !from[1] // n is the first of a component without a way out
		for m := range before {
			want = want && !(from[m] && (m < n || !reachable(before, m)[n]))
		}
		if opened[n] != want {
			t.Fatalf("seed %d: a node before %d: %v, want %v: %v", seed, n, opened[n], want, before)
		}
	}
}

// checkControl compares with the definition: n depends on side s of a if it
// post-dominates s's target and does not strictly post-dominate a.
func checkControl(t *testing.T, seed int, succs [][]int, by [][]branch) {
	t.Helper()
	for n := range succs {
		for a, ss := range succs {
			for side, s := range ss {
				want := postDominates(succs, n, s, 1) && (n == a || !postDominates(succs, n, a, 1))
				if got := slices.Contains(by[n], branch{a, side}); got != want {
					t.Fatalf("seed %d: %d depends on side %d of %d: got %v, want %v\n%v", seed, n, side, a, got, want, succs)
				}
			}
		}
	}
}
