package sched_test

import (
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// The seed of any trace, replayed, gives the same trace. (The explorers' tests do the
// same through the text form.)
func TestSeedOf(t *testing.T) {
	for n := range uint64(500) {
		p := litmus.Generate(n, litmus.All, 5, 14)
		want := p.Run(sched.NewRandom(sched.RandSeed(n)), sched.Options{})
		r := sched.NewReplay(sched.SeedOf(want), sched.Halt{})
		got := p.Run(r, sched.Options{})
		if r.Diverged() >= 0 || !reflect.DeepEqual(got, want) {
			t.Fatalf("number %d: diverged at %d\n%v", n, r.Diverged(), p)
		}
	}
}

// A rendezvous is two events and one step.
func TestSeedOfRendezvous(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.S(0, 1)}, {litmus.Rcv(0)}}}
	got := sched.SeedOf(p.Run(sched.RunToBlock{}, sched.Options{}))
	want := seed.Seed{
		{Thread: "G1", Case: -1, PartnerCase: -1},
		{Thread: "G1", Case: -1, Partner: "G1.1", PartnerCase: -1},
		{Thread: "G1", Case: -1, PartnerCase: -1},
		{Thread: "G1.1", Case: -1, PartnerCase: -1},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestReplayDiverges(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.R(0)}, {litmus.R(0)}}}
	s := seed.Seed{{Thread: "G1", Case: -1, PartnerCase: -1}, {Thread: "G7", Case: -1, PartnerCase: -1}}
	r := sched.NewReplay(s, sched.RunToBlock{})
	if tr := p.Run(r, sched.Options{}); r.Diverged() != 1 || r.Followed() != 1 || tr.Status != trace.Returned {
		t.Errorf("diverged at %d after %d steps, %v; want 1, 1, returned", r.Diverged(), r.Followed(), tr.Status)
	}
	if tr := p.Run(sched.NewReplay(s, sched.Halt{}), sched.Options{}); tr.Status != trace.Stopped || len(tr.Events) != 1 {
		t.Errorf("%v after %d events; want stopped after 1", tr.Status, len(tr.Events))
	}
}

// A panic waits until the others are done.
func TestRunToBlockEndsLast(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Do(litmus.Panic, 0, 0, 0)}, {litmus.R(0), litmus.R(1)}}}
	if tr := p.Run(sched.RunToBlock{}, sched.Options{}); tr.Status != trace.Failed || len(tr.Events) != 5 {
		t.Errorf("%v after %d events; want failed after 5", tr.Status, len(tr.Events))
	}
}
