package oracle

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file leaves out of what goroutines were told how often they went round. The machine passes over rounds of those
// who poll, and how many it makes before depends on what it remembers of earlier ones (POLL4 of the Go machine).

// longestRound bounds the replies of a round.
const longestRound = 8

// WithoutRounds returns the outcomes of a result. Equal rounds that follow each other in a history are one.
func (r *Result) WithoutRounds() *Result {
	short := NewResult()
	for k, o := range r.Outcomes {
		threads := make(map[event.ThreadID]string)
		for id, replies := range o.Threads {
			threads[id] = WithoutRounds(replies)
		}
		o.Threads = threads
		short.Outcomes[k] = o
	}
	return short
}

// WithoutRounds leaves out of a history what repeats what comes before it.
func WithoutRounds(history string) string {
	var out []string
	for _, w := range strings.SplitAfter(history, ";") {
		out = append(out, w)
		for n := 1; n <= longestRound && 2*n <= len(out); n++ {
			if last := len(out) - n; slices.Equal(out[last-n:last], out[last:]) {
				out, n = out[:last], 0
			}
		}
	}
	return strings.Join(out, "")
}

// BlockedInTime returns a result like r, but for the outcomes in which somebody is blocked for ever. There, of equal
// rounds at the end of a history in which time passes, one is left: how many the machine makes before it ends the
// execution depends on what it remembers of earlier ones (REPEAT1 of the Go machine).
func (r *Result) BlockedInTime() *Result {
	short := *r
	short.Outcomes = make(map[string]Outcome, len(r.Outcomes))
	for k, o := range r.Outcomes {
		if o.Blocked != "" {
			threads := make(map[event.ThreadID]string, len(o.Threads))
			for id, replies := range o.Threads {
				threads[id] = withoutLastRounds(replies)
			}
			o.Threads = threads
			k = o.String()
		}
		short.Outcomes[k] = o
	}
	return &short
}

// withoutLastRounds leaves out the equal rounds at the end of a history in which time passes, but for the first.
func withoutLastRounds(history string) string {
	all := slices.Collect(strings.SplitAfterSeq(history, ";"))
	if n := len(all) - 1; n >= 0 && all[n] == "" { // behind the last one
		all = all[:n]
	}
	for n := 1; n <= longestRound; n++ {
		for 2*n <= len(all) {
			last := all[len(all)-n:]
			passes := slices.ContainsFunc(last, func(w string) bool { return strings.HasPrefix(w, "sleep/") || strings.HasPrefix(w, "timer fire/") })
			if !passes || !slices.Equal(all[len(all)-2*n:len(all)-n], last) {
				break
			}
			all = all[:len(all)-n]
		}
	}
	return strings.Join(all, "")
}
