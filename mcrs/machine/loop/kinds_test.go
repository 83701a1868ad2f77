package loop

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
)

// TestEveryWaitHasARule shows that the machine says when each kind of operation that can wait is enabled, and has no
// such rule for another kind.
func TestEveryWaitHasARule(t *testing.T) {
	for k := range event.NumKinds {
		if want := k.CanWait() && !k.IsComm(); (enabling[k] != nil) != want {
			t.Errorf("%v: mcrs/event says that it can wait: %v; enabling has a rule: %v", k, want, enabling[k] != nil)
		}
	}
}
