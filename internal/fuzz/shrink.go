package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-go/heddle/internal/fuzz/gogen"
)

// This file shrinks programs that differ, and keeps them.

func seedBytes(seed uint64) []byte { return gogen.SeedBytes(seed) }

func source(seed uint64) string { return makeProgram(seedBytes(seed), "p0_").Source }

// report shrinks the program and writes it to a file.
func (j *judge) report(data []byte, seed uint64, dir, diff string, shrink bool) error {
	if shrink {
		var err error
		if data, diff, err = j.shrink(data); err != nil {
			return err
		}
	}
	p := makeProgram(data, "p0_")
	head := ""
	for l := range strings.Lines(diff) {
		head += "// " + strings.TrimRight(l, "\n") + "\n"
	}
	if p.Alone {
		head += "//alone\n"
	}
	file := filepath.Join(dir, fmt.Sprintf("fuzz%d.txt", seed))
	if err := os.WriteFile(file, []byte(head+"\n"+p.Source), 0o644); err != nil {
		return err
	}
	fmt.Printf("\t%s\n\tgo run -C internal ./fuzz -replay %s\n", diff, file)
	return nil
}

// shrink returns the smallest bytes it finds whose program differs. Candidates are tried many at a time.
func (j *judge) shrink(data []byte) ([]byte, string, error) {
	rs, err := j.compare([][]byte{data})
	if err != nil {
		return nil, "", err
	}
	diff := rs[0].diff
	if diff == "" {
		return data, "alone it does not differ", nil
	}
	for rounds := 0; rounds < 40; rounds++ {
		cands := candidates(data)
		better := -1
		for at := 0; at < len(cands) && better < 0; at += 150 {
			part := cands[at:min(at+150, len(cands))]
			rs, err := j.compare(part)
			if err != nil {
				return data, diff, nil // the shrunk ones do not load together: keep what there is
			}
			size := len(makeProgram(data, "p0_").Source)
			for i, r := range rs {
				if n := len(makeProgram(part[i], "p0_").Source); r.diff != "" && (n < size || n == size && len(part[i]) < len(data)) {
					better, size, diff = at+i, n, r.diff
				}
			}
		}
		if better < 0 {
			break
		}
		data = cands[better]
	}
	return data, diff, nil
}

// candidates are smaller variants of data: cut short, a chunk left out, a byte set to 0.
func candidates(data []byte) [][]byte {
	var out [][]byte
	add := func(lo, hi int, mid ...byte) {
		c := append(append([]byte(nil), data[:lo]...), mid...)
		out = append(out, append(c, data[hi:]...))
	}
	for n := len(data) / 2; n > 0; n /= 2 {
		add(len(data)-n, len(data))
	}
	for size := len(data) / 2; size > 0; size /= 2 {
		step := size
		if size == 1 {
			step = 1
		}
		for at := 0; at+size <= len(data); at += step {
			add(at, at+size)
		}
	}
	for at := range data {
		if data[at] != 0 {
			add(at, at+1, 0)
		}
	}
	return out
}

// readProgram is the program of a file that report wrote.
func readProgram(text string) gogen.Program {
	return gogen.Program{Source: text, Entry: "p0_Main", Alone: strings.Contains(text, "//alone\n")}
}

// replayFile compares the program of a file that report wrote.
func replayFile(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	j, err := newJudge()
	if err != nil {
		return err
	}
	defer j.close()
	rs, err := j.compareSources([]gogen.Program{readProgram(string(text))})
	if err != nil {
		return err
	}
	switch {
	case rs[0].invalid != "":
		return fmt.Errorf("%s does not compile: %s", file, rs[0].invalid)
	case rs[0].diff != "":
		return fmt.Errorf("%s differs: %s", file, rs[0].diff)
	}
	fmt.Println("no difference")
	return nil
}
