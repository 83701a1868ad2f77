// Command random compares random concurrent programs under the explorers with the oracle: see analysistest/progen.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/heddle-go/heddle/analysistest/pairgen"
	"github.com/heddle-go/heddle/analysistest/progen"
	"github.com/heddle-go/heddle/analysistest/progen/own"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	entries "github.com/heddle-go/heddle/program"
)

func main() {
	n := flag.Int("n", 2000, "number of programs")
	seed := flag.Uint64("seed", 1, "seed of the first")
	executions := flag.Int("executions", 0, "executions of the oracle, for one program (default 1000)")
	most := flag.Int("failures", 10, "failures after which to stop")
	show := flag.Bool("show", false, "print the programs, and compare nothing")
	native := flag.Int("native", 0, "runs of each compiled program; 0 is none")
	race := flag.Bool("race", false, "native: with the race detector, whose reports are compared too")
	file := flag.String("file", "", "compare the programs of this file instead")
	explorers := flag.String("explorer", "", "explorers to compare, comma-separated; formulas for those by formulas, with each source of dependence; all others if empty")
	dir := flag.String("o", os.TempDir(), "folder for the files of failing programs")
	timing := flag.String("timing", "", "compare programs with timers, in the second regime of time: structural or all")
	flows := flag.Bool("flows", false, "compare programs of branches, loops, calls, closures, phis and indices that depend on what was read")
	counters := flag.Bool("deps", false, "compare programs with counters that mostly nobody acts upon, under the default explorer with -deps=dynamic")
	copies := flag.Bool("copies", false, "compare programs that use locks as memory, change a sync.Map in its Range, or try RWMutexes")
	others := flag.Bool("others", false, "compare programs in which goroutines are counted, or locks are package variables")
	bubbles := flag.Bool("bubbles", false, "compare tests whose goroutines are in a bubble of testing/synctest")
	early := flag.Int("early", 0, "with -timing=all: only so many firings of a run, and sleeps of each goroutine, may be early; 0 means as many as may")
	sockets := flag.Bool("sockets", false, "compare clients and servers over net.Pipe, io.Pipe, os.Pipe, TCP, UDP and unix sockets")
	sleeps := flag.Bool("sleeps", false, "with -timing: compare programs that know time by sleeps alone, or by sleeps and a timer that is started before all else")
	rounds := flag.Bool("rounds", false, "compare programs with goroutines that go round, for ever or until another one has done something")
	observed := flag.Bool("observed", false, "compare programs with races behind what goroutines observe of each other")
	scarce := flag.Bool("scarce", false, "explore each program again with limits of work around what it takes, and compare all that is called exhausted")
	testMain := flag.Bool("main", false, "compare tests and examples under a TestMain")
	process := flag.Bool("process", false, "compare main programs: the process ends with them, whatever their goroutines would do")
	files := flag.Bool("files", false, "likewise, tests with operations on files that are told apart")
	api := flag.Bool("api", false, "compare tests over the API of testing, sync, context, os and runtime, by what they see")
	beside := flag.Bool("pairs", false, "compare operations of the standard library beside others, in the orders that they are performed in natively")
	worlds := flag.String("worlds", "", "with -pairs: of these tables alone, comma-separated")
	program := flag.String("program", "", "with -pairs: compare this program, and show it")
	record := flag.String("record", "", "with -pairs: write those that are exhausted, and do not differ, with what they did natively, to this file")
	memory := flag.String("memory", "sc", "memory model: sc, tso or pso, or all, each with the next; the explorers compared are systematic and union, if -explorer says nothing else")
	weak := flag.Bool("weak", false, "compare programs of few plain accesses to few variables, for which memory models differ")
	robust := flag.Bool("robustness", false, "with -memory: compare the check robustness with what brute force meets under that model and not otherwise")
	flag.Parse()
	if *beside {
		os.Exit(runPairs(*seed, *n, *worlds, *explorers, *program, *record, *most, *show))
	}
	regime := progen.Regime{Timing: explore.Timing(*timing), Early: *early, Robust: *robust}
	if t := regime.Timing; t != "" && t != explore.TimingStructural && t != explore.TimingAll {
		fmt.Fprintln(os.Stderr, "-timing is structural or all")
		os.Exit(2)
	}
	if *early < 0 || *early > 0 && regime.Timing != explore.TimingAll {
		fmt.Fprintln(os.Stderr, "-early is positive, and goes with -timing=all")
		os.Exit(2)
	}
	if regime.Models = *memory == "all"; !regime.Models {
		var err error
		if regime.Memory, err = event.ParseMemoryModel(*memory); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	if (regime.Models || regime.Memory != event.SC) && *explorers == "" {
		*explorers = "systematic,union"
	}
	if *explorers != "" {
		var err error
		if progen.Subjects, err = own.Select(strings.Split(*explorers, ",")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	regime.Rounds, regime.Sockets, regime.Scarce = *rounds, *sockets, *scarce
	if *counters && *explorers == "" {
		progen.Subjects = own.Ignoring
	}
	debug.SetGCPercent(800) // most of the heap is the standard library's syntax
	if *process {
		progen.Plain = entries.Main
	}
	config := progen.Config{Executions: *executions, Regime: regime}
	for _, k := range []struct {
		asked bool
		kind  progen.Kind
	}{
		{*bubbles, progen.Bubbles}, {*copies, progen.Copies}, {*counters, progen.Counters}, {*flows, progen.Flows}, {*testMain, progen.Main},
		{*observed, progen.Observed}, {*others, progen.Others}, {*rounds, progen.Rounds}, {*sleeps, progen.Sleeps}, {*sockets, progen.Sockets}, {*weak, progen.Weak},
	} {
		if k.asked && config.Kind.Draw != nil {
			fmt.Fprintln(os.Stderr, "one kind of programs at a time")
			os.Exit(2)
		}
		if k.asked {
			config.Kind = k.kind
		}
	}
	if *api || *files {
		if *native > 0 {
			os.Exit(runNativeAPI(*seed, *n, *native, *executions, *race, *most, *files))
		}
		os.Exit(runAPI(*seed, *n, *executions, *most, *show, *files))
	}
	if *show {
		for s := *seed; s < *seed+uint64(*n); s++ {
			f, err := progen.File([]*progen.Program{config.Draw(s)})
			if err != nil {
				fmt.Fprintln(os.Stderr, s, err)
				os.Exit(2)
			}
			os.Stdout.Write(f)
		}
		return
	}
	if *file != "" {
		os.Exit(replay(*file, *executions, regime))
	}
	if *native > 0 {
		os.Exit(runNative(*seed, *n, *native, *race, *most, config))
	}
	began := time.Now()
	failures := 0
	chunk := 1000
	if regime.Models { // loading a package takes long beside its programs, which are small
		chunk, config.Batch = 2500, 2500
	}
	var all progen.Tally
	for at := *seed; at < *seed+uint64(*n) && failures < *most; at += uint64(chunk) {
		t, err := progen.Run(at, min(chunk, int(*seed+uint64(*n)-at)), config, func(f progen.Failure) {
			if failures++; failures <= *most {
				report(f, *dir, regime)
			}
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		all.Add(t)
		fmt.Printf("%d: %+v, %d failures, %.0fs\n", at, all, failures, time.Since(began).Seconds())
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// runAPI compares programs over the API of the standard library.
func runAPI(seed uint64, n, executions, most int, show, files bool) int {
	var all progen.Tally
	failures := 0
	for at := seed; at < seed+uint64(n) && failures < most; at += 100 {
		if show {
			for s := at; s < min(at+100, seed+uint64(n)); s++ {
				draw := progen.GenerateAPI
				if files {
					draw = progen.GenerateFiles
				}
				fmt.Println(draw(s, min(progen.Size(s), 6)).Func(fmt.Sprint("P", s)))
			}
			continue
		}
		t, err := progen.RunAPI(at, min(100, int(seed+uint64(n)-at)), progen.Config{Executions: executions, Files: files}, func(f progen.Failure) {
			if failures++; failures <= most {
				fmt.Printf("seed %d, size %d\n%s\n", f.Program.Seed, f.Program.Size, f.Program.Func("P"))
				problems(f.Result)
			}
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		all.Add(t)
		fmt.Printf("%d: %+v, %d failures\n", at, all, failures)
	}
	if failures > 0 {
		return 1
	}
	return 0
}

// runPairs compares operations of the standard library beside others.
func runPairs(seed uint64, n int, worlds, explorer, program, record string, most int, show bool) int {
	debug.SetGCPercent(400)
	failures := 0
	var lines strings.Builder
	seen := func(r *pairgen.Result) {
		if len(r.Notes) > 0 && show {
			fmt.Println(r.Text())
		}
		if len(r.Notes) == 0 && len(r.Problems) == 0 && r.Verdict == "exhausted" {
			fmt.Fprintln(&lines, r.Record())
		}
	}
	fail := func(r *pairgen.Result) {
		if failures++; failures <= most {
			fmt.Println(r.Text())
		}
	}
	if program != "" {
		r, err := pairgen.Replay(program, explorer)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		fmt.Println(r.Text())
		for _, o := range slices.Sorted(maps.Keys(r.Native.Outcomes)) {
			fmt.Printf("order %s: %s\n", r.Native.Outcomes[o], o)
		}
		return min(1, len(r.Problems))
	}
	var c pairgen.Config
	if worlds != "" {
		c.Worlds = strings.Split(worlds, ",")
	}
	var all pairgen.Tally
	for at := seed; at < seed+uint64(n) && failures < most; at += pairgen.Batch {
		t, err := pairgen.Run(at, min(pairgen.Batch, int(seed+uint64(n)-at)), c, explorer, fail, seen)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		all.Add(t)
		fmt.Printf("%d: %s; %d failures\n", at, &all, failures)
	}
	if record != "" {
		if err := os.WriteFile(record, []byte(lines.String()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
	for _, r := range slices.Sorted(maps.Keys(all.Reasons)) {
		fmt.Printf("%d: %s\n", all.Reasons[r], r)
	}
	return min(1, failures)
}

// report shrinks a failing program to a file, and says how to replay it.
func report(f progen.Failure, dir string, regime progen.Regime) {
	p, r, err := progen.Shrink(f.Program, 5000, regime)
	if err != nil {
		fmt.Printf("seed %d: not made smaller: %v\n", f.Program.Seed, err)
		p, r = f.Program, f.Result
	}
	text, err := progen.File([]*progen.Program{p})
	name := filepath.Join(dir, fmt.Sprintf("random-%d.go", p.Seed))
	if err == nil {
		err = os.WriteFile(name, text, 0o644)
	}
	if err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s\n", text)
	problems(r)
	fmt.Printf("replay with: go run -C internal ./random%s -file %s\n", regime, name)
}

func problems(r *progen.Result) {
	for i, p := range r.Problems {
		if i == 4 {
			fmt.Printf("... %d more\n", len(r.Problems)-i)
			break
		}
		fmt.Println(p)
	}
}

// replay compares the programs of a file.
func replay(file string, executions int, regime progen.Regime) int {
	text, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	rs, err := progen.CompareFile(text, max(executions, 5000), regime)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	code := 0
	for i, r := range rs {
		fmt.Printf("%s: %d outcomes, %d races, %d blocked sets %s\n", progen.Name(i), len(r.Oracle.Outcomes), len(r.Oracle.Races), len(r.Oracle.Blocked), r.TooLarge)
		if problems(r); len(r.Problems) > 0 || r.TooLarge != "" {
			code = 1
		}
	}
	return code
}

// runNativeAPI compares compiled programs over the API of the standard library with the machine.
func runNativeAPI(seed uint64, n, runs, executions int, race bool, most int, files bool) int {
	return compareNative(seed, n, 100, most, runs, race, func(at uint64, n int) (*progen.Native, int, error) {
		return progen.NewNativeAPI(at, n, cmp.Or(executions, 1000), files)
	})
}

// runNative compares compiled programs with the oracle.
func runNative(seed uint64, n, runs int, race bool, most int, c progen.Config) int {
	c.Executions = cmp.Or(c.Executions, 1000)
	return compareNative(seed, n, 500, most, runs, race, func(at uint64, n int) (*progen.Native, int, error) {
		x, err := progen.NewNative(at, n, c)
		return x, 0, err
	})
}

// compareNative compares n programs from seed on with their compiled selves, chunk of them at a time. prepare draws and
// explores them, and says how many are too large to be explored.
func compareNative(seed uint64, n, chunk, most, runs int, race bool, prepare func(at uint64, n int) (x *progen.Native, large int, err error)) int {
	var all progen.NativeTally
	failures, large := 0, 0
	end := seed + uint64(n)
	for at := seed; at < end && failures < most; at += uint64(chunk) {
		x, l, err := prepare(at, min(chunk, int(end-at)))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		t, problems, err := x.Run(runs, race)
		for _, p := range problems {
			if failures++; failures <= most {
				fmt.Println(p)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		large += l
		all.Add(t)
		fmt.Printf("%d: %+v, %d not exhausted, %d failures\n", at, all, large, failures)
	}
	if failures > 0 {
		return 1
	}
	return 0
}
