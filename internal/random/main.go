// Command random compares random concurrent programs under the explorers with the oracle: see analysistest/progen.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/heddle-go/heddle/analysistest/progen"
)

func main() {
	n := flag.Int("n", 2000, "number of programs")
	seed := flag.Uint64("seed", 1, "seed of the first")
	executions := flag.Int("executions", 0, "executions of the oracle, for one program (default 1000)")
	most := flag.Int("failures", 10, "failures after which to stop")
	show := flag.Bool("show", false, "print the programs, and compare nothing")
	native := flag.Int("native", 0, "runs of each compiled program; 0 is none")
	race := flag.Bool("race", false, "native: with the race detector")
	flag.Parse()
	debug.SetGCPercent(800) // most of the heap is the standard library's syntax
	if *show {
		for s := *seed; s < *seed+uint64(*n); s++ {
			f, err := progen.File([]*progen.Program{progen.Generate(s, progen.Size(s))})
			if err != nil {
				fmt.Fprintln(os.Stderr, s, err)
				os.Exit(2)
			}
			os.Stdout.Write(f)
		}
		return
	}
	if *native > 0 {
		os.Exit(runNative(*seed, *n, *native, *race, *most))
	}
	began := time.Now()
	failures := 0
	const chunk = 1000
	var all progen.Tally
	for at := *seed; at < *seed+uint64(*n) && failures < *most; at += chunk {
		t, err := progen.Run(at, min(chunk, int(*seed+uint64(*n)-at)), progen.Config{Executions: *executions}, func(f progen.Failure) {
			if failures++; failures <= *most {
				report(f)
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

func report(f progen.Failure) {
	fmt.Printf("seed %d, size %d:\n%s\n", f.Program.Seed, f.Program.Size, f.Program.Func("P"))
	for i, p := range f.Result.Problems {
		if i == 4 {
			fmt.Printf("... %d more\n", len(f.Result.Problems)-i)
			break
		}
		fmt.Println(p)
	}
}

// runNative compares the compiled programs with the oracle, some hundred at a time.
func runNative(seed uint64, n, runs int, race bool, most int) int {
	var all progen.NativeTally
	failures := 0
	const chunk = 500
	for at := seed; at < seed+uint64(n) && failures < most; at += chunk {
		x, err := progen.NewNative(at, min(chunk, int(seed+uint64(n)-at)), 1000)
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
		all.Add(t)
		fmt.Printf("%d: %+v, %d failures\n", at, all, failures)
	}
	if failures > 0 {
		return 1
	}
	return 0
}
