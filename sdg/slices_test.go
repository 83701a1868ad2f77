package sdg

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// This file tests slices that were worked out by hand: see testdata/slices. A program's function f is the root. A
// line's mark, or a parameter's name, stands for the nodes of that line. "WANT backward m: …" lists the marks in the
// slice of m's nodes. The form in which the program is analysed is quoted below its source.

func TestSlices(t *testing.T) {
	files, err := filepath.Glob("testdata/slices/*.go")
	if err != nil || len(files) < 20 {
		t.Errorf("%d programs: %v", len(files), err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".go"), func(t *testing.T) { testSlices(t, name) })
	}
}

func testSlices(t *testing.T, name string) {
	m := load(t, name)
	var quoted, wants []string
	mode := Mode(0)
	for _, g := range m.file.Comments {
		for _, c := range g.List {
			if text, ok := strings.CutPrefix(c.Text, "//\t"); ok {
				quoted = append(quoted, text)
			} else if text, ok := strings.CutPrefix(c.Text, "// WANT "); ok {
				wants = append(wants, text)
			} else if c.Text == "// MODE implicit" {
				mode = ImplicitExits
			}
		}
	}
	s := NewSystem(Config{Roots: []*ssa.Function{m.pkg.Func("init"), m.pkg.Func("f")}, Mode: mode})
	if err := s.Sanity(); err != nil {
		t.Error(err)
	}
	if text := quote(m.pkg); strings.Join(quoted, "\n") != text {
		t.Errorf("the quoted form is not the one analysed, which is\n//\t%s", strings.ReplaceAll(text, "\n", "\n//\t"))
	}
	if len(wants) == 0 {
		t.Error("no WANT")
	}
	nodes := map[string][]NodeID{}
	for n := range s.Len() {
		if mark := m.systemMark(s, NodeID(n)); mark != "" {
			nodes[mark] = append(nodes[mark], NodeID(n))
		}
	}
	for _, want := range wants {
		query, list, _ := strings.Cut(want, ":")
		var kind, from string
		fmt.Sscan(query, &kind, &from)
		if nodes[from] == nil {
			t.Errorf("%s: no such mark", query)
			continue
		}
		slice := map[string]func(...NodeID) []NodeID{
			"backward": s.Backward, "forward": s.Forward, "value": s.BackwardValue, "execution": s.BackwardExecution,
		}[kind]
		set := map[string]bool{}
		for _, n := range slice(nodes[from]...) {
			set[m.systemMark(s, n)] = true
		}
		delete(set, "")
		got := slices.Sorted(maps.Keys(set))
		if want := slices.Sorted(slices.Values(strings.Fields(list))); !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", query, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
}

// systemMark names a node by its line's mark, a parameter by its name.
func (m *marked) systemMark(s *System, n NodeID) string {
	if k, id := s.procedureOf(n); k >= 0 && s.Procedures[k].Nodes[id].Param != nil {
		return s.Procedures[k].Nodes[id].Param.Name()
	}
	if instr := s.Instr(n); instr != nil {
		return m.mark(Node{Instr: instr})
	}
	return ""
}

// quote prints the instructions of a package's functions, but for its initialiser.
func quote(p *ssa.Package) string {
	var out []string
	for _, fn := range functions(p) {
		if fn.Name() == "init" && fn.Synthetic != "" {
			continue
		}
		var b bytes.Buffer
		fn.WriteTo(&b)
		for _, l := range strings.Split(b.String(), "\n") {
			if l == "" || strings.HasPrefix(l, "#") {
				continue
			}
			l = strings.TrimRight(strings.ReplaceAll(l, "\t", "    "), " ")
			words := strings.Fields(l)
			indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
			out = append(out, indent+strings.Join(words, " "))
		}
	}
	return strings.Join(out, "\n")
}
