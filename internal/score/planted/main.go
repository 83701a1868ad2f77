// Command planted plants concurrency bugs in real code, and measures how soon they are found from nothing, and where it
// is known what has changed.
//
//	go run -C internal ./score/planted [-n 3] [-seed 1] [-run regexp] [-kind regexp] [-deep 0] [-v]
//
// The tests are large ones of real modules: all reach a limit (targets.go). Bugs are planted in functions of their
// packages that the test calls (plant.go): a lock is left out, a critical section is split, an atomic operation becomes
// a read and a write, an operation is dropped, done twice, or changes places with the next statement. Of each test -n
// bugs are drawn, the kinds in turns.
//
// # What is measured
//
// The test is explored as it is, and with each bug: by the default explorer from nothing with the default limits,
// and by what -new-from-rev does besides in an entry that reaches a limit, which knows the function that has
// changed, with the part of the limits that it has there: samples in which goroutines are held up in changed code
// (package aimed), and the explorer pairwise. A finding counts if the test as it is does not have it (what is
// reported, and at which lines). For each explorer the table has the executions until one was shown, and what part
// of the entry's limits had been used then.
//
// What neither finds may be no bug. With -deep N it is explored once more by the default explorer, with N times its
// limits.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/heddle-go/heddle/internal/score/module"
	"github.com/heddle-go/heddle/internal/tree"
)

type options struct {
	n       int
	seed    uint64
	match   *regexp.Regexp
	kind    *regexp.Regexp
	deep    int
	verbose bool
}

func main() {
	var o options
	flag.IntVar(&o.n, "n", 3, "bugs of each test")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random source")
	run := flag.String("run", "", "only tests whose module and name match this regular expression")
	kind := flag.String("kind", "", "only bugs of kinds that match this regular expression")
	flag.IntVar(&o.deep, "deep", 0, "explore what nobody finds again, with so many times the limits")
	flag.BoolVar(&o.verbose, "v", false, "print what is found")
	flag.Parse()
	var err error
	if o.match, err = regexp.Compile(*run); err == nil {
		o.kind, err = regexp.Compile(*kind)
	}
	if err == nil {
		err = tree.Enter()
	}
	if err == nil {
		err = module.StandAlone()
	}
	if err == nil {
		err = score(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "planted:", err)
		os.Exit(1)
	}
}
