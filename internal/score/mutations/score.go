package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/heddle-go/heddle/internal/score/goker/bugs"
	"github.com/heddle-go/heddle/internal/score/heddle"
)

// A set is a module of programs.
type set struct {
	name  string
	write func(dir string) error
}

var sets = []set{{"examples", writeExamples}, {"leaks", writeLeaks}}

func writeExamples(dir string) error {
	if err := os.CopyFS(dir, os.DirFS("examples")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/examples\n\ngo 1.26\n"), 0o666)
}

func writeLeaks(dir string) error {
	all, err := bugs.Read(build.Default.GOROOT)
	if err != nil {
		return err
	}
	return bugs.Write(dir, all)
}

// A row is one deletion, and what runs after it and after its undoing took.
type row struct {
	pkg      string
	deletion *deletion
	gone     costs // the operation was deleted
	back     costs // it was added back
	new      novelty
	took     times // with the operation deleted, zero if that was not measured
}

// Times are processor times of heddle, loading included.
type times struct {
	nothing time.Duration // of the package from nothing
	kept    time.Duration // of the package with records
	module  time.Duration // of all packages with records
}

// Costs are executions.
type costs struct{ nothing, kept int }

func score(o options) error {
	if err := errors.Join(os.Setenv("GOWORK", "off"), os.Setenv("GOFLAGS", "-mod=mod"), os.Setenv("GO111MODULE", "on")); err != nil {
		return err
	}
	check := newChecker()
	var wrong []string
	for _, s := range sets {
		if !o.sets.MatchString(s.name) {
			continue
		}
		tmp, err := os.MkdirTemp("", "heddle-mutations")
		if err != nil {
			return err
		}
		b := &bench{o: o, check: check, dir: filepath.Join(tmp, "module"), tmp: tmp, r: rand.New(rand.NewPCG(o.seed, 20))}
		err = b.run(s)
		os.RemoveAll(tmp)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		b.print(s.name)
		wrong = append(wrong, b.wrong...)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("answers differ:\n%s", strings.Join(wrong, "\n"))
	}
	return nil
}

// A bench is a set at work.
type bench struct {
	o        options
	check    *checker
	dir, tmp string
	r        *rand.Rand
	p        *heddle.Package
	drawn    map[string][]deletion // by folder
	folders  []string
	shown    map[string]shown // of the packages as they are, by folder
	rows     []row
	left     int           // deletions that were not drawn
	whole    time.Duration // of all packages from nothing, zero if it was not measured
	wrong    []string
}

func (b *bench) run(s set) error {
	if err := errors.Join(os.Mkdir(b.dir, 0o777), s.write(b.dir)); err != nil {
		return err
	}
	b.p = &heddle.Package{Dir: b.dir, Path: "./...", Wall: 20 * time.Minute}
	if err := b.draw(); err != nil {
		return err
	}
	base := filepath.Join(b.tmp, "base")
	was, took, err := b.explore(base, b.folders)
	if err != nil {
		return err
	}
	b.whole = took
	b.head()
	if b.shown, _, err = tell(b.dir, b.folders, nil, nil, b.o.work); err != nil {
		return err
	}
	for round := 0; ; round++ {
		var now []string
		for _, f := range b.folders {
			if round < len(b.drawn[f]) {
				now = append(now, f)
			}
		}
		if len(now) == 0 {
			return nil
		}
		if err := b.round(round, now, base, was); err != nil {
			return err
		}
	}
}

// draw lists the deletions of each package, in random order.
func (b *bench) draw() error {
	b.drawn = map[string][]deletion{}
	err := filepath.WalkDir(b.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(b.dir, name)
		if tests, _ := filepath.Glob(filepath.Join(name, "*_test.go")); len(tests) == 0 || !b.o.match.MatchString(rel) {
			return nil
		}
		all, err := b.check.deletions(name)
		if err != nil {
			return err
		}
		b.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if b.o.n > 0 && len(all) > b.o.n {
			b.left += len(all) - b.o.n
			all = all[:b.o.n]
		}
		b.drawn[rel] = all
		b.folders = append(b.folders, rel)
		return nil
	})
	slices.Sort(b.folders)
	return err
}

// An answer is what -stats says of an entry.
type answer struct {
	executions int
	cached     bool
	line       string // without what may differ
}

var unequal = regexp.MustCompile(`"[a-z_]+_ns":-?\d+,|"cached":true,`)

// explore runs heddle over packages, and returns the answers by folder.
func (b *bench) explore(store string, folders []string) (map[string][]answer, time.Duration, error) {
	args := []string{"-workers=1", fmt.Sprintf("-limit.work=%d", b.o.work)}
	if store == "off" {
		args = append(args, "-cache=off")
	}
	for _, f := range folders {
		args = append(args, "./"+filepath.ToSlash(f))
	}
	o, err := b.p.Output(store, args...)
	if err != nil {
		return nil, 0, err
	}
	if o.Code != 0 && o.Code != 3 {
		return nil, 0, fmt.Errorf("heddle: exit code %d: %s", o.Code, o.Stderr)
	}
	out := map[string][]answer{}
	for line := range bytes.Lines(o.Stats) {
		var e struct {
			Package, Posn string
			Cached        bool
			Executions    int
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, 0, err
		}
		folder := path.Dir(filepath.ToSlash(strings.TrimPrefix(e.Posn, b.dir+"/")))
		out[folder] = append(out[folder], answer{e.Executions, e.Cached, string(unequal.ReplaceAll(line, nil))})
	}
	return out, o.ProcessorTime, nil
}

// round deletes one operation of each package, and adds it back.
func (b *bench) round(n int, folders []string, base string, was map[string][]answer) error {
	store := filepath.Join(b.tmp, fmt.Sprint("store", n))
	texts := map[string][]byte{}
	for _, f := range folders {
		d := &b.drawn[f][n]
		text, err := os.ReadFile(d.file)
		if err != nil {
			return err
		}
		texts[d.file] = text
		if err := os.WriteFile(d.file, d.apply(text), 0o666); err != nil {
			return err
		}
	}
	edited := filepath.Join(b.tmp, fmt.Sprint("edited", n))
	cold, _, err := b.explore(edited, folders) // from nothing: there are no records yet
	if err != nil {
		return err
	}
	if err := os.CopyFS(store, os.DirFS(base)); err != nil { // what is kept of this round is of no use in the next
		return err
	}
	warm, _, err := b.explore(store, folders)
	if err != nil {
		return err
	}
	lost := map[string]*deletion{}
	for _, f := range folders {
		lost[f] = &b.drawn[f][n]
	}
	_, news, err := tell(b.dir, folders, lost, b.shown, b.o.work)
	if err != nil {
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	back, _, err := b.explore(edited, folders)
	if err != nil {
		return err
	}
	for _, f := range folders {
		x := row{pkg: f, deletion: lost[f], new: news[f]}
		x.gone = b.compare("deleted", f, x.deletion, cold[f], warm[f])
		x.back = b.compare("added back", f, x.deletion, was[f], back[f])
		if n < b.o.timed {
			text := texts[x.deletion.file]
			err := os.WriteFile(x.deletion.file, x.deletion.apply(text), 0o666)
			if err == nil {
				err = b.measure(&x, base, was, cold[f])
			}
			if err = errors.Join(err, os.WriteFile(x.deletion.file, text, 0o666)); err != nil {
				return err
			}
		}
		b.rows = append(b.rows, x)
		b.row(x)
	}
	return errors.Join(os.RemoveAll(store), os.RemoveAll(edited))
}

// measure measures the time of runs where one package alone has lost an operation. It compares the answers, too.
func (b *bench) measure(x *row, base string, was map[string][]answer, cold []answer) (err error) {
	if _, x.took.nothing, err = b.explore("off", []string{x.pkg}); err != nil {
		return err
	}
	for _, run := range []struct {
		folders []string
		took    *time.Duration
	}{{[]string{x.pkg}, &x.took.kept}, {b.folders, &x.took.module}} {
		store := filepath.Join(b.tmp, "measured")
		if err := os.CopyFS(store, os.DirFS(base)); err != nil {
			return err
		}
		var kept map[string][]answer
		if kept, *run.took, err = b.explore(store, run.folders); err != nil {
			return err
		}
		for _, f := range run.folders {
			nothing := was[f]
			if f == x.pkg {
				nothing = cold
			}
			b.compare("deleted alone from "+x.pkg, f, x.deletion, nothing, kept[f])
		}
		if err := os.RemoveAll(store); err != nil {
			return err
		}
	}
	return nil
}

// compare compares the answers from nothing with those of a run with records, and counts executions.
func (b *bench) compare(what, folder string, d *deletion, nothing, kept []answer) (c costs) {
	if len(nothing) != len(kept) {
		b.wrong = append(b.wrong, fmt.Sprintf("%s: %s: %d entries from nothing, %d with records", folder, what, len(nothing), len(kept)))
		return c
	}
	for i := range nothing {
		if c.nothing += nothing[i].executions; !kept[i].cached {
			c.kept += kept[i].executions
		}
		if nothing[i].line != kept[i].line {
			b.wrong = append(b.wrong, fmt.Sprintf("%s: %s %s:%d %s\nfrom nothing: %swith records: %s", folder, what, filepath.Base(d.file), d.line, d.text, nothing[i].line, kept[i].line))
		}
	}
	return c
}
