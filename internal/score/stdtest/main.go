// Command stdtest is the machine's score on the standard library's own tests. It runs every test function of a fixed
// list of packages natively and in the machine, and compares how each ends.
//
//	go run -C internal ./score/stdtest [-world] [-run regexp] [-test regexp] [-j 2] [-v]
//	go run -C internal ./score/stdtest -world -keep FILE [-stop 9m] [-wrong] [-build]
//
// With -world the packages are those whose tests use a network, files, pipes, signals or TLS. That takes over an hour.
// With -keep each outcome is written to a file as it comes, and the next run with the file goes on where this one
// stopped: at the time of -stop, or interrupted. The table says what is still to be run, and of how many builds of the
// machine the outcomes are. -wrong runs those again that were not right, -build those of another build.
//
// # What counts
//
// The tests are read where they stand, in GOROOT/src. Each test function, fuzz target and example with output of each
// package is run alone, once, from a fresh execution, as `heddle run -test -short -v -run '^Name$'` does. It is right
// if it ends as under `go test -short`: passed, skipped or failed. It is right too if it passes where it is skipped
// natively: a test that skips itself for root runs in the machine. Test functions make the score. Fuzz targets (their
// seeds, as plain tests) and examples are counted apart.
//
// Native results are kept in the user's cache folder, by toolchain. The limits are counts of instructions and bytes, so
// that the score does not depend on the host's load. There is also a minute of processor time. The limit of wall time
// is a safety net, and says so where it caught something.
//
// # The list of what is not right
//
// reasons.txt names each function that does not end as natively, with the reason. The command fails if a function that
// is not listed does not end so, or if one that is listed does. It prints both, and how many functions each reason has,
// the most frequent first. It also lists the test functions that called testing.AllocsPerRun, which is 0 in the
// machine.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heddle-go/heddle/internal/score/worker"
)

// packages are those of the score.
var packages = strings.Fields(`
	errors cmp slices maps sort strings bytes strconv unicode/utf8 unicode/utf16 container/heap container/list container/ring
	bufio io path text/tabwriter text/scanner text/template encoding/json encoding/binary encoding/base64 encoding/hex encoding/csv
	fmt regexp math math/bits math/big context sync sync/atomic net/url html hash/fnv hash/crc32 index/suffixarray log iter time
`)

// world are the packages of the world outside.
var world = strings.Fields(`
	net net/http net/http/httptest net/rpc net/smtp crypto/tls os os/signal io/fs path/filepath log/slog testing/fstest
	net/netip mime/multipart
`)

// extra are packages that can be asked for and do not belong to the score.
var extra = strings.Fields(`testing/synctest internal/synctest testing reflect unique weak unicode encoding/gob runtime/debug`)

// limits of one function.
var limits = worker.Limits{Steps: 2_000_000_000, Memory: 1 << 30, CPU: time.Minute, Wall: 10 * time.Minute}

const allocsPerRun = "testing.AllocsPerRun"

func main() {
	worker.Serve()
	pattern := flag.String("run", "", "only packages whose path matches this regular expression; some outside of the score can be named in full")
	test := flag.String("test", "", "only functions whose name matches this regular expression")
	outside := flag.Bool("world", false, "the packages whose tests use a network, files, pipes, signals or TLS")
	verbose := flag.Bool("v", false, "print every function, and what those that are not right wrote")
	jobs := flag.Int("j", runtime.NumCPU(), "number of worker processes")
	keep := flag.String("keep", "", "file of outcomes: functions that are in it are not run again, and others are added")
	stop := flag.Duration("stop", 0, "begin no function after this time")
	wrong := flag.Bool("wrong", false, "with -keep, run those functions again that were not right")
	build := flag.Bool("build", false, "with -keep, run those functions again whose outcome another build kept")
	flag.Parse()
	if *outside {
		limits.Steps *= 3 // signatures and certificates
	}
	k, err := newKept(*keep, *wrong, *build)
	if err != nil {
		fmt.Fprintln(os.Stderr, "stdtest:", err)
		os.Exit(1)
	}
	s := scorer{kept: k, verbose: *verbose}
	if *stop > 0 {
		s.until = time.Now().Add(*stop)
	}
	ok, err := s.score(choose(*outside, *pattern), *test, *jobs)
	if err != nil {
		fmt.Fprintln(os.Stderr, "stdtest:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// choose returns the packages of a set whose path matches a pattern. A package that the pattern names in full need not
// be of the set.
func choose(outside bool, pattern string) []string {
	if slices.Contains(slices.Concat(world, extra), pattern) {
		return []string{pattern}
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		fmt.Fprintln(os.Stderr, "stdtest: -run:", err)
		os.Exit(2)
	}
	set := packages
	if outside {
		set = world
	}
	return slices.DeleteFunc(slices.Clone(set), func(p string) bool { return !re.MatchString(p) })
}

// A scorer runs the functions of packages.
type scorer struct {
	nat     *native
	kept    *kept
	only    *regexp.Regexp // functions by name
	until   time.Time      // begin no function after it, if it is not zero
	verbose bool
}

func (s *scorer) score(paths []string, test string, jobs int) (ok bool, err error) {
	if s.only, err = regexp.Compile(test); err != nil {
		return false, err
	}
	known, err := readReasons()
	if err != nil {
		return false, err
	}
	if s.nat, err = newNative(); err != nil {
		return false, err
	}
	results := make([]*result, len(paths))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(jobs, max(len(paths), 1)) {
		wg.Go(func() {
			for i := range next {
				results[i] = s.runPackage(paths[i])
				results[i].progress(os.Stderr)
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	wg.Wait()
	ok = table(os.Stdout, results, known, test == "")
	s.kept.report(os.Stdout)
	return ok, nil
}

// A result is what the functions of one package did.
type result struct {
	path string
	err  error
	fns  []verdict
	left int // functions still to be run
}

// progress says what a run that is given up has found so far.
func (r *result) progress(w io.Writer) {
	right := 0
	for i := range r.fns {
		if r.fns[i].right() {
			right++
		}
	}
	fmt.Fprintf(w, "%s: %d of %d right\n", r.path, right, len(r.fns))
}

// A verdict is the comparison of one function.
type verdict struct {
	Name, Kind string // kind: test, fuzz target, example
	native     string
	machine    worker.Outcome
}

func (v *verdict) right() bool {
	return v.machine.End == v.native || v.machine.End == "pass" && v.native == "skip"
}

// group is the column that a function which is not right counts in.
func (v *verdict) group() string {
	switch v.machine.End {
	case "unsupported", "limit":
		return v.machine.End
	}
	return "fail"
}

// runPackage runs the functions of a package one by one.
func (s *scorer) runPackage(path string) *result {
	r := &result{path: path}
	want, err := s.nat.run(path)
	if err != nil {
		r.err = err
		return r
	}
	w := worker.New(worker.Job{
		Package: path, Dir: os.TempDir(), // outside of any module
		Args: []string{"-test.short", "-test.v"}, Asks: []string{allocsPerRun}, Limits: limits,
	})
	defer w.Stop()
	entries, err := w.Entries()
	if err != nil {
		r.err = err
		return r
	}
	for _, e := range entries {
		if !s.only.MatchString(e.Name) {
			continue
		}
		v := verdict{Name: e.Name, Kind: e.Kind}
		v.native = want[v.Name]
		if v.native == "" {
			r.err = fmt.Errorf("%s: go test did not run %s", path, v.Name)
			return r
		}
		s.runFunction(w, r, &v)
	}
	return r
}

// runFunction adds the outcome of a function to r: the kept one, or that of a run.
func (s *scorer) runFunction(w *worker.Client, r *result, v *verdict) {
	if o, ok := s.kept.outcome(r.path, v); ok {
		v.machine = o
		r.fns = append(r.fns, *v)
		return
	}
	if !s.until.IsZero() && time.Now().After(s.until) {
		r.left++
		return
	}
	v.machine = w.Run(v.Name)
	if _, reason, ok := strings.Cut(v.machine.Reason, "incomplete: "); ok { // without the position
		v.machine.Reason = reason
	}
	if err := s.kept.add(r.path, v); err != nil {
		r.err = err
	}
	r.fns = append(r.fns, *v)
	if s.verbose {
		v.print(os.Stderr, r.path)
	}
}
