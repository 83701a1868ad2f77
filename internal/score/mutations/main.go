// Command mutations measures what a run of heddle costs after one operation was deleted from a program, or added back.
//
//	go run -C internal ./score/mutations [-n 4] [-seed 1] [-run regexp] [-set regexp] [-work 500] [-timed 1] [-v]
//
// It is section 4.2 of Parízek and Kliber, "Incremental Verification of Multithreaded Programs by Checking
// Interleavings for Pairs of Threads", on the examples of this repository and on the leak programs of GOROOT
// (package bugs).
//
// # What is done
//
// The statements of a package that are operations which other goroutines can see are listed (visible.go). A deletion
// that does not compile is left out. Of each package -n are drawn. In each round every package loses one of its
// operations. Heddle runs over the edited packages from nothing, and with the records of the packages as they were:
// this is the deletion. Then it runs over the packages as they were with the records of the edited ones: the
// operation is added back. Both times all that -stats says of an entry, its findings with them, must be the same from
// nothing and with records, but for times. (From nothing is the run with an empty cache, which makes the records.) If
// it is not, the command says so, and its exit code is 1.
//
// # What is counted
//
// Executions from nothing (E), and those with records. Records are of whole entries: an entry that calls the changed
// function is explored anew, and the others are not. So a package of one entry gains nothing, and the module of all
// packages gains most.
//
// Processor time is measured where one package alone has changed, of so many deletions of each package as -timed
// says: heddle explores that package from nothing and with records, and all packages with records. It includes the
// start of the process, go list and loading. What all packages take from nothing is measured once, when they are as
// they were.
//
// The column "about the change" asks what keeping the knowledge of goroutines could gain besides. It counts those of
// the executions by union causality that show something new of a goroutine which has come to the changed function: an
// operation after that, with a history of answers that no execution before has shown. Functions are the innermost
// ones, closures by themselves. All that other executions have shown could have been known before. What they teach
// otherwise, and what it takes to read it again, is not counted. So a scheme that keeps knowledge needs about so many
// executions.
//
// The column "unknown" has no "could". It counts those of these executions that show a fact which no execution of the
// package as it was has shown: what an operation returned to a goroutine in a state. States have the names that the
// machine gives them, and operations those of their functions and places. What a goroutine does while the changed
// function is on its stack is always unknown. (That this function was called, and has returned, between two operations
// is not seen.) So a scheme that keeps graphs saves about the others. (Replays of
// findings count in both columns if they show something new, which is seldom.)
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"github.com/heddle-go/heddle/internal/score/heddle"
	"github.com/heddle-go/heddle/internal/tree"
)

type options struct {
	n       int
	seed    uint64
	match   *regexp.Regexp
	sets    *regexp.Regexp
	work    int
	timed   int
	verbose bool
}

func main() {
	heddle.Serve()
	var o options
	flag.IntVar(&o.n, "n", 4, "deletions of each package, 0 for all")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random source")
	run := flag.String("run", "", "only packages whose folder matches this regular expression")
	set := flag.String("set", "", "only sets whose name matches this regular expression: examples, leaks")
	flag.IntVar(&o.work, "work", 500, "heddle's -limit.work: of an entry, in millions")
	flag.IntVar(&o.timed, "timed", 1, "of each package, so many deletions are measured in time, too")
	flag.BoolVar(&o.verbose, "v", false, "print every deletion")
	flag.Parse()
	var err error
	if o.match, err = regexp.Compile(*run); err == nil {
		o.sets, err = regexp.Compile(*set)
	}
	if err == nil {
		err = tree.Enter()
	}
	if err == nil {
		err = score(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutations:", err)
		os.Exit(1)
	}
}
