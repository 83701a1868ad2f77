// Package explorers knows the explorers by name.
package explorers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/delay"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/explore/sample"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Default is the name of the default explorer.
const Default = "union"

var explorers = map[string]func() explore.Explorer{
	"systematic": func() explore.Explorer { return new(systematic.Explorer) },
	"random":     func() explore.Explorer { return new(plain.Random) },
	"union":      func() explore.Explorer { return new(union.Explorer) },
	"pairwise":   func() explore.Explorer { return new(plain.Pairwise) },
	"bruteforce": func() explore.Explorer { return new(plain.BruteForce) },
	"mcr":        func() explore.Explorer { return new(mcr.Explorer) },
	"mcr-s":      func() explore.Explorer { return new(formula.Explorer) },
	"mcr-s+":     func() explore.Explorer { return &formula.Explorer{Plus: true} },
	"se-mcr":     func() explore.Explorer { return new(mcr.SwitchEquivalent) },
	"delay":      func() explore.Explorer { return new(delay.Explorer) },
	"icb":        func() explore.Explorer { return new(icb.Explorer) },
	"pct":        func() explore.Explorer { return new(sample.Explorer) },
	"pos":        func() explore.Explorer { return &sample.Explorer{POS: true} },
}

// Names lists the explorers, sorted.
func Names() []string {
	var names []string
	for n := range explorers {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Samples reports whether an explorer leaves schedules out by its nature, so that it is never at an end.
func Samples(name string) bool {
	return slices.Contains([]string{"random", "pct", "pos", "pairwise"}, name)
}

// New returns an explorer by name; "" is the default one.
func New(name string) (explore.Explorer, error) {
	if name == "" {
		name = Default
	}
	if f := explorers[name]; f != nil {
		return f(), nil
	}
	return nil, fmt.Errorf("unknown explorer %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Historian returns what makes explorers for the check robustness, by the name of the one that is in use: systematic,
// or union for all others. They have one worker: with more, others see executions that are in no result.
func Historian(name string) explore.Historian {
	return func(apart bool, observe func(*trace.Trace)) explore.Explorer {
		if name == "systematic" {
			return &systematic.Explorer{Observe: observe}
		}
		return &union.Explorer{Apart: apart, Observe: observe}
	}
}
