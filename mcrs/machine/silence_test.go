package machine

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// seenElsewhere are the exported functions and methods of testing that announce nothing of their own, each with the reason.
var seenElsewhere = map[string]string{
	"Log": "common.log", "Logf": "common.log", "Error": "common.log, and Fail", "Errorf": "common.log, and Fail", "Fatal": "common.log, and FailNow", "Fatalf": "common.log, and FailNow",
	"Skip": "common.log, and SkipNow", "Skipf": "common.log, and SkipNow", "Fail": "heddleFail", "FailNow": "heddleFailNow", "Attr": "output",
	"Name": "never changes", "Helper": "the line that output begins with", "Context": "never changes; the Context is no state of testing's", "Deadline": "never changes",
	"TempDir": "makeTempDir is exposed", "Setenv": "checkParallel, os, Cleanup", "Chdir": "checkParallel, os, Cleanup", "ArtifactDir": "exposed",
}

// TestTestingAnnounced: each method that a test has is in a table. One that is new in testing must be looked at.
func TestTestingAnnounced(t *testing.T) {
	announced := testWatches()
	for _, v := range []any{(*testing.T)(nil), (*testing.F)(nil)} {
		for i := range reflect.TypeOf(v).NumMethod() {
			name := reflect.TypeOf(v).Method(i).Name
			known := seenElsewhere[name] != ""
			for _, recv := range []string{"common", "T", "F"} {
				full := "(*testing." + recv + ")." + name
				known = known || announced[full] != nil || exposed(full)
			}
			if !known {
				t.Errorf("%T.%s announces nothing, and no table says why", v, name)
			}
		}
	}
}

// TestDescriptorsAnnounced: each method of internal/poll.FD that makes system calls on files is in fdEffects, and all in the tables of silence exist.
func TestDescriptorsAnnounced(t *testing.T) {
	p := loadMain(t, "testdata/run/turns.go")
	pkg := p.PackageByPath("internal/poll")
	sockets := []string{"Accept", "Shutdown", "WaitWrite", "Init"} // refused, or of a descriptor that nobody else has yet
	set := types.NewMethodSet(types.NewPointer(pkg.Types.Scope().Lookup("FD").Type()))
	for i := range set.Len() {
		name := set.At(i).Obj().Name()
		_, ok := fdEffects[name]
		network := strings.HasPrefix(name, "ReadFrom") || strings.HasPrefix(name, "ReadMsg") || strings.HasPrefix(name, "WriteTo") || strings.HasPrefix(name, "WriteMsg") || strings.Contains(name, "sockopt") || name == "Writev"
		if set.At(i).Obj().Exported() && !ok && !network && !slices.Contains(sockets, name) {
			t.Errorf("FD.%s is not in fdEffects", name)
		}
	}
	for name := range fdEffects {
		if set.Lookup(pkg.Types, name) == nil {
			t.Errorf("there is no FD.%s", name)
		}
	}
}
