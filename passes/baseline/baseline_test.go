package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRoundTrip(t *testing.T) {
	name := filepath.Join(t.TempDir(), "base.json")
	var f File
	f.Add("b", "datarace", "p", "second")
	f.Add("a", "datarace", "p", "first")
	f.Add("b", "datarace", "p", "second")
	if err := f.Write(name); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Write(name); err != nil {
		t.Fatal(err)
	}
	if second, _ := os.ReadFile(name); string(second) != string(first) || !strings.Contains(string(first), "\"first\"") {
		t.Errorf("written again:\n%s\nthe first time:\n%s", second, first)
	}
	s := NewSet(g)
	for i, want := range []bool{true, true, false} {
		if got := s.Take("b"); got != want {
			t.Errorf("b for the %d. time: %v", i+1, got)
		}
	}
	if s.Take("c") || s.Left() != 1 {
		t.Errorf("%d are left, want the one of a", s.Left())
	}
	if files, _ := os.ReadDir(filepath.Dir(name)); len(files) != 1 {
		t.Errorf("files beside the baseline: %v", files)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"":              "is broken: unexpected end of JSON input; heddle -write-baseline",
		"[]":            "is broken: ",
		"{}":            "has version 0, and this heddle reads version 1; heddle -write-baseline",
		`{"version":2}`: "has version 2, and this heddle reads version 1",
		`{"version":1,"findings":[{"fingerprint":"","count":1}]}`: "an entry has no fingerprint or no count",
		`{"version":1,"findngs":[]}`:                              `unknown field "findngs"`,
	} {
		name := filepath.Join(dir, "base.json")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want a line with %s", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(dir, "none")); err == nil || !strings.Contains(err.Error(), "no such file; heddle -write-baseline") {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := new(File).Write(filepath.Join(dir, "none", "base.json")); err == nil {
		t.Error("a folder that is not there is no error")
	}
}
