package sched_test

import (
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// TestSeedReplay: the seed of any trace, replayed, gives the same trace; and its
// token says the same.
func TestSeedReplay(t *testing.T) {
	for n := range uint64(2000) {
		p := litmus.Generate(n, litmus.All, 5, 14)
		tr := p.Run(sched.NewRandom(sched.RandSeed(n)), sched.Options{})
		tok := &seed.Token{Package: "p", Entry: "TestX", Seed: sched.SeedOf(tr)}
		back, err := seed.Parse(tok.String())
		if err != nil {
			t.Fatal(err)
		}
		r := sched.NewReplay(back.Seed, sched.Halt{})
		again := p.Run(r, sched.Options{})
		if r.Diverged() >= 0 || !reflect.DeepEqual(tr, again) {
			t.Fatalf("number %d: diverged at %d\n%v", n, r.Diverged(), p)
		}
	}
}
