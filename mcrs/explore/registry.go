package explore

import (
	"fmt"
	"slices"
	"strings"
)

// Default is the name of the default explorer.
const Default = "union"

var explorers = map[string]func() Explorer{
	"systematic": func() Explorer { return new(Systematic) },
	"random":     func() Explorer { return new(Random) },
	"union":      func() Explorer { return new(Union) },
	"bruteforce": func() Explorer { return new(BruteForce) },
	"mcr":        func() Explorer { return new(MCR) },
	"mcr-s":      func() Explorer { return new(Formula) },
	"mcr-s+":     func() Explorer { return &Formula{Plus: true} },
	"se-mcr":     func() Explorer { return new(SEMCR) },
	"icb":        func() Explorer { return new(ICB) },
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

// New returns an explorer by name; "" is the default one.
func New(name string) (Explorer, error) {
	if name == "" {
		name = Default
	}
	if f := explorers[name]; f != nil {
		return f(), nil
	}
	return nil, fmt.Errorf("unknown explorer %q: want one of %s", name, strings.Join(Names(), ", "))
}
