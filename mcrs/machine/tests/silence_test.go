package tests

import (
	"reflect"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// seenElsewhere are the exported functions and methods of testing that announce nothing of their own, each with the
// reason.
var seenElsewhere = map[string]string{
	"Log": "common.log", "Logf": "common.log", "Error": "common.log, and Fail", "Errorf": "common.log, and Fail", "Fatal": "common.log, and FailNow", "Fatalf": "common.log, and FailNow",
	"Skip": "common.log, and SkipNow", "Skipf": "common.log, and SkipNow", "Fail": "heddleFail", "FailNow": "heddleFailNow", "Attr": "output",
	"Name": "never changes", "Helper": "the line that output begins with", "Context": "never changes; the Context is no state of testing's", "Deadline": "never changes",
	"TempDir": "makeTempDir is exposed", "Setenv": "checkParallel, os, Cleanup", "Chdir": "checkParallel, os, Cleanup", "ArtifactDir": "exposed",
}

// TestTestingAnnounced: each method that a test has is in a table. One that is new in testing must be looked at.
func TestTestingAnnounced(t *testing.T) {
	announced := Watches()
	for _, v := range []any{(*testing.T)(nil), (*testing.F)(nil)} {
		for i := range reflect.TypeOf(v).NumMethod() {
			name := reflect.TypeOf(v).Method(i).Name
			known := seenElsewhere[name] != ""
			for _, recv := range []string{"common", "T", "F"} {
				full := "(*testing." + recv + ")." + name
				known = known || announced[full] != nil || vm.Exposed(full)
			}
			if !known {
				t.Errorf("%T.%s announces nothing, and no table says why", v, name)
			}
		}
	}
}
