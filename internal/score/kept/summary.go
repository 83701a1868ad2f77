package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/program/digest"
)

// A summary is what was counted of some entries.
type summary struct {
	entries   int
	exhausted int
	large     int // of these, with functions that count

	// Executions of all entries, and by function outside of tests, those of the entries that call it.
	made   int
	madeBy map[string]int
	// By function outside of tests: all executions, for each of an entry that calls it.
	within []float64

	// By function of large entries.
	whole, before, graphs, ratios []float64

	took          time.Duration // of all entries
	tookExhausted time.Duration
	machine       time.Duration // of the exhausted ones
	savedWhole    time.Duration
	savedGraphs   time.Duration
}

// entry counts an entry.
func (s *summary) entry(name string, x *spy, r *explore.Result, took time.Duration, o options) {
	s.entries++
	s.took += took
	s.made += r.Stats.Executions
	for fn := range x.all {
		if !x.d.IsTest(fn) {
			s.madeBy[fn] += r.Stats.Executions
		}
	}
	if r.Verdict != explore.Exhausted {
		return
	}
	s.exhausted++
	s.tookExhausted += took
	s.machine += x.took
	made := r.Stats.Executions
	large := made >= o.least
	if large {
		s.large++
	}
	decisions := 0
	for _, y := range x.runs {
		decisions += y.decisions
	}
	var whole, graphs float64
	for _, fn := range slices.Sorted(maps.Keys(x.all)) {
		spared, early, new := 0, 0, 0
		for _, y := range x.runs {
			at, ok := y.first[fn]
			if !ok {
				spared, at = spared+1, y.decisions
			}
			if early += at; y.new[fn] {
				new++
			}
		}
		new = min(new, made) // a replay may show something, too
		w, b, g := part(spared, len(x.runs)), part(early, decisions), part(made-new, made)
		whole, graphs = whole+w, graphs+g
		if large {
			s.whole, s.before, s.graphs = append(s.whole, w), append(s.before, b), append(s.graphs, g)
			s.ratios = append(s.ratios, float64(made)/float64(max(1, new)))
		}
		if o.verbose {
			fmt.Printf("\t%s, %s: %d executions, %d with a fact; %.0f%% not called, %.0f%% before the call\n", name, digest.Show(fn), made, new, 100*w, 100*b)
		}
	}
	if n := len(x.all); n > 0 {
		s.savedWhole += time.Duration(float64(x.took) * whole / float64(n))
		s.savedGraphs += time.Duration(float64(x.took) * graphs / float64(n))
	}
}

// packageDone counts what an edit of a function costs within the package whose entries were counted.
func (s *summary) packageDone() {
	for _, n := range s.madeBy {
		s.within = append(s.within, float64(s.made)/float64(max(1, n)))
	}
	s.made, s.madeBy = 0, map[string]int{}
}

func part(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// add adds the counts of other entries.
func (s *summary) add(o *summary) {
	s.entries, s.exhausted, s.large = s.entries+o.entries, s.exhausted+o.exhausted, s.large+o.large
	s.whole, s.before = append(s.whole, o.whole...), append(s.before, o.before...)
	s.within = append(s.within, o.within...)
	s.graphs, s.ratios = append(s.graphs, o.graphs...), append(s.ratios, o.ratios...)
	s.took, s.tookExhausted, s.machine = s.took+o.took, s.tookExhausted+o.tookExhausted, s.machine+o.machine
	s.savedWhole, s.savedGraphs = s.savedWhole+o.savedWhole, s.savedGraphs+o.savedGraphs
}

// print prints a row of the table.
func (s *summary) print(name string) {
	fmt.Printf("| %s | %d | %d | %.1f | %d | %d | %d | %s | %s | %s | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f |\n", name, s.entries, len(s.within), median(s.within), s.exhausted, s.large, len(s.whole),
		mean(s.whole), mean(s.before), mean(s.graphs), median(s.ratios), s.took.Seconds(), s.tookExhausted.Seconds(), s.machine.Seconds(), s.savedWhole.Seconds(), s.savedGraphs.Seconds())
}

// mean is the mean of parts, in percent.
func mean(of []float64) string {
	sum := 0.0
	for _, x := range of {
		sum += x
	}
	if len(of) == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", 100*sum/float64(len(of)))
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}
