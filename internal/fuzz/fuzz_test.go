package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/internal/fuzz/gogen"
)

func newTestJudge(t testing.TB) *judge {
	j, err := newJudge()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.close)
	return j
}

// TestRegressions compares the programs of testdata: each showed a difference once.
func TestRegressions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs in testdata", err)
	}
	var progs []gogen.Program
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := readProgram(string(text))
		p.Entry = strings.TrimSuffix(filepath.Base(file), ".txt") + "_Main"
		progs = append(progs, p)
	}
	rs, err := newTestJudge(t).compareSources(progs)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rs {
		if r.invalid != "" || r.diff != "" {
			t.Errorf("%s: %s%s", files[i], r.invalid, r.diff)
		}
	}
}

// TestSeeds compares the programs of fixed seeds. make fuzz compares as many as one likes.
func TestSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	const n = 150
	datas := make([][]byte, n)
	for i := range datas {
		datas[i] = gogen.SeedBytes(uint64(i + 1))
	}
	rs, err := newTestJudge(t).compare(datas)
	if err != nil {
		t.Fatal(err)
	}
	invalid := 0
	for i, r := range rs {
		switch {
		case r.invalid != "":
			invalid++
		case r.diff != "":
			t.Errorf("%s\n\tgo run -C internal ./fuzz -n 1 -seed %d", r.diff, i+1)
		}
	}
	if invalid > n/50 {
		t.Errorf("%d of %d programs do not compile", invalid, n)
	}
}

// TestDifference checks that the comparison can fail: the machine has other files and another process id.
func TestDifference(t *testing.T) {
	j := newTestJudge(t)
	rs, err := j.compareSources([]gogen.Program{
		{Source: "func p0_Main() { P(id(1) + \"x\") }", Entry: "p0_Main"},
		{Source: "import \"os\"\nfunc p1_Main() { _, err := os.Stat(\"/proc/self/exe\"); P(err == nil) }", Entry: "p1_Main"},
		{Source: "func p2_Main() { P(2) }", Entry: "p2_Main"},
		{Source: "import \"os\"\nfunc p3_Main() { panic(os.Getpid()) }", Entry: "p3_Main", Alone: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if rs[0].invalid == "" || rs[1].diff == "" || rs[2] != (result{}) || rs[3].diff == "" {
		t.Errorf("got %+v", rs)
	}
}

// FuzzProgram lets go test -fuzz choose the bytes that programs are made of.
func FuzzProgram(f *testing.F) {
	f.Add(gogen.SeedBytes(1))
	if testing.Short() {
		f.Skip("compiles programs")
	}
	j := newTestJudge(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		rs, err := j.compare([][]byte{data})
		if err != nil {
			t.Fatal(err)
		}
		if rs[0].diff != "" {
			t.Errorf("%s\n%s", rs[0].diff, gogen.Make(data, "p0_").Source)
		}
	})
}
