package union

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestReductionRules explores a program for each rule of package reduce that random programs do not need. finds is
// how many findings there are, as many as the engine has without its reduction: the comment says what is missed
// without the rule, or without one of its conditions. If states is not 0, the rule makes the exploration smaller: it
// has so many states with the rule, and more without it.
func TestReductionRules(t *testing.T) {
	load := func(x int) litmus.Op { return litmus.Do(litmus.Load, x, 0, 0) }
	store := func(x, v int) litmus.Op { return litmus.Do(litmus.Store, x, v, 0) }
	assert := func(v int) litmus.Op { return litmus.Do(litmus.Assert, 0, v, 0) }
	one := litmus.Do(litmus.Unless, 0, 1, 1) // skips the next operation unless the last one returned 1
	once := litmus.Do(litmus.OnceDo, 0, 0, 0)
	again := func(v, back int) litmus.Op { return litmus.Op{Code: litmus.Again, V: v, W: back} }
	section := []litmus.Op{litmus.L(0), litmus.R(0), litmus.P(0, 1), litmus.U(0)}
	sum := []litmus.Op{load(0), litmus.Do(litmus.Keep, 0, 0, 0), load(1), litmus.Do(litmus.Sum, 0, 0, 0), litmus.P(2, 0)}
	hears := []litmus.Op{litmus.Spawn(1), litmus.Spawn(2), {Code: litmus.Select, Cases: []litmus.Case{{Chan: 0}, {Chan: 1}}}}
	tells := []litmus.Op{litmus.Spawn(1), litmus.Spawn(2), {Code: litmus.Select, Cases: []litmus.Case{{Send: true, Chan: 0, V: 1}, {Send: true, Chan: 1, V: 1}}}}
	tally := []litmus.Op{litmus.Do(litmus.Tally, 0, 1, 0)}
	for _, test := range []struct {
		rule    string
		threads [][]litmus.Op
		caps    []int
		finds   int
		states  int
	}{
		// The first goroutine loads 1 only if the third stored before the second looked. So the set has those whom the
		// load concerns, and those whom these concern.
		{"RED1", litmustest.Threads([]litmus.Op{load(0), assert(0)}, []litmus.Op{load(1), one, store(0, 1)}, []litmus.Op{store(1, 1)}), nil, 1, 0},
		// TryLock fails only before the Unlock; if it does not, the other one waits for ever.
		{"RED2 try", litmustest.Threads([]litmus.Op{litmus.L(0), litmus.U(0)}, []litmus.Op{litmus.Do(litmus.TryLock, 0, 0, 0), assert(1)}), nil, 2, 0},
		{"RED2", litmustest.Threads([]litmus.Op{litmus.L(0), litmus.U(0)}, []litmus.Op{store(1, 1), litmus.L(0), litmus.U(0)}, []litmus.Op{load(1)}), nil, 0, 13},
		{"RED3", litmustest.Threads(section, append([]litmus.Op{store(1, 1)}, section...), []litmus.Op{load(1)}), nil, 0, 13},
		// Who stores under a read lock keeps nobody away who does so as well.
		{"RED3 shared", litmustest.Threads([]litmus.Op{litmus.Do(litmus.RLock, 2, 0, 0), store(0, 1), load(0), litmus.Do(litmus.RUnlock, 2, 0, 0), assert(1)},
			[]litmus.Op{litmus.Do(litmus.RLock, 2, 0, 0), store(0, 2), litmus.Do(litmus.RUnlock, 2, 0, 0)}), nil, 1, 0},
		{"RED4", litmustest.Times(4, []litmus.Op{store(0, 1)}), nil, 0, 6},
		{"RED5", [][]litmus.Op{{once, litmus.Spawn(1), litmus.Spawn(2)}, {once}, {once}}, nil, 0, 4},
		{"RED5 closed", [][]litmus.Op{{litmus.Cl(0), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Rcv(0)}, {litmus.Rcv(0)}}, []int{1}, 0, 4},
		{"RED6", [][]litmus.Op{{litmus.A(0, 3), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3), litmus.Wait(0)}, {litmus.A(0, -1)}, {litmus.A(0, -1)}, {litmus.A(0, -1)}}, nil, 0, 5},
		{"RED7", litmustest.Threads([]litmus.Op{litmus.S(0, 1)}, []litmus.Op{load(1), litmus.Rcv(0)}, []litmus.Op{store(1, 1)}), []int{2}, 0, 17},
		// Two of three can let Wait go on before the first of them loads. Whose Done comes third panics.
		{"RED8 two", [][]litmus.Op{{litmus.A(0, 2), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3), litmus.Wait(0), store(0, 1)}, {load(0), assert(0), litmus.A(0, -1)}, {litmus.A(0, -1)},
			{litmus.A(0, -1)}}, nil, 4, 0},
		{"RED8", [][]litmus.Op{{litmus.A(0, 2), litmus.Spawn(1), litmus.Spawn(2), litmus.Wait(0), load(0)}, {store(0, 1), litmus.A(0, -1)}, {store(1, 1), litmus.A(0, -1)}}, nil, 0, 4},
		// What is in the channel decides what is received, when both have sent.
		{"RED9 queue", [][]litmus.Op{{litmus.A(0, 2), litmus.Spawn(1), litmus.Spawn(2), litmus.Wait(0), litmus.Rcv(0), assert(1)}, {litmus.S(0, 1), litmus.A(0, -1)}, {litmus.S(0, 2), litmus.A(0, -1)}},
			[]int{2}, 1, 0},
		{"RED9", litmustest.Threads([]litmus.Op{store(0, 1), load(1)}, []litmus.Op{store(0, 2), load(1)}, []litmus.Op{store(0, 3), store(1, 1)}), nil, 0, 40},
		// Two that run the same code stand at the same load, but what they will write depends on what they have loaded
		// before.
		{"RED10 register", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3)}, sum, {store(0, 1)}, {load(2), assert(0)}}, nil, 3, 0},
		{"RED10", [][]litmus.Op{append(litmustest.Loop(3, litmus.Spawn(1)), litmus.Spawn(2)), {store(0, 1), load(1)}, {load(0), store(1, 1)}}, nil, 0, 15},
		// Four run the same code. Where they stand is met in the sweep that merges them.
		{"RED10 met", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(1), litmus.Spawn(1), litmus.Spawn(1)}, append(slices.Clone(section), litmus.Do(litmus.Add, 1, 1, 0), load(2))}, nil, 0, 28},
		// Three go round until somebody lets them. Who has gone on is a number.
		{"RED20", [][]litmus.Op{append(litmustest.Loop(3, litmus.Spawn(1)), litmus.Spawn(2)), {load(0), again(1, 1), load(1)}, {store(0, 1), store(1, 1)}}, nil, 0, 21},
		// Two go round alike, but what they will store depends on what they have loaded before. So they are told apart
		// in all of the round, and the exploration has more states.
		{"RED20 register", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(1), litmus.Spawn(2)},
			{load(0), litmus.Do(litmus.Keep, 0, 0, 0), load(1), load(4), again(1, 2), litmus.Do(litmus.Sum, 0, 0, 0), litmus.P(2, 0)}, {store(0, 1), store(1, 1), store(4, 1)}}, nil, 1, 81},
		// The order of additions that nobody looks at does not matter, nor, where nobody loads it, their sum.
		{"RED15", litmustest.Threads(append(tally, load(1)), tally, append(tally, store(1, 1))), nil, 0, 14},
		// Whichever store comes last, nobody sees what the sum becomes.
		{"RED15 name", litmustest.Threads(append([]litmus.Op{store(0, 1)}, tally...), append([]litmus.Op{store(0, 2)}, tally...)), nil, 0, 10},
		// Who loads the sum sees each of them, and a store is no addition.
		{"RED15 load", litmustest.Threads(tally, tally, []litmus.Op{load(0), assert(0)}), nil, 2, 0},
		{"RED15 store", litmustest.Threads(tally, []litmus.Op{store(0, 5), load(0), assert(5)}), nil, 1, 0},
		// The two differ in what they add.
		{"RED15 delta", [][]litmus.Op{append(litmustest.Threads()[0], litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3)), {store(1, 1), litmus.Do(litmus.Tally, 0, 1, 0)},
			{store(1, 1), litmus.Do(litmus.Tally, 0, 2, 0)}, {load(0), assert(0)}}, nil, 3, 0},
		// Each of the three may take an element first; what it gets is the same.
		{"RED17", [][]litmus.Op{{litmus.S(0, 1), litmus.S(0, 1), litmus.S(0, 1), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3)}, {litmus.Rcv(0), load(1)}, {litmus.Rcv(0), store(1, 1)}, {litmus.Rcv(0)}},
			[]int{3}, 0, 14},
		{"RED17 send", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3)}, {litmus.S(0, 1), load(1)}, {litmus.S(0, 1), store(1, 1)}, {litmus.S(0, 1)}}, []int{3}, 0, 14},
		// Who comes first gets another one.
		{"RED17 elements", [][]litmus.Op{{litmus.S(0, 1), litmus.S(0, 2), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Rcv(0), assert(1)}, {litmus.Rcv(0)}}, []int{2}, 1, 0},
		// There are two for three, and the one who gets none waits for ever; there is room for two.
		{"RED17 few", [][]litmus.Op{{litmus.S(0, 1), litmus.S(0, 1), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3)}, {litmus.Rcv(0)}, {litmus.Rcv(0), store(1, 1)}, {litmus.Rcv(0), store(2, 1)}}, []int{2}, 3, 0},
		{"RED17 full", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3)}, {litmus.S(0, 1)}, {litmus.S(0, 1), store(1, 1)}, {litmus.S(0, 1), store(2, 1)}}, []int{2}, 3, 0},
		// Who gives one, and takes two, may take the first one's.
		{"RED17 ahead", [][]litmus.Op{{litmus.S(0, 1), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Rcv(0)}, {litmus.S(0, 1), litmus.Rcv(0), litmus.Rcv(0)}}, []int{2}, 2, 0},
		// Who takes two, and gives one back before the second, takes one at a time.
		{"RED17 back", [][]litmus.Op{{litmus.S(0, 1), litmus.S(0, 1), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Rcv(0), litmus.S(0, 1), litmus.Rcv(0), litmus.S(0, 1), load(1)}, {litmus.Rcv(0), litmus.S(0, 1), litmus.Rcv(0), store(1, 1)}}, []int{2}, 0, 12},
		// The other one may send in its select, though it was only seen to take one, and to give it back. Then one
		// sends in vain.
		{"RED17 case", [][]litmus.Op{{litmus.Spawn(1), litmus.S(0, 1), litmus.S(0, 1)},
			{{Code: litmus.Select, Cases: []litmus.Case{{Chan: 0}, {Send: true, Chan: 0, V: 1}}}, litmus.Do(litmus.Unless, 0, 0, 1), litmus.S(0, 1)}}, []int{2}, 1, 0},
		// What the first goroutine takes from the counter behind its Wait it has added there.
		{"RED8 net", [][]litmus.Op{{litmus.A(0, 2), litmus.Spawn(1), litmus.Spawn(2), litmus.Wait(0), load(0), litmus.A(0, 2), litmus.A(0, -1), litmus.A(0, -1)}, {store(0, 1), litmus.A(0, -1)}, {store(1, 1), litmus.A(0, -1)}}, nil, 0, 4},
		// What somebody adds he may take.
		{"RED6 net", [][]litmus.Op{{litmus.A(0, 1), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.A(0, 1), litmus.A(0, -1), load(0)}, {litmus.A(0, 1), litmus.A(0, -1), load(0)}}, nil, 0, 4},
		{"RED6 ahead", [][]litmus.Op{{litmus.A(0, 1), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.A(0, 1), litmus.A(0, -1), litmus.A(0, -1)}, {litmus.A(0, -1)}}, nil, 2, 0},
		{"RED6 late", [][]litmus.Op{{litmus.A(0, 1), litmus.Spawn(1), litmus.Spawn(2)}, {litmus.A(0, -1), litmus.A(0, 1)}, {litmus.A(0, -1), litmus.A(0, 1)}}, nil, 2, 0},
		// The main goroutine loads what the one has stored from whom it has heard first.
		{"RED18", [][]litmus.Op{append(hears, litmus.Do(litmus.Unless, 0, 0, 1), load(0), one, load(1)), {store(0, 3), store(0, 2), litmus.S(0, 1)}, {store(1, 3), store(1, 2), litmus.S(1, 1)}}, nil, 2, 11},
		{"RED18 close", [][]litmus.Op{append(hears, litmus.Do(litmus.Unless, 0, 0, 1), load(0), one, load(1)), {store(0, 3), store(0, 2), litmus.Cl(0)}, {store(1, 3), store(1, 2), litmus.Cl(1)}}, nil, 0, 16},
		{"RED18 receiver", [][]litmus.Op{append(tells, litmus.Do(litmus.Unless, 0, 0, 1), load(0), one, load(1)), {store(0, 3), store(0, 2), litmus.Rcv(0)}, {store(1, 3), store(1, 2), litmus.Rcv(1)}}, nil, 2, 11},
		{"RED18 once", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Rcv(1), once, load(0)}, {once, store(0, 1)}, {litmus.S(1, 1)}}, nil, 0, 0},
		// The other one may send as well, an equal element or another one, or close.
		{"RED18 either", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Rcv(0), load(0), assert(1), litmus.Rcv(0)}, {store(0, 1), litmus.S(0, 1)}, {litmus.S(0, 1)}}, nil, 1, 0},
		{"RED18 buffer", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Rcv(0), load(0), assert(1), litmus.Rcv(0)}, {store(0, 1), litmus.S(0, 1)}, {litmus.S(0, 1)}}, []int{2}, 1, 0},
		{"RED18 element", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Rcv(0), litmus.Do(litmus.Unless, 0, 2, 2), load(0), assert(1)}, {store(0, 1), litmus.S(0, 1)}, {litmus.S(0, 2)}}, []int{2}, 1, 0},
		{"RED18 closed", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Rcv(0), load(0), assert(1)}, {store(0, 1), litmus.S(0, 1)}, {litmus.Cl(0)}}, []int{1}, 3, 0},
		// What is there at the start nobody needs to send.
		{"RED18 start", [][]litmus.Op{{litmus.S(0, 1), litmus.Spawn(1), litmus.Spawn(2)}, {store(0, 1), litmus.S(0, 1)}, {litmus.Rcv(0), load(0), assert(1), litmus.Rcv(0)}}, []int{2}, 1, 0},
		// Not where there is room, nor for one who is started by somebody who does not wait.
		{"RED18 room", [][]litmus.Op{{litmus.Spawn(1), litmus.S(0, 1), load(0), assert(1)}, {store(0, 1), litmus.Rcv(0)}}, []int{1}, 1, 0},
		{"RED18 child", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2), litmus.Rcv(0)}, {store(0, 1), litmus.S(0, 1)}, {litmus.Spawn(3)}, {load(0), assert(1)}}, nil, 1, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			p := &litmus.Program{Threads: test.threads, Caps: test.caps}
			explored := func(full bool) (*explore.Result, map[string]bool) {
				x := New()
				x.Full, x.MergeFirst, x.Eager = full, !full, true
				r, found := (&Explorer{Engine: x, Alone: true}).Explore(p, explore.Limits{}), map[string]bool{}
				if r.Verdict != explore.Exhausted {
					t.Errorf("full %v: %s: %s", full, r.Verdict, r.Reason)
				}
				for _, f := range r.Findings {
					found[string(f.Category)+" "+f.Key] = true
				}
				return r, found
			}
			r, got := explored(false)
			all, want := explored(true)
			if len(got) != test.finds || !maps.Equal(got, want) {
				t.Errorf("%v\n%d findings, want %d: %q, without reduction %q", p, len(got), test.finds, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
			if r.Stats.States != test.states && test.states > 0 {
				t.Errorf("%d states, want %d", r.Stats.States, test.states)
			}
			t.Logf("%d states, without reduction %d", r.Stats.States, all.Stats.States)
		})
	}
}

// TestSpecificationRules compares union with brute force on programs for rules of package spec that random programs do
// not need.
func TestSpecificationRules(t *testing.T) {
	set := func(key, v int) []litmus.Op { return []litmus.Op{litmus.Do(litmus.MapSet, 0, key, v)} }
	get := func(key int) []litmus.Op { return []litmus.Op{litmus.Do(litmus.MapGet, 0, key, 0)} }
	both := func(a, b, then []litmus.Op) [][]litmus.Op {
		return [][]litmus.Op{append([]litmus.Op{litmus.Spawn(1), litmus.Spawn(2)}, then...), a, b}
	}
	for _, test := range []struct {
		rule    string
		threads [][]litmus.Op
	}{
		{"UMAP1", both(set(1, 1), set(1, 2), get(1))},                    // it tells the two writes apart
		{"UMAP2", both(set(1, 1), set(2, 1), append(get(1), get(2)...))}, // which key is written tells them apart
		{"UMAP2 equal", both(set(1, 1), append(set(1, 2), set(1, 1)...), append(get(1), get(1)...))},
		{"UMAP1 len", both(set(1, 1), set(2, 1), get(0))},
		{"UMAP1 clear", both(set(1, 1), set(0, 0), get(1))},
	} {
		t.Run(test.rule, func(t *testing.T) {
			p := &litmus.Program{Threads: test.threads}
			if diff, skipped := unionAgainst(p, New, 10_000); len(diff) > 0 || skipped {
				t.Errorf("%v\nskipped %v\n%s", p, skipped, strings.Join(diff, "\n"))
			}
		})
	}
}
