package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestHidden explores a test that makes a pointer of a number: that it takes a finalizer back does not say that it has
// not run (FINAL4 of package boundary).
func TestHidden(t *testing.T) {
	m, p := loadDir(t, "testdata/hidden")
	for _, e := range p.Entries {
		if r := new(union.Explorer).Explore(m.Entry(e), explore.Limits{}); r.Verdict == explore.Exhausted {
			t.Errorf("%s: %s", e.Name, r.Verdict)
		}
	}
}
