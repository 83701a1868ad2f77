package inet

import (
	"fmt"
	"slices"
	"strings"
)

// This file defines which faults of the network an execution may have. Rules FAULT1 to FAULT7.

// Faults are what may go wrong in the network. The zero value is nothing.
type Faults struct {
	Kinds uint32 // a bit for each of faultNames, in their order
	Most  int    // how many an execution may have, in all
}

// faultNames are the kinds of faults. faults.go.txt has constants for their bits.
var faultNames = []string{"short", "reset", "refused", "late", "drop"}

// maxFaults bounds Faults.Most. More than a few cannot be explored anyway.
const maxFaults = 100

// ParseFaults reads a list of kinds, with commas between them, or "all". A number after a colon says how many faults an
// execution may have: "reset,drop:2". Without it there may be one. The empty text is no faults.
func ParseFaults(s string) (Faults, error) {
	if s == "" {
		return Faults{}, nil
	}
	f := Faults{Most: 1}
	kinds, most, bounded := strings.Cut(s, ":")
	if bounded {
		if n, err := fmt.Sscanf(most+"\n", "%d\n", &f.Most); n != 1 || err != nil || f.Most < 1 || f.Most > maxFaults {
			return Faults{}, fmt.Errorf("how many faults an execution may have is a number from 1 to %d, not %q", maxFaults, most)
		}
	}
	if kinds == "all" {
		f.Kinds = 1<<len(faultNames) - 1
		return f, nil
	}
	for name := range strings.SplitSeq(kinds, ",") {
		i := slices.Index(faultNames, name)
		if i < 0 {
			return Faults{}, fmt.Errorf("there is no fault %q; there are %s, and all", name, strings.Join(faultNames, ", "))
		}
		f.Kinds |= 1 << i
	}
	return f, nil
}

// String is what ParseFaults reads: equal faults have equal texts.
func (f Faults) String() string {
	if f.Kinds == 0 {
		return ""
	}
	var kinds []string
	for i, name := range faultNames {
		if f.Kinds&(1<<i) != 0 {
			kinds = append(kinds, name)
		}
	}
	text := strings.Join(kinds, ",")
	if f.Most > 1 {
		text += fmt.Sprintf(":%d", f.Most)
	}
	return text
}
