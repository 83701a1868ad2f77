package litmustest

import (
	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Enumerate runs every schedule of a program. It returns nil if there are more than limit. The short tests estimate
// first how many there are, because most of the time would go to programs that turn out too large.
func Enumerate(m sched.Machine, limit int, each func(*trace.Trace)) *oracle.Result {
	if !long.On() && oracle.Estimate(m, sched.Options{}) > float64(limit) {
		return nil
	}
	if r := oracle.Search(m, oracle.Limits{Executions: limit}, each); r.Complete {
		return r
	}
	return nil
}

// AddRaces adds the races among findings to what brute force would say of them.
func AddRaces(got *oracle.Result, findings []report.Finding) {
	for _, f := range findings {
		if f.Category == report.DataRace {
			a, b := f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site
			got.Races[oracle.RaceKey(a, b)] = true
		}
	}
}
