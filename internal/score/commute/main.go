// Command commute audits what the explorers call independent, and what they call equal: docs/audit.md says how.
//
//	go run ./internal/score/commute [-n programs] [-seed first] [-timing] [-schedules n]
//	go run ./internal/score/commute [-run regexp] [-pairs n] [-dir folder] [-module path@version] package...
//
// The first form draws random programs (analysistest/progen). The second looks at the entries of packages: of a folder,
// of a module that is fetched, or of the standard library. Each entry is executed under the default schedule and under
// random ones. In each execution, the neighbours that are called independent are performed in the other order too, and
// everything is compared. mcrs/audit lists what may differ.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime/debug"
	"runtime/pprof"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore"
)

func main() {
	var o options
	flag.IntVar(&o.programs, "n", 200, "random programs")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the first")
	flag.IntVar(&o.histories, "histories", 20, "random schedules whose histories are compared where they lead to one name")
	flag.BoolVar(&o.api, "api", false, "random programs are tests over the API of testing, sync, context, os and runtime")
	flag.BoolVar(&o.files, "files", false, "random programs are tests with operations on files that are told apart")
	flag.BoolVar(&o.copies, "copies", false, "random programs use locks as memory")
	flag.BoolVar(&o.flows, "flows", false, "random programs depend on what they have read")
	flag.BoolVar(&o.others, "others", false, "random programs count goroutines, or have locks that are package variables")
	flag.BoolVar(&o.observed, "observed", false, "random programs have races behind what goroutines observe of each other")
	flag.IntVar(&o.schedules, "schedules", 3, "random schedules of each entry, beside the default one")
	flag.BoolVar(&o.timing, "timing", false, "the second regime of time; of random programs those with timers")
	flag.IntVar(&o.lines, "lines", 10, "differences printed of each finding")
	flag.IntVar(&o.most, "failures", 5, "entries with findings after which to stop")
	flag.IntVar(&o.events, "events", 0, "limit of events of an execution (0: 400 of random programs, 3000 of others)")
	flag.IntVar(&o.pairs, "pairs", 0, "at most so many pairs of an execution, at equal distances (0: all of random programs, 60 of others)")
	flag.BoolVar(&o.union, "union", true, "also look at what union takes to be independent, after it has explored the entry")
	flag.IntVar(&o.executions, "executions", 2000, "limit of executions of that exploration")
	flag.StringVar(&o.dir, "dir", ".", "folder in which packages are looked for")
	flag.StringVar(&o.module, "module", "", "module, path@version, in which packages are looked for")
	flag.DurationVar(&o.within, "within", 0, "time for each entry, after which an execution is cut off and the next entry is looked at (0: no limit)")
	flag.Int64Var(&o.memory, "memory", explore.DefaultMemory>>20, "MiB alive in one execution at most")
	run := flag.String("run", ".", "regular expression of the entries of packages")
	cpu := flag.String("cpuprofile", "", "file to write a processor profile to")
	flag.Parse()
	debug.SetGCPercent(400)
	if *cpu != "" {
		f, err := os.Create(*cpu)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fail(err)
		}
		defer pprof.StopCPUProfile()
	}
	var err error
	if o.match, err = regexp.Compile(*run); err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends it at once
	t := tally{most: o.most, seen: map[string]bool{}, ctx: ctx}
	if flag.NArg() == 0 {
		err = o.random(&t)
	} else {
		err = o.packages(&t, flag.Args())
	}
	if err != nil {
		fail(err)
	}
	fmt.Println("all:", &t)
	if t.bad > 0 {
		pprof.StopCPUProfile()
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "commute:", err)
	os.Exit(2)
}

type options struct {
	programs, schedules, most, events, pairs, lines, executions, histories int
	seed                                                                   uint64
	timing, union, api, files, copies, flows, others, observed             bool
	within                                                                 time.Duration
	memory                                                                 int64
	dir, module                                                            string
	match                                                                  *regexp.Regexp
}
