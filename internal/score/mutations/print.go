package main

import (
	"fmt"
	"path/filepath"
	"slices"
)

// This file prints the tables.

// head begins the table of deletions, if it is asked for.
func (b *bench) head() {
	if b.o.verbose {
		fmt.Println("| package | deleted | from nothing | with records | by union | about the change | unknown | added back: from nothing | with records | seconds from nothing | with records | of all packages |")
		fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	}
}

// row prints a deletion, if that is asked for.
func (b *bench) row(x row) {
	if b.o.verbose {
		fmt.Printf("| %s | `%s:%d %s` | %d | %d | %d | %d | %d | %d | %d | %.2f | %.2f | %.2f |\n", x.pkg, filepath.Base(x.deletion.file), x.deletion.line, x.deletion.text, x.gone.nothing, x.gone.kept, x.new.own, x.new.about, x.new.unknown, x.back.nothing, x.back.kept, x.took.nothing.Seconds(), x.took.kept.Seconds(), x.took.module.Seconds())
	}
}

// print prints what was measured of a set.
func (b *bench) print(name string) {
	all := map[string]int{} // executions of a package as it is
	whole := 0
	for _, x := range b.rows {
		if _, ok := all[x.pkg]; !ok {
			whole += x.back.nothing
		}
		all[x.pkg] = x.back.nothing
	}
	var nothing, own, about, unknown, alone, within, timeAlone, timeWithin []float64
	for _, x := range b.rows {
		nothing = append(nothing, float64(x.gone.nothing))
		own = append(own, float64(x.new.own))
		about = append(about, float64(x.new.about))
		unknown = append(unknown, float64(x.new.unknown))
		alone = append(alone, ratio(x.gone.nothing, x.gone.kept))
		if x.took.module > 0 {
			timeAlone = append(timeAlone, x.took.nothing.Seconds()/x.took.kept.Seconds())
			timeWithin = append(timeWithin, b.whole.Seconds()/x.took.module.Seconds())
		}
		rest := whole - all[x.pkg]
		within = append(within, ratio(rest+x.gone.nothing, x.gone.kept), ratio(whole, x.back.kept))
	}
	fmt.Printf("%s: %d packages, %d deletions (%d more were not drawn), %d answers differ; all packages take %.2f s of processor time from nothing\n",
		name, len(b.folders), len(b.rows), b.left, len(b.wrong), b.whole.Seconds())
	for _, c := range []struct {
		what string
		of   []float64
	}{
		{"executions from nothing, of the package", nothing},
		{"executions by union", own},
		{"of these about the change", about},
		{"of these unknown", unknown},
		{"from nothing / with records, of the package", alone},
		{"from nothing / with records, of all packages", within},
		{"the same of processor time, of the package", timeAlone},
		{"the same of processor time, of all packages", timeWithin},
	} {
		slices.Sort(c.of)
		if n := len(c.of); n > 0 {
			fmt.Printf("\t%-46s least %.1f, a tenth below %.1f, median %.1f, a tenth above %.1f, most %.1f\n", c.what, c.of[0], c.of[n/10], c.of[n/2], c.of[n-1-n/10], c.of[n-1])
		}
	}
}

// ratio is how many times fewer executions there are. None counts as one.
func ratio(nothing, kept int) float64 { return float64(max(1, nothing)) / float64(max(1, kept)) }
