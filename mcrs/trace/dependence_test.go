package trace

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSetsAgainstPlainOnes compares random unions with plain sets.
func TestSetsAgainstPlainOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		d := NewDependence()
		sets, want := []Set{0}, []map[int32]bool{{}}
		for range 200 {
			if rng.IntN(3) == 0 {
				e := rng.IntN(40)
				sets, want = append(sets, d.Event(e)), append(want, map[int32]bool{int32(e): true})
				continue
			}
			i, j := rng.IntN(len(sets)), rng.IntN(len(sets))
			u := make(map[int32]bool)
			for _, k := range []int{i, j} {
				for e := range want[k] {
					u[e] = true
				}
			}
			sets, want = append(sets, d.Union(sets[i], sets[j])), append(want, u)
		}
		for i, s := range sets {
			got := d.Members(s)
			if len(got) != len(want[i]) || !slices.IsSorted(got) || slices.ContainsFunc(got, func(e int32) bool { return !want[i][e] }) {
				t.Fatalf("set %d has %v, want %v", s, got, want[i])
			}
			if len(want[i]) == 0 && s != 0 {
				t.Errorf("the empty set is %d", s)
			}
		}
	}
}
