package report

import (
	"slices"
	"strings"
)

// This file has what is particular to faults of the network (flag -faults; rules FAULT1 to FAULT7 of package inet).

const fault = "fault: "

// ioWait is what a goroutine waits for that is blocked at a socket or pipe. The variable there is not the program's.
const ioWait = "IO wait"

// isFault reports whether the meaning of an event is a fault.
func isFault(meaning string) bool { return strings.HasPrefix(meaning, fault) }

// afterFaults says which faults happen before a finding, "" if none: ", after a fault of the network (a read returns
// half of what is there)".
func afterFaults(f *Finding) string {
	if f.Witness == nil {
		return ""
	}
	var kinds []string
	for i := range f.Witness.Events {
		if what, ok := strings.CutPrefix(f.Witness.Meanings[i], fault); ok && !slices.Contains(kinds, what) {
			kinds = append(kinds, what)
		}
	}
	if kinds == nil {
		return ""
	}
	return ", after a fault of the network (" + strings.Join(kinds, ", ") + ")"
}
