package runner

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSampling has -stats say with which probability a bug has been met, where schedules were drawn: PCT guarantees it.
func TestSampling(t *testing.T) {
	writeModule(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "p_test.go": manyTest})
	file := filepath.Join(t.TempDir(), "stats.json")
	var out, errs bytes.Buffer
	Main([]string{"-cache=off", "-limit.executions=200", "-stats", file, "."}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var line statsLine
	if err := json.Unmarshal(text, &line); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	s := line.Sampling
	if s == nil || s.Goroutines < 2 || s.Steps < 1 || s.Runs[0] == 0 {
		t.Fatalf("%s: %+v", text, s)
	}
	if p := s.Probabilities; p[0] <= p[1] || p[1] <= p[2] || p[2] <= 0 || p[0] > 1 {
		t.Errorf("probabilities of bugs of depth 1, 2 and 3: %v", p)
	}
}
