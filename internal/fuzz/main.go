// Command fuzz compares the machine with the compiler on generated programs (package gogen).
//
//	go run -C internal ./fuzz [-n 1000] [-seed 1] [-batch 100] [-o dir] [-panics]
//	go run -C internal ./fuzz -replay file
//
// Each program is compiled and run natively, and run in the machine. Standard output, standard error and exit code have
// to be the same. Many programs share a binary, for linking is what costs. A program that differs is shrunk and written
// to a file, and the command that runs it again is printed with it. The command fails if there was one.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/heddle-go/heddle/internal/fuzz/gogen"
)

// makeProgram makes a program of bytes.
var makeProgram = gogen.Make

func main() {
	n := flag.Int("n", 1000, "number of programs")
	seed := flag.Uint64("seed", 1, "seed of the first program; the others follow")
	batch := flag.Int("batch", 200, "programs in one binary")
	dir := flag.String("o", ".", "folder for programs that differ")
	replay := flag.String("replay", "", "run this program again")
	print := flag.Bool("print", false, "print the program of -seed and stop")
	stop := flag.Int("stop", 5, "stop after this many differences")
	panics := flag.Bool("panics", false, "programs in which nearly every operand may panic (gogen.MakePanics)")
	noShrink := flag.Bool("noshrink", false, "keep programs that differ as they are")
	flag.Parse()
	if *panics {
		makeProgram = gogen.MakePanics
	}
	err := os.MkdirAll(*dir, 0o777) // before hours of work, not after
	switch {
	case err != nil:
	case *print:
		fmt.Println(source(*seed))
	case *replay != "":
		err = replayFile(*replay)
	default:
		err = fuzz(*n, *seed, *batch, *dir, *stop, !*noShrink)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// fuzz compares n programs.
func fuzz(n int, seed uint64, batch int, dir string, stop int, shrink bool) error {
	j, err := newJudge()
	if err != nil {
		return err
	}
	defer j.close()
	start := time.Now()
	invalid, differ := 0, 0
	for at := 0; at < n; at += batch {
		datas := make([][]byte, min(batch, n-at))
		for i := range datas {
			datas[i] = seedBytes(seed + uint64(at+i))
		}
		results, err := j.compare(datas)
		if err != nil {
			return fmt.Errorf("seeds %d to %d: %w", seed+uint64(at), seed+uint64(at+len(datas)-1), err)
		}
		for i, r := range results {
			s := seed + uint64(at+i)
			switch {
			case r.invalid != "":
				invalid++
				if invalid <= 10 {
					fmt.Printf("seed %d does not compile: %s\n", s, r.invalid)
				}
			case r.diff != "":
				differ++
				fmt.Printf("seed %d differs: %s\n", s, r.diff)
				if err := j.report(datas[i], s, dir, r.diff, shrink); err != nil {
					return err
				}
			}
		}
		fmt.Printf("%d programs, %d differ, %d do not compile, %.0fs\n", at+len(datas), differ, invalid, time.Since(start).Seconds())
		if differ >= stop {
			break
		}
	}
	if differ > 0 {
		return fmt.Errorf("%d programs differ", differ)
	}
	return nil
}
