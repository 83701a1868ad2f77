package progen

import (
	"fmt"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
)

// Shrink makes a program on which a subject and the oracle differ smaller, as long as it still differs in the same way.
// It tries all programs with one statement less at once.
func Shrink(p *Program, executions int, regime Regime) (*Program, *Result, error) {
	rs, err := compareAll([]*Program{p}, executions, regime)
	if err != nil {
		return nil, nil, err
	}
	best := rs[0]
	if len(best.Problems) == 0 {
		return nil, nil, fmt.Errorf("seed %d does not fail", p.Seed)
	}
	for {
		smaller := p.smaller()
		if len(smaller) == 0 {
			return p, best, nil
		}
		rs, err := compareAll(smaller, executions, regime)
		if err != nil {
			return nil, nil, err
		}
		found := -1
		for i, r := range rs {
			if r.Kinds() == best.Kinds() && (found < 0 || smaller[i].ops() < smaller[found].ops()) {
				found = i
			}
		}
		if found < 0 {
			return p, best, nil
		}
		p, best = smaller[found], rs[found]
	}
}

func compareAll(ps []*Program, executions int, regime Regime) ([]*Result, error) {
	ms, err := machines(ps)
	if err != nil {
		return nil, err
	}
	var out []*Result
	for _, p := range ps {
		out = append(out, compare(p, ms[p], executions, regime))
	}
	return out, nil
}

// smaller lists the programs with one statement less: it is gone, or what is inside it stands in its place.
func (p *Program) smaller() (out []*Program) {
	n := p.ops()
	for i := range n {
		for _, hoist := range []bool{false, true} {
			q := p.clone()
			at := 0
			if q.Body = without(q.Body, &at, i, hoist); q.ops() < n {
				out = append(out, q)
			}
		}
	}
	return out
}

// without returns body less its i-th statement, counted by at.
func without(body []*Stmt, at *int, i int, hoist bool) (out []*Stmt) {
	for _, s := range body {
		here := *at == i
		*at++
		switch {
		case here && hoist:
			for _, b := range s.Bodies {
				out = append(out, b...)
			}
			for _, b := range s.Bodies {
				*at += (&Program{Body: b}).ops()
			}
			continue
		case here:
			for _, b := range s.Bodies {
				*at += (&Program{Body: b}).ops()
			}
			continue
		}
		for j, b := range s.Bodies {
			s.Bodies[j] = without(b, at, i, hoist)
		}
		out = append(out, s)
	}
	return out
}

// CompareFile compares the programs of a file that File has written, and perhaps a person changed: P0, P1 …
func CompareFile(file []byte, executions int, regime Regime) ([]*Result, error) {
	l, err := Load(file, prelude.NoLog)
	if err != nil {
		return nil, err
	}
	var out []*Result
	for i := 0; ; i++ {
		m, err := l.Machine(i)
		if err != nil {
			if i == 0 {
				return nil, err
			}
			return out, nil
		}
		out = append(out, Compare(m, executions, regime))
	}
}
