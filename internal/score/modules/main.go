// Command modules is the machine's score on real code: the concurrent tests of well-known modules, each run once
// natively and once in the machine.
//
//	go run -C internal ./score/modules [-run regexp] [-test regexp] [-all] [-files] [-j 2] [-v]
//	go run -C internal ./score/modules -world [-run regexp] ...
//	go run -C internal ./score/modules -explore [-table | -sample n] [-confirm n] ...
//
// # What counts
//
// The modules of the list in list.go are downloaded through the module proxy and copied to a folder of the user's
// cache, where each is its own main module. Each test function of each of their packages is run natively, alone, in a
// process of its own, under a standard library with counters (see counters.go). A test is concurrent if a goroutine was
// started after it began, other than by package testing. It is plain if it also called nothing that makes a socket,
// changes a file, starts a process or sends a signal. The plain concurrent tests that pass natively make the score.
// Those that only change files below the temporary folder are counted apart. With -world all concurrent tests that pass
// natively are run, whatever they use, and a last table has how many of them pass.
//
// Each of them is run in the machine once, as `heddle run -test -v -run '^Name$'` does it. It is right if it passes. Of
// otter 60 are taken, at equal distances in the order of package and name.
//
// With -explore the plain concurrent tests are explored instead, as `heddle -run '^Name$'` does it with the default
// limits; with -world those that are not plain. What is counted is how many end exhausted, how many incomplete and why,
// and every finding. Which tests are concurrent can differ from run to run, and with that which a sample has: -table
// takes those that table.txt names. -processor bounds the processor time of each test. One that takes more is counted
// as stopped, without findings. A last table has how many tests have each answer, by the reason why union handed over
// in the first regime of time, or else in the second.
//
// With -confirm as well, each test that is exhausted without a finding is then run natively so many times, under the
// race detector and with Go's goroutine leak profile, at GOMAXPROCS 1, 2 and 4 by turns. Nothing may fail there. See
// confirm.go.
//
// Native results are kept in the user's cache folder, by toolchain and module. The limits are counts of instructions
// and bytes, so that the score does not depend on the host's load. The limit of wall time is a safety net, and says so
// where it caught something.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/heddle"
	"github.com/heddle-go/heddle/internal/score/worker"
)

func main() {
	worker.Serve()
	heddle.Serve()
	var o options
	pattern := flag.String("run", "", "only modules whose path matches this regular expression")
	test := flag.String("test", "", "only tests whose package and name (path.Name) match this regular expression")
	flag.BoolVar(&o.all, "all", false, "run all tests of modules that are sampled")
	flag.IntVar(&o.jobs, "j", runtime.NumCPU(), "number of processes")
	flag.BoolVar(&o.verbose, "v", false, "print every test, and what those that are not right wrote")
	flag.BoolVar(&o.native, "native", false, "stop when the native results are there")
	flag.BoolVar(&o.files, "files", false, "also run the tests that use temporary files")
	flag.BoolVar(&o.world, "world", false, "run all concurrent tests, also those that use sockets, files, processes and signals, and count them all")
	flag.BoolVar(&o.explore, "explore", false, "explore the tests instead of running them once")
	flag.IntVar(&o.sample, "sample", 0, "of each module take at most this many tests, at equal distances (0: as the list says)")
	flag.BoolVar(&o.table, "table", false, "take the tests of the table in docs/real-code.md, which table.txt names")
	flag.DurationVar(&o.processor, "processor", time.Minute, "with -explore: processor time that one test may take, in whole seconds, its loading included (0: no limit)")
	flags := flag.String("flags", "", "with -explore: flags of heddle's, with spaces between them, as -limit.work=3000")
	flag.StringVar(&o.explorer, "explorer", "", "with -explore: the explorer (empty: heddle's; icb says up to how many preemptions an incomplete test is complete)")
	flag.StringVar(&o.deps, "deps", "", "with -explore: heddle's -deps (empty: heddle's default)")
	flag.IntVar(&o.confirm, "confirm", 0, "with -explore: run every test that is exhausted and quiet natively so many times, with the race detector and the leak profile")
	flag.Parse()
	o.flags = strings.Fields(*flags)
	err := o.compile(*pattern, *test)
	if err == nil {
		err = score(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "modules:", err)
		os.Exit(1)
	}
}

type options struct {
	module, test                *regexp.Regexp
	jobs                        int
	verbose, native, files, all bool
	world, table                bool
	explore                     bool
	sample                      int
	flags                       []string
	explorer, deps              string
	processor                   time.Duration
	confirm                     int
}

// log is where what fails is printed in full.
func (o *options) log() io.Writer {
	if !o.verbose {
		return nil
	}
	return os.Stderr
}

func (o *options) compile(module, test string) (err error) {
	if o.module, err = regexp.Compile(module); err != nil {
		return err
	}
	o.test, err = regexp.Compile(test)
	return err
}
