package runner

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/driver"
	"github.com/heddle-go/heddle/runner/heap"
	"github.com/heddle-go/heddle/runner/since"
)

// This file is the command without a name. Entries take turns (passes/exploration/turns.go), so that small ones are
// reported first. What is known of an entry is written as soon as it stands: its line, its statistics, and its
// findings, if they are written as text. Other forms, and what is said of a package as a whole, follow when the checks
// have seen it. A signal ends the exploration:
//
//   - At the first SIGINT or SIGTERM the execution at work is cut off, and its entry keeps what it has found. The
//     entries that follow in its package are written as not explored, and the packages that follow are counted.
//   - Then all goes on as at a normal end: findings, reports in files, totals. A baseline is not written, for it would
//     lack findings.
//   - The exit code is that of findings if there are any, and else that of work that was not done.
//   - A second signal does what it does to a program that does not handle it.

// patience is about what it takes to initialise a program.
const patience = 50 * time.Millisecond

// check is `heddle [flags] packages`.
func check(opts *options, std Streams) (int, error) {
	if err := opts.goFilesHere(); err != nil {
		return exitFailure, err
	}
	heap.Limit(int64(opts.heap) << 20)
	stop := new(explore.Stop)
	told := newProgress(std.Err)
	defer onSignal(func() {
		stop.Ask()
		if told.shown {
			fmt.Fprintln(std.Err, "\nheddle: interrupted (a second time: end at once)")
		}
	})()
	return (&checking{opts: opts, std: std, stop: stop, told: told, patience: patience}).run()
}

// onSignal calls f at the first signal that asks heddle to end. The function that it returns undoes that.
func onSignal(f func()) (undo func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			signal.Stop(signals) // the second does what it would
			f()
		case <-done:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// A checking is one run of the command.
type checking struct {
	opts *options
	std  Streams
	stop *explore.Stop
	told *progress
	each func() // called after each execution; for tests

	patience time.Duration // exploration.Slots

	cached   func() // says what the cache had to say
	since    *since.Since
	p        *printer
	sum      summary
	stats    *statsFile
	reported int // diagnostics
}

func (c *checking) run() (int, error) {
	c.p = newPrinter(c.opts, c.std.Out, c.std.Err)
	c.sum = summary{w: c.std.Err, style: c.opts.color.Style(c.std.Err)}
	c.stats = newStatsFile(c.opts.stats)
	var err error
	if c.cached, err = openCache(c.opts.cache, c.std.Err); err != nil {
		return exitFailure, err
	}
	if err := c.openSince(); err != nil {
		c.cached()
		return exitFailure, err
	}
	err = driver.Run(closure.Config("", c.opts.buildFlags()...), c.watcher(), c.opts.analyzers, c.opts.patterns, c.analysed)
	c.told.clear()
	err = c.interrupted(err)
	if err == nil && !c.sum.interrupted {
		err = c.sum.unmatched(c.opts)
	}
	if failed := c.stats.close(); failed != nil {
		err = errors.Join(err, fmt.Errorf("-stats=%s: %w", c.opts.stats, failed))
	}
	return c.finish(err)
}

// openSince looks for what has changed, if it is asked for (-new-from-rev).
func (c *checking) openSince() (err error) {
	exploration.NewSince = nil
	if c.opts.newFromRev == "" {
		return nil
	}
	if c.since, err = since.Open(".", c.opts.newFromRev, c.opts.buildFlags()...); err != nil {
		return err
	}
	exploration.NewSince, c.p.accepted.since = c.since, c.opts.newFromRev
	if of := exploration.SpecialOf; of != nil { // what heddle.yaml says of folders holds for what was in them too
		exploration.SpecialOf = func(pkg, dir, entry string) exploration.Special { return of(pkg, c.since.Then(dir), entry) }
	}
	return nil
}

// closeSince says what could not be told, and removes what was written.
func (c *checking) closeSince() error {
	exploration.NewSince = nil
	if c.since == nil {
		return nil
	}
	for _, why := range c.since.Failed() {
		fmt.Fprintf(c.std.Err, "heddle: %s\n", why)
	}
	return c.since.Close()
}

// watcher has the exploration write what is known as soon as it is.
func (c *checking) watcher() exploration.Watcher {
	slots := c.opts.beside
	if c.opts.budget > 0 {
		slots = 1 // what an entry has of a budget depends on those before it
	}
	beside := exploration.NewSlots(slots, uint64(c.opts.heap)<<20)
	beside.Patience = c.patience
	return exploration.Watcher{
		Slots: beside,
		Stop:  c.stop,
		Turns: &exploration.Turns{Budget: int64(c.opts.budget) * 1_000_000},
		Progress: func(at explore.Place, x explore.Progress) {
			c.told.tell(at, x)
			if c.each != nil {
				c.each()
			}
		},
		Began: func(r *exploration.Result, entries []string) {
			c.told.clear()
			c.sum.began(r.Package, entries)
		},
		Settled: func(r *exploration.Result, e *exploration.EntryResult) {
			c.told.clear()
			c.stats.add(r.Package, e)
			c.sum.again(r)
			c.sum.settled(e)
			c.p.settled(r, e)
		},
	}
}

// analysed is called with each package that was looked at.
func (c *checking) analysed(pkg *driver.Package) error {
	c.told.clear()
	diagnostics, findings := c.p.print(pkg)
	c.reported += diagnostics
	c.sum.add(pkg, findings)
	c.p.page.add(pkg)
	if pkg.Exploration != nil {
		for i := range pkg.Exploration.Pairs {
			c.stats.add(pkg.Path, &pkg.Exploration.Pairs[i])
		}
	}
	return nil
}

// interrupted takes out of an error that packages are left, and says so.
func (c *checking) interrupted(err error) error {
	var rest []error
	for _, e := range flatten(err) {
		if left, ok := e.(driver.Left); ok {
			c.sum.interrupted = true
			fmt.Fprintf(c.std.Err, "heddle: %v\n", left)
			continue
		}
		rest = append(rest, e)
	}
	return errors.Join(rest...)
}

// finish writes what is written once, and says how the command ends.
func (c *checking) finish(err error) (int, error) {
	opts, p := c.opts, c.p
	if opts.html != "" {
		err = errors.Join(err, p.page.write(opts.html))
	}
	switch {
	case opts.writeBaseline == "":
	case err != nil || c.sum.interrupted:
		err = errors.Join(err, fmt.Errorf("-write-baseline=%s: it was not written, for not everything could be explored", opts.writeBaseline))
	default:
		err = p.accepted.write(opts.writeBaseline, c.std.Err)
	}
	if opts.fix {
		err = errors.Join(err, p.fixes.write())
		c.reported = p.fixes.failed
	}
	p.close()
	err = errors.Join(err, opts.write(p.gather, c.std.Out, err))
	err = errors.Join(err, c.closeSince())
	c.sum.accepted = p.accepted.counts()
	c.sum.print()
	c.cached()
	switch {
	case err != nil:
		return exitFailure, err
	case c.reported > 0:
		return exitFindings, nil
	case c.sum.interrupted:
		return exitFailure, nil
	}
	return exitOK, nil
}

// unmatched is the error that -run matches no entry of any package.
func (s *summary) unmatched(o *options) error {
	re := exploration.Analyzer.Flags.Lookup("run").Value.String()
	if re == "" || s.matched > 0 {
		return nil
	}
	return fmt.Errorf("-run %q matches no entry of %s; %s", re, strings.Join(o.patterns, " "), listNames(s.names))
}

// listNames names what there is, as far as a line has room.
func listNames(names []string) string {
	const most = 10
	switch n := len(names); {
	case n == 0:
		return "there are none"
	case n > most:
		return fmt.Sprintf("there are %s and %d more", strings.Join(names[:most], ", "), n-most)
	}
	return "there are " + strings.Join(names, ", ")
}
