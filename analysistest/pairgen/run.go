package pairgen

import (
	"fmt"
	"slices"
	"strings"
)

// A Tally counts what was compared.
type Tally struct {
	Programs, Runs, Outcomes       int
	Racy, Stuck                    int // programs with a race, and that can get stuck, natively
	Exhausted, Incomplete, Refused int
	Exact                          int // programs of which no other outcome may be found
	Reasons                        map[string]int
}

func (t *Tally) add(r *Result) {
	t.Programs++
	t.Runs += 2 * len(r.Program.orders())
	t.Outcomes += len(r.Native.Outcomes)
	if len(r.Native.Races) > 0 {
		t.Racy++
	}
	if r.Native.Outcomes[stuck] != "" {
		t.Stuck++
	}
	if r.Program.exact() {
		t.Exact++
	}
	switch {
	case r.Verdict == "exhausted":
		t.Exhausted++
	case strings.HasPrefix(r.Verdict, "refused"):
		t.Refused++
	default:
		t.Incomplete++
	}
	if r.Verdict != "exhausted" {
		if t.Reasons == nil {
			t.Reasons = map[string]int{}
		}
		t.Reasons[r.Verdict]++
	}
}

// Add adds the counts of another run.
func (t *Tally) Add(u *Tally) {
	t.Programs += u.Programs
	t.Runs += u.Runs
	t.Outcomes += u.Outcomes
	t.Racy += u.Racy
	t.Stuck += u.Stuck
	t.Exhausted += u.Exhausted
	t.Incomplete += u.Incomplete
	t.Refused += u.Refused
	t.Exact += u.Exact
	for r, n := range u.Reasons {
		if t.Reasons == nil {
			t.Reasons = map[string]int{}
		}
		t.Reasons[r] += n
	}
}

func (t *Tally) String() string {
	return fmt.Sprintf("%d programs, %d of them exact, %d native runs, %d outcomes, %d racy, %d stuck; %d exhausted, %d not, %d refused",
		t.Programs, t.Exact, t.Runs, t.Outcomes, t.Racy, t.Stuck, t.Exhausted, t.Incomplete, t.Refused)
}

// mostShrunk is how many programs of a batch are made smaller: each takes a minute.
const mostShrunk = 3

// Batch is how many programs are compiled together.
const Batch = 250

// Run compares the programs of seeds from from on. Of a program that differs it calls failed, with the program made
// smaller. seen has each program.
func Run(from uint64, n int, c Config, explorer string, failed, seen func(*Result)) (*Tally, error) {
	t := &Tally{}
	for at := from; at < from+uint64(n); at += Batch {
		var ps []*Program
		for s := at; s < min(at+Batch, from+uint64(n)); s++ {
			p, err := c.Draw(s)
			if err != nil {
				return t, err
			}
			ps = append(ps, p)
		}
		rs, err := Compare(ps, explorer, quick)
		if err != nil {
			return t, err
		}
		var differ []*Program
		for _, r := range rs {
			t.add(r)
			if len(r.Problems) > 0 {
				differ = append(differ, r.Program)
			}
			seen(r)
		}
		if len(differ) == 0 {
			continue
		}
		again, err := Compare(differ, explorer, careful) // goroutines that were slow are no deadlock
		if err != nil {
			return t, err
		}
		shrunk := 0
		for _, r := range again {
			if len(r.Problems) == 0 {
				continue
			}
			if shrunk++; shrunk <= mostShrunk {
				if r, err = Shrink(r, explorer); err != nil {
					return t, err
				}
			}
			failed(r)
		}
	}
	return t, nil
}

// Shrink leaves operations out, as long as something differs.
func Shrink(r *Result, explorer string) (*Result, error) {
	for {
		ps := r.Program.smaller()
		if len(ps) == 0 {
			return r, nil
		}
		rs, err := Compare(ps, explorer, careful)
		if err != nil {
			return r, err
		}
		i := slices.IndexFunc(rs, func(r *Result) bool { return len(r.Problems) > 0 })
		if i < 0 {
			return r, nil
		}
		r = rs[i]
	}
}

// smaller are the programs with one operation, or circumstance, less.
func (p *Program) smaller() (ps []*Program) {
	with := func(f func(*Program)) {
		q := *p
		q.before, q.threads = slices.Clone(p.before), nil
		for _, th := range p.threads {
			q.threads = append(q.threads, slices.Clone(th))
		}
		f(&q)
		q.threads = slices.DeleteFunc(q.threads, func(th []call) bool { return len(th) == 0 })
		if len(q.threads) > 0 {
			ps = append(ps, &q)
		}
	}
	for i := range p.threads {
		for k := range p.threads[i] {
			with(func(q *Program) { q.threads[i] = slices.Delete(q.threads[i], k, k+1) })
		}
	}
	for i := range p.before {
		with(func(q *Program) { q.before = slices.Delete(q.before, i, i+1) })
	}
	if p.bubble && !p.has(bubble) {
		with(func(q *Program) { q.bubble = false })
	}
	if p.apart {
		with(func(q *Program) { q.apart = false })
	}
	return ps
}

// Text is the program with what differs, and a command that compares it again.
func (r *Result) Text() string {
	var b strings.Builder
	b.WriteString(r.Program.Func("P"))
	for _, p := range r.Problems {
		fmt.Fprintln(&b, p)
	}
	for _, p := range r.Notes {
		fmt.Fprintln(&b, "(", p, ")")
	}
	fmt.Fprintf(&b, "%s; replay with: go run -C internal ./random -pairs -program %q\n", r.Verdict, r.Program)
	return b.String()
}

// Replay compares the program of a text.
func Replay(text, explorer string) (*Result, error) {
	p, err := Parse(text)
	if err != nil {
		return nil, err
	}
	rs, err := Compare([]*Program{p}, explorer, careful)
	if err != nil {
		return nil, err
	}
	return rs[0], nil
}
