package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heddle-go/heddle/analysistest/edits"
	"github.com/heddle-go/heddle/internal/score/heddle"
	"github.com/heddle-go/heddle/internal/score/module"
)

// most is how many edits come on top of one another.
const most = 6

// A walk is what is done with one target.
type walk struct {
	o       options
	t       *module.Package
	dir     string
	store   string
	folders []string
	p       *heddle.Package
	r       *rand.Rand

	base, now edits.Tree
	path      []string // the edits since base
	tally
}

// A tally counts.
type tally struct {
	edits, invalid, neutral, undone int
	entries, cached                 int // after edits that compile
	asked                           int // entries that were explored because lines have moved
	wrong                           int
	kinds                           map[string]int
	cold, warm                      time.Duration
}

func (t *tally) add(u *tally) {
	t.edits, t.invalid, t.neutral, t.undone = t.edits+u.edits, t.invalid+u.invalid, t.neutral+u.neutral, t.undone+u.undone
	t.entries, t.cached, t.asked, t.wrong = t.entries+u.entries, t.cached+u.cached, t.asked+u.asked, t.wrong+u.wrong
	t.cold, t.warm = t.cold+u.cold, t.warm+u.warm
	for k, n := range u.kinds {
		t.count(k, n)
	}
}

func (t *tally) count(kind string, n int) {
	if t.kinds == nil {
		t.kinds = map[string]int{}
	}
	t.kinds[kind] += n
}

func (t *tally) print(name string) {
	fmt.Printf("%-16s %4d edits, %3d do not compile, %3d neutral, %3d times undone; %5d entries, %5d cached, %3d for their lines; processor time %5.1f s from nothing, %5.1f s with the cache; %d wrong\n",
		name, t.edits, t.invalid, t.neutral, t.undone, t.entries, t.cached, t.asked, t.cold.Seconds(), t.warm.Seconds(), t.wrong)
}

func score(o options) error {
	for _, e := range [][2]string{{"GOWORK", "off"}, {"GOFLAGS", "-mod=mod"}} {
		if err := os.Setenv(e[0], e[1]); err != nil {
			return err
		}
	}
	var all tally
	for i := range targets {
		t := &targets[i]
		if !o.target.MatchString(t.Name) {
			continue
		}
		w, err := newWalk(o, t)
		if err != nil {
			return err
		}
		err = w.run()
		os.RemoveAll(filepath.Dir(w.dir))
		if err != nil {
			return fmt.Errorf("%s, after %s: %w", t.Name, strings.Join(w.path, "\n\t"), err)
		}
		w.print(t.Name)
		all.add(&w.tally)
	}
	all.print("all")
	for _, k := range slices.Sorted(maps.Keys(all.kinds)) {
		fmt.Printf("\t%-30s %d\n", k, all.kinds[k])
	}
	if all.wrong > 0 {
		return fmt.Errorf("%d runs are wrong", all.wrong)
	}
	return nil
}

func newWalk(o options, t *module.Package) (*walk, error) {
	tmp, err := os.MkdirTemp("", "heddle-edits")
	if err != nil {
		return nil, err
	}
	w := &walk{o: o, t: t, dir: filepath.Join(tmp, "module"), store: filepath.Join(tmp, "store"), r: rand.New(rand.NewPCG(o.seed, uint64(len(t.Name))))}
	if err := copyTo(t, w.dir); err != nil {
		return nil, err
	}
	if w.folders, err = folders(t, w.dir); err != nil {
		return nil, err
	}
	if w.base, err = edits.Read(w.dir); err != nil {
		return nil, err
	}
	w.now = w.base
	w.p = &heddle.Package{Dir: w.dir, Path: t.Folder, Wall: 10 * time.Minute}
	return w, nil
}

// run edits the target, again and again.
func (w *walk) run() error {
	if _, err := w.compare(nil); err != nil {
		return err
	}
	for w.edits < w.o.n {
		if len(w.path) >= most {
			if err := w.undo(); err != nil {
				return err
			}
		}
		e := w.next()
		if e == nil {
			return errors.New("nothing can be edited")
		}
		if err := w.step(e); err != nil {
			return err
		}
	}
	return w.undo()
}

// next is the next edit, of a kind that is asked for.
func (w *walk) next() *edits.Edit {
	for range 1000 {
		if e := edits.Random(w.r, w.now, w.folders); e == nil || w.o.kind.MatchString(e.Kind) {
			return e
		}
	}
	return nil
}

// step makes an edit, and takes it back if it does not compile.
func (w *walk) step(e *edits.Edit) error {
	was := w.now
	if err := e.Tree.Write(w.dir, was); err != nil {
		return err
	}
	w.now = e.Tree
	w.path = append(w.path, e.Kind+": "+e.What)
	w.edits++
	w.count(e.Kind, 1)
	if e.Neutral {
		w.neutral++
	}
	ok, err := w.compare(e)
	if err != nil || ok {
		return err
	}
	w.invalid++
	w.path = w.path[:len(w.path)-1]
	w.now = was
	return was.Write(w.dir, e.Tree)
}

// undo takes all edits back. Nothing is explored then.
func (w *walk) undo() error {
	if err := w.base.Write(w.dir, w.now); err != nil {
		return err
	}
	w.now, w.path = w.base, nil
	w.undone++
	warm, err := w.command(w.store)
	if err != nil {
		return err
	}
	w.warm += warm.ProcessorTime
	if again := explored(warm.Stats); len(again) > 0 {
		again, err = w.unkept(again)
		if err != nil || len(again) == 0 {
			return err
		}
		w.fault("all edits are undone, and there were explored: "+strings.Join(again, " "), nil)
	}
	return nil
}

// unkept runs over the same code again: what is explored once more is never kept, and left out of the list.
func (w *walk) unkept(list []string) ([]string, error) {
	again, err := w.command(w.store)
	if err != nil {
		return nil, err
	}
	never := explored(again.Stats)
	return slices.DeleteFunc(list, func(name string) bool { return slices.Contains(never, name) }), nil
}

func (w *walk) command(cache string) (heddle.Output, error) {
	flags := slices.Clone(low)
	if cache == "off" {
		flags = append(flags, "-cache=off")
	}
	return w.p.Output(cache, append(flags, w.t.Folder)...)
}

// compare runs both ways. ok is false if the program does not compile.
func (w *walk) compare(e *edits.Edit) (ok bool, err error) {
	warm, err := w.command(w.store)
	if err != nil {
		return false, err
	}
	cold, err := w.command("off")
	if err != nil {
		return false, err
	}
	w.warm, w.cold = w.warm+warm.ProcessorTime, w.cold+cold.ProcessorTime
	ok = cold.Code != 1
	if d := difference(plain(warm), plain(cold)); d != "" {
		w.fault("the answers differ", e, d)
	}
	if e == nil {
		return ok, nil
	}
	again := explored(warm.Stats)
	if ok {
		n := bytes.Count(warm.Stats, []byte("\n"))
		w.entries, w.cached = w.entries+n, w.cached+n-len(again)
	}
	if w.o.verbose {
		fmt.Printf("%s: %s: %s\n\tcompiles: %t, explored: %s\n", w.t.Name, e.Kind, e.What, ok, strings.Join(again, " "))
	}
	if !e.Neutral || len(again) == 0 {
		return ok, nil
	}
	if !ok {
		w.fault("a neutral edit does not compile", e, cold.Stderr)
		return ok, nil
	}
	switch again, err = w.unkept(again); {
	case err != nil:
	case e.Moves:
		w.asked += len(again)
	case len(again) > 0:
		w.fault("after a neutral edit there were explored: "+strings.Join(again, " "), e)
	}
	return ok, err
}

// fault prints what is wrong.
func (w *walk) fault(what string, e *edits.Edit, more ...string) {
	w.wrong++
	fmt.Printf("%s: %s\n", w.t.Name, what)
	for _, p := range w.path {
		fmt.Printf("\tafter %s\n", p)
	}
	for _, m := range more {
		fmt.Println("\t" + strings.ReplaceAll(strings.TrimSpace(m), "\n", "\n\t"))
	}
	if w.o.keep != "" {
		dir := filepath.Join(w.o.keep, fmt.Sprintf("%s-%d", w.t.Name, w.edits))
		if err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(filepath.Dir(w.dir)))); err != nil {
			fmt.Println("\t", err)
		}
	}
}

var times = regexp.MustCompile(`"[a-z_]+_ns":-?\d+,|"cached":true,`)

// plain is all that a run wrote, without what may differ.
func plain(o heddle.Output) string {
	return fmt.Sprintf("exit code %d\n%s\n-- standard error\n%s\n-- statistics\n%s", o.Code, o.Stdout, strings.ReplaceAll(o.Stderr, " (cached)", ""), times.ReplaceAll(o.Stats, nil))
}

// difference is the first lines at which two texts differ, "" if they do not.
func difference(warm, cold string) string {
	if warm == cold {
		return ""
	}
	a, b := strings.Split(warm, "\n"), strings.Split(cold, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("line %d\nwith the cache: %s\nfrom nothing:   %s", i+1, strings.Join(a[i:min(i+4, len(a))], "\n"), strings.Join(b[i:min(i+4, len(b))], "\n"))
}

// explored lists the entries of statistics that are not from the cache.
func explored(stats []byte) (out []string) {
	for line := range bytes.Lines(stats) {
		var e struct {
			Package, Entry, Verdict string
			Cached                  bool
		}
		if json.Unmarshal(line, &e) == nil && !e.Cached {
			out = append(out, e.Package+"."+e.Entry)
		}
	}
	return out
}
