package union

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestUnionRows pins the number of local histories of the benchmark programs.
func TestUnionRows(t *testing.T) {
	for _, r := range litmustest.Rows() {
		t.Run(r.Name, func(t *testing.T) {
			x := New()
			res := (&Explorer{Engine: x, Alone: true, Apart: true}).Explore(r.Program(), explore.Limits{Executions: 100000})
			if res.Verdict != explore.Exhausted {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			s := res.Stats
			t.Logf("%d sweeps, %d histories, %d executions, %d replays, %d states, machine %.1f ms, all %.1f ms", x.Stats.Sweeps, s.Histories, s.Executions, s.Replays, s.States,
				float64(s.MachineNS)/1e6, float64(s.WallNS)/1e6)
			if s.Histories != r.Histories+1 {
				t.Errorf("%d histories, want %d", s.Histories, r.Histories+1)
			}
		})
	}
}
