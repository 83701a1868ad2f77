package exploration

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/build"
	"strings"
	"sync"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/depends"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/digest"
)

// This file asks the cache of verdicts before an entry is explored, and fills it. Package cache says what is in a key,
// and why that is enough.

// Cache, if not nil, keeps verdicts. A driver sets it; go vet keeps them itself.
var Cache *cache.Store

// A keeper asks and fills the cache for one package. A nil keeper does nothing.
type keeper struct {
	store *cache.Store
	stop  *explore.Stop // what was found when it was asked is not all there is, and not kept
	turns *Turns
	first map[int]int64 // work of the first turns of entries that needed a second one
	c     *closure.Result
	base  settings
	files string
	cur   *cache.Current
	t     *programTarget
	ids   map[int]string        // names of the records of entries, by their index in Result.Entries
	world map[string]cache.Seen // of all records, by path
	mu    *sync.Mutex           // held while ids and world are changed
}

// settings are KEY1 to KEY3. The fields of an entry are empty where a key is of the package.
type settings struct {
	Heddle, Go, GOROOT, GOOS, GOARCH, GODEBUG string
	Package, Dir                              string
	Flags                                     []string
	Env                                       []string
	Cached                                    bool
	Turns                                     bool // entries take turns

	Entry, Kind, Output  string
	HasOutput, Unordered bool
	Sequential           bool
	Special              Special
	With                 []string // of pairs: the records of the tests and of all with races
	Files, Run           string   // of the package as a whole
}

// newKeeper returns a keeper, nil if nothing is kept.
func newKeeper(c *closure.Result, w Watcher) *keeper {
	if Cache == nil || cache.Self() == "" || c.Recipe == nil || w.Past {
		return nil
	}
	if flags.explorer == "pairwise" && NewSince != nil {
		return nil // what it gives depends on what has changed
	}
	r := c.Recipe
	text, err := json.Marshal(r)
	if err != nil {
		return nil // strings and lists of them
	}
	k := &keeper{mu: new(sync.Mutex), stop: w.Stop, turns: w.Turns, store: Cache, c: c, files: cache.Hash(text), ids: map[int]string{}, first: map[int]int64{}, world: map[string]cache.Seen{}}
	k.base = settings{
		Heddle: cache.Self(), Go: r.GoVersion, GOROOT: build.Default.GOROOT, GOOS: r.GOOS, GOARCH: r.GOARCH, GODEBUG: r.GODEBUG,
		Package: strings.Join(c.Packages, " "), Dir: folderOf(r),
		Flags: answering(), Env: withEnv(flags.env), Cached: c.Cached(), Turns: w.Turns != nil,
	}
	return k
}

// silentFlags are those that change no answer of an entry. What is found does not depend on the number of workers.
// Which entries are explored, and what is said of them, is decided elsewhere.
var silentFlags = map[string]bool{"workers": true, "run": true, "incomplete": true, "fixes": true}

// flagSet has the flags of the analyzer. (Analyzer itself refers to Run, and Run to this file.)
var flagSet *flag.FlagSet

func init() { flagSet = &Analyzer.Flags }

// answering lists the flags that change answers, as they are set: all but those that are known not to.
func answering() (out []string) {
	flagSet.VisitAll(func(f *flag.Flag) {
		if !silentFlags[f.Name] {
			out = append(out, f.Name+"="+f.Value.String())
		}
	})
	return out
}

// folderOf is the folder in which the entries of a program run.
func folderOf(r *program.Recipe) string {
	for _, id := range []string{r.Root, r.XTest} {
		if p := r.Package(id); p != nil {
			return p.Dir
		}
	}
	return ""
}

func (s settings) key() string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings and numbers
	}
	return cache.Hash(text)
}

// loaded says that the program is at hand.
func (k *keeper) loaded(t target) *keeper {
	if k == nil {
		return nil
	}
	pt, ok := t.(*programTarget)
	if !ok {
		return nil
	}
	k.t = pt
	k.cur = &cache.Current{Files: k.files, Digest: digest.New(pt.prog), Facts: k.facts(pt.prog)}
	return k
}

// facts is KEY7. A TestMain could ask for all the tests there are.
func (k *keeper) facts(p *program.Program) string {
	s := machine.Facts(p)
	if p.TestMain != nil {
		for _, e := range p.Entries {
			s += " " + e.Name
		}
	}
	return s
}

// key is that of an entry.
func (k *keeper) key(e entry) string {
	s, x := k.base, k.t.prog.Entries[e.index]
	s.Entry, s.Kind, s.Output, s.HasOutput, s.Unordered = e.name+" of "+e.pkg, e.kind, x.Output, x.HasOutput, x.Unordered
	s.Sequential, s.Special = e.sequential, specialOf(k.c, e)
	return s.key()
}

// find returns what an earlier run found of an entry with this limit of work, nil if there is nothing that holds.
func (k *keeper) find(e entry, m sched.Machine, at int, limit int64) (*EntryResult, *cache.Record) {
	if k == nil || specialOf(k.c, e).Skip != "" || !k.turns.usual(limit) {
		return nil, nil
	}
	rec, id := k.store.Find(k.key(e), k.cur)
	if rec == nil || len(rec.Results) != 1 {
		return nil, nil
	}
	out := k.entryResult(e, e.name)
	if !k.restore(&out, &rec.Results[0], m, limitsOf(specialOf(k.c, e), e), specialOf(k.c, e).Timing) {
		return nil, nil
	}
	k.know(at, id, rec)
	return &out, rec
}

func (k *keeper) entryResult(e entry, name string) EntryResult {
	out := newEntryResult(k.c, k.t, e)
	out.Name, out.Cached = name, true
	out.token = func(f *report.Finding) string { return formatToken(k.c.Recipe.Path, name, k.c.Recipe.Digest, f) }
	return out
}

// restore makes the result of a record that of an entry. It runs its findings again, and reports whether they all
// showed.
func (k *keeper) restore(out *EntryResult, from *cache.Result, m sched.Machine, lim explore.Limits, special string) bool {
	out.Result = from.Restore()
	if from.At != nil {
		at := *from.At
		if at.Place != nil {
			at.Pos = k.cur.Digest.Position(*at.Place)
		}
		out.reasonAt = &at
	}
	timing, err := explore.ParseTiming(orDefault(special, flags.timing))
	if err != nil {
		return false
	}
	leaks, err := explore.ParseLeaks(flags.leaks)
	if err != nil {
		return false
	}
	if out.Kind != "pair" {
		m = leaks.Leaking(m)
	}
	err = protect(func() error {
		for i := range from.Findings {
			f, err := from.Findings[i].Restore()
			if err != nil {
				return err
			}
			shown := explore.Show(m, lim, timing, f)
			if shown == nil {
				return fmt.Errorf("the seed of a %s shows nothing", f.Category)
			}
			out.Result.Findings = append(out.Result.Findings, *shown)
		}
		return nil
	})
	return err == nil
}

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// begin begins to note what the executions of an entry, or of pairs, depend on.
func (k *keeper) begin() {
	if k != nil {
		k.t.BeginNotes()
		k.t.world.begin()
	}
}

// keep keeps what exploring an entry gave. p is nil if it is no test; first is the work of its first turn if this was
// the second.
func (k *keeper) keep(e entry, out *EntryResult, p *parallelTest, at int, first int64) {
	if k == nil || !k.keepable(out) || !k.turns.usual(limitOfWork(k.c, e)) {
		return
	}
	rec := &cache.Record{Results: []cache.Result{k.result(out)}, First: first}
	if p != nil && p.parallel {
		rec.Parallel, rec.Accesses, rec.Left = true, len(p.accesses) > 0, p.left
	}
	if !k.depends(&rec.Depends) {
		return
	}
	k.know(at, k.store.Add(k.key(e), rec), rec)
}

// know notes the record of an entry.
func (k *keeper) know(at int, id string, rec *cache.Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ids[at], k.first[at] = id, rec.First
	k.learn(rec)
}

// learn notes what of the host a record depends on.
func (k *keeper) learn(rec *cache.Record) {
	for _, s := range rec.World {
		k.world[s.Path] = s
	}
}

// keepable reports whether a result says something of the program, and not of trouble within Heddle. A result with
// races behind a line is not kept: the line is a site of this run.
func (k *keeper) keepable(out *EntryResult) bool {
	return !out.failed && !out.Result.Interrupted && out.Result.Behind == 0 && len(out.internal()) == 0 && k.unchanged()
}

func (k *keeper) result(out *EntryResult) cache.Result {
	r := cache.KeepResult(out.Result)
	r.At = k.site(out)
	for i := range out.Result.Findings {
		r.Findings = append(r.Findings, cache.Keep(&out.Result.Findings[i]))
	}
	return r
}

// site is where the reason of a result struck.
func (k *keeper) site(out *EntryResult) *cache.Site {
	s := out.Result.ReasonSite
	if s == 0 {
		return nil
	}
	t, ok := out.source.(*programTarget)
	if !ok {
		return nil
	}
	pos := t.Position(s)
	if !pos.IsValid() {
		return nil
	}
	at := &cache.Site{Pos: pos, Package: t.Package(s)}
	if in := t.Instr(s); in != nil {
		if p, ok := k.cur.Digest.Place(in.Parent(), program.InstrPos(in)); ok {
			at.Place = &p
		}
	}
	return at
}

// depends notes what the executions since begin depend on. It reports whether that is known.
func (k *keeper) depends(d *cache.Depends) bool {
	code, lines, logged := k.t.Noted()
	d.Files, d.Shell, d.Facts = k.files, k.cur.Digest.Shell(), k.cur.Facts
	d.Decls, d.Types = map[string]string{}, map[string]string{}
	for _, fn := range code {
		if name := k.cur.Digest.Decl(fn); name != "" {
			d.Decls[name] = k.cur.Digest.Of(name)
			for _, typ := range k.cur.Digest.Types(name) {
				d.Types[typ] = k.cur.Digest.Type(typ)
			}
		}
	}
	for _, fn := range lines {
		if name := k.cur.Digest.Decl(fn); name != "" {
			if d.Lines == nil {
				d.Lines = map[string]string{}
			}
			d.Lines[name] = k.cur.Digest.Lines(name)
		} else if k.cur.Digest.OfUser(fn) {
			d.Whole = true // a function literal of an initialiser, a wrapper: where its lines are is not known
		}
	}
	for _, fn := range logged {
		if name := k.cur.Digest.Decl(fn); name != "" {
			if d.Logged == nil {
				d.Logged = map[string]string{}
			}
			d.Logged[name] = k.cur.Digest.Lengths(name)
		}
	}
	x, err := makeExplorer()
	if _, asks := x.(*formula.Explorer); err != nil || asks || depends.Mode(flags.deps) == depends.ByGraph {
		d.Whole = true
	}
	var ok bool
	d.World, ok = k.t.world.seen()
	return ok
}
