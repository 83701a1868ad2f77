// Command session tries what somebody meets who calls heddle on a large module: three modules of a hundred tests each,
// two of which are stress tests.
//
//	go run -C internal ./score/session [-run regexp] [-moments 10] [-v]
//
// # What must hold
//
//   - The first entry has its line within five seconds of processor time. (The time by the clock is printed as well. It
//     is as long as others let it be.)
//   - Every entry has a line, and a line of -stats.
//   - Interrupted at any moment, heddle ends by itself. What it has written before is what it writes without an
//     interrupt, up to there. Each entry that has a line is in -stats, and says there what it says without an
//     interrupt, times apart.
//
// Interrupts come when so many lines have been written. These moments are spread over all lines of the modules, the
// stress tests' at the end among them.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/heddle-go/heddle/internal/tree"
)

// firstWithin is the processor time within which the first entry has its line.
const firstWithin = 5 * time.Second

func main() {
	pattern := flag.String("run", "", "only modules whose name matches this `REGEXP`")
	moments := flag.Int("moments", 10, "at how many moments heddle is interrupted, of all modules together")
	verbose := flag.Bool("v", false, "print what heddle writes without an interrupt")
	flag.Parse()
	bad, err := score(*pattern, *moments, *verbose)
	if err == nil && bad > 0 {
		err = fmt.Errorf("%d faults", bad)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "session:", err)
		os.Exit(1)
	}
}

func score(pattern string, moments int, verbose bool) (bad int, err error) {
	re, err := regexp.Compile(pattern)
	if err == nil {
		err = tree.Enter()
	}
	if err != nil {
		return 0, err
	}
	tmp, err := os.MkdirTemp("", "session")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	exe := filepath.Join(tmp, "heddle")
	if out, err := exec.Command("go", "build", "-o", exe, "./cmd/heddle").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("go build ./cmd/heddle: %w\n%s", err, out)
	}
	fmt.Println("| module | entries | first line, processor | by the clock | all, processor | moments of interrupts, in lines | faults |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- |")
	for i, m := range modules {
		if !re.MatchString(m.name) {
			continue
		}
		s := &subject{exe: exe, dir: filepath.Join(tmp, m.name), stats: filepath.Join(tmp, m.name+".json")}
		if err := m.write(s.dir); err != nil {
			return bad, err
		}
		faults, err := s.try(m, moments*(i+1)/len(modules)-moments*i/len(modules), verbose)
		for _, f := range faults {
			fmt.Printf("%s: %s\n", m.name, f)
		}
		if bad += len(faults); err != nil {
			return bad, err
		}
	}
	return bad, nil
}

// try runs heddle in one module, without an interrupt and then with some. It returns what does not hold.
func (s *subject) try(m module, moments int, verbose bool) (faults []string, err error) {
	whole, err := s.run(0)
	if err != nil {
		return nil, err
	}
	if verbose {
		fmt.Print(whole.text)
	}
	faults = whole.complete(tests)
	if whole.first > firstWithin {
		faults = append(faults, fmt.Sprintf("the first line comes after %.1f s of processor time", whole.first.Seconds()))
	}
	var at []int
	for i := range moments {
		n := 1 + i*(whole.lines-2)/max(1, moments-1)
		cut, err := s.run(n)
		if err != nil {
			return faults, err
		}
		at = append(at, n)
		for _, f := range cut.against(whole) {
			faults = append(faults, fmt.Sprintf("interrupted after %d lines: %s", n, f))
		}
	}
	fmt.Printf("| %s | %d | %.1f s | %.1f s | %.1f s | %v | %d |\n", m.name, len(whole.stats), whole.first.Seconds(), whole.firstClock.Seconds(), whole.took.Seconds(), at, len(faults))
	return faults, nil
}
