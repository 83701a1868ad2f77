package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/internal/score/worker"
)

// This file defines the score: what is run, and what is printed.

var limits = worker.Limits{Steps: 2_000_000_000, Memory: 1 << 30, Wall: 5 * time.Minute}

// A result is a test and how it ended in the machine.
type result struct {
	*test
	machine worker.Outcome
}

func (r *result) right() bool { return r.machine.End == r.End }

// A row is what the score says of one module.
type row struct {
	target
	tests        []test
	concurrent   int
	plain        int
	temporary    int
	died         int
	ran, ranFile []result
	ranOther     []result // with -world: those that use sockets, files elsewhere, processes or signals
	explored     []explored
	confirmed    []confirmed
}

func score(o options) error {
	if err := module.StandAlone(); err != nil {
		return err
	}
	nat, err := newNative(o.jobs)
	if err != nil {
		return err
	}
	var rows []*row
	for _, m := range modules {
		if !o.module.MatchString(m.version) {
			continue
		}
		dir, err := nat.fetch(m)
		if err != nil {
			return err
		}
		r := &row{target: m}
		if r.tests, err = nat.tests(m, dir); err != nil {
			return err
		}
		rows = append(rows, r)
		plain, files, others := r.choose(o)
		if o.explore {
			if o.world {
				plain = slices.Concat(files, others)
			}
			r.explored = exploreAll(plain, dir, o)
			fmt.Fprintf(os.Stderr, "%s: explored %d\n", m.version, len(r.explored))
			if o.confirm > 0 {
				if r.confirmed, err = nat.confirm(quiet(r.explored), dir, o.confirm, o.log()); err != nil {
					return err
				}
				fmt.Fprintf(os.Stderr, "%s: run natively %d\n", m.version, len(r.confirmed))
			}
			continue
		}
		if !o.native {
			r.ran = runAll(plain, dir, o)
			r.ranFile = runAll(files, dir, o)
			r.ranOther = runAll(others, dir, o)
		}
		fmt.Fprintf(os.Stderr, "%s: %d tests, %d of them concurrent, %d of those plain; run %d, right %d\n", m.version, len(r.tests), r.concurrent, r.plain, len(r.ran), rights(r.ran))
	}
	if o.explore {
		printExplored(os.Stdout, rows)
		if o.confirm > 0 {
			printConfirmed(os.Stdout, rows, o.confirm)
		}
		return nil
	}
	printTable(os.Stdout, rows)
	if !o.native {
		printReasons(os.Stdout, rows)
	}
	if o.world {
		printWorld(os.Stdout, rows)
	}
	return nil
}

//go:embed table.txt
var table string

// tabled are the tests of the table in docs/real-code.md.
var tabled = strings.Fields(table)

// choose counts the tests by kind and returns those that are run in the machine.
func (r *row) choose(o options) (plain, files, others []*test) {
	for i := range r.tests {
		t := &r.tests[i]
		if t.End == "died" || t.End == "endless" {
			r.died++
		}
		if o.table && !slices.Contains(tabled, t.String()) || !o.table && !t.concurrent() {
			continue
		}
		r.concurrent++
		switch {
		case o.table || t.Counts.plain():
			r.plain++
			plain = append(plain, t)
		case t.Counts.temporary():
			r.temporary++
			files = append(files, t)
		default:
			others = append(others, t)
		}
	}
	pick := func(ts []*test) []*test {
		slices.SortFunc(ts, func(a, b *test) int { return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name)) })
		if !o.all {
			ts = sample(ts, cmp.Or(o.sample, r.sample))
		}
		return slices.DeleteFunc(ts, func(t *test) bool { return !o.test.MatchString(t.String()) })
	}
	if !o.files && !o.world {
		files = nil
	}
	if !o.world {
		others = nil
	}
	return pick(plain), pick(files), pick(others)
}

// sample returns n of the tests at equal distances, or all.
func sample(ts []*test, n int) []*test {
	if n <= 0 || len(ts) <= n {
		return ts
	}
	var some []*test
	for i := range n {
		some = append(some, ts[i*len(ts)/n])
	}
	return some
}

// runAll runs tests of one module in the machine.
func runAll(ts []*test, dir string, o options) []result {
	results := make([]result, len(ts))
	byPackage := map[string][]int{}
	for i, t := range ts {
		results[i].test = t
		byPackage[t.Package] = append(byPackage[t.Package], i)
	}
	next := make(chan string)
	var wg sync.WaitGroup
	for range o.jobs {
		wg.Go(func() {
			for p := range next {
				c := worker.New(worker.Job{Package: p, Dir: dir, Args: []string{"-test.v"}, Limits: limits})
				for _, i := range byPackage[p] {
					results[i].machine = c.Run(results[i].Name)
					if o.verbose {
						results[i].print(os.Stderr)
					}
				}
				c.Stop()
			}
		})
	}
	for _, p := range slices.Sorted(maps.Keys(byPackage)) {
		next <- p
	}
	close(next)
	wg.Wait()
	return results
}

func (r *result) print(w io.Writer) {
	if r.right() {
		fmt.Fprintf(w, "ok    %s %.2fs\n", r.test, r.machine.Took.Seconds())
		return
	}
	fmt.Fprintf(w, "WRONG %s %.2fs: %s: %s\n%s\n", r.test, r.machine.Took.Seconds(), r.machine.End, r.machine.Reason, r.machine.Output)
}

func rights(rs []result) int {
	n := 0
	for i := range rs {
		if rs[i].right() {
			n++
		}
	}
	return n
}

// printTable prints a line for each module and the score.
func printTable(w io.Writer, rows []*row) {
	fmt.Fprintln(w, "| module | tests | concurrent | plain | run | right | fail | unsupported | limit |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	line := func(name string, rs ...*row) {
		var tests, concurrent, plain, ran, right, fail, unsupported, limit int
		for _, r := range rs {
			tests, concurrent, plain, ran, right = tests+len(r.tests), concurrent+r.concurrent, plain+r.plain, ran+len(r.ran), right+rights(r.ran)
			for i := range r.ran {
				switch x := &r.ran[i]; {
				case x.right():
				case x.machine.End == "unsupported":
					unsupported++
				case x.machine.End == "limit":
					limit++
				default:
					fail++
				}
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", name, tests, concurrent, plain, ran, right, fail, unsupported, limit)
	}
	var ran, files []result
	concurrent, temporary, died := 0, 0, 0
	for _, r := range rows {
		line(r.version, r)
		ran, files = append(ran, r.ran...), append(files, r.ranFile...)
		concurrent, temporary, died = concurrent+r.concurrent, temporary+r.temporary, died+r.died
	}
	line("all", rows...)
	fmt.Fprintf(w, "\nnatively, %d of the concurrent tests use temporary files and nothing else outside; %d tests of any kind ended their process or did not end\n", temporary, died)
	if len(ran) == 0 {
		return
	}
	share := func(what string, rs []result) {
		fmt.Fprintf(w, "%s: %d of %d pass as they do natively (%.1f %%)\n", what, rights(rs), len(rs), 100*float64(rights(rs))/float64(max(len(rs), 1)))
	}
	for _, lib := range notable {
		var some []result
		for _, r := range slices.Concat(ran, files) {
			if slices.Contains(r.Imports, lib) {
				some = append(some, r)
			}
		}
		share("with "+lib, some)
	}
	if len(files) > 0 {
		share("with temporary files", files)
	}
	share("score", ran)
}

// printReasons ranks the reasons of what is not right by the number of tests that each holds back.
func printReasons(w io.Writer, rows []*row) {
	groups := map[string][]string{}
	for _, row := range rows {
		for _, r := range row.all() {
			if !r.right() {
				k := group(r.machine)
				groups[k] = append(groups[k], r.String())
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		return cmp.Or(len(groups[b])-len(groups[a]), cmp.Compare(a, b))
	})
	if len(keys) > 0 {
		fmt.Fprintln(w, "\nreasons of the rest, by the number of tests that meet each first:")
	}
	for _, k := range keys {
		fmt.Fprintf(w, "%d: %s\n", len(groups[k]), k)
		for _, t := range groups[k] {
			fmt.Fprintf(w, "\t%s\n", t)
		}
	}
}

// all are the tests that were run, of any kind.
func (r *row) all() []result { return slices.Concat(r.ran, r.ranFile, r.ranOther) }

// printWorld prints how many of all concurrent tests pass. Of a module that is sampled some are not run.
func printWorld(w io.Writer, rows []*row) {
	fmt.Fprintln(w, "\n| module | concurrent | run | pass | sockets, files and others among them: run | pass |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- |")
	var sum [5]int
	for _, r := range rows {
		outside := slices.Concat(r.ranFile, r.ranOther)
		n := [5]int{r.concurrent, len(r.all()), rights(r.all()), len(outside), rights(outside)}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d |\n", r.version, n[0], n[1], n[2], n[3], n[4])
		for i := range n {
			sum[i] += n[i]
		}
	}
	fmt.Fprintf(w, "| all | %d | %d | %d | %d | %d |\n", sum[0], sum[1], sum[2], sum[3], sum[4])
	fmt.Fprintf(w, "\n%d of the %d concurrent tests that were run pass (%.1f %%)\n", sum[2], sum[1], 100*float64(sum[2])/float64(max(sum[1], 1)))
}

var (
	number = regexp.MustCompile(`0x[0-9a-f]+|[0-9]+`)
	spot   = regexp.MustCompile(`\S+\.go:[0-9]+(:[0-9]+)?:? ?`)
)

// group is what outcomes of one reason have in common.
func group(o worker.Outcome) string {
	s := firstLine(o.Reason)
	if _, rest, ok := strings.Cut(s, "unsupported "); ok {
		s, _, _ = strings.Cut(rest, ", called by")
	}
	s = number.ReplaceAllString(spot.ReplaceAllString(s, ""), "N")
	if len(s) > 160 {
		s = s[:160] + "…"
	}
	return o.End + ": " + s
}
