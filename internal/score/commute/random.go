package main

import (
	"fmt"

	"github.com/heddle-go/heddle/analysistest/progen"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
)

// batch is how many programs make a package.
const batch = 500

// random audits random programs.
func (o *options) random(t *tally) error {
	var config progen.Config
	switch {
	case o.timing:
		config.Regime.Timing = explore.TimingAll
	case o.flows:
		config.Kind = progen.Flows
	case o.copies:
		config.Kind = progen.Copies
	case o.observed:
		config.Kind = progen.Observed
	case o.others:
		config.Kind = progen.Others
	}
	end := o.seed + uint64(o.programs)
	for at := o.seed; at < end && !t.full(); at += batch {
		var ps []*progen.Program
		for s := at; s < min(at+batch, end); s++ {
			if o.files {
				ps = append(ps, progen.GenerateFiles(s, min(progen.Size(s), 6)))
			} else if o.api {
				ps = append(ps, progen.GenerateAPI(s, progen.Size(s)))
			} else {
				ps = append(ps, config.Draw(s))
			}
		}
		for _, group := range progen.Groups(ps) {
			if err := o.group(t, group); err != nil {
				return err
			}
		}
		fmt.Printf("seeds from %d: %v\n", at, t)
	}
	return nil
}

// group audits programs of one package.
func (o *options) group(t *tally, ps []*progen.Program) error {
	file, err := progen.File(ps)
	if err != nil {
		return err
	}
	l, err := progen.LoadWith(file, prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		return err
	}
	for i, p := range ps {
		if t.full() {
			return nil
		}
		m, e := l.Entry(i)
		before := len(t.seen)
		if o.audit(t, fmt.Sprintf("seed %d", p.Seed), m, e, 400, 0); len(t.seen) > before {
			fmt.Println(p.Func("P"))
		}
	}
	return nil
}
