// Package report turns what the explorers found into what people read: a
// one-line message, related positions, and the witness as a table.
package report

import (
	"go/token"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Category is the name of the check that a finding belongs to.
type Category string

// The categories. Internal is a fault of Heddle itself.
const (
	Panics        Category = "panics"
	Robustness    Category = "robustness"
	TestFailure   Category = "testfailure"
	Deadlock      Category = "deadlock"
	GoroutineLeak Category = "goroutineleak"
	Livelock      Category = "livelock"
	DataRace      Category = "datarace"
	Internal      Category = "internal"
)

// A Finding is a failure that a run of the machine has shown.
type Finding struct {
	Category Category
	// Seed is the complete schedule of Witness: replaying it gives the same failure.
	Seed seed.Seed
	// Witness is the execution that shows the failure, recorded with stacks.
	Witness *trace.Trace
	// Events are the events of Witness that make the failure: the two accesses
	// of a race (adjacent, the earlier first), the last event of the goroutine that panicked.
	Events []int
	// Threads are the threads that make it: of a race the two, of a deadlock or
	// leak those that are blocked, of a panic or test failure the one that failed.
	Threads []int
	// Timing says that the witness belongs to the second regime of time: in it timers fire and sleeps end though
	// goroutines could run.
	Timing bool
	// EarlyMost bounds how many of these come while goroutines could run (sched.Options); 0 is as many as may.
	EarlyMost int
	// Clocks says that in the witness readings of the clock are visible operations.
	Clocks bool
	// Memory is the memory model of the witness: sequential consistency does not show it, if it is another.
	Memory event.MemoryModel
	// Leads is, of a finding of category Robustness, the failure that its witness ends with and that no sequentially
	// consistent execution has. It is nil if that is a value: then it is what the last of Events returns. The first two
	// of Events are the store that waits in a buffer, and the access that overtakes it.
	Leads *Finding
	// Key identifies equal findings of one entry: the category and the sites, not the schedule.
	Key string
}

// ends is the failure with which the witness ends: the finding itself, or what it leads to.
func (f *Finding) ends() *Finding {
	if f.Leads != nil {
		return f.Leads
	}
	return f
}

// Source tells where the sites of a witness are.
type Source interface {
	// Position is the position of a site; it is invalid for site 0.
	Position(event.Site) token.Position
	// IsUser reports whether the site is in the user's code (not the standard library's).
	IsUser(event.Site) bool
	// Package is the import path of the package that holds the site.
	Package(event.Site) string
	// Variable names the memory an event at the site accesses, as the source
	// writes it ("c.n"), "" if that is not known.
	Variable(event.Site) string
}
