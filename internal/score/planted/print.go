package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
)

// This file prints the tables.

// tell prints a bug.
func (b *bed) tell(x row) {
	fmt.Printf("\t%s %s:%d %q\n", x.plant.kind, filepath.Base(x.plant.file), x.plant.line, x.plant.what)
	for _, s := range []struct {
		name string
		search
	}{{"from nothing", x.nothing}, {"held up in changed code", x.aimed}, {"pairs", x.pairs}, {"deep", x.deep}} {
		switch {
		case s.executions == 0:
		case s.found != "" && b.o.verbose:
			fmt.Printf("\t\t%s: execution %d, %d %%: %s\n", s.name, s.executions, s.part, s.found)
		case s.found != "":
			fmt.Printf("\t\t%s: execution %d, %d %%\n", s.name, s.executions, s.part)
		default:
			fmt.Printf("\t\t%s: nothing, %d executions, %d %%, %s\n", s.name, s.executions, s.part, s.reason)
		}
	}
}

// print prints how many of the bugs of each kind were found, and when.
func print(rows []row) {
	kinds := map[string][]row{}
	for _, x := range rows {
		kinds[x.plant.kind] = append(kinds[x.plant.kind], x)
	}
	fmt.Println("| bugs | planted | found | from nothing | held up in changed code | by pairs | with -new-from-rev alone | from nothing alone |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, name := range append(slices.Sorted(maps.Keys(kinds)), "all") {
		of := kinds[name]
		if name == "all" {
			of = rows
		}
		var found, nothing, aimed, pairs, alone, never int
		for _, x := range of {
			n, a, p := x.nothing.found != "", x.aimed.found != "", x.pairs.found != ""
			count(&found, n || a || p || x.deep.found != "")
			count(&nothing, n)
			count(&aimed, a)
			count(&pairs, p)
			count(&alone, (a || p) && !n)
			count(&never, n && !a && !p)
		}
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d |\n", name, len(of), found, nothing, aimed, pairs, alone, never)
	}
	for _, of := range []struct {
		name string
		of   func(row) search
	}{{"from nothing", func(x row) search { return x.nothing }}, {"held up in changed code", func(x row) search { return x.aimed }}, {"by pairs", func(x row) search { return x.pairs }}} {
		var runs, parts []int
		for _, x := range rows {
			if s := of.of(x); s.found != "" {
				runs, parts = append(runs, s.executions), append(parts, s.part)
			}
		}
		slices.Sort(runs)
		slices.Sort(parts)
		if n := len(runs); n > 0 {
			fmt.Printf("found %s: execution %d in the median, %d a tenth above, %d at most; %d, %d and %d %% of the limits\n",
				of.name, runs[n/2], runs[n-1-n/10], runs[n-1], parts[n/2], parts[n-1-n/10], parts[n-1])
		}
	}
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}
