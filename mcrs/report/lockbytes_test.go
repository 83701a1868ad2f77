package report

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestCopiedLock has a goroutine lock a mutex that another one copies. The table shows the operations of the lock,
// since the copy reads the lock's bytes, and the message says what the lock did to them.
func TestCopiedLock(t *testing.T) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	c := b.spawn(g1, "G1.1", b.code("A", "cache.go", 1, ""))
	mu := event.Location{Addr: 96}
	other := event.Location{Addr: 200} // a lock that nobody copies
	b.do(c, event.Event{Kind: event.Lock, Loc: other}, b.code("B", "cache.go", 4, "other"))
	lock := b.do(c, event.Event{Kind: event.Lock, Loc: mu}, b.code("B", "cache.go", 5, "mu"))
	read := b.do(g1, event.Event{Kind: event.Read, Loc: event.Location{Addr: 96, Size: 16}}, b.code("A", "cache.go", 2, "s"))
	v, f := b.view(), &Finding{Category: DataRace, Witness: &b.t, Events: []int{lock, read}, Threads: []int{c, g1}}
	table := v.Table(f)
	if !strings.Contains(table, "lock mu <== race") || strings.Contains(table, "other") {
		t.Errorf("the table is\n%s", table)
	}
	if got := v.Headline(f); !strings.Contains(got, "atomically written") {
		t.Errorf("headline %q", got)
	}
	f = &Finding{Category: Deadlock, Witness: &b.t, Threads: []int{g1}}
	if table := v.Table(f); !strings.Contains(table, "lock mu") {
		t.Errorf("the table of another finding lacks the lock whose bytes are copied\n%s", table)
	}
}

// TestCopiedOnce has a goroutine copy a Once at which another one had to wait. That one has taken the Mutex, which its
// event does not say.
func TestCopiedOnce(t *testing.T) {
	b := new(builder)
	g1 := b.thread("G1", -1, -1)
	c := b.spawn(g1, "G1.1", b.code("A", "cache.go", 1, ""))
	once := event.Location{Addr: 96}
	do := b.do(c, event.Event{Kind: event.OnceBegin, Loc: once}, b.code("B", "cache.go", 5, "once"))
	read := b.do(g1, event.Event{Kind: event.Read, Loc: event.Location{Addr: 96, Size: 12}}, b.code("A", "cache.go", 2, "s"))
	v, f := b.view(), &Finding{Category: DataRace, Witness: &b.t, Events: []int{do, read}, Threads: []int{c, g1}}
	if got := v.Headline(f); !strings.Contains(got, "atomically written") {
		t.Errorf("headline %q", got)
	}
	write := b.do(g1, event.Event{Kind: event.Write, Loc: once}, b.code("A", "cache.go", 3, "s"))
	f.Events = []int{do, write}
	if got := v.Headline(f); !strings.Contains(got, "atomically read") {
		t.Errorf("headline %q", got)
	}
}
