package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/internal/fuzz/gogen"
)

// A judge compares batches.
type judge struct {
	native native
	loader loader
	tmp    string
	n      int
}

func newJudge() (*judge, error) {
	tmp, err := os.MkdirTemp("", "heddle-fuzz")
	if err != nil {
		return nil, err
	}
	j := &judge{tmp: tmp}
	return j, j.native.init(tmp)
}

func (j *judge) close() { os.RemoveAll(j.tmp) }

// A result is what the comparison of one program gave.
type result struct {
	invalid string // it does not compile: the generator is to blame
	diff    string // "" if the runs agree
}

// compare runs each program natively and in the machine.
func (j *judge) compare(datas [][]byte) ([]result, error) {
	progs := make([]gogen.Program, len(datas))
	for i, d := range datas {
		progs[i] = makeProgram(d, fmt.Sprintf("p%d_", i))
	}
	return j.compareSources(progs)
}

func (j *judge) compareSources(progs []gogen.Program) ([]result, error) {
	results := make([]result, len(progs))
	j.n++
	dir := filepath.Join(j.tmp, strconv.Itoa(j.n))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	exe := filepath.Join(dir, "a.out")
	progs = append([]gogen.Program(nil), progs...)
	drop := func(bad map[string][]string) {
		for i := range progs {
			if errs := bad[gogen.File(i)]; len(errs) > 0 && results[i].invalid == "" {
				results[i].invalid = errs[0]
				progs[i] = gogen.Program{Source: "func p" + strconv.Itoa(i) + "_Main() {}", Entry: "p" + strconv.Itoa(i) + "_Main"}
			}
		}
	}
	drop(j.native.check(gogen.Batch(progs)))
	var names []string
	for try := 0; ; try++ {
		files := gogen.Batch(progs)
		names = sortedNames(files)
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				return nil, err
			}
		}
		bad, err := j.native.build(dir, names, exe)
		if err != nil {
			return nil, err
		}
		if len(bad) == 0 {
			break
		}
		if try > 50 {
			return nil, fmt.Errorf("programs keep failing to compile: %v", bad)
		}
		drop(bad)
	}

	p, err := j.loader.load(dir, names)
	if err != nil {
		if len(progs) == 1 {
			results[0].diff = "loading: " + err.Error()
			return results, nil
		}
		j.loader.u = nil
		return nil, fmt.Errorf("loading: %w", err)
	}
	together := func() bool { // reports whether both runs came to an end
		want, got := execNative(exe, -1), execMachine(p, -1)
		if want.err != "" || got.err != "" || want.code != 0 || got.code != 0 {
			return false
		}
		wo, we, so, se := sections(want.stdout), sections(want.stderr), sections(got.stdout), sections(got.stderr)
		for i := range progs {
			if !progs[i].Alone {
				results[i].diff = differ(wo[i], so[i], we[i], se[i])
			}
		}
		return true
	}()
	for i := range progs {
		if results[i].invalid == "" && (progs[i].Alone || !together) {
			results[i].diff = differAlone(execNative(exe, i), execMachine(p, i))
		}
	}
	return results, nil
}

// sections are the outputs of the programs of a batch.
func sections(s string) map[int]string {
	m := map[int]string{}
	for part := range strings.SplitSeq(s, gogen.Mark) {
		n, text, ok := strings.Cut(part, "\n")
		if i, err := strconv.Atoi(n); ok && err == nil {
			m[i] = text
		}
	}
	return m
}

func differ(wantOut, gotOut, wantErr, gotErr string) string {
	if wantOut != gotOut {
		return "standard output: " + firstDiff(wantOut, gotOut)
	}
	if wantErr != gotErr {
		return "standard error: " + firstDiff(wantErr, gotErr)
	}
	return ""
}

func differAlone(want, got outcome) string {
	switch {
	case want.err != "":
		return "natively: " + want.err
	case got.err != "":
		return "in the machine: " + got.err
	case want.code != got.code:
		return fmt.Sprintf("exit code %d, in the machine %d\n%s\n%s", want.code, got.code, want.stderr, got.stderr)
	}
	return differ(want.stdout, got.stdout, message(want.stderr), message(got.stderr))
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// message is what stands on standard error before the first goroutine's trace, without addresses.
func message(s string) string {
	s, _, _ = strings.Cut(s, "\ngoroutine ")
	var b strings.Builder
	for l := range strings.Lines(s) {
		if !strings.HasPrefix(l, "[signal ") {
			b.WriteString(address.ReplaceAllString(l, "0x"))
		}
	}
	return strings.TrimSpace(b.String())
}

// firstDiff shows the first lines that differ.
func firstDiff(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		p, q := "<end>", "<end>"
		if i < len(x) {
			p = x[i]
		}
		if i < len(y) {
			q = y[i]
		}
		if p != q {
			return fmt.Sprintf("line %d: native %.200q, machine %.200q", i+1, p, q)
		}
	}
	return "equal"
}
