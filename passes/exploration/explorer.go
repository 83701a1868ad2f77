package exploration

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/solver/z3"
)

// makeExplorer makes the explorer of the flags, as the flags have it.
func makeExplorer() (explore.Explorer, error) {
	x, err := newExplorer(flags.explorer)
	if err != nil {
		return nil, fmt.Errorf("-explorer: %w", err)
	}
	if u, ok := x.(*union.Explorer); ok {
		if u.Workers = flags.workers; u.Workers == 0 {
			u.Workers = runtime.GOMAXPROCS(0)
		}
	}
	if flags.merge != "" {
		u, ok := x.(*union.Explorer)
		switch {
		case flags.merge != "on" && flags.merge != "off":
			return nil, fmt.Errorf("-merge=%s: want on or off", flags.merge)
		case !ok:
			return nil, errors.New("-merge: only the explorer union merges states")
		}
		u.Apart = flags.merge == "off"
	}
	if flags.solver == "" {
		return x, nil
	}
	f, ok := x.(*formula.Explorer)
	if !ok {
		return nil, errors.New("-solver: only the explorers mcr-s and mcr-s+ ask a solver")
	}
	switch flags.solver {
	case "cdcl":
	case "z3":
		if _, err := z3.New(); err != nil {
			return nil, fmt.Errorf("-solver: %w", err)
		}
		f.Solver = func() solver.Solver {
			s, _ := z3.New() // the library is loaded
			return s
		}
	default:
		return nil, fmt.Errorf("-solver: unknown solver %q: want cdcl (the built-in one) or z3", flags.solver)
	}
	return x, nil
}
