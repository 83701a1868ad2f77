package mem

import "testing"

// BenchmarkCollect collects a heap of 2^16 objects in a list, all alive, beside as many that are not.
func BenchmarkCollect(b *testing.B) {
	const n = 1 << 16
	m := New()
	pm := &PtrMap{Elem: 16, Offs: []uint32{0}}
	last := Addr(0)
	for range n {
		o := m.Alloc(First, 16, pm)
		*(*Addr)(o.Data()) = last
		last = o.Base
	}
	for b.Loop() {
		for range n {
			m.Alloc(First, 16, pm)
		}
		m.Collect(func() bool { m.Mark(last); return false }, false)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/object")
}
