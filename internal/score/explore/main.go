// Command explore runs the benchmark programs of analysistest/testdata/bench under each explorer.
//
//	go run -C internal ./score/explore [-explorers union,systematic] [-run regexp] [-executions n] [-times n]
//		[-workers n] [-alone] [-memory model] [-processor] [-cpuprofile file]
//	go run -C internal ./score/explore -reduction [-same] [-dir folders] [-run regexp] [-executions n] [-modules n]
//		[-dependence regexp]
//
// Per program and explorer the first form prints executions, replays, classes, histories, states, and milliseconds: of
// the machine, of the witnesses (their replays with all that belongs to it), and of the exploration without these.
// Loading is left out, with the collection of what it leaves behind. Each program is explored several times, and the
// shortest time is printed: the machine compiles a function when it is first called. With -processor the collector is
// off, and the time that the exploring thread had the processor is printed too, in milliseconds, with its kilobytes: on
// a busy computer only these can be compared.
//
// The second form prints what the explorers by formulas demand: reads that keep their value and constraints, summed
// over all questions, with the share of what full validity demands, and the unweighted mean of the shares. The programs
// are those of analysistest/testdata/reduction, or of other folders (comma-separated; module@version/package is one of
// another module, which is downloaded). Each explorer explores for itself. With -same all are asked the questions that
// full validity leads to.
//
// Paths are relative to the root of the repository.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"text/tabwriter"
	"unsafe"

	"github.com/heddle-go/heddle/internal/tree"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/runner/heap"
)

func main() {
	named := flag.String("explorers", "union,systematic", "explorers, comma-separated")
	run := flag.String("run", ".", "regular expression of entries")
	executions := flag.Int("executions", 20000, "limit of executions")
	dir := flag.String("dir", "", "folder of the programs")
	reduces := flag.Bool("reduction", false, "compare the explorers by formulas")
	which := flag.String("dependence", ".", "with -reduction: regular expression of what is compared with full validity")
	others := flag.Int("modules", 0, "with -reduction: limit of executions of an entry of another module; 0: that of -executions")
	same := flag.Bool("same", false, "with -reduction: ask each the questions of one exploration, instead of having each explore")
	times := flag.Int("times", 2, "how often each program is explored; the shortest time is printed")
	workers := flag.Int("workers", 1, "goroutines that explore")
	alone := flag.Bool("alone", false, "union does not hand over to another explorer, and says why it cannot go on")
	merge := flag.String("merge", "on", "explorer union: on, or off: nodes of its graphs are histories, and goroutines with equal futures are told apart")
	memory := flag.String("memory", "sc", "memory model: sc, tso or pso")
	processor := flag.Bool("processor", false, "print what time the exploring thread had, and what it allocated")
	cpu := flag.String("cpuprofile", "", "file to write a processor profile to")
	flag.Parse()
	heap.Manage() // as heddle does
	if err := tree.Enter(); err != nil {
		fmt.Fprintln(os.Stderr, "explore:", err)
		os.Exit(1)
	}
	if *cpu != "" {
		f, err := os.Create(*cpu)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "explore:", err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	if *reduces {
		if *dir == "" {
			*dir = "analysistest/testdata/reduction"
		}
		if err := reduce(strings.Split(*dir, ","), *run, *which, *same, *executions, cmp.Or(*others, *executions)); err != nil {
			fmt.Fprintln(os.Stderr, "explore:", err)
			os.Exit(1)
		}
		return
	}
	if *dir == "" {
		*dir = "analysistest/testdata/bench"
	}
	model, err := event.ParseMemoryModel(*memory)
	if err == nil {
		err = score(*dir, strings.Split(*named, ","), *run, *executions, *times, *workers, *alone, *merge == "off", *processor, model)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "explore:", err)
		os.Exit(1)
	}
}

func reduce(dirs []string, run, which string, same bool, executions, others int) error {
	match, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	only, err := regexp.Compile(which)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "reduction")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	loads, err := loadAll(dirs, tmp)
	switch {
	case err != nil:
		return err
	case same:
		return alike(loads, match.MatchString, executions, others)
	}
	return reduction(loads, match.MatchString, only.MatchString, executions, others)
}

func score(dir string, named []string, run string, executions, times, workers int, alone, apart, processor bool, model event.MemoryModel) error {
	match, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	cfg := closure.Config(dir)
	cfg.Tests = true
	l, err := program.List(cfg, ".")
	if err != nil {
		return err
	}
	if len(l.Errors) > 0 {
		return l.Errors[0]
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		return err
	}
	m := machine.New(p, machine.Config{})
	if err := m.Prepare(); err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\texplorer\tverdict\texecutions\treplays\tclasses\tredundant\trestored\thistories\tstates\tmachine ms\twitnesses ms\texplore ms\tthread ms\tkB")
	if processor {
		runtime.LockOSThread()
		debug.SetGCPercent(-1)
	}
	for _, e := range p.Entries {
		if !match.MatchString(e.Name) {
			continue
		}
		for _, name := range named {
			var best *explore.Result
			took, kilobytes := int64(math.MaxInt64), uint64(math.MaxUint64)
			for range times {
				x, err := explorers.New(name)
				if err != nil {
					return err
				}
				if u, ok := x.(*union.Explorer); ok {
					u.Alone, u.Workers, u.Apart = alone, workers, apart
				}
				runtime.GC()
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				began := ofThread()
				r := x.Explore(explore.InMemory(m.Entry(e), model), explore.Limits{Executions: executions})
				took = min(took, ofThread()-began)
				runtime.ReadMemStats(&after)
				kilobytes = min(kilobytes, (after.TotalAlloc-before.TotalAlloc)/1024)
				if best == nil || exploring(r) < exploring(best) {
					best = r
				}
			}
			r, s := best, best.Stats
			verdict := string(r.Verdict)
			if r.Reason != "" {
				verdict += ": " + r.Reason
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.2f\t%d\n", e.Name, name, verdict, s.Executions, s.Replays, s.Classes,
				s.Redundant, s.Restored, s.Histories, s.States, float64(s.MachineNS)/1e6, float64(s.WitnessNS)/1e6, float64(exploring(r))/1e6,
				float64(took)/1e6, kilobytes)
			w.Flush()
		}
	}
	return nil
}

// exploring is the time of an exploration without its witnesses, in nanoseconds.
func exploring(r *explore.Result) int64 { return r.Stats.WallNS - r.Stats.WitnessNS }

// ofThread is the processor time of the calling thread, in nanoseconds. It means something only with -processor.
func ofThread() int64 {
	const clock = 3 // CLOCK_THREAD_CPUTIME_ID
	var at syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&at)), 0)
	return at.Nano()
}
