package explore

import (
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file counts work, so that each entry ends, whatever it does, and ends at the same point on every computer. The
// unit is an instruction of the machine. Other work has the price of the instructions that take as long, by and large.
// Whether a price is right changes the time until an answer comes, and not the answer.
//
// Executions are counted, also those of which only the witness is of use, the events that explorers look at, the states
// of union's sweeps, and the words of vector clocks and configurations. These have bounds of their own, too, for they
// take memory (MaxGraph, MaxWork).

// The prices. They were fitted to the processor time of 23 entries, most of them tests of other people's modules, each
// to the limit of work or to its end. With them the unit takes 4 to 16 ns of an idle core, 9 in the median, by what an
// entry does, with the collection of what they leave behind.
const (
	eventWork = 150   // an event, in the machine and in the explorer
	runWork   = 4_000 // an execution, besides
	// StateWork is the price of a state of a sweep.
	StateWork = 400
	// PairWork is the price of a comparison by the reduction, of a goroutine with some others that have one future.
	PairWork    = 4
	wordsEach   = 32  // words of vector clocks have the price of one
	bytesEach   = 64  // bytes of memory have the price of one: they are cleared, and collected
	cutWork     = 600 // a configuration that an explorer considers, besides
	cutWord     = 7   // each of its words
	instantWork = 2   // a comparison of two readings of the clock
	amongWork   = 4   // a live goroutine, each time that one of them is chosen to go on
	learnEach   = 4   // so many words of them have it where an explorer learns what goes on in each goroutine
	learnOne    = 150 // an event, there
	nameWork    = 2   // a word that is looked at to name the state of a goroutine
	pairsEach   = 64  // pairs of goroutines have the price of one, where what one does next is compared with what all have done
)

// DefaultWork is the limit of work. It is some ten seconds of one slow core at most, with the quarters that witnesses
// and the second regime of time may take on top of it.
const DefaultWork = 600_000_000

// stoppedWork is why an exploration stops at the limit of work.
const stoppedWork = "stopped at the limit of work (-limit.work)"

// witnessShare is the part of the limit of work that witnesses may take, on top of it. After that they are shortened no
// more.
const witnessShare = 4

// Worth reports whether there is work left for so many executions, at the least.
func (s *Session) Worth(executions int) bool {
	return !s.OfWork(int64(executions) > s.WorkLeft()/runWork)
}

// GraphWords is how many words the causes of an execution's events take.
func GraphWords(t *trace.Trace) int { return len(t.Threads) * len(t.Events) }

// WordWork is the work of making so many words of vector clocks.
func WordWork(words int) int64 { return int64(words) / wordsEach }

// CutWork is the work of a configuration of so many words, with all that is asked about it.
func CutWork(words int) int64 { return cutWork + cutWord*int64(words) }

// BranchWork is the work of foretelling where a step of one of so many goroutines leads to.
func BranchWork(threads int) int64 { return cutWord*int64(threads) + int64(threads*threads)/pairsEach }

// WorkOf is the work of an execution.
func WorkOf(t *trace.Trace) int64 { return WorkAt(len(t.Events), t.Cost) }

// WorkAt is the work of the first part of an execution.
func WorkAt(events int, c trace.Cost) int64 {
	return c.Steps + c.Allocated/bytesEach + runWork + eventWork*int64(events) + amongWork*c.Among + nameWork*c.LookedAt
}

// LearnWork is the work of learning from an execution.
func LearnWork(t *trace.Trace) int64 {
	return int64(GraphWords(t))/learnEach + learnOne*int64(len(t.Events))
}

// Spend counts work.
func (s *Session) Spend(n int64) { s.Result.Stats.Work += n }

// largeVisit is the part of the limit of work from which on what one execution shows is not looked at beyond a share.
const largeVisit = 8

// Affords reports whether more of what one execution shows may be looked at, and notes why not. The work on it began
// when since was spent. It may take all the work there is. Where a share ends in the midst of a large execution, the
// rest of the share is lost.
func (s *Session) Affords(since int64) bool {
	switch {
	case s.Interrupted():
	case s.WorkLeft() == 0, s.Used() && s.Result.Stats.Work-since > s.Limits.Work/largeVisit:
		s.OutOfWork()
	default:
		return true
	}
	return false
}

// OutOfWork notes that something was left out because of the limit of work.
func (s *Session) OutOfWork() {
	s.OfWork(true)
	s.Incomplete(stoppedWork)
}

// WorkLeft is what is left of the limit of work.
func (s *Session) WorkLeft() int64 { return max(0, s.Limits.Work-s.Result.Stats.Work-s.Room.kept) }

// namesShare is the part of what is left that the names of states may take in one execution. The rest is for what has
// them: where an execution is so large, few others have room.
const namesShare = 8

// Allows reports whether so much more work ends before a bound, which is the limit where it is 0.
func (s *Session) Allows(work, until int64) bool {
	if until == 0 {
		until = s.Limits.Work
	}
	return !s.OfWork(s.Result.Stats.Work+work > until)
}

// bound has the next execution end where the limit of work does.
func (s *Session) bound(o *sched.Options) {
	o.MaxSteps = min(o.MaxSteps, max(1, s.WorkLeft()))
	left := s.WorkLeft()
	o.Enough = func(events int, c trace.Cost) bool {
		work := WorkAt(events, c)
		return s.Room.shared(work, events, c) || work >= left
	}
	o.MaxWords = left/nameWork/namesShare + 1
	if s.Limits.anyEvents { // this is for one execution, even where all of them together have no limit
		o.MaxEvents = min(o.MaxEvents, DefaultEvents)
	}
}
