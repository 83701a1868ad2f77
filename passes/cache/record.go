package cache

import (
	"encoding/json"
	"go/token"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program/digest"
)

// A Record is what exploring an entry, or pairs of tests, gave, and what that depends on.
type Record struct {
	Depends
	Results []Result
	// Parallel says of a test that it calls t.Parallel. Accesses says that it has then done to memory what another test
	// could race with. Left says that it did more than was noted.
	Parallel, Accesses, Left bool `json:",omitempty"`
	// First is the work of the entry's first turn, if it needed a second one.
	First int64 `json:",omitempty"`
	// Of pairs: how many pairs of accesses were looked at, and how many were left.
	Conflicts, ConflictsLeft int `json:",omitempty"`
}

// Depends is what a record depends on, apart from what its key has.
type Depends struct {
	Files string            // a hash of all files of the program
	Shell string            // KEY4
	Facts string            // KEY7
	Decls map[string]string // KEY5
	Types map[string]string `json:",omitempty"` // KEY9
	Lines map[string]string `json:",omitempty"` // KEY6
	// Logged is of KEY6, too.
	Logged map[string]string `json:",omitempty"`
	World  []Seen            `json:",omitempty"` // KEY8
	Whole  bool              `json:",omitempty"` // the files have to be the same
}

// A Current is the program at hand, as far as a record may ask for it.
type Current struct {
	Files  string
	Digest *digest.Program // nil if the program was not loaded
	Facts  string
}

// Holds reports whether what a record depends on is as it was.
func (d *Depends) Holds(c *Current) bool {
	if d.Files != c.Files && (d.Whole || c.Digest == nil || !d.sameCode(c)) {
		return false
	}
	return Same(d.World)
}

func (d *Depends) sameCode(c *Current) bool {
	if d.Shell != c.Digest.Shell() || d.Facts != c.Facts {
		return false
	}
	for name, was := range d.Decls {
		if c.Digest.Of(name) != was {
			return false
		}
	}
	for name, was := range d.Types {
		if c.Digest.Type(name) != was {
			return false
		}
	}
	for name, was := range d.Lines {
		if c.Digest.Lines(name) != was {
			return false
		}
	}
	for name, was := range d.Logged {
		if c.Digest.Lengths(name) != was {
			return false
		}
	}
	return true
}

// A Result is an explore.Result without what cannot be kept.
type Result struct {
	Name string `json:",omitempty"` // of a pair
	// Tests are the names of the tests of a pair.
	Tests []string `json:",omitempty"`

	Exhausted bool
	Reason    Text  `json:",omitempty"`
	At        *Site `json:",omitempty"` // where the reason struck
	Then      Text  `json:",omitempty"`
	Bounds    int   `json:",omitempty"`
	Delays    int   `json:",omitempty"`
	Within    explore.Within
	OfWork    bool `json:",omitempty"`
	Memory    Text `json:",omitempty"`
	InTime    bool `json:",omitempty"`
	explore.TimeDone
	NotSupported bool     `json:",omitempty"`
	Skips        bool     `json:",omitempty"`
	SkipText     Text     `json:",omitempty"`
	Refused      *Refusal `json:",omitempty"`
	Environment  []string `json:",omitempty"`
	HandOver     Text     `json:",omitempty"`
	InTimeOver   Text     `json:",omitempty"` // HandOverInTime
	Stats        explore.Stats
	Findings     []Finding `json:",omitempty"`
}

// A Refusal is a trace.Refusal without its site.
type Refusal struct {
	What, Caller string
	Failed       bool
}

// A Site is a position with the package that it is in. Place says where that is in another text of the same
// declaration. A site without a declaration is in the standard library.
type Site struct {
	Place   *digest.Place `json:",omitempty"`
	Pos     token.Position
	Package string
}

// A Finding is what is needed to show a finding again.
type Finding struct {
	Category  report.Category
	Seed      string            // as the text of a token
	Timing    bool              `json:",omitempty"`
	EarlyMost int               `json:",omitempty"`
	Clocks    bool              `json:",omitempty"`
	Memory    event.MemoryModel `json:",omitempty"`
	Leads     report.Category   `json:",omitempty"` // the category of report.Finding.Leads
	Events    []int
	Threads   []int
}

// A Text is a string of any bytes, where JSON has characters alone.
type Text string

// MarshalText implements encoding.TextMarshaler.
func (t Text) MarshalText() ([]byte, error) { return []byte(strconv.QuoteToASCII(string(t))), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Text) UnmarshalText(b []byte) error {
	s, err := strconv.Unquote(string(b))
	*t = Text(s)
	return err
}

// Keep returns what is kept of a finding.
func Keep(f *report.Finding) Finding {
	out := Finding{Category: f.Category, Seed: (&seed.Token{Seed: f.Seed}).String(), Timing: f.Timing, EarlyMost: f.EarlyMost, Memory: f.Memory, Clocks: f.Clocks, Events: f.Events, Threads: f.Threads}
	if f.Leads != nil {
		out.Leads = f.Leads.Category
	}
	return out
}

// Restore is the finding, without a witness.
func (f *Finding) Restore() (report.Finding, error) {
	tok, err := seed.Parse(f.Seed)
	if err != nil {
		return report.Finding{}, err
	}
	out := report.Finding{Category: f.Category, Seed: tok.Seed, Timing: f.Timing, EarlyMost: f.EarlyMost, Memory: f.Memory, Clocks: f.Clocks, Events: f.Events, Threads: f.Threads}
	if f.Leads != "" {
		out.Leads = &report.Finding{Category: f.Leads}
	}
	return out, nil
}

// KeepResult returns what is kept of a result; its site and findings are left out.
func KeepResult(r *explore.Result) Result {
	out := Result{
		Exhausted: r.Verdict == explore.Exhausted, Reason: Text(r.Reason), Then: Text(r.Then), Bounds: r.Bounds, Delays: r.Delays, Within: r.Within, Memory: Text(r.Memory), InTime: r.InTime, OfWork: r.OfWork, TimeDone: r.TimeDone,
		NotSupported: r.NotSupported, Skips: r.Skips, SkipText: Text(r.SkipText), Environment: r.Environment, Stats: r.Stats,
		HandOver: Text(r.HandOver), InTimeOver: Text(r.HandOverInTime),
	}
	s := &out.Stats
	s.SolverNS, s.MachineNS, s.WitnessNS, s.WallNS = -1, -1, -1, -1
	if r.Refused != nil {
		out.Refused = &Refusal{r.Refused.What, r.Refused.Caller, r.Refused.Failed}
	}
	return out
}

// Restore is the result, without its site and findings.
func (r *Result) Restore() *explore.Result {
	out := &explore.Result{
		Verdict: explore.Incomplete, Reason: string(r.Reason), Then: string(r.Then), Bounds: r.Bounds, Delays: r.Delays, Within: r.Within, Memory: string(r.Memory), InTime: r.InTime, OfWork: r.OfWork, TimeDone: r.TimeDone,
		NotSupported: r.NotSupported, Skips: r.Skips, SkipText: string(r.SkipText), Environment: r.Environment, Stats: r.Stats,
		HandOver: string(r.HandOver), HandOverInTime: string(r.InTimeOver),
	}
	if r.Exhausted {
		out.Verdict = explore.Exhausted
	}
	if r.Refused != nil {
		out.Refused = &trace.Refusal{What: r.Refused.What, Caller: r.Refused.Caller, Failed: r.Refused.Failed}
	}
	return out
}

// Encode writes a record, always the same bytes for the same record.
func (r *Record) Encode() ([]byte, error) { return json.Marshal(r) }

// Decode reads a record.
func Decode(data []byte) (*Record, error) {
	r := new(Record)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	return r, nil
}

// Find returns the record of a key that holds for the program at hand, and its name; nil if there is none.
func (s *Store) Find(key string, c *Current) (r *Record, id string) {
	s.Records(key, func(name string, data []byte) bool {
		x, err := Decode(data)
		if err != nil || !x.Holds(c) {
			return false
		}
		r, id = x, name
		return true
	})
	return r, id
}

// Add keeps a record, and returns its name.
func (s *Store) Add(key string, r *Record) string {
	data, err := r.Encode()
	if err != nil {
		return "" // strings and numbers alone
	}
	return s.Put(key, data)
}
