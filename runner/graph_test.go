package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/runner/graph"
)

type graphJSON struct {
	Nodes []struct {
		ID                    int
		Function, Label, Posn string
	}
	Edges []struct {
		From, To int
		Kind     string
	}
}

// labels returns the labels of the nodes at a position.
func (g *graphJSON) labels(posn string) (out []string) {
	for _, n := range g.Nodes {
		if strings.HasPrefix(n.Posn, posn) {
			out = append(out, n.Label)
		}
	}
	return out
}

func graphOf(t *testing.T, args ...string) *graphJSON {
	t.Helper()
	stdout, stderr, code := heddle(t, append([]string{"graph", "-format=json"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	g := new(graphJSON)
	if err := json.Unmarshal([]byte(stdout), g); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGraph(t *testing.T) {
	long.Only(t, "builds the graph of a closed program five times")
	stats := filepath.Join(t.TempDir(), "stats")
	all := graphOf(t, "-stats="+stats, "./branches")
	ids := map[int]bool{}
	for _, n := range all.Nodes {
		ids[n.ID] = true
		if n.Function != "" && !strings.Contains(n.Function, "example.com/m/branches") {
			t.Errorf("a node of %s", n.Function)
		}
	}
	for _, e := range all.Edges {
		if !ids[e.From] || !ids[e.To] || e.Kind == "" {
			t.Errorf("edge %v leads out of the view", e)
		}
	}
	line, err := os.ReadFile(stats)
	var s graph.Size
	if err == nil {
		err = json.Unmarshal(line, &s)
	}
	if err != nil || s.Package != "example.com/m/branches" || s.Functions < 100 || s.Instructions < s.Functions || s.Edges["call"] == 0 || s.BuildNS <= 0 {
		t.Errorf("stats %s: %v", line, err)
	}
	back := graphOf(t, "-from=branches/branches.go:8", "./branches")
	if len(back.labels("branches/branches.go:5")) == 0 || len(back.labels("branches/branches.go:7")) > 0 || len(back.Nodes) >= len(all.Nodes) {
		t.Errorf("backward slice: %v", back.Nodes)
	}
	forward := graphOf(t, "-from=branches/branches.go:6", "-forward", "./branches")
	if len(forward.labels("branches/branches.go:7")) == 0 || len(forward.labels("branches/branches.go:8")) > 0 {
		t.Errorf("forward slice: %v", forward.Nodes)
	}
	one, _, _ := heddle(t, "graph", "./branches")
	two, _, _ := heddle(t, "graph", "./branches")
	if one != two || !strings.HasPrefix(one, "digraph") || !slices.Contains(strings.Split(one, "\n"), "}") {
		t.Errorf("the graph is not written twice alike:\n%s\n%s", one, two)
	}
}

// TestBackwardSlice is the part of TestGraph that takes one graph, of a program that imports nothing.
func TestBackwardSlice(t *testing.T) {
	back := graphOf(t, "-from=alone/pick.go:7", "./alone")
	if len(back.labels("alone/pick.go:4")) == 0 || len(back.labels("alone/pick.go:6")) > 0 {
		t.Errorf("backward slice: %v", back.Nodes)
	}
}

func TestGraphBadInput(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"-format=svg", "."}, "heddle: graph: -format=svg: only dot and json are known"},
		{[]string{"-from=x", "."}, "heddle: graph: -from=x is no position: file.go:line or file.go:line:column"},
		{[]string{"-from=alone/alone.go:400", "./alone"}, "heddle: graph: example.com/m/alone: nothing of the program stands at alone/alone.go:400"},
		{[]string{"-forward", "."}, "heddle: graph: -forward needs -from; " + graph.Usage},
		{[]string{"./lib"}, "heddle: graph: example.com/m/lib has no tests and is no main package: there is no closed program"},
	} {
		_, stderr, code := heddle(t, append([]string{"graph"}, tt.args...)...)
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		if got := lines[len(lines)-1]; code != exitFailure || got != tt.want {
			t.Errorf("%v: exit %d, %s; want %s", tt.args, code, got, tt.want)
		}
	}
}

// docs/sdg.md shows the nodes of a slice of an example, one a line: function, label and position.
func TestGraphOfExample(t *testing.T) {
	long.Only(t, "builds the graph of a closed program")
	args, want := documented(t, "../docs/sdg.md", "\n$ heddle ", "```\n")
	stdout, stderr, code := command(t, args...)
	if code != exitOK {
		t.Fatalf("heddle %s: exit %d: %s", args, code, stderr)
	}
	var g graphJSON
	if err := json.Unmarshal([]byte(stdout), &g); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, n := range g.Nodes {
		fmt.Fprintf(w, "%s\t%s\t%s\n", strings.ReplaceAll(n.Function, "github.com/heddle-go/heddle/examples/", ""), n.Label, filepath.Base(n.Posn))
	}
	w.Flush()
	got := regexp.MustCompile(` +\n`).ReplaceAllString(strings.ReplaceAll(b.String(), "  .\n", "\n"), "\n")
	if got != want {
		t.Errorf("docs/sdg.md shows\n%sheddle %s has\n%s", want, args, got)
	}
}
