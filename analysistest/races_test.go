package analysistest

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	words "github.com/heddle-go/heddle/mcrs/verdict"
)

// several are the programs that have several races. In TestRaceSendRecovered the send races with the close, and what
// is read then with what was written before. In TestRaceLogInParent t.Log looks twice whether its test is done, at one
// line of the program. In those named TestRaceRange the second call reads and writes the state of the loop, and so does
// the loop when its iterator has returned: only the two reads do not race.
var several = map[string]int{
	"TestRaceSendRecovered": 2, "TestRaceLogInParent": 2,
	"TestRaceLenAndAddBehind": 2, // so do the Add and the Wait
	"TestRaceAppendToEntry":   2, // x.m stands there twice
	// An Add races with two Waits, or two Adds with one.
	"TestRaceGroupPublished": 2, "TestRaceGroupSecondWait": 2, "TestRaceGroupSecondWaitOfThird": 2, "TestRaceGroupSleep": 2, "TestRaceGroupTimer": 2,
	"TestRaceRangeEnds": 3, "TestRaceRangeReturns": 3, "TestRaceRangeContinues": 3,
}

// unlocks are the programs whose Unlock fails in some schedule.
var unlocks = []string{"TestRaceUnlockOfAnothers", "TestRaceRUnlockOfAnothers", "TestRaceUnlockThenLock"}

// TestRacesBehind explores programs in which goroutines learn of each other. Those named Race have one race (or
// several, see there), those named Quiet nothing. Those in unlocks can also panic, for an Unlock of what is not
// locked. The explorers by formulas and models share how they look behind what is observed. One of them is asked, and
// all with the long tests.
func TestRacesBehind(t *testing.T) {
	m, p := loadDir(t, "testdata/races")
	some := []string{"union", "systematic", "icb", "mcr"}
	for _, name := range long.Pick(some, append(some, "se-mcr", "mcr-s", "mcr-s+", "delay", "bruteforce")) {
		var limits explore.Limits
		every := name == "delay" || name == "bruteforce" // they execute each schedule, and of some entries there are too many
		if every {
			limits.Executions = 300
		}
		racy := 0
		for _, e := range p.Entries {
			x, err := explorers.New(name)
			if err != nil {
				t.Fatal(err)
			}
			r := x.Explore(m.Entry(e), limits)
			want := 0
			if strings.HasPrefix(e.Name, "TestRace") || strings.HasPrefix(e.Name, "FuzzRace") {
				want = 1
				racy++
			}
			categories := []report.Category{report.DataRace}
			if n := several[e.Name]; n > 0 {
				want, categories = n, slices.Repeat(categories, n)
			}
			if slices.Contains(unlocks, e.Name) {
				want, categories = 2, append(categories, report.Panics)
			}
			if cut := every && r.Verdict != explore.Exhausted; !cut && (r.Verdict != explore.Exhausted || len(r.Findings) != want) {
				t.Errorf("%s: %s: %s %s, %d findings; want %d", name, e.Name, r.Verdict, r.Reason, len(r.Findings), want)
			}
			for _, f := range r.Findings {
				if i := slices.Index(categories, f.Category); i < 0 {
					t.Errorf("%s: %s: %s %s", name, e.Name, f.Category, f.Key)
				} else {
					categories = slices.Delete(categories, i, i+1)
				}
			}
		}
		if quiet := len(p.Entries) - racy; racy < 10 || quiet < 10 {
			t.Errorf("%d entries with a race, %d without", racy, quiet)
		}
	}
}

// TestRacesBehindLimit has too few runs to look behind an observation. The verdict names its line, and all else is
// accounted for.
func TestRacesBehindLimit(t *testing.T) {
	m, p := loadDir(t, "testdata/races")
	for _, e := range p.Entries {
		if e.Name != "TestQuietLenOfManyAtOnce" {
			continue
		}
		r := new(union.Explorer).Explore(m.Entry(e), explore.Limits{Executions: 3})
		if at := m.Position(r.Behind); r.Kind() != words.RacesBehind || !strings.HasSuffix(at.Filename, "races_test.go") {
			t.Errorf("%s: %s, behind %s", r.Kind(), r.Reason, at)
		}
		return
	}
	t.Error("no such entry")
}

// TestRacesBehindMaps has the walk behind observations follow which operations on a sync.Map, an atomic.Value and a
// Cond order what, which executions show as well.
func TestRacesBehindMaps(t *testing.T) {
	m, p := loadDir(t, "testdata/races")
	races := map[string]bool{
		"TestRaceMapOfThird": true, "TestRaceMapMadeByThird": true, "TestRaceMapStoreOfOther": true, "TestQuietMapStore": false, "TestQuietMapMade": false, "TestQuietMapMadeAndCleared": false,
		"TestQuietMapMadeByLoad": false, "TestRaceMapMadeByThirdLoad": true, "TestQuietMapCompareAndDeletesFind": false, "TestRacePoolPuts": true, "TestQuietPoolGet": false,
		"TestRaceValueStores": true, "TestRaceValueSwapAndStore": true, "TestRaceValueSecondStore": true, "TestRaceCondFirstSignals": true, "TestRaceCondSignals": true,
		"TestQuietValueFirstStore": false, "TestQuietValueFirstSwap": false, "TestQuietValueStoreAndSwap": false, "TestQuietValueStoreAndCompare": false, "TestQuietCondUnderLock": false,
	}
	for _, e := range p.Entries {
		want, ok := races[e.Name]
		if !ok {
			continue
		}
		delete(races, e.Name)
		x := &union.Explorer{Engine: union.New(), Alone: true}
		x.Explore(m.Entry(e), explore.Limits{})
		clear(x.Engine.Racing.Raced)
		if b := x.Engine.Behind(2000, true); !b.Complete || len(b.Races) > 0 != want {
			t.Errorf("%s: %d races, complete: %v; want races: %v", e.Name, len(b.Races), b.Complete, want)
		}
	}
	if len(races) > 0 {
		t.Errorf("no entries: %v", races)
	}
}

// TestRacesBehindGroups has the walk follow who knows of the first Adds of wait groups. What was seen to race is
// forgotten, so that the walk has to find it. Where the counter cannot be zero, or all that is added is ordered before
// the Wait, there is nothing to follow.
func TestRacesBehindGroups(t *testing.T) {
	m, p := loadDir(t, "testdata/races")
	nothing := []string{"TestQuietGroupNested", "TestQuietGroupNestedBesideOther", "TestQuietGroupSleepBesideOther", "TestQuietGroupReceived", "TestQuietGroupSecondWait", "TestQuietGroupLockedAdd"}
	entries := 0
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestRaceGroup") && !strings.HasPrefix(e.Name, "TestQuietGroup") {
			continue
		}
		entries++
		x := &union.Explorer{Engine: union.New(), Alone: true}
		x.Explore(m.Entry(e), explore.Limits{})
		clear(x.Engine.Racing.Raced)
		b := x.Engine.Behind(2000, true)
		pairs := make(map[[2]event.Site]bool)
		for _, task := range b.Races {
			pairs[task.Sites] = true
		}
		want := 0
		if strings.HasPrefix(e.Name, "TestRace") {
			want = max(1, several[e.Name])
		}
		if !b.Complete || len(pairs) != want {
			t.Errorf("%s: %d races, complete: %v; want %d", e.Name, len(pairs), b.Complete, want)
		}
		if slices.Contains(nothing, e.Name) && b.States > 0 {
			t.Errorf("%s: %d states, want none", e.Name, b.States)
		}
	}
	if entries < 21 {
		t.Errorf("%d entries", entries)
	}
}

// TestRacesBehindAtOnce has union alone look behind observations. With 70 keys of a map, it follows one access
// (BEHIND4). Where nothing can race any more, it looks no further (BEHIND5). Where one lock keeps apart what observes
// and what is observed, it does not look (BEHIND6), nor where a Once keeps the accesses apart (BEHIND7), or whoever
// makes one knows of the other (BEHIND11), by a Wait as well (BEHIND13), nor where an object was published behind an
// access (BEHIND16), nor where who may wait is only woken
// (BEHIND12). Of 80 accesses to 40 places it follows two at a time (BEHIND8). States with one move are not kept
// (BEHIND9).
func TestRacesBehindAtOnce(t *testing.T) {
	m, p := loadDir(t, "testdata/races")
	most := map[string]int{"TestRaceLenOfManyKeys": 120, "TestQuietLenOfManyKeys": 120, "TestQuietLenThenLong": 10, "TestQuietLenUnderOneLock": 0, "TestQuietOnceKeepsApart": 0, "TestQuietLenThenReceive": 0, "TestQuietLenAndClosed": 0, "TestQuietLenAndMeeting": 0, "TestQuietLenBeforeAndAfter": 0, "TestQuietDeadlines": 0, "TestQuietLenOfMany": 1900, "TestQuietLenAndGroup": 0, "TestQuietGroupPublished": 0}
	for _, e := range p.Entries {
		states, ok := most[e.Name]
		if !ok {
			continue
		}
		delete(most, e.Name)
		x := &union.Explorer{Engine: union.New(), Alone: true}
		if r := x.Explore(m.Entry(e), explore.Limits{}); r.Verdict != explore.Exhausted {
			t.Errorf("%s: %s: %s", e.Name, r.Verdict, r.Reason)
		}
		if b := x.Engine.Behind(2000, true); !b.Complete || b.States > states {
			t.Errorf("%s: %d states, complete: %v; want at most %d", e.Name, b.States, b.Complete, states)
		}
	}
	if len(most) > 0 {
		t.Errorf("no entries: %v", most)
	}
}
