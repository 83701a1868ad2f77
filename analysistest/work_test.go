package analysistest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
)

// TestLimitOfWorkIsTold explores entries with limits of work that are near to what they take. Where no such limit had a
// say in a result (OfWork), the result is that of a large limit, its work and its witnesses with it (TURN1 of package
// exploration). With the long tests three explorers take the entries in turn.
func TestLimitOfWorkIsTold(t *testing.T) {
	names := []string{explorers.Default}
	dirs := strings.Fields(long.Pick("outcomes", "outcomes waits rounds races locks merging"))
	if long.On() {
		names = append(names, "systematic", "mcr")
	}
	stood, said := 0, 0
	for k, name := range names {
		for _, dir := range dirs {
			m, p := loadDir(t, "testdata/"+dir)
			for i, e := range p.Entries {
				if (i+k)%len(names) != 0 {
					continue
				}
				at := func(work int64) *explore.Result {
					next := func() explore.Explorer {
						x, err := explorers.New(name)
						if err != nil {
							t.Fatal(err)
						}
						return x
					}
					r := explore.ExploreRegimes(next, m.Entry(e), explore.Limits{Work: work, Executions: 1000}, explore.TimingStructural)
					r.Stats.MachineNS, r.Stats.WitnessNS, r.Stats.WallNS = 0, 0, 0
					return r
				}
				const large = 20_000_000
				at(large) // what a machine makes once is no work of the next exploration
				whole := at(large)
				if whole.OfWork {
					continue
				}
				for work := whole.Stats.Work * 6; work > whole.Stats.Work/2; work = work / 2 {
					switch r := at(min(work, large)); {
					case r.OfWork:
						said++
					case !reflect.DeepEqual(r, whole):
						t.Errorf("%s, %s: a limit of %d was not said to have a say:%s", name, e.Name, work, differing(reflect.ValueOf(*r), reflect.ValueOf(*whole)))
					default:
						stood++
					}
				}
			}
		}
	}
	if stood < 100 || said < 100 {
		t.Errorf("%d results stood, of %d a limit had a say", stood, said)
	}
}

// differing says in which fields two structures differ.
func differing(a, b reflect.Value) (out string) {
	for i := range a.NumField() {
		x, y := a.Field(i), b.Field(i)
		switch {
		case !x.CanInterface() || reflect.DeepEqual(x.Interface(), y.Interface()):
		case x.Kind() == reflect.Struct:
			out += differing(x, y)
		default:
			out += fmt.Sprintf(" %s is %v, with a large limit %v;", a.Type().Field(i).Name, x, y)
		}
	}
	return out
}
