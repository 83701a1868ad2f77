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
	s := samplingWith(t, manyTest, "-limit.executions=200")
	if s == nil || s.Goroutines < 2 || s.Steps < 1 || s.Runs[0] == 0 || s.Within != 0 {
		t.Fatalf("%+v", s)
	}
	if p := s.Probabilities; p[0] <= p[1] || p[1] <= p[2] || p[2] <= 0 || p[0] > 1 {
		t.Errorf("probabilities of bugs of depth 1, 2 and 3: %v", p)
	}
}

// endlessTest is a test of which no execution has room in a small limit of work.
const endlessTest = `package p

import (
	"sync"
	"testing"
)

func TestEndless(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for range 2 {
		wg.Go(func() {
			for range 100_000 {
				mu.Lock()
				n++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
`

// TestSamplingWithin has -stats say within how many steps bugs have been met, where no execution has room.
func TestSamplingWithin(t *testing.T) {
	s := samplingWith(t, endlessTest, "-limit.work=8", "-timing=off")
	if s == nil || s.Goroutines != 3 || s.Within < 10 || s.Steps != s.Within || s.Probabilities[0] < 0.5 {
		t.Errorf("%+v", s)
	}
}

// samplingWith returns what -stats says of the samples of a test.
func samplingWith(t *testing.T, test string, flags ...string) *statsSampling {
	t.Helper()
	writeModule(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "p_test.go": test})
	file := filepath.Join(t.TempDir(), "stats.json")
	var out, errs bytes.Buffer
	Main(append(flags, "-cache=off", "-stats", file, "."), Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var line statsLine
	if err := json.Unmarshal(text, &line); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	t.Logf("%s%s", text, out.String())
	return line.Sampling
}
