package main

import (
	"bufio"
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// This file defines what the score prints, and the list of functions that are known not to be right.

//go:embed reasons.txt
var reasonsText []byte

// readReasons parses reasons.txt: "package Function: reason" a line, # comments.
func readReasons() (map[string]string, error) {
	known := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(reasonsText)); s.Scan(); {
		l := strings.TrimSpace(s.Text())
		if l == "" || l[0] == '#' {
			continue
		}
		key, why, ok := strings.Cut(l, ": ")
		if !ok || len(strings.Fields(key)) != 2 || strings.TrimSpace(why) == "" || known[key] != "" {
			return nil, fmt.Errorf("reasons.txt: %q is not one \"package Function: reason\"", l)
		}
		known[key] = why
	}
	return known, nil
}

// counts are a row's numbers.
type counts struct{ all, right, fail, unsupported, limit int }

func (c *counts) add(v *verdict) {
	c.all++
	switch {
	case v.right():
		c.right++
	case v.group() == "unsupported":
		c.unsupported++
	case v.group() == "limit":
		c.limit++
	default:
		c.fail++
	}
}

// table prints the score. It returns whether what is not right is what reasons.txt lists.
func table(w io.Writer, results []*result, known map[string]string, whole bool) bool {
	ok := true
	fmt.Fprintf(w, "%-22s %6s %6s %6s %6s %6s   %9s %9s\n", "package", "tests", "right", "fail", "unsup.", "limit", "fuzz", "examples")
	var sum, fuzz, examples counts
	var wrong, allocs []string
	reasons := map[string]int{}
	ran := map[string]bool{}
	left := 0
	for _, r := range results {
		if r.err != nil {
			fmt.Fprintf(w, "%-22s %v\n", r.path, r.err)
			ok = false
			continue
		}
		var t, f, e counts
		for i := range r.fns {
			v := &r.fns[i]
			key := r.path + " " + v.Name
			ran[key] = true
			for _, c := range map[string][]*counts{"test": {&t, &sum}, "fuzz target": {&f, &fuzz}, "example": {&e, &examples}}[v.Kind] {
				c.add(v)
			}
			if slices.Contains(v.machine.Asked, allocsPerRun) {
				allocs = append(allocs, key)
			}
			if !v.right() {
				reasons[cmp.Or(known[key], "not in reasons.txt")]++
				wrong = append(wrong, fmt.Sprintf("%s: %s", key, v.why()))
				if known[key] == "" {
					wrong[len(wrong)-1] += "   <- not in reasons.txt"
					ok = false
				}
			} else if known[key] != "" {
				wrong = append(wrong, key+": it ends as natively   <- remove it from reasons.txt")
				ok = false
			}
		}
		fmt.Fprintf(w, "%-22s %6d %6d %6d %6d %6d   %4d/%-4d %4d/%-4d\n", r.path, t.all, t.right, t.fail, t.unsupported, t.limit, f.right, f.all, e.right, e.all)
		if r.left > 0 {
			left += r.left
			ok = false
		}
		if !whole || r.left > 0 {
			continue
		}
		for key := range known {
			if p, _, _ := strings.Cut(key, " "); p == r.path && !ran[key] {
				wrong = append(wrong, key+": there is no such function   <- remove it from reasons.txt")
				ok = false
			}
		}
	}
	slices.Sort(wrong)
	fmt.Fprintf(w, "\nnot as natively, %d:\n", len(wrong))
	for _, s := range wrong {
		fmt.Fprintf(w, "\t%s\n", s)
	}
	mostFrequent(w, reasons)
	fmt.Fprintf(w, "\ncalled testing.AllocsPerRun, which is 0 in the machine, %d:\n", len(allocs))
	for _, s := range allocs {
		fmt.Fprintf(w, "\t%s\n", s)
	}
	fmt.Fprintf(w, "\nscore: %d of %d test functions end as natively (%.1f %%)", sum.right, sum.all, 100*float64(sum.right)/float64(max(sum.all, 1)))
	fmt.Fprintf(w, "; %d fail, %d unsupported, %d at a limit\n", sum.fail, sum.unsupported, sum.limit)
	fmt.Fprintf(w, "apart: %d of %d fuzz targets' seeds, %d of %d examples\n", fuzz.right, fuzz.all, examples.right, examples.all)
	if left > 0 {
		fmt.Fprintf(w, "%d functions are still to be run\n", left)
	}
	return ok
}

// mostFrequent prints how many functions each reason has.
func mostFrequent(w io.Writer, reasons map[string]int) {
	fmt.Fprintf(w, "\nreasons, the most frequent first:\n")
	order := slices.SortedFunc(maps.Keys(reasons), func(a, b string) int {
		return cmp.Or(cmp.Compare(reasons[b], reasons[a]), strings.Compare(a, b))
	})
	for _, r := range order {
		fmt.Fprintf(w, "\t%4d %s\n", reasons[r], r)
	}
}

// why says how a function ended otherwise than natively.
func (v *verdict) why() string {
	s := v.machine.End
	if v.machine.Reason != "" {
		s += ": " + strings.Join(strings.Fields(v.machine.Reason), " ")
	}
	if v.native != "pass" || s == "skip" {
		s += " (natively: " + v.native + ")"
	}
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return s
}

// print writes a line for the function, and what it wrote if it is not right.
func (v *verdict) print(w io.Writer, path string) {
	if v.right() {
		fmt.Fprintf(w, "ok    %s %s %.2fs\n", path, v.Name, v.machine.CPU.Seconds())
	} else {
		fmt.Fprintf(w, "WRONG %s %s %.2fs: %s\n%s\n", path, v.Name, v.machine.CPU.Seconds(), v.why(), v.machine.Output)
	}
}
