// Package graph is `heddle graph`: the dependence graph of closed programs, or a slice of it.
package graph

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/passes/buildsdg"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/runner/cmdline"
	"github.com/heddle-go/heddle/sdg"
)

// Usage is the form of the command.
const Usage = "usage: heddle graph [-from file.go:line[:column]] [-forward] [-implicit] [-all] [-format dot|json] [-stats file] packages"

// Options are the arguments of `heddle graph`.
type Options struct {
	from     string
	forward  bool
	implicit bool
	all      bool
	format   string
	Stats    string // a file for sizes and times
	patterns []string
}

// Write writes the dependence graph of the closed program of each package, as far as the package's own functions go, or
// a slice of it. Short makes the name of a file as it is to be shown.
func (o *Options) Write(w io.Writer, short func(string) string) error {
	cfg := closure.Config("")
	cfg.LateBodies = false // all of them are looked at
	listing, err := program.List(cfg, o.patterns...)
	if err != nil {
		return err
	}
	if len(listing.Errors) > 0 {
		return listing.Errors
	}
	stats := io.Discard
	if o.Stats != "" {
		f, err := os.Create(o.Stats)
		if err != nil {
			return fmt.Errorf("-stats: %w", err)
		}
		defer func() { _ = f.Close() }() // an error of Write has been seen
		stats = f
	}
	universe := program.NewUniverse(cfg)
	for _, r := range listing.Recipes {
		if !r.HasEntries() {
			err = errors.Join(err, fmt.Errorf("%s has no tests and is no main package: there is no closed program", r.Path))
			continue
		}
		p, buildErr := universe.Build(r)
		if buildErr != nil {
			err = errors.Join(err, buildErr)
			continue
		}
		if writeErr := o.write(p, w, stats, short); writeErr != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", r.Path, writeErr))
		}
	}
	return err
}

// FlagSet declares the flags.
func (o *Options) FlagSet() *flag.FlagSet {
	fs := flag.NewFlagSet("heddle graph", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.from, "from", "", "the slice of what stands at this position instead of the graph")
	fs.BoolVar(&o.forward, "forward", false, "what depends on -from, not what it depends on")
	fs.BoolVar(&o.implicit, "implicit", false, "count run-time panics and calls that may not return as branches")
	fs.BoolVar(&o.all, "all", false, "functions of all packages")
	fs.StringVar(&o.format, "format", "dot", "dot or json")
	fs.StringVar(&o.Stats, "stats", "", "write sizes and times to a file, one JSON object a line")
	return fs
}

// Take takes the packages.
func (o *Options) Take(args []string) error {
	patterns, err := cmdline.Packages(args)
	if err != nil {
		return err
	}
	o.patterns = patterns
	if o.format != "dot" && o.format != "json" {
		return fmt.Errorf("-format=%s: only dot and json are known", o.format)
	}
	if o.forward && o.from == "" {
		return fmt.Errorf("-forward needs -from; %s", Usage)
	}
	if o.from != "" {
		if _, _, _, err := parsePosition(o.from); err != nil {
			return err
		}
	}
	return nil
}

// parsePosition takes file:line[:column] apart; without a column it is 0.
func parsePosition(s string) (file string, line, column int, err error) {
	parts := strings.Split(s, ":")
	if n := len(parts); n == 2 || n == 3 {
		line, err = strconv.Atoi(parts[1])
		if n == 3 && err == nil {
			column, err = strconv.Atoi(parts[2])
		}
		if err == nil && parts[0] != "" && line > 0 && column >= 0 {
			return parts[0], line, column, nil
		}
	}
	return "", 0, 0, fmt.Errorf("-from=%s is no position: file.go:line or file.go:line:column", s)
}

// write writes the graph of p, or the slice, and a line of statistics.
func (o *Options) write(p *program.Program, w, stats io.Writer, short func(string) string) error {
	mode := sdg.Mode(0)
	if o.implicit {
		mode = sdg.ImplicitExits
	}
	p.BuildAll() // loading is not counted
	start := time.Now()
	s := buildsdg.Closed(p, mode)
	took := time.Since(start)
	own := func(n sdg.NodeID) bool { return o.all || isOwn(p, s, n) }
	view := sdg.View{System: s, Keep: own, Pos: func(n sdg.NodeID) token.Position {
		pos := nodePos(p, s, n)
		pos.Filename = short(pos.Filename)
		return pos
	}}
	if o.from != "" {
		slice, err := o.slice(p, s)
		if err != nil {
			return err
		}
		view.Keep = func(n sdg.NodeID) bool { return sdg.Contains(slice, n) && own(n) }
	}
	if err := json.NewEncoder(stats).Encode(sizeOf(p, s, took)); err != nil {
		return err
	}
	if o.format == "json" {
		return view.WriteJSON(w)
	}
	return view.WriteDOT(w)
}

// slice returns the slice of the nodes at -from.
func (o *Options) slice(p *program.Program, s *sdg.System) ([]sdg.NodeID, error) {
	file, line, column, err := parsePosition(o.from)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	var at []sdg.NodeID
	elsewhere := notIn(p, abs, file)
	for n := range s.Len() {
		if elsewhere(s.Function(sdg.NodeID(n))) {
			continue
		}
		pos := nodePos(p, s, sdg.NodeID(n))
		if pos.Line == line && (column == 0 || pos.Column == column) && (pos.Filename == abs || pos.Filename == file) {
			at = append(at, sdg.NodeID(n))
		}
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("nothing of the program stands at %s", o.from)
	}
	if o.forward {
		return s.Forward(at...), nil
	}
	return s.Backward(at...), nil
}

// notIn returns a function that reports whether a function stands in a file of another name. Then none of its nodes can
// be at a position of the files named. Of a function without a position of its own, such as a package's init, nothing
// is known.
func notIn(p *program.Program, files ...string) func(*ssa.Function) bool {
	known := make(map[*ssa.Function]bool)
	return func(fn *ssa.Function) bool {
		if fn == nil || !fn.Pos().IsValid() {
			return false
		}
		out, ok := known[fn]
		if !ok {
			out = !slices.Contains(files, p.Fset.Position(fn.Pos()).Filename)
			known[fn] = out
		}
		return out
	}
}

// isOwn reports whether n belongs to a function of the analysed package or its tests, or is memory that one of them
// touches.
func isOwn(p *program.Program, s *sdg.System, n sdg.NodeID) bool {
	if fn := s.Function(n); fn != nil {
		for fn.Parent() != nil {
			fn = fn.Parent()
		}
		for _, pkg := range []*program.Package{p.Root, p.Test, p.XTest} {
			if pkg != nil && fn.Pkg == pkg.SSA {
				return true
			}
		}
		return false
	}
	reads, writes := false, false // a class is shown where it carries something from one to another
	for _, e := range s.Out(n) {
		reads = reads || s.Function(e.To) != nil && isOwn(p, s, e.To)
	}
	for _, e := range s.In(n) {
		writes = writes || s.Function(e.From) != nil && isOwn(p, s, e.From)
	}
	return reads && writes
}

// nodePos returns the position of a node in the source, the zero Position for those that have none.
func nodePos(p *program.Program, s *sdg.System, n sdg.NodeID) token.Position {
	if instr := s.Instr(n); instr != nil {
		return p.Pos(instr)
	}
	if v := s.Param(n); v != nil {
		return p.Fset.Position(v.Pos())
	}
	return token.Position{}
}

// A Size is a line of -stats.
type Size struct {
	Package      string         `json:"package"`
	Functions    int            `json:"functions"`
	Instructions int            `json:"instructions"`
	Nodes        int            `json:"nodes"`
	Edges        map[string]int `json:"edges"`
	BuildNS      int64          `json:"build_ns"`
}

func sizeOf(p *program.Program, s *sdg.System, took time.Duration) Size {
	g := Size{Package: p.Path, Functions: len(s.Procedures), Nodes: s.Len(), Edges: make(map[string]int), BuildNS: took.Nanoseconds()}
	for _, proc := range s.Procedures {
		for _, b := range proc.Func.Blocks {
			for _, instr := range b.Instrs {
				if _, isRef := instr.(*ssa.DebugRef); !isRef {
					g.Instructions++
				}
			}
		}
	}
	for k, n := range s.Edges() {
		g.Edges[k.String()] = n
	}
	return g
}
