package runner

import (
	"cmp"
	"encoding/json"
	"os"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/verdict"
	"github.com/heddle-go/heddle/passes/exploration"
)

// statsLine is one line of -stats. A field that means nothing for the explorer
// in use is left out; times are in nanoseconds, and the only part of Heddle's output that
// differs from run to run.
type statsLine struct {
	Package string `json:"package"`
	Entry   string `json:"entry"`
	Posn    string `json:"posn"`
	// Verdict, Reason and Environment are those of verdict.Verdict.
	Verdict     verdict.Kind `json:"verdict"`
	Reason      string       `json:"reason,omitempty"`
	Behind      string       `json:"behind,omitempty"`
	Environment []string     `json:"environment,omitempty"`
	// HandOver says why the explorer could not go on and another explorer took over. HandOverEarly is the same where
	// timers may fire early.
	HandOver      string `json:"handover,omitempty"`
	HandOverEarly string `json:"handover_early,omitempty"`
	// Cached says that an earlier run explored the entry; the times are left out.
	Cached bool `json:"cached,omitempty"`
	statsBounds
	statsCounts
	Sampling *statsSampling `json:"sampling,omitempty"`
	statsTimes
	Findings []statsFinding `json:"findings"`
}

// statsBounds say up to how many preemptions, or delays, the entry is complete, if it is not exhausted and that is
// known.
type statsBounds struct {
	Preemptions *int64 `json:"preemptions,omitempty"`
	Delays      *int64 `json:"delays,omitempty"`
	// Early is how many firings of a run, and sleeps of each goroutine, may be early in what is exhausted in time.
	Early *int64 `json:"early,omitempty"`
	// Within is the number of first steps in which that is so for 1 delay, where nothing is known of delays in the
	// whole, and OfSteps about how many steps a run has.
	Within  *int64 `json:"within,omitempty"`
	OfSteps *int64 `json:"of_steps,omitempty"`
}

// statsCounts are what the explorers did.
type statsCounts struct {
	Executions *int64 `json:"executions,omitempty"`
	Replays    *int64 `json:"replays,omitempty"`
	Classes    *int64 `json:"classes,omitempty"`
	Redundant  *int64 `json:"redundant,omitempty"`
	Diverged   *int64 `json:"diverged,omitempty"`
	Work       *int64 `json:"work,omitempty"`
	Events     *int64 `json:"events,omitempty"`
	Skipped    *int64 `json:"skipped,omitempty"`
	Restored   *int64 `json:"restored,omitempty"`
	Histories  *int64 `json:"histories,omitempty"`
	States     *int64 `json:"states,omitempty"`
	Queries    *int64 `json:"queries,omitempty"`
	Reads      *int64 `json:"reads,omitempty"`
	Constraint *int64 `json:"constraints,omitempty"`
	Closing    *int64 `json:"closing,omitempty"`
	Missed     *int64 `json:"missed,omitempty"`
}

// statsSampling says how many runs were drawn for bugs of depth 1, 2 and 3. For each depth it says with which
// probability such a bug has been met, if there is one, as PCT guarantees (mcrs/explore/sample).
type statsSampling struct {
	Goroutines    int                       `json:"goroutines"`
	Steps         int                       `json:"steps"`
	Within        int                       `json:"within,omitempty"` // the step up to which a bug has to show for that, 0 if there is none
	Runs          [explore.MaxDepth]int     `json:"runs"`
	Probabilities [explore.MaxDepth]float64 `json:"probabilities"`
}

func samplingOf(x explore.Sampling) *statsSampling {
	if x.Runs == ([explore.MaxDepth]int{}) {
		return nil
	}
	out := &statsSampling{Goroutines: x.Threads, Steps: x.Steps, Within: x.Within, Runs: x.Runs}
	for i := range out.Probabilities {
		// Four digits that are the same on every computer: package math may round the last one otherwise.
		out.Probabilities[i], _ = strconv.ParseFloat(strconv.FormatFloat(x.Probability(i+1), 'g', 4, 64), 64)
	}
	return out
}

type statsTimes struct {
	SolverNS  *int64 `json:"solver_ns,omitempty"`
	MachineNS *int64 `json:"machine_ns,omitempty"`
	WallNS    *int64 `json:"wall_ns,omitempty"`
}

type statsFinding struct {
	Category string `json:"category"`
	Posn     string `json:"posn"`
	Message  string `json:"message"`
	Token    string `json:"token,omitempty"`
}

// A statsFile is the file of -stats. Each entry is in it as soon as its result stands.
type statsFile struct {
	file *os.File
	err  error // the first
}

// newStatsFile begins the file; without a name nothing is written.
func newStatsFile(name string) *statsFile {
	if name == "" {
		return new(statsFile)
	}
	f, err := os.Create(name)
	return &statsFile{f, err}
}

// add writes the line of an entry.
func (s *statsFile) add(path string, e *exploration.EntryResult) {
	if s.file == nil || s.err != nil {
		return
	}
	enc := json.NewEncoder(s.file)
	enc.SetEscapeHTML(false)
	s.err = enc.Encode(entryStats(path, e))
}

// close ends the file, and returns what went wrong.
func (s *statsFile) close() error {
	if s.file != nil {
		s.err = cmp.Or(s.err, s.file.Close())
	}
	return s.err
}

func entryStats(path string, e *exploration.EntryResult) statsLine {
	s, v := &e.Result.Stats, e.Verdict()
	l := statsLine{
		Package: path, Entry: e.Name, Posn: shortPosition(e.Pos), Verdict: v.Kind, Reason: v.Reason, Behind: v.Behind, Environment: v.Environment, Cached: e.Cached,
		HandOver: e.Result.HandOver, HandOverEarly: e.Result.HandOverInTime,
		statsBounds: statsBounds{known(v.Preemptions), known(cmp.Or(v.Delays, -1)), known(cmp.Or(v.Early, -1)), known(cmp.Or(v.Steps, -1)), known(cmp.Or(v.Of, -1))},
		statsCounts: statsCounts{
			Executions: known(s.Executions), Replays: known(s.Replays), Classes: known(s.Classes),
			Redundant: known(s.Redundant), Diverged: known(s.Diverged), Work: known(s.Work), Events: known(s.Events),
			Skipped: known(s.Skipped), Restored: known(s.Restored), Histories: known(s.Histories), States: known(s.States),
			Queries: known(s.Queries), Reads: known(s.Reads), Constraint: known(s.Constraints), Closing: known(s.Closing), Missed: known(s.Missed),
		},
		statsTimes: statsTimes{known(s.SolverNS), known(s.MachineNS), known(s.WallNS)},
		Sampling:   samplingOf(s.Sampling),
		Findings:   []statsFinding{},
	}
	for i := range e.Result.Findings {
		f := &e.Result.Findings[i]
		v := e.View(f)
		l.Findings = append(l.Findings, newStatsFinding(v, f))
	}
	return l
}

func newStatsFinding(v *report.View, f *report.Finding) statsFinding {
	return statsFinding{string(f.Category), shortPosition(v.Position(f)), v.Detail(f), v.Token}
}

// known is nil for -1, which says that a number means nothing here.
func known[T int | int64](n T) *int64 {
	if n < 0 {
		return nil
	}
	v := int64(n)
	return &v
}
