package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestBufferRows: what a store buffer brings to memory is a row in the column of its goroutine. A read of what is
// still in the buffer comes from the store, one of another goroutine from the flush. What no other goroutine uses is
// not shown, though the buffer writes it; nor is a fence.
func TestBufferRows(t *testing.T) {
	b := new(builder)
	g := b.thread("G1", -1, -1)
	buffer := b.thread("B/G1", -1, -1)
	other := b.thread("G1.1", g, -1)
	b.t.Threads[buffer].Buffers = int32(g) + 1
	x := func(thread int, k event.Kind, v uint64, line int) {
		b.do(thread, event.Event{Kind: k, Loc: count, Value: v}, b.code("TestAdd", "cache_test.go", line, "c.n"))
	}
	x(g, event.Store, 1, 9)
	b.do(g, event.Event{Kind: event.Store, Loc: own, Value: 7}, b.code("TestAdd", "cache_test.go", 9, "hidden"))
	x(g, event.Read, 1, 11)
	x(other, event.Read, 0, 12)
	x(buffer, event.Write, 1, 9)
	b.do(buffer, event.Event{Kind: event.Write, Loc: own, Value: 7}, b.code("TestAdd", "cache_test.go", 9, "hidden"))
	x(other, event.Read, 1, 13)
	b.do(g, event.Event{Kind: event.Fence}, b.code("TestAdd", "cache_test.go", 14, ""))
	b.do(other, event.Event{Kind: event.Fence}, b.code("TestAdd", "cache_test.go", 14, ""))
	table := b.view().Table(&Finding{Category: Panics, Witness: &b.t})
	for _, want := range []string{
		"store c.n = 1", "read c.n = 1 (value from step 1)", "read c.n = 0 (initial value)", "G1's buffer: flush c.n = 1", "read c.n = 1 (value from step 4)",
	} {
		if strings.Count(table, want) != 1 {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	b.t.Memory = event.TSO
	said := fmt.Sprint(b.view().Related(&Finding{Category: Panics, Witness: &b.t}))
	for _, want := range []string{"12:2 G1.1 reads c.n before what G1 has stored is in memory", "9:2 G1 stores this, and it waits"} {
		if strings.Count(said, want) != 1 {
			t.Errorf("the related positions lack %q: %s", want, said)
		}
	}
	if strings.Contains(said, "13:2") || strings.Contains(said, "11:2") {
		t.Errorf("a read of what is in memory, or in the goroutine's own buffer, is said to come before it is in memory: %s", said)
	}
	for _, unwanted := range []string{"B/G1", "hidden", "fence"} {
		if strings.Contains(table, unwanted) {
			t.Errorf("the table has %q:\n%s", unwanted, table)
		}
	}
}

// TestFreshRows: a word of an object that a store publishes, and that reaches memory after the pointer, is said to be
// that.
func TestFreshRows(t *testing.T) {
	b := new(builder)
	g := b.thread("G1", -1, -1)
	store := b.do(g, event.Event{Kind: event.Store, Loc: count, Value: 1 << 40}, b.code("TestAdd", "cache_test.go", 9, "p"))
	pointer, word := b.thread("B/G1#1", -1, -1), b.thread("B/G1#2", -1, store)
	b.t.Threads[pointer].Buffers, b.t.Threads[word].Buffers = int32(g)+1, int32(g)+1
	b.t.Threads[pointer].Queue, b.t.Threads[word].Queue = count.Addr, own.Addr
	b.do(pointer, event.Event{Kind: event.Write, Loc: count, Value: 1 << 40}, b.code("TestAdd", "cache_test.go", 9, "p"))
	early := b.thread("G1.2", g, -1)
	b.do(early, event.Event{Kind: event.Read, Loc: own}, b.code("TestAdd", "cache_test.go", 11, "p.b"))
	b.do(word, event.Event{Kind: event.Write, Loc: own, Value: 2}, b.code("TestAdd", "cache_test.go", 9, "p"))
	other := b.thread("G1.1", g, -1)
	for _, loc := range []event.Location{count, own} {
		b.do(other, event.Event{Kind: event.Read, Loc: loc}, b.code("TestAdd", "cache_test.go", 12, ""))
	}
	b.t.Memory = event.PSO
	said := fmt.Sprint(b.view().Related(&Finding{Category: Panics, Witness: &b.t}))
	if !strings.Contains(said, "11:2 G1.2 reads p.b before what G1 has stored is in memory") || strings.Contains(said, "12:2") {
		t.Errorf("a read of what is published, and not in memory yet, is not related, or one of what is: %s", said)
	}
	table := strings.Join(strings.Fields(b.view().Table(&Finding{Category: Panics, Witness: &b.t})), " ")
	for _, want := range []string{"G1's buffer: flush p 3", "G1's buffer: flush what p leads to = 2"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}
