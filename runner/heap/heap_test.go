package heap

import "testing"

func TestGrowthFor(t *testing.T) {
	for live := uint64(1 << 20); live < 1<<33; live *= 2 {
		goal := live + live*uint64(growthFor(live))/100
		want := live + max(min(max(live, least), step), live/4)
		if live < floor/2 {
			want = floor
		}
		if goal > want || goal < want-want/50 {
			t.Errorf("with %d bytes alive the heap grows to %d, want %d", live, goal, want)
		}
	}
	if growthFor(0) != 100 {
		t.Error("an empty heap")
	}
}
