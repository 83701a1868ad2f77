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
