package runner

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/driver"
)

// check is `heddle [flags] packages`.
func check(opts *options, std Streams) (int, error) {
	var stats bytes.Buffer
	p := newPrinter(opts, std.Out, std.Err)
	sum := summary{style: opts.color.Style(std.Err)}
	reported := 0
	told := newProgress(std.Err)
	err := driver.Run(closure.Config("", opts.buildFlags()...), told.tell, opts.analyzers, opts.patterns, func(pkg *driver.Package) error {
		told.clear()
		diagnostics, findings := p.print(pkg)
		reported += diagnostics
		sum.add(pkg, findings)
		p.page.add(pkg)
		return writeStats(&stats, pkg)
	})
	if err == nil {
		err = sum.unmatched(opts)
	}
	if opts.stats != "" {
		if failed := writeWhole(opts.stats, stats.Bytes()); failed != nil {
			err = errors.Join(err, fmt.Errorf("-stats=%s: %w", opts.stats, failed))
		}
	}
	if opts.html != "" {
		err = errors.Join(err, p.page.write(opts.html))
	}
	switch {
	case opts.writeBaseline == "":
	case err != nil:
		err = errors.Join(err, fmt.Errorf("-write-baseline=%s: it was not written, for not everything could be explored", opts.writeBaseline))
	default:
		err = p.accepted.write(opts.writeBaseline, std.Err)
	}
	if opts.fix {
		err = errors.Join(err, p.fixes.write())
		reported = p.fixes.failed
	}
	p.close()
	err = errors.Join(err, opts.write(p.gather, std.Out, err))
	told.clear()
	sum.accepted = p.accepted.counts()
	sum.print(std.Err)
	switch {
	case err != nil:
		return exitFailure, err
	case reported > 0:
		return exitFindings, nil
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
