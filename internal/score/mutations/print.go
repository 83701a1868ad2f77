package main

import (
	"fmt"
	"path/filepath"
	"slices"
)

// This file prints the tables.

// print prints what was measured of a set.
func (b *bench) print(name string) {
	if b.o.verbose {
		fmt.Println("| package | deleted | from nothing | with records | about the change | added back: from nothing | with records |")
		fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
		for _, x := range b.rows {
			fmt.Printf("| %s | `%s:%d %s` | %d | %d | %d | %d | %d |\n", x.pkg, filepath.Base(x.deletion.file), x.deletion.line, x.deletion.text, x.gone.nothing, x.gone.kept, x.about, x.back.nothing, x.back.kept)
		}
		fmt.Println()
	}
	all := map[string]int{} // executions of a package as it is
	whole := 0
	for _, x := range b.rows {
		if _, ok := all[x.pkg]; !ok {
			whole += x.back.nothing
		}
		all[x.pkg] = x.back.nothing
	}
	var nothing, about, alone, within []float64
	for _, x := range b.rows {
		nothing = append(nothing, float64(x.gone.nothing))
		about = append(about, float64(x.about))
		alone = append(alone, ratio(x.gone.nothing, x.gone.kept))
		rest := whole - all[x.pkg]
		within = append(within, ratio(rest+x.gone.nothing, x.gone.kept), ratio(whole, x.back.kept))
	}
	fmt.Printf("%s: %d packages, %d deletions (%d more were not drawn), %d answers differ; processor time %.1f s from nothing, %.1f s with records\n",
		name, len(b.folders), len(b.rows), b.left, len(b.wrong), b.cold.Seconds(), b.warm.Seconds())
	for _, c := range []struct {
		what string
		of   []float64
	}{
		{"executions from nothing, of the package", nothing},
		{"of these about the change", about},
		{"from nothing / with records, of the package", alone},
		{"from nothing / with records, of the module", within},
	} {
		slices.Sort(c.of)
		if n := len(c.of); n > 0 {
			fmt.Printf("\t%-46s least %.1f, a tenth below %.1f, median %.1f, a tenth above %.1f, most %.1f\n", c.what, c.of[0], c.of[n/10], c.of[n/2], c.of[n-1-n/10], c.of[n-1])
		}
	}
}

// ratio is how many times fewer executions there are. None counts as one.
func ratio(nothing, kept int) float64 { return float64(max(1, nothing)) / float64(max(1, kept)) }
