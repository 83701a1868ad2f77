package own

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/oracle"
)

// This file has what programs show under several memory models, in a form in which it can be compared.

// EndOf returns what a program says that ends with a panic of this text in the machine.
func EndOf(text string) string { return strings.TrimPrefix(text, "panic: ") }

// EndsOf returns the texts of the panics with which a program ends.
func EndsOf(r *oracle.Result) map[string]bool {
	ends := make(map[string]bool)
	for _, o := range r.Outcomes {
		if _, text, ok := strings.Cut(o.Failure, " "); ok {
			ends[EndOf(text)] = true
		}
	}
	return ends
}

// Lacking lists what a has and b has not.
func Lacking(a, b map[string]bool) []string {
	out := slices.Sorted(maps.Keys(a))
	return slices.DeleteFunc(out, func(k string) bool { return b[k] })
}

// Seen lists the outcomes of a program without what goroutines only do: how a store comes to memory is the model's.
func Seen(r *oracle.Result) map[string]bool {
	all := make(map[string]bool, len(r.Outcomes))
	for _, o := range r.Outcomes {
		parts := []string{o.Failure, o.Blocked}
		for id, told := range o.Threads {
			if _, buffer := event.BufferOwner(id); !buffer {
				parts = append(parts, string(id)+": "+answers(told))
			}
		}
		slices.Sort(parts)
		all[strings.Join(parts, "\n")] = true
	}
	return all
}

// answers leaves out of what a goroutine was told its own stores, and that it waited for them.
func answers(told string) string {
	var b strings.Builder
	for item := range strings.SplitAfterSeq(told, ";") {
		switch kind, _, _ := strings.Cut(item, "/"); kind {
		case event.Write.String(), event.Store.String(), event.Fence.String(), event.AtomicStore.String():
		default:
			b.WriteString(item)
		}
	}
	return b.String()
}
