package known

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestCellsEndWhereRangesDo touches random ranges, and compares the cells with their definition: they end where a range
// begins or ends, and there is one for each byte that was touched.
func TestCellsEndWhereRangesDo(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		k := NewKnowledge()
		var touched [64]bool
		var bounds []uint64
		for range 25 {
			lo := r.Uint64N(60)
			hi := lo + 1 + r.Uint64N(4)
			if r.IntN(3) == 0 { // behind all others
				lo = uint64(len(bounds))
				hi = lo + 2
			}
			at := k.cellsIn(lo, hi)
			bounds = append(bounds, lo, hi)
			for b := lo; b < hi; b++ {
				touched[b] = true
			}
			pos := lo
			for _, i := range at {
				if c := &k.Layout.cells[i]; c.lo != pos {
					t.Fatalf("seed %d: of [%d, %d) cell %d begins at %d, want %d", seed, lo, hi, i, c.lo, pos)
				}
				pos = k.Layout.cells[i].hi
			}
			if pos != hi {
				t.Fatalf("seed %d: the cells of [%d, %d) end at %d", seed, lo, hi, pos)
			}
			checkCells(t, k.Layout.cells, touched[:], bounds)
		}
	}
}

func checkCells(t *testing.T, cells []Cell, touched []bool, bounds []uint64) {
	t.Helper()
	var want [][2]uint64
	for b := range uint64(len(touched)) {
		switch {
		case !touched[b]:
		case b == 0 || !touched[b-1] || slices.Contains(bounds, b):
			want = append(want, [2]uint64{b, b + 1})
		default:
			want[len(want)-1][1]++
		}
	}
	var got [][2]uint64
	for _, c := range cells {
		got = append(got, [2]uint64{c.lo, c.hi})
	}
	if !slices.Equal(got, want) {
		t.Fatalf("cells %v, want %v", got, want)
	}
}

// TestHolders compares the maps and objects in a range with a look at all objects.
func TestHolders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	k := NewKnowledge()
	for range 200 {
		k.Object([]Space{SpaceMap, SpaceObject, SpaceChan}[r.IntN(3)], r.Uint64N(80))
		lo := r.Uint64N(80)
		hi := lo + r.Uint64N(20)
		var want []int32
		for i, o := range k.Objects {
			if (o.Space == SpaceMap || o.Space == SpaceObject) && lo <= o.Addr && o.Addr < hi {
				want = append(want, int32(i))
			}
		}
		if got := k.holdersIn(lo, hi); !slices.Equal(got, want) {
			t.Fatalf("holders in [%d, %d): %d, want %d", lo, hi, got, want)
		}
	}
}
