package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/heddle-go/heddle/internal/score/heddle"
)

// This file defines the second score: what exploring the plain concurrent tests gives.

// exploreWall is the safety net of one exploration: its limits are counts, and do not need it.
const exploreWall = 10 * time.Minute

// An explored test is a test and what heddle says of it, with the default limits.
type explored struct {
	*test
	heddle.Entry
}

// exploreAll explores tests of one module.
func exploreAll(ts []*test, dir string, o options) []explored {
	results := make([]explored, len(ts))
	flags := slices.Clone(o.flags)
	if o.explorer != "" {
		flags = append(flags, "-explorer="+o.explorer)
	}
	if o.deps != "" {
		flags = append(flags, "-deps="+o.deps)
	}
	next := make(chan int)
	var wg sync.WaitGroup
	for range o.jobs {
		wg.Go(func() {
			for i := range next {
				p := &heddle.Package{Dir: dir, Path: ts[i].Package, Wall: exploreWall, Processor: o.processor}
				results[i].test = ts[i]
				e, err := p.Explore(ts[i].Name, flags...)
				if err != nil { // the others are explored all the same
					e = heddle.Entry{Entry: ts[i].Name, Verdict: heddle.Stopped, Reason: "error: " + err.Error(), Executions: -1, Classes: -1}
				}
				e.Reason = p.Cell(e.Reason)
				results[i].Entry = e
				if o.verbose {
					results[i].print(os.Stderr)
				}
			}
		})
	}
	for i := range ts {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

func (x *explored) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, %d executions, %.1f s, %d MiB, %d million, %d findings %s\n", x.test, x.answer(), x.Executions, x.ProcessorTime.Seconds(), x.MiB, x.Work/1e6,
		len(x.Findings), x.Reason)
	if x.Within != nil {
		of := ""
		if x.OfSteps > 0 {
			of = fmt.Sprintf(" of about %d", x.OfSteps)
		}
		fmt.Fprintf(w, "\tcomplete up to 1 delay within %d steps%s\n", *x.Within, of)
	}
	if p := x.Sampling; p != nil {
		fmt.Fprintf(w, "\tsampled: %d goroutines, %d steps (within %d), runs %v, probabilities %v\n", p.Goroutines, p.Steps, p.Within, p.Runs, p.Probabilities)
	}
	for _, r := range []string{x.HandOver, x.HandOverEarly} {
		if r != "" {
			fmt.Fprintf(w, "\thand-over: %s\n", r)
		}
	}
	for _, f := range x.Findings {
		fmt.Fprintf(w, "\t%s: %s: %s\n", f.Posn, f.Category, f.Message)
	}
}

// answer is the verdict, with the bound if it is one.
func (x *explored) answer() string {
	switch x.Verdict {
	case "complete-within":
		return "complete up to 1 delay at the beginning"
	case "exhausted-in-time":
		if x.Early > 0 {
			return fmt.Sprintf("%s, the first %d early", x.Verdict, x.Early)
		}
		return x.Verdict
	case "complete":
	default:
		return x.Verdict
	}
	if x.Preemptions != nil && *x.Preemptions > 0 {
		return fmt.Sprintf("complete up to %d preemptions", *x.Preemptions)
	}
	if x.Delays != nil && *x.Delays > 0 {
		return fmt.Sprintf("complete up to %d delays", *x.Delays)
	}
	return "complete up to 0 preemptions"
}

// printAnswers prints how many tests have each answer, and what the dearest took.
func printAnswers(w io.Writer, all []explored) {
	answers := map[string]int{}
	var took time.Duration
	var longest, largest *explored
	for i := range all {
		x := &all[i]
		answers[x.answer()]++
		took += x.ProcessorTime
		if longest == nil || x.ProcessorTime > longest.ProcessorTime {
			longest = x
		}
		if largest == nil || x.MiB > largest.MiB {
			largest = x
		}
	}
	fmt.Fprintln(w, "\nanswers:")
	for _, k := range slices.SortedFunc(maps.Keys(answers), func(a, b string) int { return cmp.Or(answers[b]-answers[a], cmp.Compare(a, b)) }) {
		fmt.Fprintf(w, "%d: %s\n", answers[k], k)
	}
	printPromises(w, all)
	if longest != nil {
		fmt.Fprintf(w, "%.0f s of processor time in all; at most %.1f s for a test (%s), and %d MiB (%s)\n", took.Seconds(), longest.ProcessorTime.Seconds(), longest.test, largest.MiB, largest.test)
	}
}

// What an entry is promised to take at most.
const (
	mostProcessor = 15 * time.Second
	mostMiB       = 2 << 10
)

// printPromises prints how many tests have an answer that means something, and which take more than they may.
func printPromises(w io.Writer, all []explored) {
	bound, begin, sampled, other := 0, 0, 0, 0
	var dear []string
	for i := range all {
		x := &all[i]
		switch {
		case x.Verdict == "exhausted" || x.Verdict == "exhausted-in-time" || x.Verdict == "races-behind":
		case x.Delays != nil && *x.Delays > 0 || x.Preemptions != nil && *x.Preemptions > 0:
			bound++
		case x.Within != nil:
			begin++
		case x.Sampling != nil:
			sampled++
		default:
			other++
		}
		if x.ProcessorTime > mostProcessor || x.MiB > mostMiB {
			dear = append(dear, fmt.Sprintf("%s: %.1f s, %d MiB", x.test, x.ProcessorTime.Seconds(), x.MiB))
		}
	}
	n := float64(max(1, len(all))) / 100
	fmt.Fprintf(w, "of %d, in percent: %.1f with a bound, %.1f with one at the beginning, %.1f sampled with a probability, %.1f without any of that and not exhausted\n", len(all), float64(bound)/n, float64(begin)/n, float64(sampled)/n, float64(other)/n)
	fmt.Fprintf(w, "%d took more than %v or %d MiB\n", len(dear), mostProcessor, mostMiB)
	for _, d := range dear {
		fmt.Fprintln(w, "\t"+d)
	}
}

// end is the column in which a test is counted.
func (x *explored) end() string {
	switch {
	case x.Verdict == "exhausted" || x.Verdict == heddle.Stopped:
		return x.Verdict
	case x.Verdict == "exhausted-in-time", x.Verdict == "races-behind", x.Verdict == "complete", x.Verdict == "complete-within", x.Verdict == "sampled":
		return "limit"
	}
	return "missing"
}

// printExplored prints a line for each module, all findings, and the reasons why entries are not exhausted, the most
// frequent first.
func printExplored(w io.Writer, rows []*row) {
	fmt.Fprintln(w, "| module | explored | exhausted | limit | missing | stopped | tests with findings |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- |")
	var all []explored
	line := func(name string, xs []explored) {
		ends, found := map[string]int{}, 0
		for i := range xs {
			ends[xs[i].end()]++
			if len(xs[i].Findings) > 0 {
				found++
			}
		}
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", name, len(xs), ends["exhausted"], ends["limit"], ends["missing"], ends[heddle.Stopped], found)
	}
	for _, r := range rows {
		line(r.version, r.explored)
		all = append(all, r.explored...)
	}
	line("all", all)
	fmt.Fprintln(w, "\nfindings:")
	reasons := map[string][]string{}
	for i := range all {
		x := &all[i]
		for _, f := range x.Findings {
			fmt.Fprintf(w, "%s: %s: %s: %s\n", x.test, f.Posn, f.Category, f.Message)
		}
		if x.Reason != "" {
			k := common(x.Reason)
			reasons[k] = append(reasons[k], x.test.String())
		}
	}
	printAnswers(w, all)
	fmt.Fprintln(w, "\nreasons of what is not exhausted, the most frequent first:")
	printRanked(w, reasons)
	printHandOvers(w, "where no timer fires early", all, func(x *explored) string { return x.HandOver })
	printHandOvers(w, "where timers fire early", all, func(x *explored) string { return x.HandOverEarly })
	printCrossed(w, all)
}

// printCrossed prints how many tests have each answer, by why union handed over.
func printCrossed(w io.Writer, all []explored) {
	type cell struct{ answer, reason string }
	n, handed, executions, states := map[cell]int{}, 0, 0, 0
	for i := range all {
		x := &all[i]
		reason := common(x.HandOver)
		switch {
		case reason != "":
			handed++
		case x.HandOverEarly != "":
			reason = "where timers fire early: " + common(x.HandOverEarly)
			handed++
		default:
			reason = "none"
		}
		n[cell{x.answer(), reason}]++
		executions, states = executions+max(0, x.Executions), states+max(0, x.States)
	}
	fmt.Fprintln(w, "\n| answer | hand-over | tests |\n| --- | --- | --- |")
	for _, k := range slices.SortedFunc(maps.Keys(n), func(a, b cell) int {
		return cmp.Or(n[b]-n[a], cmp.Compare(a.answer, b.answer), cmp.Compare(a.reason, b.reason))
	}) {
		fmt.Fprintf(w, "| %s | %s | %d |\n", k.answer, k.reason, n[k])
	}
	fmt.Fprintf(w, "\n%d of %d handed over (%.1f %%); %d executions, %d states\n", handed, len(all), 100*float64(handed)/float64(max(1, len(all))), executions, states)
}

// common is what reasons of one kind have in common.
func common(reason string) string {
	return number.ReplaceAllString(spot.ReplaceAllString(reason, ""), "N")
}

// printHandOvers prints why union handed over to another explorer.
func printHandOvers(w io.Writer, where string, all []explored, reason func(*explored) string) {
	reasons := map[string][]string{}
	for i := range all {
		if r := reason(&all[i]); r != "" {
			k := common(r)
			reasons[k] = append(reasons[k], all[i].test.String())
		}
	}
	fmt.Fprintf(w, "\nhand-overs %s:\n", where)
	printRanked(w, reasons)
}

// printRanked prints how many tests have each reason, the most frequent first.
func printRanked(w io.Writer, reasons map[string][]string) {
	keys := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(len(reasons[b])-len(reasons[a]), cmp.Compare(a, b))
	})
	for _, k := range keys {
		fmt.Fprintf(w, "%d: %s\n", len(reasons[k]), k)
	}
}
