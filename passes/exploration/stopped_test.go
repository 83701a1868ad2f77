package exploration

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// TestInterruptedIsNotKept shows that nothing is kept once somebody has asked the exploration to stop: what was found
// until then is not all there is.
func TestInterruptedIsNotKept(t *testing.T) {
	stop := new(explore.Stop)
	k := &keeper{stop: stop, c: &closure.Result{Recipe: new(program.Recipe)}}
	if !k.unchanged() {
		t.Fatal("a program without files has changed")
	}
	stop.Ask()
	if k.unchanged() || k.keepable(&EntryResult{Result: new(explore.Result)}) {
		t.Error("the result of an interrupted exploration would be kept")
	}
}
