package audit

import (
	"reflect"
)

// This file is the list: what of a machine may differ after two independent transitions in either order, each line
// with the argument why no program can tell. All else must be equal. A key is a type and a field of it; one that
// names no field fails a test.

// apart are the fields that may differ.
var apart = map[string]string{
	// Numbers that only say in which order goroutines and timers came: all is written under their names.
	"vm.Goroutines.Live": "the goroutines that have not ended, in the order of their starts; who looks for one asks all, and what is offered is sorted",
	"vm.Goroutines.dead": "how many of live have ended: when it is tidied",
	"vm.G.Index":         "the number of a goroutine, in the order of their starts",
	"vm.Pending.Arrived": "when it came to its operation, as a number; only heddle run, whose schedule is one, serves the first",
	"vm.Timer.Began":     "likewise; it is compared where one goroutine has started both alone (TIME8)",
	"vm.Timer.Seq":       "in which order timers were started; those due at one instant fire in any order (TIME2)",
	"vm.Bubble.ID":       "the number of a bubble; it is written under its name",

	"vm.Clockwork.TimerSeq": "the last of the numbers that say in which order timers were started; of a ticker that is stopped, the clock may have passed a tick before",

	// Numbers of events: the trace is written by goroutines.
	"vm.Record.Began":     "the number of events before the transition that was performed last; set at the next one before it is used",
	"vm.Record.LastEvent": "the event of the operation that was performed last; set at the next one before it is used",
	"vm.Execution.State":  "what the scheduler is shown, written by what it is offered: enabled, idle, and each thread",

	"trace.Clockwork.Early": "how often the clock moved while another could go on: an execution is dropped for it (ownTimeout), but an order of it without is one of the first regime of time, and shows there what it shows",
	"trace.ClockMove.Event": "how many events came before a move of the clock; what is after it is, whatever the number",

	// Turns: which of several goroutines the default schedule takes, and how often one had its turn. Every other
	// schedule is asked for as well.
	"vm.Goroutines.Ran": "who took the last transition, for counting transitions in a row",
	"vm.Polling.Passed": "how often another one went on in its place, for the default schedule",
	"vm.Polling.Alone":  "transitions in a row, for the default schedule",
	"vm.Polling.Slices": "how often it had so many in a row",

	"sched.Thread.Starved": "whether the default schedule prefers it",
	"sched.Thread.Spin":    "whether the default schedule avoids it",

	// What is remembered of rounds without effect. One order of an effect and an arrival may forget a round that the
	// other remembers; who has forgotten goes round once more and is known to poll then (POLL1, whose comparison of
	// states is exact). A round more leads to the state in which it stands.
	"vm.Polling.Visits":   "arrivals since the last effect",
	"vm.Polling.Effects":  "the effects there were when they began",
	"vm.Polling.Unlocks":  "likewise",
	"vm.Polling.Polls":    "whether that is known: what it would do next is offered as idle then, and else as enabled; offered all the same",
	"vm.Polling.Compared": "how many words were compared for that (POLL6): it is known later then",
	"vm.Polling.Period":   "how long such a round took: set when a round is known as one, and read of goroutines of which one is known (Repeats)",
	"vm.Polling.Steps":    "how many transitions it took: likewise",
	"vm.Polling.Tries":    "whether one of these rounds tried a lock",
	"vm.Polling.Choice":   "whether one of them could have communicated",
	"vm.Polling.Other":    "likewise, of the select at which it stands or stood last",
	"vm.Polling.Spins":    "events in a row without effect (SPIN1), of all goroutines: an estimate, and a failure that rests on it is confirmed with more patience",
	"vm.Polling.Looked":   "what these looked at",
	"vm.Polling.ReadAt":   "what had been read of the clock when these began (SPIN4): likewise",
	"vm.Goroutines.Spun":  "those whose spins are not 0",
	"vm.Goroutines.Left":  "those that have ended since the scheduler was asked last: it is shown that at once",
	"vm.Goroutines.Stood": "those that have come to stand at an operation since then: it is shown that at once",

	"trace.Thread.Polled": "whether such a round was known as one: read by robustness alone, which then compares failures and no histories, and so says less; without it the histories of the execution are compared as they are",

	// How much work it was. The first read of a Map notes that it was used, and takes three instructions more: which of
	// two reads it was.
	"vm.Budget.Steps":     "how many instructions were executed: compared with limits alone, at which the entry is incomplete; time slices, which they end, are heddle run's",
	"trace.Cost.Steps":    "likewise, for statistics",
	"trace.Cost.LookedAt": "as vm.Budget.LookedAt",
	"trace.Cost.Among":    "likewise",
	"vm.Budget.Among":     "how many goroutines there were to choose from: compared with a limit alone, at which the entry is incomplete",
	"vm.Budget.LookedAt":  "how many words were looked at for names: whoever asks for more names makes it larger",

	// Memory of the host.
	"vm.Execution.Collection": "when the heap is collected next, and roots of a moment: a collection changes nothing that a program sees",
	"vm.GoStack.Chunks":       "the memory behind frames",
	"vm.GoStack.Below":        "a stack that lies in a coroutine, and is written there",
	"vm.GoStack.limit":        "an address of the host",
	"vm.G.spare":              "memory that is not in use",
	"vm.Frame.FP":             "an address of the host; its words are written",
	"vm.Frame.far":            "an address of the host",
	"vm.Frame.limit":          "an address of the host",

	// The kernel's journal of changes.
	"kernel.files.cfg":        "constant",
	"kernel.journal.epoch":    "numbers the journal",
	"kernel.journal.log":      "the journal: how to go back to the snapshot",
	"kernel.journal.marks":    "of the journal",
	"kernel.files.trees":      "folders of the host that are held open",
	"kernel.files.hostBytes":  "what was read of the host so far, in all executions",
	"kernel.callState.stream": "who made the last system call; set before each call",
	"kernel.callState.course": "of the system call under way: set when it goes on",
	"kernel.Kernel.stdin":     "what was read of standard input, in all executions",
	"kernel.node.epoch":       "of the journal",
	"kernel.node.dataEpoch":   "of the journal",
	"kernel.folder.sorted":    "a memory of kids",
	"pages.Page.Epoch":        "of the journal",
	"kernel.desc.epoch":       "of the journal",
	"kernel.proc.epoch":       "of the journal",
}

// Left out of memory (dump.go) is output of tests: objects of SILENT6 (mem.Output), and what a slice of them has
// beside its length. Nothing of it comes to the program, which cannot read the log of a test; testing appends to it
// under a lock, in any order, and writes it in the end. What is written in the end is compared (Trace.Output).

// Left out are executions in which time has passed while goroutines went round (SPIN2 of package loop). When it passes
// is a count of events, and of what these look at: so it may pass one event earlier or later in the other order, and
// what the clock reads, and which firings are offered, may differ from there on. Nothing is promised of such a count. A
// firing is offered beside the rounds, so an execution in which it comes later, or never, is asked for as well. A
// failure behind one is reported only if it is there with more patience, and else the entry is incomplete (TICK1 of
// package explore).

// unordered are package variables of silent packages in which the order of a map is left out, by package and name.
var unordered = [][2]string{
	{"testing", "running"}, // which tests run now: read by the message of a test that takes too long alone, and sorted there
}

// written are fields that are not written as they are: numbers become names, and what is a set has no order. Nothing
// is lost by it but what the comment says.
var written map[string]func(w *walker, path string, v, of reflect.Value)

func init() {
	written = map[string]func(w *walker, path string, v, of reflect.Value){
		"vm.Goroutines.Threads": elsewhere,
		"vm.Record.Trace":       wholeTrace,
		"vm.Clockwork.Early":    set, // those whose clock may move now
		"vm.Clockwork.Asleep":   set, // in the order in which they came: the earliest deadline counts
		"vm.Clockwork.Bubbles":  bubbles,
		"vm.Clockwork.Clocks":   elsewhere, // threads of timers. Left out are those that have done nothing: a firing was offered in a state between, and withdrawn (TIME4)
		"vm.OwnTime.Fires":      fires,
		"vm.Timer.When":         deadline, // left out is that of a ticker outside of bubbles that is stopped: whether the clock had passed a tick for which there was no room (TIME6); who starts it again sets it
		"vm.Locks.Takers":       takers,
		"vm.Timeline.Timers":    set,    // by deadline, which each has
		"vm.Timeline.Due":       set,    // they fire in any order
		"vm.Bubble.Threads":     set,    // by the order of their start
		"vm.GoStack.Frames":     frames, // but for words that are not read again, by the function or by who looks for what is reachable
		"vm.G.Object":           eventIndex,

		"sched.Transition.Thread":  thread,
		"sched.Transition.Partner": thread,

		"trace.Trace.Events":           events,
		"trace.Trace.Threads":          threads,
		"trace.Trace.Cases":            elsewhere,
		"trace.Places.Meanings":        meanings,
		"trace.Sharing.Bytes":          elsewhere,
		"trace.Sharing.Published":      published,
		"trace.Trace.Silent":           silent,   // in the order of each goroutine; what the locks hold is compared
		"trace.Failing.Failures":       failures, // in which order two goroutines fail a test: their messages are written in the order of the schedule that is shown
		"trace.Trace.Output":           output,   // of several goroutines in any order, but where an example's output is looked at: then it is written by events
		"trace.Failing.PanicThread":    thread,
		"trace.Clockwork.ClockReaders": clockReaders,
		"trace.Clockwork.Told":         told,
		"trace.Clockwork.Started":      set,
		"trace.TimerStart.Event":       eventIndex,
		"trace.TimerStart.Thread":      thread,
		"trace.Thread.Parent":          thread,
		"trace.Thread.Spawn":           eventIndex,
		"trace.Thread.Holder":          thread,
	}
}

// subNames are the sizes of a key and an element of testing's maps of names, matcher.subNames, which two goroutines
// fill that call t.Run with different names. Testing looks entries up, and never ranges over it. (A map of the
// program's of this type whose writes make no events is one goroutine's own, which fills it in its own order.)
var subNames = [2]int{16, 4}

// entriesOf is the type of which entries are written and not the order in which they came, if its writes make events.
// Of two writes that nothing orders the race detector reports the race, and so do we; in which order range goes is a
// constant (docs/machine.md). A map whose writes make no events is compared with its order.
const entriesOf = "*objects.MapState"

// references are pointers to what is written elsewhere, under the name in that field.
var references = map[string]string{"*vm.G": "ID", "*vm.Func": "Name", "*vm.Bubble": "Name"}

// constants are pointers to what is the same in all executions.
var constants = map[string]bool{"*layout.Layout": true, "*vm.MapType": true, "*program.Entry": true, "*kernel.hostNode": true}

// elsewhere is written in another place.
func elsewhere(*walker, string, reflect.Value, reflect.Value) {}

// deadline writes when a timer fires next, if it does.
func deadline(w *walker, path string, v, of reflect.Value) {
	stopped := of.FieldByName("Bubble").IsNil() && of.FieldByName("Period").Int() > 0
	for _, list := range []string{"Timers", "Due"} {
		all := w.x.FieldByName(list)
		for i := range all.Len() {
			stopped = stopped && all.Index(i).Elem().FieldByName("Addr").Uint() != of.FieldByName("Addr").Uint()
		}
	}
	if !stopped {
		w.value(path, v)
	}
}

func bubbles(w *walker, path string, v, _ reflect.Value) {
	for i := range v.Len() {
		b := v.Index(i).Elem()
		w.structure(path+" "+b.FieldByName("Name").String(), b)
	}
}

// clockReaders writes a set of threads.
func clockReaders(w *walker, path string, v, _ reflect.Value) {
	for i := range int64(64) {
		if v.Uint()&(1<<i) != 0 {
			w.put(path+" "+w.name(i), "")
		}
	}
}
