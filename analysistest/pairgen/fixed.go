package pairgen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file reads and writes programs together with what they do natively. So a test needs no compiled program.

// Record is a line that says what a program does natively.
func (r *Result) Record() string {
	words := []string{r.Program.String()}
	for _, o := range slices.Sorted(maps.Keys(r.Native.Outcomes)) {
		words = append(words, r.Native.Outcomes[o]+" "+strconv.Quote(o))
	}
	for _, pair := range slices.Sorted(maps.Keys(r.Native.Races)) {
		words = append(words, "race "+pair)
	}
	return strings.Join(words, "\t")
}

// Recorded reads a line of Record.
func Recorded(line string) (*Program, Native, error) {
	words := strings.Split(line, "\t")
	n := Native{map[string]string{}, map[string]string{}}
	p, err := Parse(words[0])
	if err != nil {
		return nil, n, err
	}
	for _, w := range words[1:] {
		order, what, _ := strings.Cut(w, " ")
		if order == "race" {
			n.Races[what] = "recorded"
			continue
		}
		o, err := strconv.Unquote(what)
		if err != nil {
			return nil, n, fmt.Errorf("%q: %w", w, err)
		}
		n.Outcomes[o] = order
	}
	return p, n, nil
}

// CompareRecorded explores programs with what was recorded of them.
func CompareRecorded(text string, explorers ...string) ([]*Result, error) {
	var ps []*Program
	var ns []Native
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p, n, err := Recorded(line)
		if err != nil {
			return nil, err
		}
		ps, ns = append(ps, p), append(ns, n)
	}
	return compareAll(ps, ns, explorers...)
}
