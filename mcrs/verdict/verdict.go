// Package verdict has the words in which Heddle says how far it came with an entry: one vocabulary for text, JSON,
// statistics, go vet and documentation.
//
// # Where verdicts come from
//
// An explorer says whether it accounted for every schedule, and else why not (explore.Result). Result.Kind makes one of
// the kinds below of that, passes/exploration adds the place and the environment, and drivers write the [Verdict] as it
// is. Nobody else invents a word.
//
// # Where a new one goes
//
//  1. A constant, and its row in [Table]: what it means, and what one can do about it. A kind stands before another in
//     the table if it promises more.
//  2. What recognises it: in explore.Result.Kind if executions show it, else where it is known.
//  3. README's table of verdicts, which a test compares with this one, and a row of the tests of Result.Kind.
package verdict

import (
	"fmt"
	"strings"
)

// A Kind is what is promised of an entry. Its text is the word in JSON and statistics.
type Kind string

// The kinds. Table explains them.
const (
	Exhausted    Kind = "exhausted"
	InTime       Kind = "exhausted-in-time"
	RacesBehind  Kind = "races-behind"
	Complete     Kind = "complete"
	Within       Kind = "complete-within"
	Sampled      Kind = "sampled"
	Refused      Kind = "refused"
	NotSupported Kind = "not-supported"
	Skipped      Kind = "skipped"
	NotExplored  Kind = "not-explored"
)

// A Word explains one kind.
type Word struct {
	Kind  Kind
	Text  string // as it stands in text
	Means string // what is promised
	Do    string // what one can do about it; "" if there is nothing to do
}

// Table explains all kinds, those that promise most first.
var Table = []Word{
	{Exhausted, "exhausted",
		"every order of the goroutines' steps that could matter is accounted for. If nothing was found, no schedule of this entry shows anything that Heddle looks for.",
		""},
	{InTime, "exhausted where no timer fires early",
		"every schedule is accounted for in which timers fire, and sleeps end, only when no goroutine can go on. Of the schedules in which a goroutine is so slow that a timer comes first, some were run. Where the line says that only the first N timers fire early, all schedules are accounted for as well in which the first N firings of a run, and the first N sleeps of each goroutine, may come first.",
		"shorten the test (testing.Short() is true here), raise the limit that the line names, or say with -timing=off that slow goroutines do not concern you."},
	{RacesBehind, "exhausted but for races behind FILE:LINE",
		"every schedule is accounted for but for one question: the operation at the line named (len of a channel, a failed TryLock, a select's default and their like) tells a goroutine that another has come so far, and synchronises nothing. Whether two accesses race that are ordered by that alone was not found out for all of them.",
		"synchronise with what the other goroutine did instead of looking whether it has. Or make the test smaller, or raise the limit that the line names."},
	{Complete, "complete up to N delays",
		"every schedule is accounted for in which at most N times another goroutine goes on than the one whose turn it is: turns go round, and a goroutine keeps its turn until it waits. Or, up to N preemptions: in which at most N times a goroutine is switched away from that could have gone on. Most bugs need one or two. Of the other schedules some were run.",
		"make the test smaller: fewer goroutines, and fewer rounds of a loop under testing.Short(), which is true here. Or raise the limit that the line names."},
	{Within, "complete up to 1 delay within the first N steps",
		"one run was too long for the above, so this is said of the beginning of the test alone: every schedule is accounted for, up to its N-th step, in which at most once another goroutine goes on than the one whose turn it is. A step is an operation that another goroutine could meet. What comes later was run under some schedules.",
		"make a run shorter: fewer rounds of a loop under testing.Short(), which is true here, and less before the goroutines start. Or raise the limit that the line names: four times the work is about twice the steps."},
	{Sampled, "sampled",
		"some schedules were run. Nothing is promised of the others.",
		"make the test smaller: two or three goroutines that touch what they share a few times. A loop can be short under testing.Short(), which is true here. Or raise the limit that the line names."},
	{Refused, "refused",
		"the test asked for something that the machine does not have (a network beyond the loopback, another process, a file outside the module), and was told so at the line named. What it would have done with it was not explored, even if it passed.",
		"explore a test that does not need it: a server on 127.0.0.1, a file in testdata or t.TempDir."},
	{NotSupported, "not supported",
		"the test did something at the line named that Heddle cannot follow. Schedules that do it were not explored beyond that.",
		"move the part that needs it out of the test, or explore a test of the package that does without."},
	{Skipped, "skipped",
		"the test skips itself in every run, so what it tests was not explored.",
		"if it asks for an environment variable, set it with -env NAME=VALUE; if it asks for testing.Short or a build tag, give it what it wants."},
	{NotExplored, "not explored",
		"the entry was not run. The line says why.",
		"see the reason: the package has no tests, nothing in it can wait for another goroutine, or Heddle itself failed, which we would like to hear of."},
}

// Of returns the row of a kind.
func Of(k Kind) Word {
	for _, w := range Table {
		if w.Kind == k {
			return w
		}
	}
	return Word{Kind: k, Text: string(k)}
}

// A Verdict is what is said of one entry.
type Verdict struct {
	Kind Kind `json:"verdict"`
	// Preemptions is the N of Complete, and of what else is known to be complete so far. It is -1 if nothing is known
	// of that.
	Preemptions int `json:"-"`
	// Delays is the same for delays (mcrs/explore/delay); 0 if nothing is known.
	Delays int `json:"-"`
	// Steps is the N of Within, and Of about how many steps a run of the whole has; 0 if nothing is known. Where Steps
	// is set nothing is known of Delays.
	Steps, Of int `json:"-"`
	// InTime says that Preemptions is about schedules in which no timer fires early.
	InTime bool `json:"-"`
	// Early is how many firings of a run, and sleeps of each goroutine, may be early in what InTime promises. 0: none.
	Early int `json:"early,omitempty"`
	// Reason is why the kind is not Exhausted, one line. It names the place if there is one.
	Reason string `json:"reason,omitempty"`
	// Behind is the FILE:LINE of RacesBehind.
	Behind string `json:"behind,omitempty"`
	// Memory is what was concluded of a relaxed memory model without an exploration, "" if nothing.
	Memory string `json:"-"`
	// Environment are the environment variables that the program asked for, as NAME=VALUE, or NAME if one is not set,
	// or * for all. The verdict is about these values alone.
	Environment []string `json:"environment,omitempty"`
}

// Word is the verdict without its reason.
func (v Verdict) Word() string {
	switch v.Kind {
	case Complete, Within:
		return v.complete()
	case InTime:
		if v.Early == 1 {
			return "exhausted where only the first timer fires early"
		} else if v.Early > 1 {
			return fmt.Sprintf("exhausted where only the first %d timers fire early", v.Early)
		}
	case RacesBehind:
		return "exhausted but for races behind " + v.Behind
	}
	return Of(v.Kind).Text
}

// complete says up to how many preemptions and delays. "No delay" is one schedule, so it is not said. "No preemption"
// is said only where nothing better is known.
func (v Verdict) complete() string {
	var to []string
	if v.Preemptions > 0 || v.Preemptions == 0 && v.Delays == 0 && v.Steps == 0 {
		to = append(to, number(v.Preemptions, "preemption"))
	}
	if v.Delays > 0 {
		to = append(to, number(v.Delays, "delay"))
	}
	if v.Steps > 0 {
		within := "1 delay within the first " + number(v.Steps, "step")
		if v.Of > 0 {
			within += fmt.Sprintf(" of about %d", v.Of)
		}
		to = append(to, within)
	}
	s := "complete up to " + strings.Join(to, ", and up to ")
	if v.InTime {
		s += " where no timer fires early"
	}
	return s
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Because is what follows the word and the work done: the reason, and the environment.
func (v Verdict) Because() string { return v.Why() + v.Given() }

// Given is the environment, as the end of a message; nothing if the verdict is that of any.
func (v Verdict) Given() string {
	if len(v.Environment) == 0 {
		return ""
	}
	return "; with " + environment(v.Environment)
}

// Why is the reason, without the environment.
func (v Verdict) Why() string {
	var s string
	if v.Reason != "" {
		s = ": " + v.Reason
	}
	if v.Kind == InTime {
		s = "; the others" + s
	}
	if (v.Preemptions >= 0 || v.Delays > 0 || v.Steps > 0) && (v.Kind == Refused || v.Kind == NotSupported || v.Kind == RacesBehind) {
		s += "; " + v.complete()
	}
	if v.Memory != "" {
		s += "; " + v.Memory
	}
	return s
}

// String is the verdict as it stands in a message.
func (v Verdict) String() string { return v.Word() + v.Because() }

// environment lists variables: "HOME=/tmp and FOO unset".
func environment(vars []string) string {
	const most = 5
	var words []string
	for i, v := range vars {
		if i == most && len(vars) > most+1 {
			words = append(words, fmt.Sprintf("%d more environment variables", len(vars)-most))
			break
		}
		switch {
		case v == "*":
			v = "the whole environment"
		case !strings.Contains(v, "="):
			v += " unset"
		}
		words = append(words, v)
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return words[0]
}
