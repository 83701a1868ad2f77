package runner

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/baseline"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/runner/config"
)

// This file puts what heddle.yaml says into the flags, and into what the exploration asks for each entry.

// perPackage are the flags that the file may set for single packages.
var perPackage = []string{"limit.executions", "limit.events", "limit.work", "limit.memory", "timing"}

// notInFile are flags that make no sense in a file.
var notInFile = []string{"config", "baseline", "write-baseline", "new-from-rev", "fix", "fixes", "dump", "exploration"}

// readConfig reads the configuration file that the flag names, or else that of the module around dir. It returns nil if
// there is none. fs are the flags that the file may set.
func readConfig(named, dir string, fs *flag.FlagSet) (*config.File, error) {
	if named == "off" {
		return nil, nil
	}
	if named == "" {
		found, err := config.Find(dir)
		if found == "" || err != nil {
			return nil, err
		}
		named = found
	}
	var known []string
	visible(fs).VisitAll(func(f *flag.Flag) {
		if !slices.Contains(notInFile, f.Name) {
			known = append(known, f.Name)
		}
	})
	return config.Read(shortPath(named), known, perPackage)
}

// applyConfig sets the flags of the file that the command line leaves alone, and what is special about packages and
// entries.
func applyConfig(f *config.File, fs *flag.FlagSet, given func(name string) bool) error {
	exploration.SpecialOf = nil
	if f == nil {
		return nil
	}
	for _, x := range f.Flags {
		if given(x.Name) || given(exploration.Analyzer.Name+"."+x.Name) {
			continue
		}
		if err := fs.Lookup(x.Name).Value.Set(x.Value); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", shortPath(f.Path), x.Line, x.Name, err)
		}
	}
	specials := make([]exploration.Special, len(f.Packages))
	for i, p := range f.Packages {
		for _, x := range p.Flags {
			if err := setSpecial(&specials[i], x.Name, x.Value); err != nil {
				return fmt.Errorf("%s:%d: %s: %w", shortPath(f.Path), x.Line, x.Name, err)
			}
		}
	}
	exploration.SpecialOf = func(pkg, dir, entry string) exploration.Special { return specialOf(f, specials, pkg, dir, entry) }
	return nil
}

func setSpecial(s *exploration.Special, name, value string) error {
	if name == "timing" {
		s.Timing = value
		_, err := explore.ParseTiming(value)
		return err
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return fmt.Errorf("a limit is a positive number")
	}
	switch name {
	case "limit.executions":
		s.Executions = n
	case "limit.events":
		s.Events = n
	case "limit.work":
		s.Work = n
	case "limit.memory":
		s.Memory = n
	}
	return nil
}

// specialOf is what the file says of an entry. Of several packages that match, a later one in the file goes before.
func specialOf(f *config.File, specials []exploration.Special, pkg, dir, entry string) exploration.Special {
	var out exploration.Special
	for i, p := range f.Packages {
		if !f.Matches(p.Pattern, pkg, dir) {
			continue
		}
		s := specials[i]
		for to, n := range map[*int]int{&out.Executions: s.Executions, &out.Events: s.Events, &out.Work: s.Work, &out.Memory: s.Memory} {
			if n != 0 {
				*to = n
			}
		}
		if s.Timing != "" {
			out.Timing = s.Timing
		}
	}
	for _, s := range f.Skips {
		if f.Matches(s.Pattern, pkg, dir) && (s.Entry == nil || s.Entry.MatchString(entry)) {
			out.Skip = fmt.Sprintf("skipped by %s: %s", filepath.Base(f.Path), s.Reason)
			break
		}
	}
	return out
}

// readBaseline reads the baseline that the flag names, or else the file.
func readBaseline(named string, f *config.File) (*baseline.File, error) {
	if err := noName(named); err != nil {
		return nil, fmt.Errorf("-baseline=%s: %w", named, err)
	}
	if named == "" && f != nil {
		named = f.Baseline
	}
	if named == "" || named == "off" {
		return nil, nil
	}
	return baseline.Read(shortPath(named))
}
