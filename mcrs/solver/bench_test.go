package solver

import (
	"fmt"
	"testing"
)

func BenchmarkSlots(b *testing.B) {
	for _, size := range [][2]int{{6, 5}, {7, 6}, {20, 20}} {
		b.Run(fmt.Sprintf("%din%d", size[0], size[1]), func(b *testing.B) {
			var st Stats
			for b.Loop() {
				s := slots(size[0], size[1])
				s.Solve(Options{})
				st = s.Stats()
			}
			b.ReportMetric(float64(st.Conflicts), "conflicts")
		})
	}
}

func BenchmarkExclusive(b *testing.B) {
	for _, n := range []int{10, 30} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				s, overlap := exclusive(n)
				if s.Solve(Options{}) != Sat || s.Solve(Options{}, overlap) != Unsat {
					b.Fatal("wrong")
				}
			}
		})
	}
}

// BenchmarkIncremental asks many questions of one formula.
func BenchmarkIncremental(b *testing.B) {
	s, _ := exclusive(40)
	var ask []Lit
	for i := range 40 {
		l := s.NewVar()
		for j := range 40 {
			if j != i {
				s.AddClause(l.Not(), s.Before(Node(2*j+1), Node(2*i)))
			}
		}
		ask = append(ask, l)
	}
	i := 0
	for b.Loop() {
		if s.Solve(Options{}, ask[i%len(ask)]) != Sat {
			b.Fatal("wrong")
		}
		i++
	}
}
