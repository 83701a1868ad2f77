package spec

import (
	"math/rand/v2"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// TestBoundsNotMet takes states that are equal but for what the time is and how much of the bounds was used. Where the
// one that has used more meets no bound, the clock lets the same go on in both (UTIME14).
func TestBoundsNotMet(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	same := 0
	for range 5000 {
		k := NewRules()
		k.Timing, k.EarlyMost = rnd.IntN(3) > 0, sched.EarlyMost
		k.Began.Now = 1000
		timer, sleep := int32(len(k.Nodes)), int32(len(k.Nodes)+1)
		for _, kind := range []event.Kind{event.TimerFire, event.Sleep} {
			k.Nodes = append(k.Nodes, known.Node{Known: true, Operation: &known.Operation{Op: event.Op{Kind: kind}}})
		}
		c := Clock{Now: 1000 + rnd.Int64N(10)}
		threads := int32(1 + rnd.IntN(6))
		var s State
		for i := range threads {
			k.Thread(event.ThreadID(rune('a' + i)))
			switch when := c.Now + rnd.Int64N(5); {
			case i == 0: // the entry has ended
			case rnd.IntN(2) == 0:
				s.SetNode(i, sleep)
				c.Asleep = append(c.Asleep, Sleeper{i, when})
			default:
				s.SetNode(i, timer)
				k.Timers = append(k.Timers, Timer{Thread: i})
				c.Active = append(c.Active, ActiveTimer{Timer: int32(len(k.Timers) - 1), Due: when <= c.Now, when: when, period: rnd.Int64N(2)})
			}
		}
		later, ended := c, rnd.IntN(2) == 0
		later.Active, later.Asleep = nil, nil
		shift := []int64{0, 7, earlyTime - 20, earlyTime}[rnd.IntN(4)] + rnd.Int64N(20)
		later.Now += shift
		for _, a := range c.Active {
			a.when += shift
			later.Active = append(later.Active, a)
		}
		for _, a := range c.Asleep {
			later.Asleep = append(later.Asleep, Sleeper{a.Thread, a.When + shift})
		}
		if ended {
			c.ended, later.ended = 1000, 1000+rnd.Int64N(later.Now-999)
			c.Moves, later.Moves = 1, 1+rnd.Int64N(afterReturn)
		}
		if k.Timing {
			later.Fired = rnd.Int64N(k.EarlyMost + 1)
			for _, a := range later.Asleep {
				for range rnd.Int64N(k.EarlyMost + 2) {
					later.slept = later.slept.more(a.Thread, k.EarlyMost)
				}
			}
		}
		var o State
		s.CopyTo(&o)
		k.setClock(&s, 0, c)
		k.setClock(&o, 0, later)
		if Met(&k, &o) != 0 {
			continue
		}
		same++
		for i := int32(1); i < threads; i++ {
			f, g := k.Face(&s, i), k.Face(&o, i)
			if f.wakes(i) != g.wakes(i) || k.Timing && f.never(i) != g.never(i) || f.At(i)-c.Now != g.At(i)-later.Now {
				t.Fatalf("timing %v: thread %d differs in %+v and %+v", k.Timing, i, c, later)
			}
		}
		if CutOff(&k, &s) != CutOff(&k, &o) || ended && k.Tick(&s) != k.Tick(&o) {
			t.Fatalf("timing %v: the clock moves in one of %+v and %+v", k.Timing, c, later)
		}
	}
	if same < 1000 {
		t.Fatalf("%d pairs compared", same)
	}
}

// TestGoneWithin takes states of an entry that has come to its end, early or late. Where one has used no more of the
// bounds than the other, the clock moves in it if it does in the other one (UTIME3, UTIME11).
func TestGoneWithin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	moves := 0
	for range 5000 {
		k := NewRules()
		k.Timing, k.EarlyMost = rnd.IntN(3) > 0, sched.EarlyMost
		k.Began.Now = 1000
		timer := int32(len(k.Nodes))
		k.Nodes = append(k.Nodes, known.Node{Known: true, Operation: &known.Operation{Op: event.Op{Kind: event.TimerFire}}})
		k.Thread("a")
		k.Thread("b")
		k.Timers = append(k.Timers, Timer{Thread: 1})
		after := 1 + rnd.Int64N(earlyTime)
		var rooms [2]Room
		var moved [2]bool
		for i := range rooms {
			var s State
			s.SetNode(1, timer)
			ended := 1000 + rnd.Int64N(2*earlyTime)
			now := ended + rnd.Int64N(leftTime)
			k.setClock(&s, 0, Clock{Now: now, ended: ended, Active: []ActiveTimer{{Timer: 0, when: now + after}}})
			rooms[i] = RoomOf(&k, &s, func(int32) uint64 { return 0 })
			if moved[i] = k.Tick(&s); moved[i] && k.Timing && now+after > 1000+earlyTime && ended <= 1000+earlyTime {
				t.Fatalf("the clock moves to %d in an entry that began at 1000 and ended at %d", now+after, ended)
			}
		}
		if rooms[0].Within(rooms[1]) && moved[1] {
			if moves++; !moved[0] {
				t.Fatalf("timing %v: the clock moves by %d in a state that has used %+v, and not in one that has used %+v", k.Timing, after, rooms[1], rooms[0])
			}
		}
	}
	if moves < 100 {
		t.Fatalf("%d pairs compared", moves)
	}
}

// TestSleptWithin compares what goroutines of a state have slept with what those of another state of its name have, as
// all ways do in which the goroutines may change places (UTIME15).
func TestSleptWithin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	yes := 0
	for range 5000 {
		k := NewRules()
		k.Timing, k.EarlyMost = true, sched.EarlyMost
		names := make([]uint64, 1+rnd.IntN(4)) // of goroutines, in both states
		for i := range names {
			names[i] = rnd.Uint64N(2)
		}
		var rooms [2]Room
		var ended [2][]int
		for i := range rooms {
			c := Clock{Now: 1000}
			for n := range names {
				e := rnd.IntN(4)
				for range e {
					c.slept = c.slept.more(int32(n), k.EarlyMost)
				}
				ended[i] = append(ended[i], e)
			}
			var s State
			k.setClock(&s, 0, c)
			rooms[i] = RoomOf(&k, &s, func(t int32) uint64 { return names[t] })
		}
		taken := make([]bool, len(names))
		var places func(n int) bool
		places = func(n int) bool {
			if n == len(names) {
				return true
			}
			for m := range names {
				if taken[m] || names[m] != names[n] || ended[0][n] > ended[1][m] {
					continue
				}
				taken[m] = true
				found := places(n + 1)
				taken[m] = false
				if found {
					return true
				}
			}
			return false
		}
		want := places(0)
		if got := rooms[0].Within(rooms[1]); got != want {
			t.Fatalf("goroutines %v: %v is within %v: %v, want %v", names, ended[0], ended[1], got, want)
		}
		if want {
			yes++
		}
	}
	if yes < 500 || yes > 4500 {
		t.Errorf("%d of 5000 are within", yes)
	}
}
