package machine

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// TestCollectEvery runs programs with a collection at every few allocations, and what is freed overwritten: they must
// do what they do without.
func TestCollectEvery(t *testing.T) {
	var files []string
	patterns := []string{"testdata/collect/*.go", "testdata/lang/*.go", "testdata/run/*.go"}
	if !long.On() {
		patterns = patterns[:1]
	}
	for _, pattern := range patterns {
		fs, err := filepath.Glob(pattern)
		if err != nil || len(fs) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, fs...)
	}
	collections := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".go"), func(t *testing.T) {
			p := loadMain(t, file)
			steps := int64(0)
			run := func(every int64) string {
				m := New(p, Config{
					Kernel: kernel.Config{GOROOT: runtime.GOROOT(), Args: []string{"prog"}, Env: []string{"TMPDIR=/tmp"}},
					Exec:   sched.Options{MaxMemory: 32 << 20}, CollectEvery: every,
				})
				var out bytes.Buffer
				code, err := m.Exec(Streams{Stdout: &out, Stderr: &out}, mains(p))
				collections += m.vm.Collections
				steps = m.vm.Steps
				return fmt.Sprintf("%s\nexit %d, %v", out.String(), code, err)
			}
			want := run(0)
			every := int64(1) // each allocation
			if steps > 100_000 && !strings.Contains(file, "collect") {
				every = 1 << 18
			}
			if got := run(every); got != want {
				t.Errorf("with a collection at every %d bytes:\n%s\nwithout:\n%s", every, got, want)
			}
		})
	}
	if collections < 1000 {
		t.Errorf("%d collections in all", collections)
	}
}

func mains(p *program.Program) []program.Entry {
	var es []program.Entry
	for _, e := range p.Entries {
		if e.Kind == program.Main {
			es = append(es, e)
		}
	}
	return es
}
