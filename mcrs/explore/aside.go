package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file keeps what executions show beside their order: that they skip the test, that they asked for what the
// machine does not have, and which environment variables they asked for. A verdict has to say so, however many
// schedules were accounted for:
//
//	ASIDE1 An entry that skips itself in every run is Skipped. If one run does not skip, it is not.
//	ASIDE2 An entry that asked for what the machine does not have, and was told so, is Refused: natively it would have
//	       gone on otherwise. It is so even if the run then passed, or skipped.
//	ASIDE3 An environment variable is an input, like the arguments of a function under test. The verdict names it, and
//	       is about this value alone.

// aside is what the executions of a session showed of that.
type aside struct {
	ended, skipped int // executions that came to their end, and those of them that skipped the entry
	text           string
	refused        *trace.Refusal
	env            []string
}

// note looks at an execution.
func (a *aside) note(t *trace.Trace) {
	if a.refused == nil {
		a.refused = t.Refused
	}
	a.env = withAll(a.env, t.Environment)
	switch t.Status {
	case trace.Returned, trace.Failed, trace.Deadlocked:
		a.ended++
		if t.Skipped {
			if a.skipped++; a.text == "" {
				a.text = t.SkipText
			}
		}
	}
}

// withAll adds to a sorted list what it lacks.
func withAll(list, more []string) []string {
	for _, s := range more {
		if i, ok := slices.BinarySearch(list, s); !ok {
			list = slices.Insert(list, i, s)
		}
	}
	return list
}

// add adds what the executions of another session showed.
func (a *aside) add(b *aside) {
	a.ended, a.skipped = a.ended+b.ended, a.skipped+b.skipped
	a.text = cmp.Or(a.text, b.text)
	a.refused = cmp.Or(a.refused, b.refused)
	a.env = withAll(a.env, b.env)
}

// conclude says in the verdict what was noted.
func (r *Result) conclude() *Result {
	a := &r.aside
	r.Environment = a.env
	r.Skips = a.ended > 0 && a.skipped == a.ended
	r.SkipText = a.text
	switch {
	case a.refused != nil:
		r.Refused = a.refused
		switch {
		case a.refused.Failed:
			r.Then = "then the entry failed"
		case r.Skips:
			r.Then = "then every run skips"
		case r.Reason != "" && !r.NotSupported:
			r.Then = r.Reason
		}
		r.Reason = fmt.Sprintf("%s, asked for by %s", a.refused.What, a.refused.Caller)
		r.Verdict, r.ReasonSite, r.NotSupported = Incomplete, a.refused.Site, false
	case r.Skips && r.Verdict == Exhausted:
		r.Verdict = Incomplete
		if a.text != "" {
			r.Reason = strconv.Quote(a.text)
		}
	case r.Skips: // not all runs are known
		r.Skips = false
	}
	return r
}
