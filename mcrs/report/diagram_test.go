package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// handed is a witness in which G1 starts G1.1, gives it a lock, a message and a value, and both then race.
func handed() (*View, *Finding) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	c := b.spawn(g1, "G1.1", b.code("A", "cache.go", 1, ""))
	mu, ch, x := event.Location{Addr: 100}, event.Location{Addr: 200}, event.Location{Addr: 300, Size: 8}
	b.do(g1, event.Event{Kind: event.Lock, Loc: mu}, b.code("A", "cache.go", 2, "mu"))
	b.do(g1, event.Event{Kind: event.Unlock, Loc: mu}, b.code("A", "cache.go", 3, "mu"))
	b.do(g1, event.Event{Kind: event.ChanSend, Loc: ch}, b.code("A", "cache.go", 4, "ch"))
	b.do(c, event.Event{Kind: event.Lock, Loc: mu}, b.code("B", "cache.go", 5, "mu"))
	b.do(c, event.Event{Kind: event.ChanRecv, Loc: ch}, b.code("B", "cache.go", 6, "ch"))
	w := b.do(c, event.Event{Kind: event.Write, Loc: x, Value: 1}, b.code("B", "cache.go", 7, "x"))
	r := b.do(g1, event.Event{Kind: event.Read, Loc: x, Value: 1}, b.code("A", "cache.go", 8, "x"))
	return b.view(), &Finding{Category: DataRace, Witness: &b.t, Events: []int{w, r}, Threads: []int{c, g1}}
}

func TestDiagramArrows(t *testing.T) {
	v, f := handed()
	d := v.Diagram(f)
	got, err := json.Marshal(d.Arrows)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"from":1,"to":5,"cause":"start"},{"from":3,"to":5,"cause":"lock"},{"from":4,"to":6,"cause":"message"},{"from":7,"to":8,"cause":"value"}]`
	if string(got) != want {
		t.Errorf("arrows\n%s\nwant\n%s", got, want)
	}
}

// The steps are those of the table, in the same order and with the same words.
func TestDiagramIsTheTable(t *testing.T) {
	v, f := handed()
	d, table := v.Diagram(f), v.Table(f)
	rest := strings.Join(strings.Fields(table), " ")
	for _, s := range d.Steps {
		for _, word := range append([]string{s.At}, s.Notes...) {
			word = strings.Join(strings.Fields(word), " ")
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				t.Fatalf("step %d: %q is not in the rest of the table\n%s", s.N, word, table)
			}
			rest = after
		}
	}
	if len(d.Lanes) != 2 || d.Lanes[1].ID != "G1.1" || d.Lanes[1].Started == "" || d.Lanes[0].Started != "" {
		t.Errorf("lanes %+v", d.Lanes)
	}
	for i, s := range d.Steps {
		if want := i == 6 || i == 7; s.Final != want {
			t.Errorf("step %d: final is %v", s.N, s.Final)
		}
		if want := i == 4 || i == 7; s.Switch != want {
			t.Errorf("step %d: switch is %v", s.N, s.Switch)
		}
	}
}
